// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/StartPage.h"

#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyleOption>
#include <QStylePainter>
#include <QVBoxLayout>

namespace laggard {
namespace {

constexpr int pageWidth = 560;
constexpr int mostShown = 8;

QLabel *makeText(const QString &text, qreal scale, bool bold, QWidget *parent) {
    auto *label = new QLabel(text, parent);
    label->setWordWrap(true);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    label->setFont(font);
    return label;
}

/// A button that reads like a line of text. A style sheet would do the same, but keeps the colours it began with.
class LineButton : public QPushButton {
  public:
    static constexpr int margin = 8;

    using QPushButton::QPushButton;

  protected:
    void paintEvent(QPaintEvent *) override {
        QStylePainter painter(this);
        if (underMouse())
            painter.fillRect(rect(), palette().color(QPalette::Button));
        painter.setPen(palette().color(QPalette::Link));
        painter.drawText(rect().adjusted(margin, 0, -margin, 0), Qt::AlignVCenter | Qt::AlignLeft, text());
        if (hasFocus()) {
            QStyleOptionFocusRect focus;
            focus.initFrom(this);
            focus.backgroundColor = palette().color(QPalette::Window);
            painter.drawPrimitive(QStyle::PE_FrameFocusRect, focus);
        }
    }
};

/// File name first, its folder behind it.
QPushButton *makeFileButton(const QString &file, QWidget *parent) {
    const QFileInfo info(file);
    const QString folder = QDir::toNativeSeparators(info.absolutePath());
    auto *button = new LineButton(parent);
    // Most traces are called traces.otf2: the folder tells them apart.
    const QString text =
        info.isDir() ? info.fileName() : QFileInfo(info.absolutePath()).fileName() + QStringLiteral("/") + info.fileName();
    button->setText(button->fontMetrics().elidedText(text + QStringLiteral("   –   ") + folder, Qt::ElideMiddle,
                                                     pageWidth - 2 * LineButton::margin));
    button->setToolTip(QDir::toNativeSeparators(file));
    button->setFlat(true);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

} // namespace

StartPage::StartPage(QWidget *parent) : QWidget(parent) {
    auto *column = new QWidget(this);
    column->setFixedWidth(pageWidth);
    auto *layout = new QVBoxLayout(column);
    layout->setSpacing(10);
    layout->addWidget(makeText(tr("Laggard"), 2.2, true, column));
    layout->addWidget(
        makeText(tr("Which task of a parallel job made the least progress, when, and in which code."), 1.1, false, column));
    m_error = makeText({}, 1.0, false, column);
    m_error->setObjectName(QStringLiteral("openError"));
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_error->setFrameShape(QFrame::StyledPanel);
    m_error->setMargin(8);
    m_error->hide();
    layout->addWidget(m_error);

    auto *buttons = new QHBoxLayout;
    auto *open = new QPushButton(tr("Open a trace…"), column);
    open->setDefault(true);
    open->setToolTip(tr("The anchor file of a trace (traces.otf2)"));
    auto *openFolder = new QPushButton(tr("Open a folder…"), column);
    openFolder->setToolTip(tr("A folder that holds one trace"));
    buttons->addWidget(open);
    buttons->addWidget(openFolder);
    buttons->addStretch();
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addWidget(makeText(tr("… or drop a file or folder here."), 1.0, false, column));

    m_example = new QWidget(column);
    auto *exampleLayout = new QHBoxLayout(m_example);
    exampleLayout->setContentsMargins(0, 8, 0, 0);
    auto *example = new QPushButton(tr("Open the example: a stencil code that hangs"), m_example);
    exampleLayout->addWidget(example);
    exampleLayout->addStretch();
    m_example->hide();
    layout->addWidget(m_example);

    m_recentTitle = makeText(tr("Opened before"), 1.0, true, column);
    m_recentTitle->hide();
    layout->addSpacing(8);
    layout->addWidget(m_recentTitle);
    m_recent = new QVBoxLayout;
    m_recent->setSpacing(0);
    layout->addLayout(m_recent);

    auto *outer = new QVBoxLayout(this);
    outer->addStretch(2);
    outer->addWidget(column, 0, Qt::AlignHCenter);
    outer->addStretch(3);
    connect(open, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(openFolder, &QPushButton::clicked, this, &StartPage::openFolderRequested);
    connect(example, &QPushButton::clicked, this, [this] { emit fileChosen(m_exampleFolder); });
}

void StartPage::setRecent(const QStringList &files) {
    while (QLayoutItem *item = m_recent->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const QString &file : files.mid(0, mostShown)) {
        QPushButton *button = makeFileButton(file, this);
        connect(button, &QPushButton::clicked, this, [this, file] { emit fileChosen(file); });
        m_recent->addWidget(button);
    }
    m_recentTitle->setVisible(!files.isEmpty());
}

void StartPage::setExample(const QString &folder) {
    m_exampleFolder = folder;
    m_example->setVisible(!folder.isEmpty());
}

void StartPage::setError(const QString &sentence) {
    m_error->setText(sentence);
    m_error->setVisible(!sentence.isEmpty());
}

} // namespace laggard
