// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar of the window, and the menus of layouts and panels.
#include "app/window/MainWindow.h"
#include "app/window/MomentBar.h"
#include "app/window/QuestionBar.h"
#include "app/window/Workspace.h"
#include "views/kit/Text.h"
#include "views/kit/ToolIcon.h"
#include "views/timeline/TimelineWidget.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QToolBar>
#include <QToolButton>

namespace laggard {
namespace {

/// What a button's tooltip says: the command, what it does, and its key.
QString tipOf(const QAction &action) {
    QString text = action.text().remove('&');
    if (const QString tip = action.statusTip(); !tip.isEmpty())
        text += '\n' + tip;
    if (const QString keys = action.shortcut().toString(QKeySequence::NativeText); !keys.isEmpty())
        text += '\n' + keys;
    return toolTipText(text);
}

} // namespace

void MainWindow::buildToolbar() {
    auto *bar = addToolBar(tr("Toolbar"));
    bar->setObjectName(QStringLiteral("toolbar"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu); // it would offer to hide the bar, and nothing would bring it back
    bar->setIconSize({18, 18});
    const auto add = [bar](QAction *action, ToolIcon icon) {
        action->setIcon(toolIcon(icon));
        action->setIconVisibleInMenu(false);
        action->setToolTip(tipOf(*action));
        bar->addAction(action);
        bar->widgetForAction(action)->setFocusPolicy(Qt::TabFocus);
    };
    add(m_tools.open, ToolIcon::Open);
    bar->addSeparator();
    add(m_tools.back, ToolIcon::Back);
    add(m_tools.forward, ToolIcon::Forward);
    add(m_tools.leastProgressed, ToolIcon::LeastProgressed);
    bar->addSeparator();
    m_moments = new MomentBar(bar);
    bar->addWidget(m_moments);
    bar->addSeparator();
    add(m_tools.zoomIn, ToolIcon::ZoomIn);
    add(m_tools.zoomOut, ToolIcon::ZoomOut);
    add(m_tools.zoomAll, ToolIcon::ZoomAll);
    add(m_tools.filter, ToolIcon::Filter);
    add(m_tools.exportFocused, ToolIcon::Export);
    auto *room = new QWidget(bar);
    room->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(room);
    bar->addWidget(new QuestionBar(m_layouts, bar));

    connect(m_moments, &MomentBar::momentChosen, m_workspace, [this](Tick time) {
        m_workspace->timeline().goToTime(time);
        m_workspace->showMoment(time);
    });
    connect(m_moments, &MomentBar::endChosen, m_workspace, &Workspace::showEnd);
    connect(m_workspace, &Workspace::momentsChanged, this, &MainWindow::showMoments);
}

void MainWindow::showMoments() {
    const DocumentPtr &document = m_workspace->document();
    const bool has = document && document->report->index;
    m_moments->setTrace(has ? document->report->trace : nullptr, m_workspace->keyMoments());
    m_moments->setMoment(m_workspace->moment());
}

void MainWindow::buildLayoutMenu(QMenu *view) {
    QMenu *menu = view->addMenu(tr("&Layout"));
    auto *group = new QActionGroup(this);
    for (const Question question : questions) {
        const QString text = questionText(question);
        const int key = Qt::Key_1 + static_cast<int>(m_layouts.size());
        QAction *action =
            group->addAction(needsTrace(addCommand(menu, text, QKeySequence(Qt::CTRL | Qt::Key(key)), questionTip(question),
                                                   [this, question] { m_workspace->chooseLayout(question); })));
        action->setIconText(text);
        action->setCheckable(true);
        action->setChecked(question == m_workspace->docks().question());
        action->setToolTip(tipOf(*action));
        m_layouts << action;
    }
    connect(&m_workspace->docks(), &DockLayout::questionChanged, this,
            [this](Question question) { m_layouts[static_cast<int>(question)]->setChecked(true); });
    menu->addSeparator();
    needsTrace(addCommand(menu, tr("&Reset the layout"), {}, tr("All panels of this layout where they were at first"),
                          [this] { m_workspace->docks().reset(); }));
}

QDockWidget *MainWindow::focusedDock() const {
    const QWidget *focus = QApplication::focusWidget();
    return focus == nullptr ? nullptr : m_workspace->docks().dockOf(focus);
}

void MainWindow::buildPanelMenu(QMenu *view) {
    QMenu *menu = view->addMenu(tr("&Panels"));
    for (QDockWidget *dock : m_workspace->docks().all())
        menu->addAction(needsTrace(dock->toggleViewAction()));
    needsTrace(addCommand(view, tr("&Maximise the panel"), Qt::Key_F11,
                          tr("Give the panel with the keyboard the whole window; again, and all are where they were"),
                          [this] { m_workspace->docks().maximise(focusedDock()); }));
    needsTrace(addCommand(view, tr("&Take the panel out"), {}, tr("The panel with the keyboard as a window of its own, or back"),
                          [this] {
                              if (QDockWidget *dock = focusedDock())
                                  dock->setFloating(!dock->isFloating());
                          }));
    needsTrace(addCommand(view, tr("Clo&se the panel"), {}, tr("The panel with the keyboard"), [this] {
        if (QDockWidget *dock = focusedDock())
            dock->close();
    }));
}

void MainWindow::buildPanelGoMenu(QMenu *go) {
    QMenu *menu = go->addMenu(tr("To p&anel"));
    for (QDockWidget *dock : m_workspace->docks().all())
        needsTrace(addCommand(menu, tr("To panel \"%1\"").arg(dock->windowTitle()), {}, {}, [this, dock] {
            m_workspace->docks().show(dock->widget());
        }))->setData(QVariant::fromValue(dock));
}

} // namespace laggard
