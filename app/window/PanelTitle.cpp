// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/PanelTitle.h"

#include "views/kit/ToolIcon.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QToolButton>

namespace laggard {
namespace {

/// Takes its room always and is painted only when it can be wanted, so that nothing moves when the pointer comes.
class TitleButton : public QToolButton {
  public:
    TitleButton(QDockWidget &dock, ToolIcon icon, const QString &what, QWidget *parent) : QToolButton(parent), m_dock(dock) {
        constexpr int side = 18;
        setIcon(toolIcon(icon));
        setIconSize({12, 12});
        setFixedSize(side, side);
        setAutoRaise(true);
        setToolTip(what);
        setAccessibleName(what);
        setFocusPolicy(Qt::TabFocus);
    }

  protected:
    void paintEvent(QPaintEvent *event) override {
        if (m_dock.underMouse() || hasFocus())
            QToolButton::paintEvent(event);
    }

  private:
    QDockWidget &m_dock;
};

} // namespace

PanelTitle::PanelTitle(QDockWidget &dock) : QWidget(&dock), m_dock(dock), m_label(new QLabel(dock.windowTitle(), this)) {
    QFont font = m_label->font();
    font.setBold(true);
    m_label->setFont(font);
    m_label->setTextFormat(Qt::PlainText);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(8, 1, 2, 1);
    row->setSpacing(1);
    row->addWidget(m_label, 1);
    const auto add = [&](ToolIcon icon, const QString &what) {
        m_buttons << new TitleButton(dock, icon, what, this);
        row->addWidget(m_buttons.back());
        return m_buttons.back();
    };
    connect(add(ToolIcon::Maximise, tr("Give this panel the whole window, or take that back")), &QToolButton::clicked, this,
            &PanelTitle::maximiseRequested);
    connect(add(ToolIcon::TakeOut, tr("Take this panel out of the window, or put it back")), &QToolButton::clicked, this,
            [this] { m_dock.setFloating(!m_dock.isFloating()); });
    connect(add(ToolIcon::Close, tr("Close this panel; the View menu opens it again")), &QToolButton::clicked, &m_dock,
            &QDockWidget::close);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    dock.installEventFilter(this);
}

void PanelTitle::setAmongTabs(bool among) {
    if (m_isAmongTabs == among)
        return;
    m_isAmongTabs = among;
    for (QWidget *child : findChildren<QWidget *>(Qt::FindDirectChildrenOnly))
        child->setVisible(!among);
    setMaximumHeight(among ? 0 : QWIDGETSIZE_MAX);
    updateGeometry();
}

QSize PanelTitle::sizeHint() const {
    constexpr int least = 22; // pixels: with the buttons, and easy to take hold of
    return {0, m_isAmongTabs ? 0 : std::max(least, m_label->sizeHint().height() + 4)};
}

QSize PanelTitle::minimumSizeHint() const { return sizeHint(); }

void PanelTitle::mouseDoubleClickEvent(QMouseEvent *event) {
    event->accept(); // the dock would leave the window
    emit maximiseRequested();
}

bool PanelTitle::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
        for (QToolButton *button : m_buttons)
            button->update();
    return QWidget::eventFilter(watched, event);
}

} // namespace laggard
