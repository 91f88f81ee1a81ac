// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/DockLayout.h"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QStackedWidget>
#include <QTimer>

#include <algorithm>
#include <utility>
#include <vector>

namespace laggard {
namespace {

/// From this height on findings and groups stand one above the other; below, one behind the other.
constexpr int roomyHeight = 920;
constexpr int leastFindingsWidth = 350;
constexpr int leastSourceWidth = 430;
/// Of saved layouts; those before had no charts (0), none of phases, clusters and state models (1), no slice (2), or no details
/// (3).
constexpr int layoutVersion = 4;

} // namespace

DockLayout::DockLayout(QMainWindow &window) : QObject(&window), m_window(window) {}

void DockLayout::add(const QString &title, const QString &name, QWidget *panel, Qt::DockWidgetArea area) {
    auto *dock = new QDockWidget(title, &m_window);
    dock->setObjectName(name); // saveState goes by it
    dock->setWidget(panel);
    m_window.addDockWidget(area, dock);
    m_docks.append(dock);
}

void DockLayout::addOfEvents(const QString &title, const QString &name, QWidget *panel, Qt::DockWidgetArea area,
                             const QString &sentence) {
    auto *pages = new QStackedWidget(&m_window);
    auto *note = new QLabel(sentence, pages);
    note->setAlignment(Qt::AlignCenter);
    note->setWordWrap(true);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    note->setFocusPolicy(Qt::StrongFocus);
    pages->addWidget(panel);
    pages->addWidget(note);
    pages->setFocusProxy(panel);
    connect(pages, &QStackedWidget::currentChanged, pages, [pages] { pages->setFocusProxy(pages->currentWidget()); });
    m_eventPanels.append(pages);
    add(title, name, pages, area);
}

QDockWidget *DockLayout::dock(const char *name) const { return m_window.findChild<QDockWidget *>(QLatin1String(name)); }

void DockLayout::show(QWidget *panel) {
    for (QDockWidget *dock : m_docks) {
        if (dock->widget() != panel && !(panel->parent() != nullptr && panel->parent() == dock->widget()))
            continue;
        dock->show();
        dock->raise();
        if (!m_toRaise.isEmpty())
            m_toRaise.append(dock);
        dock->widget()->setFocus();
    }
}

void DockLayout::bringToFront(QWidget *panel) {
    for (QDockWidget *dock : m_docks)
        if (dock->widget() == panel) {
            dock->show();
            dock->raise();
        }
}

void DockLayout::setHasEvents(bool hasEvents, bool hasPhases) {
    m_filled = hasEvents ? Filled::All : hasPhases ? Filled::Phases : Filled::Neither;
    showEventPanels();
}

void DockLayout::showEventPanels() {
    for (QStackedWidget *pages : m_eventPanels)
        pages->setCurrentIndex(m_filled == Filled::All ? 0 : 1);
    if (std::exchange(m_laidOutFor, m_filled) == m_filled)
        return;
    if (!m_layoutWithEvents.isEmpty())
        (void)m_window.restoreState(std::exchange(m_layoutWithEvents, {}), layoutVersion);
    if (m_filled == Filled::All)
        return;
    // The graph is what a model dump has: it takes the room of what stays empty.
    m_layoutWithEvents = m_window.saveState(layoutVersion);
    for (const char *name : {"timeline", "suspects", "records", "contributions", "profile", "legend"})
        dock(name)->hide();
    if (m_filled == Filled::Neither)
        for (const char *name : {"phases", "clusters", "statemodel", "transition"})
            dock(name)->hide();
}

void DockLayout::forgetHidden() {
    m_layoutWithEvents.clear();
    m_laidOutFor = Filled::All;
}

void DockLayout::windowShown() {
    if (m_wasShown)
        return;
    m_wasShown = true;
    if (m_saved.isEmpty() || !restoreDocks(m_saved)) {
        arrange();
        shareRoom();
    }
    m_saved.clear();
    forgetHidden();
    showEventPanels();
    // The verdict is in view at start, whatever was in front of it when the window was closed.
    dock("findings")->show();
    // Tabs exist once the layout was activated: raising a dock before that is forgotten.
    m_toRaise = {dock("timeline"), dock("source"), dock("findings")};
    QTimer::singleShot(0, this, [this] {
        for (QDockWidget *dock : std::exchange(m_toRaise, {}))
            if (!dock->isHidden())
                dock->raise();
    });
}

void DockLayout::reset() {
    m_saved.clear();
    forgetHidden();
    arrange();
    if (m_wasShown)
        shareRoom();
    showEventPanels();
}

QByteArray DockLayout::save() const {
    return m_layoutWithEvents.isEmpty() ? m_window.saveState(layoutVersion) : m_layoutWithEvents;
}

void DockLayout::restore(const QByteArray &state) {
    if (!m_wasShown)
        m_saved = state;
    else if (!state.isEmpty() && restoreDocks(state)) {
        forgetHidden();
        showEventPanels();
    }
}

bool DockLayout::restoreDocks(const QByteArray &state) {
    if (m_window.restoreState(state, layoutVersion))
        return true;
    if (!m_window.restoreState(state, 3) && !m_window.restoreState(state, 2) && !m_window.restoreState(state, 1) &&
        !m_window.restoreState(state, 0))
        return false;
    placeCharts(); // the layout does not know all of them
    return true;
}

void DockLayout::placeCharts() {
    const std::pair<const char *, std::vector<const char *>> groups[] = {
        {"timeline", {"suspects", "records", "phases", "clusters", "statemodel", "slice"}},
        {"source", {"contributions", "profile", "transition"}},
        {"stack", {"details"}}};
    for (const auto &[front, behind] : groups) {
        for (const char *name : behind) {
            m_window.tabifyDockWidget(dock(front), dock(name));
            dock(name)->show();
        }
        dock(front)->raise();
    }
}

void DockLayout::arrange() {
    for (QDockWidget *each : m_docks) {
        each->setFloating(false);
        m_window.removeDockWidget(each);
    }
    // The column on the right has the whole height, so that source, stack and legend all find room.
    m_window.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    m_window.setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    m_window.addDockWidget(Qt::LeftDockWidgetArea, dock("findings"));
    if (m_window.height() < roomyHeight)
        m_window.tabifyDockWidget(dock("findings"), dock("groups"));
    else
        m_window.splitDockWidget(dock("findings"), dock("groups"), Qt::Vertical);
    m_window.addDockWidget(Qt::RightDockWidgetArea, dock("source"));
    m_window.splitDockWidget(dock("source"), dock("stack"), Qt::Vertical);
    m_window.splitDockWidget(dock("stack"), dock("legend"), Qt::Vertical);
    m_window.tabifyDockWidget(dock("stack"), dock("tree"));
    m_window.tabifyDockWidget(dock("legend"), dock("warnings"));
    m_window.tabifyDockWidget(dock("warnings"), dock("info"));
    m_window.addDockWidget(Qt::BottomDockWidgetArea, dock("timeline"));
    placeCharts();
    for (QDockWidget *each : m_docks)
        each->show();
    for (const char *front : {"findings", "stack", "legend", "timeline", "source"})
        dock(front)->raise();
}

void DockLayout::shareRoom() {
    const int wide = m_window.width();
    const int high = m_window.height();
    // The columns' text needs its pixels; what a large window has beyond them goes to the graph.
    m_window.resizeDocks({dock("findings"), dock("source")},
                         {std::max(wide * 26 / 100, leastFindingsWidth), std::max(wide * 31 / 100, leastSourceWidth)},
                         Qt::Horizontal);
    m_window.resizeDocks({dock("timeline")}, {high * 47 / 100}, Qt::Vertical);
    if (high >= roomyHeight)
        m_window.resizeDocks({dock("findings"), dock("groups")}, {high * 36 / 100, high * 16 / 100}, Qt::Vertical);
    m_window.resizeDocks({dock("source"), dock("stack"), dock("legend")}, {high * 39 / 100, high * 25 / 100, high * 36 / 100},
                         Qt::Vertical);
}

} // namespace laggard
