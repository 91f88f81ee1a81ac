// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/source/NotFoundPage.h"

#include "views/kit/Text.h"
#include "views/kit/ToolIcon.h"
#include "views/source/PathMap.h"

#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace laggard {
namespace {

QLabel *label(double scale, bool bold) {
    auto *made = new QLabel;
    made->setTextFormat(Qt::PlainText);
    made->setWordWrap(true);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QFont font = made->font();
    font.setPointSizeF(font.pointSizeF() * scale);
    font.setBold(bold);
    made->setFont(font);
    return made;
}

QStringList knownOf(const Frame &frame) {
    QStringList facts;
    facts << NotFoundPage::tr("Function: %1").arg(toLine(frame.function));
    if (!frame.file.empty())
        facts << NotFoundPage::tr("File: %1").arg(toLine(frame.file));
    if (frame.line != 0)
        facts << NotFoundPage::tr("Line: %1").arg(frame.line);
    return facts;
}

} // namespace

NotFoundPage::NotFoundPage(QWidget *parent)
    : QWidget(parent),
      m_title(label(1, true)),
      m_facts(label(1, false)),
      m_fold(new QToolButton),
      m_locate(new QPushButton(tr("&Locate file…"))),
      m_map(new QPushButton(tr("Add path &mapping…"))) {
    m_title->setAccessibleName(tr("Why no source is shown"));
    m_facts->setAccessibleName(tr("What is known"));
    m_fold->setAutoRaise(true);
    m_fold->setCheckable(true);
    m_fold->setFocusPolicy(Qt::StrongFocus);
    m_fold->setToolTip(tr("What is known of the file, and where it was looked for"));
    m_fold->setAccessibleName(tr("Details"));
    auto *line = new QHBoxLayout;
    line->addWidget(m_fold);
    line->addWidget(m_title, 1);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(m_locate);
    buttons->addWidget(m_map);
    buttons->addStretch();
    auto *inside = new QWidget;
    auto *column = new QVBoxLayout(inside);
    column->setContentsMargins(8, 6, 8, 6);
    column->setSpacing(6);
    column->addLayout(line);
    column->addLayout(buttons);
    column->addWidget(m_facts);
    column->addStretch();
    auto *area = new QScrollArea;
    area->setWidget(inside);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(area);
    m_title->setFocusPolicy(Qt::StrongFocus);
    setFocusProxy(m_title); // the buttons are not always there
    connect(m_locate, &QPushButton::clicked, this, &NotFoundPage::locateRequested);
    connect(m_fold, &QToolButton::toggled, this, &NotFoundPage::showFold);
    connect(m_map, &QPushButton::clicked, this, &NotFoundPage::mappingRequested);
    showNothing();
}

void NotFoundPage::show(const QString &title, const QStringList &facts, bool canLocate) {
    constexpr qsizetype mostOfLine = 600; // names in traces may be of any length
    m_title->setText(shortened(title, mostOfLine));
    QStringList lines;
    for (const QString &fact : facts)
        lines << shortened(fact, mostOfLine);
    m_facts->setText(lines.join('\n'));
    m_fold->setVisible(!facts.isEmpty());
    showFold();
    m_locate->setVisible(canLocate);
    m_map->setVisible(canLocate);
}

void NotFoundPage::showFold() {
    m_fold->setIcon(toolIcon(m_fold->isChecked() ? ToolIcon::Fold : ToolIcon::Unfold));
    m_facts->setVisible(m_fold->isChecked() && !m_facts->text().isEmpty());
}

void NotFoundPage::showNothing() { show(tr("Select a state, a call or a finding to see its source."), {}, false); }

void NotFoundPage::showUnknown(const Frame &frame, bool hasCallers) {
    show(tr("The trace does not say where %1 is.").arg(toLine(frame.function)),
         {tr("Functions of MPI and of other libraries often come without a file.") +
          (hasCallers ? tr(" A caller has one: choose it above.") : QString())},
         false);
}

void NotFoundPage::showMissing(const Frame &frame, const QStringList &tried) {
    QStringList facts = knownOf(frame);
    facts << QString() << tr("Looked for it at:");
    for (const QString &path : tried)
        facts << "    " + fromHome(path);
    if (tried.isEmpty())
        facts << tr("    nowhere: the path is relative, and no folder is known");
    show(tr("Source not found: %1").arg(toLine(frame.file)), facts, true);
}

void NotFoundPage::showProblem(const Frame &frame, const QString &problem) {
    show(tr("The source cannot be shown"), QStringList(problem) + knownOf(frame), true);
}

QString NotFoundPage::text() const { return m_title->text() + '\n' + m_facts->text(); }

} // namespace laggard
