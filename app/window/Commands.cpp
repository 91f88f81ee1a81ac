// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of the window: every command with its key and what it does.
#include "app/window/MainWindow.h"
#include "app/window/MomentBar.h"
#include "app/window/PreferencesDialog.h"
#include "app/window/Workspace.h"
#include "views/panels/CommandPalette.h"
#include "views/panels/FilterBar.h"
#include "views/panels/GoTo.h"
#include "views/panels/ShortcutsDialog.h"
#include "views/pdg/PdgView.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

#include <functional>

namespace laggard {
namespace {

/// Opens, closes or goes to one panel: there are as many of these as panels.
bool isOfOnePanel(const QAction *action) {
    return qobject_cast<QDockWidget *>(action->parent()) != nullptr || action->data().canConvert<QDockWidget *>();
}

} // namespace

QAction *MainWindow::addCommand(QMenu *menu, const QString &text, const QKeySequence &keys, const QString &tip,
                                std::function<void()> run) {
    QAction *action = menu->addAction(text);
    if (run) // else whoever asked for it connects it, as it is checkable
        connect(action, &QAction::triggered, this, std::move(run));
    action->setShortcut(keys);
    action->setToolTip(tip);
    action->setStatusTip(tip);
    return action;
}

QAction *MainWindow::needsTrace(QAction *action) {
    m_traceCommands.push_back(action);
    return action;
}

void MainWindow::buildMenus() {
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildGoMenu();
    buildAnalysisMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&File"));
    m_tools.open =
        addCommand(menu, tr("&Open …"), QKeySequence::Open, tr("Open the anchor file of a trace"), [this] { askForFile(); });
    addCommand(menu, tr("Open a &folder …"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, tr("Open the trace that a folder holds"),
               [this] { askForFolder(); });
    addCommand(menu, tr("&Attach …"), {}, tr("Look at a job that runs or hangs and that nobody recorded, or at its core files"),
               [this] { askToAttach(); });
    m_recentMenu = menu->addMenu(tr("Open &recent"));
    if (const QString example = exampleFolder(); !example.isEmpty())
        addCommand(menu, tr("Open the exa&mple"), {}, tr("A stencil code that hangs"), [this, example] { open(example); });
    needsTrace(addCommand(menu, tr("Re&load"), QKeySequence::Refresh, tr("Read the trace again"), [this] { open(m_openPath); }));
    addComparisonCommands(menu);
    menu->addSeparator();
    m_tools.exportFocused = needsTrace(addCommand(menu, tr("&Export what has the focus …"), Qt::CTRL | Qt::Key_E,
                                                  tr("The graph or the timeline as SVG, PNG or PDF, a table as CSV"),
                                                  [this] { askToExportFocused(); }));
    needsTrace(addCommand(menu, tr("Export the &graph …"), {}, tr("The whole graph as SVG, PNG, PDF or DOT"),
                          [this] { askToExportGraph(); }));
    needsTrace(addCommand(menu, tr("Export the &timeline …"), {}, tr("All rows of the shown time as SVG, PNG or PDF"),
                          [this] { askToExportTimeline(); }));
    needsTrace(addCommand(menu, tr("Export a re&port …"), {}, tr("Verdict, findings, pictures and warnings as one HTML page"),
                          [this] { askToExportReport(); }));
    needsTrace(addCommand(menu, tr("Export the sli&ce …"), {}, tr("The steps of the slice as text, CSV or JSON"),
                          [this] { askToExportSlice(); }));
    menu->addSeparator();
    needsTrace(addCommand(menu, tr("&Save the session as …"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
                          tr("Layout, notes, filters, colours and source folders"), [this] { askToSaveSession(); }));
    addCommand(menu, tr("Open a sess&ion …"), {}, tr("What was saved with \"Save the session as\""), [this] { askForSession(); });
    menu->addSeparator();
    addCommand(menu, tr("&Quit"), Qt::CTRL | Qt::Key_Q, tr("Close the window"), [this] { close(); });
}

void MainWindow::buildEditMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Edit"));
    ZoomFilterStack &stack = m_workspace->zoomFilter();
    QAction *undo = addCommand(menu, tr("&Undo zoom or filter"), QKeySequence::Undo, tr("Go back to the zoom and filter before"),
                               [&stack] { stack.undo(); });
    QAction *redo =
        addCommand(menu, tr("&Redo zoom or filter"), QKeySequence::Redo, tr("Take back the undo"), [&stack] { stack.redo(); });
    SelectionModel &selection = m_workspace->selection();
    menu->addSeparator();
    QAction *back = addCommand(menu, tr("Selection &before"), Qt::ALT | Qt::Key_Left, tr("Select what was selected before"),
                               [&selection] { selection.goBack(); });
    QAction *forward = addCommand(menu, tr("Selection &after"), Qt::ALT | Qt::Key_Right, tr("Select what was selected after"),
                                  [&selection] { selection.goForward(); });
    QAction *clear = addCommand(menu, tr("Select &nothing"), Qt::CTRL | Qt::SHIFT | Qt::Key_A, tr("Clear the selection"),
                                [&selection] { selection.clear(); });
    m_tools.back = back;
    m_tools.forward = forward;
    const auto enable = [&stack, &selection, undo, redo, back, forward, clear] {
        undo->setEnabled(stack.canUndo());
        redo->setEnabled(stack.canRedo());
        back->setEnabled(selection.canGoBack());
        forward->setEnabled(selection.canGoForward());
        clear->setEnabled(!selection.current().isEmpty());
    };
    connect(&stack, &ZoomFilterStack::zoomChanged, this, enable);
    connect(&stack, &ZoomFilterStack::filterChanged, this, enable);
    connect(&selection, &SelectionModel::changed, this, enable);
    enable();
    menu->addSeparator();
    m_tools.filter = needsTrace(addCommand(menu, tr("&Filter …"), Qt::CTRL | Qt::SHIFT | Qt::Key_F,
                                           tr("Leave ranks, functions, short calls or times out"),
                                           [this] { m_workspace->filterBar().edit(); }));
    needsTrace(addCommand(menu, tr("N&ote on the selected group …"), Qt::CTRL | Qt::Key_T,
                          tr("Type a note that is drawn in the node of the graph"), [this] { m_workspace->graph().editNote(); }));
    menu->addSeparator();
    addCommand(menu, tr("&Preferences …"), Qt::CTRL | Qt::Key_Comma,
               tr("Colours, memory, calls in the timeline, size of the source text"), [this] { showPreferences(); });
}

void MainWindow::buildViewMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&View"));
    buildLayoutMenu(menu);
    buildPanelMenu(menu);
    menu->addSeparator();
    TimelineWidget &timeline = m_workspace->timeline();
    m_tools.zoomIn =
        needsTrace(addCommand(menu, tr("Zoom &in"), Qt::CTRL | Qt::SHIFT | Qt::Key_Up,
                              tr("Less time in the timeline; there also W or +"), [&timeline] { timeline.zoomOneStep(true); }));
    m_tools.zoomOut =
        needsTrace(addCommand(menu, tr("Zoom o&ut"), Qt::CTRL | Qt::SHIFT | Qt::Key_Down,
                              tr("More time in the timeline; there also S or −"), [&timeline] { timeline.zoomOneStep(false); }));
    m_tools.zoomAll = needsTrace(addCommand(menu, tr("Show &all time"), Qt::CTRL | Qt::Key_0,
                                            tr("The whole trace in the timeline"), [&timeline] { timeline.zoomToFit(); }));
    needsTrace(addCommand(menu, tr("Show the &end of activity"), {}, tr("The last time in which something happened"),
                          [this] { m_workspace->zoomFilter().setZoom(m_workspace->document()->activeWindow); }));
    needsTrace(
        addCommand(menu, tr("Fit the &graph"), {}, tr("The whole graph in its panel"), [this] { m_workspace->graph().fit(); }));
    QAction *all = needsTrace(addCommand(menu, tr("All &waits in the graph"), {},
                                         tr("Also those that follow from others; off: only those that say it all"), {}));
    all->setCheckable(true);
    connect(all, &QAction::triggered, this, [this](bool on) { m_workspace->graph().setAllEdgesShown(on); });
    connect(menu, &QMenu::aboutToShow, all, [this, all] { all->setChecked(m_workspace->graph().showsAllEdges()); });
    QAction *nested =
        needsTrace(addCommand(menu, tr("&Nested calls"), {}, tr("One line for each depth of call, or one for each rank"), {}));
    nested->setCheckable(true);
    connect(nested, &QAction::triggered, this, [&timeline](bool on) { timeline.setNested(on); });
    // The timeline itself goes over to single lanes where nested ones would be too low to read.
    connect(menu, &QMenu::aboutToShow, nested, [nested, &timeline] { nested->setChecked(timeline.rows().isNested()); });
    addTimesCommand(menu);
    QMenu *rows = menu->addMenu(tr("&Order of rows"));
    auto *orders = new QActionGroup(this);
    const std::pair<QString, RowOrder> orderings[] = {{tr("By &rank"), RowOrder::Rank},
                                                      {tr("By &machine"), RowOrder::Node},
                                                      {tr("By group in the &graph"), RowOrder::GraphNode},
                                                      {tr("By &last event, quiet ones first"), RowOrder::LastEvent}};
    for (const auto &[text, order] : orderings) {
        QAction *action = orders->addAction(needsTrace(rows->addAction(text)));
        action->setCheckable(true);
        action->setChecked(order == RowOrder::Rank);
        connect(action, &QAction::triggered, this, [&timeline, order = order] { timeline.setRowOrder(order); });
    }
    menu->addSeparator();
    QMenu *colours = menu->addMenu(tr("&Colours"));
    m_appearances = new QActionGroup(this);
    for (const auto &[text, appearance] :
         {std::pair(tr("As the &system"), Appearance::System), std::pair(tr("&Light"), Appearance::Light),
          std::pair(tr("&Dark"), Appearance::Dark)}) {
        QAction *action = m_appearances->addAction(colours->addAction(text, this, [this, appearance = appearance] {
            Preferences changed = m_preferences;
            changed.appearance = appearance;
            setPreferences(changed);
        }));
        action->setCheckable(true);
        action->setData(static_cast<int>(appearance));
    }
}

void MainWindow::buildGoMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Go"));
    m_tools.leastProgressed =
        needsTrace(addCommand(menu, tr("&Least progressed"), Qt::Key_L, tr("Select the ranks that made the least progress"),
                              [this] { m_workspace->showLeastProgressed(); }));
    needsTrace(addCommand(menu, tr("Wh&y?"), Qt::Key_Y, tr("The evidence for the selected edge, group or the verdict"),
                          [this] { m_workspace->graph().explain(); }));
    needsTrace(addCommand(menu, tr("The moment at the c&ursor"), Qt::Key_T,
                          tr("Who waited for whom at the cursor of the timeline; a click on its axis does the same"), [this] {
                              if (const std::optional<Tick> cursor = m_workspace->timeline().cursor())
                                  m_workspace->showMoment(*cursor);
                              else
                                  statusBar()->showMessage(tr("The timeline has no cursor: click on its axis"));
                          }));
    needsTrace(addCommand(menu, tr("When did it s&tart?"), Qt::SHIFT | Qt::Key_T,
                          tr("The moment from which the least-progressed ranks were those of the end"),
                          [this] { m_workspace->showStart(); }));
    needsTrace(addCommand(menu, tr("Moment &before"), Qt::Key_Comma, tr("The moment worth looking at before this one"),
                          [this] { m_moments->goBefore(); }));
    needsTrace(addCommand(menu, tr("Moment aft&er"), Qt::Key_Period, tr("The moment worth looking at after this one, or the end"),
                          [this] { m_moments->goAfter(); }));
    needsTrace(addCommand(menu, tr("Back to the en&d"), Qt::CTRL | Qt::Key_End, tr("Who waits for whom at the end of the trace"),
                          [this] { m_workspace->showEnd(); }));
    needsTrace(addCommand(menu, tr("Ne&xt line of the slice"), Qt::Key_N,
                          tr("The next line that made the least progressed stop where it did; over a message, on another rank"),
                          [this] { m_workspace->stepSlice(true); }));
    needsTrace(addCommand(menu, tr("Pre&vious line of the slice"), Qt::SHIFT | Qt::Key_N,
                          tr("The line of the slice before, nearer to where the rank stands"),
                          [this] { m_workspace->stepSlice(false); }));
    needsTrace(addCommand(menu, tr("Sl&ice of the least progressed"), {},
                          tr("Compile the sources, and find the lines that made it stop where it did"),
                          [this] { m_workspace->sliceOfLeastProgressed(); }));
    needsTrace(addCommand(menu, tr("Slice fr&om the line of the source panel"), {},
                          tr("The same for the selected ranks, from the frame that the source panel shows"),
                          [this] { m_workspace->sliceFromHere(); }));
    needsTrace(
        addCommand(menu, tr("&Rank, function or time …"), Qt::CTRL | Qt::Key_P, tr("Type where to go"), [this] { goTo(); }));
    QAction *findCommand =
        needsTrace(addCommand(menu, tr("&Find a function …"), {}, tr("Type a part of its name"), [this] { find(); }));
    findCommand->setShortcut(QKeySequence::Find);
    // The source view finds in its text with the same key: two claims on one key would cancel each other out.
    findCommand->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_workspace->graph().addAction(findCommand);
    for (QDockWidget *dock : m_workspace->docks().all())
        if (dock->widget() != &m_workspace->source())
            dock->addAction(findCommand);
    TimelineWidget &timeline = m_workspace->timeline();
    menu->addSeparator();
    needsTrace(addCommand(menu, tr("&Next call of the function"), {}, tr("Ctrl+G in the timeline"),
                          [&timeline] { timeline.findOccurrence(SearchDirection::Forward); }));
    needsTrace(addCommand(menu, tr("&Previous call of the function"), {}, tr("Ctrl+Shift+G in the timeline"),
                          [&timeline] { timeline.findOccurrence(SearchDirection::Backward); }));
    needsTrace(
        addCommand(menu, tr("Zoom to the &selection"), {}, tr("F in the timeline"), [&timeline] { timeline.focusSelection(); }));
    QAction *ruler = needsTrace(addCommand(menu, tr("&Measure time"), {}, tr("M in the timeline; drag to measure"), {}));
    ruler->setCheckable(true);
    connect(ruler, &QAction::triggered, this, [&timeline](bool on) { timeline.setRulerOn(on); });
    menu->addSeparator();
    buildPanelGoMenu(menu);
}

void MainWindow::buildHelpMenu() {
    QMenu *menu = menuBar()->addMenu(tr("&Help"));
    addCommand(menu, tr("&Keys"), QKeySequence::HelpContents, tr("All commands and their keys"), [this] { showKeys(); });
    addCommand(menu, tr("&Commands …"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, tr("Type a part of a command's name"),
               [this] { showCommands(); });
    menu->addSeparator();
    addCommand(menu, tr("&About Laggard"), {}, {}, [this] { showAbout(); });
}

void MainWindow::enableCommands() {
    for (QAction *action : m_traceCommands)
        action->setEnabled(m_workspace->document() != nullptr && !isLoading());
}

QList<QAction *> MainWindow::commands() const {
    QList<QAction *> all;
    const std::function<void(const QMenu *)> collect = [&](const QMenu *menu) {
        for (QAction *action : menu->actions()) {
            if (action->menu() != nullptr && action->menu() != m_recentMenu)
                collect(action->menu());
            else if (action->menu() == nullptr && !action->isSeparator())
                all.append(action);
        }
    };
    for (const QAction *top : menuBar()->actions())
        collect(top->menu());
    return all;
}

void MainWindow::showPalette(const QString &hint, PaletteSource source) {
    auto *palette = new CommandPalette(hint, std::move(source), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->popUp();
}

void MainWindow::find() {
    const GoToActions actions{
        .rank = {}, .function = [this](RegionId region) { m_workspace->timeline().goToFunction(region); }, .time = {}};
    showPalette(tr("Function …"), goToSource(m_workspace->document()->report->trace, actions));
}

void MainWindow::goTo() {
    const GoToActions actions{.rank = [this](Rank rank) { m_workspace->timeline().goToRank(rank); },
                              .function = [this](RegionId region) { m_workspace->timeline().goToFunction(region); },
                              .time = [this](Tick time) { m_workspace->timeline().goToTime(time); }};
    showPalette(tr("Rank, function or time …"), goToSource(m_workspace->document()->report->trace, actions));
}

void MainWindow::showCommands() {
    QList<QAction *> shown = commands();
    // By the name of a panel alone nobody could tell that it would be closed; there are commands that go to it.
    shown.removeIf([](const QAction *action) { return qobject_cast<QDockWidget *>(action->parent()) != nullptr; });
    showPalette(tr("Command …"), [entries = entriesOf(shown)](const QString &typed) { return matchingEntries(entries, typed); });
}

void MainWindow::showKeys() {
    std::vector<ShortcutGroup> groups;
    for (const QAction *top : menuBar()->actions()) {
        ShortcutGroup group{top->text().remove('&'), {}};
        for (QAction *action : top->menu()->actions())
            if (!action->isSeparator() && action->menu() == nullptr && !isOfOnePanel(action))
                group.actions.append(action);
        groups.push_back(std::move(group));
    }
    groups.push_back({tr("Panels"),
                      {},
                      {{tr("Go to a panel"), tr("Ctrl+Shift+P, its name")},
                       {tr("Open or close a panel"), tr("View, Panels")},
                       {tr("Maximise a panel, and back"), tr("F11, double click on its title")},
                       {tr("Layouts: hang, slow, behaviour, explore"), tr("Ctrl+1, 2, 3, 4")},
                       {tr("Next, previous part"), tr("Tab / Shift+Tab; in texts Ctrl+Tab")}}});
    groups.push_back({tr("In the timeline"),
                      {},
                      {{tr("Zoom in, out"), tr("W / S, + / −, wheel")},
                       {tr("Move in time"), tr("A / D, ← / →, drag")},
                       {tr("Start, end, all"), tr("Home / End / 0")},
                       {tr("Zoom to the selection"), tr("F")},
                       {tr("Zoom to a stretch of time"), tr("Shift+drag or right drag")},
                       {tr("Select a stretch of time"), tr("drag on the axis")},
                       {tr("Next, previous call of the function"), tr("Ctrl+G / Ctrl+Shift+G")},
                       {tr("Rank above, below; call before, after"), tr("Ctrl+↑ ↓ ← →")},
                       {tr("Measure time"), tr("M")},
                       {tr("Height of rows"), tr("Ctrl+wheel")}}});
    groups.push_back({tr("In the graph"),
                      {},
                      {{tr("Choose a group, go to a neighbour"), tr("click, arrow keys")},
                       {tr("Zoom, fit"), tr("+ / − / 0, wheel")},
                       {tr("Edit the note of the group"), tr("Enter, double click")}}});
    groups.push_back({tr("In the source"),
                      {},
                      {{tr("Caller, called function"), tr("Alt+↑ / Alt+↓")},
                       {tr("Find in the text; next, previous"), tr("Ctrl+F; F3 / Shift+F3")},
                       {tr("Size of the text, for now"), tr("Ctrl++ / Ctrl+−, Ctrl+wheel")}}});
    groups.push_back({tr("In charts"),
                      {},
                      {{tr("Walk along, choose"), tr("arrow keys, Enter; click")},
                       {tr("Zoom, move"), tr("+ / −, wheel; A / D, drag")},
                       {tr("Zoom to a stretch"), tr("Shift+drag or right drag")},
                       {tr("All; zoom back, forth"), tr("0; Backspace / Shift+Backspace")}}});
    groups.push_back(
        {tr("In lists"),
         {},
         {{tr("Choose; add; extend"), tr("click or Enter; with Ctrl; with Shift")}, {tr("Copy rows"), tr("Ctrl+C")}}});
    auto *dialog = new ShortcutsDialog(groups, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showPreferences() {
    auto *dialog = new PreferencesDialog(m_preferences, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog] { setPreferences(dialog->preferences()); });
    dialog->open();
}

void MainWindow::showAbout() {
    QMessageBox::about(
        this, tr("About Laggard"),
        tr("<p><b>Laggard %1</b></p><p>Which task of a parallel job made the least progress, when, and in which code.</p>"
           "<p>Free software under the GNU General Public License, version 3 or later.</p>")
            .arg(QApplication::applicationVersion()));
}

} // namespace laggard
