// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Workspace.h"

#include "app/window/AnalysisJob.h"
#include "app/window/MemoryBudget.h"
#include "app/window/MomentChip.h"
#include "app/window/MomentJob.h"
#include "app/window/StatisticsJob.h"
#include "views/charts/LastRecordsPanel.h"
#include "views/charts/ProfilePanel.h"
#include "views/charts/SuspectsPanel.h"
#include "views/panels/DamageBanner.h"
#include "views/panels/FilterBar.h"
#include "views/panels/FindingsPanel.h"
#include "views/panels/ItemView.h"
#include "views/panels/PdgListPanel.h"
#include "views/panels/StackPanel.h"
#include "views/panels/TraceInfoPanel.h"
#include "views/panels/WarningsPanel.h"
#include "views/pdg/PdgView.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/PhasesPanel.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <numeric>
#include <utility>

namespace laggard {
namespace {

/// More pinned rows than this would leave no room for the others.
constexpr std::size_t mostPinned = 4;
/// From this height on findings and groups stand one above the other; below, one behind the other.
constexpr int roomyHeight = 920;
constexpr int leastFindingsWidth = 350;
constexpr int leastSourceWidth = 430;
/// Of saved layouts; those before had no charts (0), or none of phases, clusters and state models (1).
constexpr int layoutVersion = 2;

/// A part of a report, kept alive by the whole.
template <typename Part> std::shared_ptr<const Part> partOf(const ReportPtr &report, const Part Report::*part) {
    return report ? std::shared_ptr<const Part>(report, &((*report).*part)) : nullptr;
}

std::vector<std::uint32_t> nodeOfRank(const Report &report) {
    std::vector<std::uint32_t> nodes(report.trace->processes.size(), none);
    for (std::uint32_t id = 0; id < report.progress.nodes.size(); ++id)
        for (const Rank rank : report.progress.nodes[id].ranks)
            nodes[rank] = id;
    return nodes;
}

RankSet allRanks(const Trace &trace) {
    RankSet ranks(trace.processes.size());
    std::iota(ranks.begin(), ranks.end(), Rank{0});
    return ranks;
}

QStringList namesOf(const Trace &trace, const std::vector<RegionId> &regions) {
    QStringList names;
    for (const RegionId region : regions)
        names.append(QString::fromStdString(trace.regions[region].name));
    return names;
}

std::vector<RegionId> regionsNamed(const Trace &trace, const QStringList &names) {
    std::vector<RegionId> regions;
    for (RegionId region = 0; region < trace.regions.size(); ++region)
        if (names.contains(QString::fromStdString(trace.regions[region].name)))
            regions.push_back(region);
    return regions;
}

} // namespace

Workspace::Workspace(QWidget *parent) : QMainWindow(parent) {
    setWindowFlags(Qt::Widget); // QMainWindow makes itself a window of its own
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    auto *centre = new QWidget(this);
    auto *column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = new DamageBanner(this);
    setMenuWidget(m_banner); // above all panels, in the whole width
    m_filterBar = new FilterBar(m_zoomFilter, centre);
    m_graph = new PdgView(m_selection, centre);
    m_momentChip = new MomentChip(centre);
    column->addWidget(m_filterBar);
    column->addWidget(m_momentChip);
    column->addWidget(m_graph, 1);
    setCentralWidget(centre);

    m_statistics = new StatisticsJob(this);
    m_analyses = new AnalysisJob(this);
    m_momentJob = new MomentJob(this);
    buildDocks();
    connectViews();
    connectAnalyses();
    resetLayout();
}

Workspace::~Workspace() = default;

QDockWidget *Workspace::addDock(const QString &title, const QString &name, QWidget *panel, Qt::DockWidgetArea area) {
    auto *dock = new QDockWidget(title, this);
    dock->setObjectName(name); // saveState goes by it
    dock->setWidget(panel);
    addDockWidget(area, dock);
    m_docks.append(dock);
    return dock;
}

QWidget *Workspace::ofEvents(QWidget *panel, const QString &sentence) {
    auto *pages = new QStackedWidget(this);
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
    return pages;
}

void Workspace::buildDocks() {
    m_findings = new FindingsPanel(m_selection);
    m_groups = new PdgListPanel(m_selection);
    m_timeline = new TimelineWidget(m_selection, m_zoomFilter);
    m_source = new SourceView(m_selection);
    m_stack = new StackPanel(m_selection, StackPanel::Scope::SelectedRanks);
    m_tree = new StackPanel(m_selection, StackPanel::Scope::AllRanks);
    m_legend = new LegendPanel(m_selection, m_zoomFilter);
    m_warnings = new WarningsPanel(m_selection);
    m_info = new TraceInfoPanel(m_selection);
    m_suspects = new SuspectsPanel(m_selection);
    m_contributions = new ProfilePanel(ProfilePanel::Kind::Contributions, m_selection);
    m_profile = new ProfilePanel(ProfilePanel::Kind::Profile, m_selection);
    m_lastRecords = new LastRecordsPanel(m_selection);
    m_semiMarkov = new SemiMarkovFocus(m_selection, this);
    m_phases = new PhasesPanel(*m_semiMarkov, m_zoomFilter);
    m_clusters = new ClustersPanel(*m_semiMarkov);
    m_stateModel = new SmmPanel(*m_semiMarkov);
    m_transition = new TransitionPanel(*m_semiMarkov);
    addDock(tr("Findings"), QStringLiteral("findings"), m_findings, Qt::LeftDockWidgetArea);
    addDock(tr("Who waits for whom"), QStringLiteral("groups"), m_groups, Qt::LeftDockWidgetArea);
    addDock(tr("Source"), QStringLiteral("source"), m_source, Qt::RightDockWidgetArea);
    addDock(tr("Stack of the selection"), QStringLiteral("stack"), m_stack, Qt::RightDockWidgetArea);
    addDock(tr("Stacks of all ranks"), QStringLiteral("tree"), m_tree, Qt::RightDockWidgetArea);
    addDock(tr("Timeline"), QStringLiteral("timeline"),
            ofEvents(m_timeline, tr("A model dump has no timeline: it holds states and counts instead of events.")),
            Qt::BottomDockWidgetArea);
    addDock(tr("Suspects"), QStringLiteral("suspects"), m_suspects, Qt::BottomDockWidgetArea);
    addDock(tr("Last records"), QStringLiteral("records"), m_lastRecords, Qt::BottomDockWidgetArea);
    addDock(tr("Phases"), QStringLiteral("phases"), m_phases, Qt::BottomDockWidgetArea);
    addDock(tr("Clusters"), QStringLiteral("clusters"), m_clusters, Qt::BottomDockWidgetArea);
    addDock(tr("State model"), QStringLiteral("statemodel"), m_stateModel, Qt::BottomDockWidgetArea);
    addDock(tr("Transition"), QStringLiteral("transition"), m_transition, Qt::RightDockWidgetArea);
    addDock(tr("Contributions"), QStringLiteral("contributions"), m_contributions, Qt::RightDockWidgetArea);
    addDock(tr("Profile"), QStringLiteral("profile"), m_profile, Qt::RightDockWidgetArea);
    addDock(tr("Legend"), QStringLiteral("legend"),
            ofEvents(m_legend, tr("A model dump has no calls to count: it holds states and counts instead of events.")),
            Qt::BottomDockWidgetArea);
    addDock(tr("Warnings"), QStringLiteral("warnings"), m_warnings, Qt::BottomDockWidgetArea);
    addDock(tr("Trace"), QStringLiteral("info"), m_info, Qt::BottomDockWidgetArea);
}

void Workspace::resetLayout() {
    m_savedLayout.clear();
    m_layoutWithEvents.clear();
    arrangeDocks();
    if (m_wasShown)
        shareRoom();
    if (m_document)
        showEventPanels(!m_document->report->dump);
}

void Workspace::restoreLayout(const QByteArray &state) {
    if (!m_wasShown)
        m_savedLayout = state;
    else if (!state.isEmpty() && restoreDocks(state)) {
        m_layoutWithEvents.clear();
        if (m_document)
            showEventPanels(!m_document->report->dump);
    }
}

QByteArray Workspace::saveLayout() const { return m_layoutWithEvents.isEmpty() ? saveState(layoutVersion) : m_layoutWithEvents; }

bool Workspace::restoreDocks(const QByteArray &state) {
    if (restoreState(state, layoutVersion))
        return true;
    if (!restoreState(state, 1) && !restoreState(state, 0))
        return false;
    placeCharts(); // the layout does not know all of them
    return true;
}

void Workspace::placeCharts() {
    const auto dock = [this](const char *name) { return findChild<QDockWidget *>(QLatin1String(name)); };
    const std::pair<const char *, std::vector<const char *>> groups[] = {
        {"timeline", {"suspects", "records", "phases", "clusters", "statemodel"}},
        {"source", {"contributions", "profile", "transition"}}};
    for (const auto &[front, behind] : groups) {
        for (const char *name : behind) {
            tabifyDockWidget(dock(front), dock(name));
            dock(name)->show();
        }
        dock(front)->raise();
    }
}

void Workspace::showEvent(QShowEvent *event) {
    QMainWindow::showEvent(event);
    if (m_wasShown)
        return;
    // Only now is the size known that the docks share.
    m_wasShown = true;
    if (m_savedLayout.isEmpty() || !restoreDocks(m_savedLayout)) {
        arrangeDocks();
        shareRoom();
    }
    m_savedLayout.clear();
    m_layoutWithEvents.clear();
    if (m_document)
        showEventPanels(!m_document->report->dump);
    // Tabs exist once the layout was activated: raising a dock before that is forgotten.
    m_toRaise = {findChild<QDockWidget *>(QStringLiteral("timeline")), findChild<QDockWidget *>(QStringLiteral("source"))};
    QTimer::singleShot(0, this, [this] {
        for (QDockWidget *dock : std::exchange(m_toRaise, {}))
            if (!dock->isHidden())
                dock->raise();
    });
}

void Workspace::arrangeDocks() {
    const auto dock = [this](const char *name) { return findChild<QDockWidget *>(QLatin1String(name)); };
    for (QDockWidget *each : m_docks) {
        each->setFloating(false);
        removeDockWidget(each);
    }
    // The column on the right has the whole height, so that source, stack and legend all find room.
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    addDockWidget(Qt::LeftDockWidgetArea, dock("findings"));
    if (height() < roomyHeight)
        tabifyDockWidget(dock("findings"), dock("groups"));
    else
        splitDockWidget(dock("findings"), dock("groups"), Qt::Vertical);
    addDockWidget(Qt::RightDockWidgetArea, dock("source"));
    splitDockWidget(dock("source"), dock("stack"), Qt::Vertical);
    splitDockWidget(dock("stack"), dock("legend"), Qt::Vertical);
    tabifyDockWidget(dock("stack"), dock("tree"));
    tabifyDockWidget(dock("legend"), dock("warnings"));
    tabifyDockWidget(dock("warnings"), dock("info"));
    addDockWidget(Qt::BottomDockWidgetArea, dock("timeline"));
    placeCharts();
    for (QDockWidget *each : m_docks)
        each->show();
    for (const char *front : {"findings", "stack", "legend", "timeline", "source"})
        dock(front)->raise();
}

void Workspace::shareRoom() {
    const auto dock = [this](const char *name) { return findChild<QDockWidget *>(QLatin1String(name)); };
    const int wide = width();
    const int high = height();
    // The columns' text needs its pixels; what a large window has beyond them goes to the graph.
    resizeDocks({dock("findings"), dock("source")},
                {std::max(wide * 26 / 100, leastFindingsWidth), std::max(wide * 31 / 100, leastSourceWidth)}, Qt::Horizontal);
    resizeDocks({dock("timeline")}, {high * 47 / 100}, Qt::Vertical);
    if (high >= roomyHeight)
        resizeDocks({dock("findings"), dock("groups")}, {high * 36 / 100, high * 16 / 100}, Qt::Vertical);
    resizeDocks({dock("source"), dock("stack"), dock("legend")}, {high * 39 / 100, high * 25 / 100, high * 36 / 100},
                Qt::Vertical);
}

void Workspace::connectViews() {
    connect(&m_selection, &SelectionModel::changed, this, &Workspace::followSelection);
    connect(m_timeline, &TimelineWidget::message, this, &Workspace::message);
    connect(m_timeline, &TimelineWidget::callActivated, this, [this](CallPathId path, Rank rank) {
        Selection selection;
        selection.ranks = {rank};
        selection.callPath = path;
        m_selection.select(selection);
        showDock(m_source);
    });
    connect(m_timeline, &TimelineWidget::momentChosen, this, &Workspace::showMoment);
    connect(m_momentChip, &MomentChip::endRequested, this, &Workspace::showEnd);
    connect(m_momentJob, &MomentJob::answered, this, &Workspace::takeMoment);
    connect(m_momentJob, &MomentJob::failed, this, [this](const QString &sentence) {
        showEnd();
        emit message(sentence);
    });
    connect(m_banner, &DamageBanner::detailsRequested, this, [this] { showDock(m_warnings); });
    connect(m_legend, &LegendPanel::scopeChanged, this, &Workspace::updateStatistics);
    connect(m_legend, &LegendPanel::colourChosen, this, &Workspace::setOwnColour);
    connect(&m_zoomFilter, &ZoomFilterStack::zoomChanged, this, [this] {
        if (m_legend->scope() == LegendPanel::Scope::ShownWindow)
            updateStatistics();
    });
    connect(m_statistics, &StatisticsJob::finished, this, [this](const std::vector<RegionStatistics> &statistics) {
        if (m_document)
            m_legend->setStatistics(m_document->report->trace, statistics);
    });
    m_legend->setColours([this](RegionId region) { return m_timeline->colours().colour(region); });
}

void Workspace::connectAnalyses() {
    connect(m_analyses, &AnalysisJob::progressed, this, &Workspace::analysing);
    connect(m_analyses, &AnalysisJob::finished, this, [this](const ReportPtr &report) {
        m_analysed = report;
        if (!m_moment)
            m_findings->setVerdict(report->trace, partOf<Verdict>(report, &Report::verdict));
        showComparisons(report, {});
        chooseFirstFinding();
        emit analysesEnded({});
    });
    connect(m_analyses, &AnalysisJob::failed, this, [this](const QString &sentence) {
        showComparisons(m_analysed, sentence);
        emit analysesEnded(sentence);
    });
    connect(m_suspects, &SuspectsPanel::rankingChanged, this, [this] {
        if (m_analysed)
            for (ProfilePanel *panel : {m_contributions, m_profile})
                panel->setRanking(m_analysed->trace, m_suspects->ranking());
    });
    connect(m_suspects, &SuspectsPanel::chosen, this, &Workspace::showSelected);
    connect(m_lastRecords, &LastRecordsPanel::chosen, this, &Workspace::showSelected);
    connect(m_transition, &TransitionPanel::chosen, this, &Workspace::showSelected);
    for (ProfilePanel *panel : {m_contributions, m_profile})
        connect(panel, &ProfilePanel::chosen, this, &Workspace::showSelected);
    connect(m_findings->view(), &ItemView::chosen, this, &Workspace::showSelected);
    showComparisons(nullptr, {});
}

ReportPtr Workspace::report() const {
    if (m_analysed)
        return m_analysed;
    return m_document ? m_document->report : nullptr;
}

bool Workspace::isAnalysing() const { return m_analyses->isRunning(); }

void Workspace::compare(const Comparison &comparison) {
    if (comparison == m_comparison)
        return;
    m_comparison = comparison;
    if (m_document)
        runAnalyses();
}

void Workspace::runAnalyses() {
    if (!m_document)
        return;
    if (m_document->report->dump && !m_document->report->trace->phaseModels) {
        const QString sentence = tr("This model dump has neither events nor models by phase, by which ranks could be compared.");
        showComparisons(nullptr, sentence);
        emit analysesEnded(sentence);
        return;
    }
    if (!m_analysed)
        showComparisons(nullptr, tr("The ranks are being compared …"));
    AnalysisOptions options;
    options.outliers.by = m_comparison.by;
    options.outliers.measure = m_comparison.measure;
    emit analysing(tr("comparing ranks"), -1);
    m_analyses->start(m_document->report, m_comparison.references, std::move(options), memoryBudget());
}

void Workspace::cancelAnalyses() {
    if (!m_analyses->isRunning())
        return;
    m_analyses->cancel();
    const QString sentence = tr("The comparison was cancelled. Analysis → Run again starts it anew.");
    showComparisons(m_analysed, sentence);
    emit analysesEnded(sentence);
}

void Workspace::showComparisons(const ReportPtr &report, const QString &state) {
    const TracePtr trace = report ? report->trace : nullptr;
    const std::shared_ptr<const OutlierReport> outliers =
        report && report->outliers ? std::shared_ptr<const OutlierReport>(report, &*report->outliers) : nullptr;
    m_suspects->setReport(trace, outliers, state);
    for (ProfilePanel *panel : {m_contributions, m_profile})
        panel->setRanking(trace, m_suspects->ranking(), state);
    m_lastRecords->setFailStop(trace, outliers ? std::shared_ptr<const FailStop>(outliers, &outliers->failStop) : nullptr, state);
    m_semiMarkov->setReport(
        trace, report && report->models ? std::shared_ptr<const SemiMarkovReport>(report, &*report->models) : nullptr, state);
}

void Workspace::setDocument(DocumentPtr document) {
    DocumentPtr before = std::exchange(m_document, std::move(document));
    ReportPtr analysedBefore = std::exchange(m_analysed, nullptr);
    m_statistics->cancel();
    m_analyses->cancel();
    showComparisons(nullptr, {});
    m_momentJob->cancel();
    ReportPtr momentBefore = std::exchange(m_moment, nullptr);
    m_momentChip->hide();
    const ReportPtr report = m_document ? m_document->report : nullptr;
    const TracePtr trace = report ? report->trace : nullptr;
    m_selection.reset();
    m_zoomFilter.reset(trace ? trace->range : TimeRange());
    if (report)
        showEventPanels(!report->dump);
    m_banner->setTrace(trace);
    m_filterBar->setTrace(trace);
    m_timeline->setTrace(trace, m_document ? m_document->pyramid : nullptr);
    showReport(report);
    m_legend->setStatistics(trace, m_document ? m_document->statistics : std::vector<RegionStatistics>());
    m_legend->setScope(LegendPanel::Scope::WholeTrace);
    m_warnings->setTrace(trace);
    m_info->setTrace(trace);
    // Giving back the memory of a large trace takes a while: not here.
    if (before)
        m_releasing = std::jthread(
            [before = std::move(before), analysed = std::move(analysedBefore), moment = std::move(momentBefore)]() mutable {
                moment.reset();
                analysed.reset();
                before.reset();
            });
    if (!m_document)
        return;
    m_zoomFilter.setZoom(m_document->firstWindow);
    m_timeline->fitRows();
    setCallLines(m_callLines);
    showLeastProgressed();
}

ReportPtr Workspace::shown() const { return m_moment ? m_moment : m_document ? m_document->report : nullptr; }

void Workspace::showEventPanels(bool hasEvents) {
    for (QStackedWidget *pages : m_eventPanels)
        pages->setCurrentIndex(hasEvents ? 0 : 1);
    if (hasEvents == m_layoutWithEvents.isEmpty())
        return;
    if (hasEvents) {
        (void)restoreState(std::exchange(m_layoutWithEvents, {}), layoutVersion);
        return;
    }
    // The graph is what a model dump has: it takes the room of what stays empty.
    m_layoutWithEvents = saveState(layoutVersion);
    for (const char *name : {"timeline", "suspects", "records", "contributions", "profile", "legend"})
        findChild<QDockWidget *>(QLatin1String(name))->hide();
    if (!m_document->report->trace->phaseModels)
        for (const char *name : {"phases", "clusters", "statemodel", "transition"})
            findChild<QDockWidget *>(QLatin1String(name))->hide();
}

void Workspace::showReport(const ReportPtr &report) {
    const TracePtr trace = report ? report->trace : nullptr;
    const auto waits = partOf<WaitForGraph>(report, &Report::waits);
    const auto progress = partOf<ProgressGraph>(report, &Report::progress);
    m_findings->setVerdict(trace, partOf<Verdict>(report, &Report::verdict));
    m_groups->setGraph(progress);
    m_graph->setGraph(trace, progress);
    if (report)
        m_timeline->setGraphNodes(nodeOfRank(*report));
    m_stack->setReport(trace, waits, progress);
    m_tree->setReport(trace, waits, progress);
    m_source->setReport(trace, waits, progress);
}

void Workspace::showMoment(Tick at) {
    if (!m_document || !m_document->report->index)
        return;
    const Trace &trace = *m_document->report->trace;
    if (at >= trace.readRange().end)
        return showEnd();
    m_momentChip->showMoment(trace.seconds(at), false);
    m_timeline->setCursorTime(at);
    m_momentJob->ask(m_document->report, at);
}

void Workspace::takeMoment(const ReportPtr &moment) {
    m_moment = moment == report() ? nullptr : moment;
    // Nodes and edges are those of another graph from here on.
    if (const Selection before = m_selection.current(); before.node || before.edge) {
        Selection ranks;
        ranks.ranks = before.ranks;
        m_selection.select(ranks);
    }
    showReport(moment);
    if (m_moment)
        m_momentChip->showMoment(moment->trace->seconds(moment->progress.at), true);
    emit momentShown();
}

void Workspace::showEnd() {
    m_momentJob->cancel();
    m_momentChip->hide();
    if (m_moment)
        takeMoment(report()); // with the findings of all analyses, if they have ended
}

void Workspace::showStart() {
    const ReportPtr known = report();
    if (known && known->since) {
        m_timeline->goToTime(*known->since);
        showMoment(*known->since);
    } else if (known) {
        emit message(isAnalysing() ? tr("When it started is not known yet: the analyses are running")
                                   : tr("Nothing is known to hang at the end, so there is no moment at which it started"));
    }
}

void Workspace::setCallLines(CallLines lines) {
    const bool isNew = std::exchange(m_callLines, lines) != lines;
    if (!m_document)
        return;
    if (lines != CallLines::Automatic)
        m_timeline->setNested(lines == CallLines::Nested);
    else if (isNew)
        m_timeline->setNestedByRoom();
}

std::optional<std::uint32_t> Workspace::leastProgressedNode() const {
    const std::vector<ProgressNode> &nodes = shown()->progress.nodes;
    for (std::uint32_t id = 0; id < nodes.size(); ++id)
        if (nodes[id].leastProgressed)
            return id;
    return std::nullopt;
}

void Workspace::showLeastProgressed() {
    if (!m_document)
        return;
    const std::optional<std::uint32_t> id = leastProgressedNode();
    if (!id) {
        emit message(tr("No rank has made less progress than the others"));
        return;
    }
    const ProgressNode &node = shown()->progress.nodes[*id];
    Selection selection;
    selection.ranks = node.ranks;
    selection.callPath = node.callPath;
    selection.node = id;
    m_selection.select(selection);
    centreLastCall(node.ranks.front());
}

bool Workspace::hidesNode(const ProgressNode &node, const Filter &filter) const {
    const Trace &trace = *m_document->report->trace;
    if (filter.ranks && !std::includes(filter.ranks->begin(), filter.ranks->end(), node.ranks.begin(), node.ranks.end()))
        return true;
    const LocationEvents *events = trace.mainEvents(node.ranks.front());
    const std::uint32_t row = events != nullptr ? events->track.innermostAt(shown()->progress.at) : none;
    if (row == none)
        return false;
    const Tick begin = events->track.start[row];
    const Tick end = std::min(events->track.end[row], trace.range.end);
    return !filter.showsRegion(trace.callPaths[events->track.callPath[row]].region) || end - begin < filter.minimumDuration ||
           (filter.time && (begin > filter.time->end || end < filter.time->begin));
}

void Workspace::chooseFirstFinding() {
    // Where nobody is least progressed, nothing was chosen at first: the best finding is the first screen then.
    if (m_moment || leastProgressedNode() || !m_selection.current().isEmpty() || m_selection.canGoBack())
        return;
    m_findings->chooseFirst();
    showSelected();
}

void Workspace::uncoverLeastProgressed() {
    if (!m_document)
        return;
    const std::optional<std::uint32_t> id = leastProgressedNode();
    if (!id)
        return;
    const ProgressNode &node = shown()->progress.nodes[*id];
    if (hidesNode(node, m_zoomFilter.filter())) {
        m_zoomFilter.setFilter({});
        emit message(tr("The filter of the last time would hide the least progressed: it was lifted. Undo brings it back."));
    }
    centreLastCall(node.ranks.front());
}

void Workspace::centreLastCall(Rank rank) {
    const Trace &trace = *m_document->report->trace;
    const LocationEvents *events = rank < trace.processes.size() ? trace.mainEvents(rank) : nullptr;
    if (events == nullptr || events->track.empty())
        return;
    const Track &track = events->track;
    const std::uint32_t open = track.innermostAt(shown()->progress.at);
    const std::uint32_t row = open != none ? open : static_cast<std::uint32_t>(track.size() - 1);
    const TimeRange zoom = m_zoomFilter.zoom();
    if (track.start[row] >= zoom.begin && track.start[row] <= zoom.end)
        return;
    const Tick before = std::min(zoom.length() / 2, track.start[row] - trace.range.begin);
    const Tick begin = track.start[row] - before;
    m_zoomFilter.setZoom({begin, begin + zoom.length()});
}

void Workspace::showSelected() {
    const Selection &selection = m_selection.current();
    if (!m_document || selection.ranks.empty())
        return;
    const Rank rank = selection.ranks.front();
    m_timeline->setPinned(selection.ranks.size() <= mostPinned ? selection.ranks : RankSet());
    m_timeline->showRank(rank);
    const TimeRange zoom = m_zoomFilter.zoom();
    if (selection.time && (selection.time->begin > zoom.end || selection.time->end < zoom.begin)) {
        const Tick before = std::min(zoom.length() / 2, selection.time->begin - m_zoomFilter.whole().begin);
        m_zoomFilter.setZoom({selection.time->begin - before, selection.time->begin - before + zoom.length()});
    } else if (!selection.time && selection.callPath != none) {
        centreCall(rank, selection.callPath);
    }
}

void Workspace::centreCall(Rank rank, CallPathId path) {
    const Trace &trace = *m_document->report->trace;
    const LocationEvents *events = rank < trace.processes.size() ? trace.mainEvents(rank) : nullptr;
    if (events == nullptr)
        return;
    const Track &track = events->track;
    const TimeRange zoom = m_zoomFilter.zoom();
    std::uint32_t longest = none;
    const auto length = [&](std::uint32_t row) { return std::min(track.end[row], trace.range.end) - track.start[row]; };
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if (track.callPath[row] != path)
            continue;
        if (track.start[row] <= zoom.end && track.end[row] >= zoom.begin)
            return; // one is in sight
        if (longest == none || length(row) > length(longest))
            longest = row;
    }
    if (longest == none)
        return;
    const Tick before = std::min(zoom.length() / 2, track.start[longest] - trace.range.begin);
    m_zoomFilter.setZoom({track.start[longest] - before, track.start[longest] - before + zoom.length()});
}

void Workspace::followSelection(const Selection &selection) {
    if (!m_document)
        return;
    if (selection.node) {
        m_timeline->setPinned(selection.ranks.size() <= mostPinned ? selection.ranks : RankSet());
        if (!selection.ranks.empty()) {
            m_timeline->showRank(selection.ranks.front());
            centreLastCall(selection.ranks.front());
        }
    }
    if (m_legend->scope() == LegendPanel::Scope::Selection)
        updateStatistics();
}

void Workspace::updateStatistics() {
    if (!m_document)
        return;
    const TracePtr &trace = m_document->report->trace;
    const Selection &selection = m_selection.current();
    switch (m_legend->scope()) {
    case LegendPanel::Scope::WholeTrace:
        m_statistics->cancel();
        m_legend->setStatistics(trace, m_document->statistics);
        return;
    case LegendPanel::Scope::ShownWindow:
        m_statistics->start(trace, m_zoomFilter.zoom(), m_zoomFilter.filter().ranks.value_or(allRanks(*trace)));
        return;
    case LegendPanel::Scope::Selection:
        m_statistics->start(trace, selection.time.value_or(trace->range),
                            selection.ranks.empty() ? allRanks(*trace) : selection.ranks);
        return;
    }
}

void Workspace::setOwnColour(RegionId region, const QColor &colour) {
    RegionColours colours = m_timeline->colours();
    colours.setOwn(region, colour);
    m_timeline->setColours(colours);
    m_legend->coloursChanged();
}

void Workspace::showDock(QWidget *panel) {
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

void Workspace::storeIn(Session &session) const {
    session.comparison = m_comparison;
    for (const auto &[key, note] : m_graph->notes())
        session.notes[key] = note;
    session.colours = m_timeline->colours().own();
    session.pathMap.clear();
    for (const PathMap::Rule &rule : m_source->pathMap().rules())
        session.pathMap.append({rule.from, rule.to});
    session.sourceFolders = m_source->pathMap().folders();
    if (!m_document)
        return;
    const Trace &trace = *m_document->report->trace;
    const Filter &filter = m_zoomFilter.filter();
    session.hiddenFunctions = namesOf(trace, filter.hiddenRegions);
    session.onlyFunctions = namesOf(trace, filter.onlyRegions);
    session.onlyRanks = filter.ranks ? QString::fromStdString(formatRanges(*filter.ranks)) : QString();
    session.minimumDuration = static_cast<double>(filter.minimumDuration) / static_cast<double>(trace.clock.ticksPerSecond);
    if (filter.time)
        session.onlyTime = std::pair(trace.seconds(filter.time->begin), trace.seconds(filter.time->end));
    session.zoom = std::pair(trace.seconds(m_zoomFilter.zoom().begin), trace.seconds(m_zoomFilter.zoom().end));
}

void Workspace::restoreFrom(const Session &session) {
    if (isAnalysing() || m_analysed)
        compare(session.comparison);
    else
        m_comparison = session.comparison; // of a trace whose analyses have not begun
    std::map<QString, QString> notes;
    for (auto note = session.notes.begin(); note != session.notes.end(); ++note)
        notes[note.key()] = note.value();
    m_graph->setNotes(std::move(notes));
    RegionColours colours = m_timeline->colours();
    colours.setOwn(session.colours);
    m_timeline->setColours(colours);
    m_legend->coloursChanged();
    PathMap paths;
    for (const auto &[from, to] : session.pathMap)
        paths.addRule({from, to});
    for (const QString &folder : session.sourceFolders)
        paths.addFolder(folder);
    m_source->setPathMap(paths);
    if (!m_document)
        return;
    const Trace &trace = *m_document->report->trace;
    Filter filter;
    filter.hiddenRegions = regionsNamed(trace, session.hiddenFunctions);
    filter.onlyRegions = regionsNamed(trace, session.onlyFunctions);
    try {
        if (!session.onlyRanks.isEmpty())
            filter.ranks = parseRanges(session.onlyRanks.toStdString());
    } catch (const std::invalid_argument &) {
        emit message(tr("The session's filter of ranks was left out: \"%1\" is not a range of ranks").arg(session.onlyRanks));
    }
    filter.minimumDuration =
        static_cast<Tick>(std::max(0.0, session.minimumDuration) * static_cast<double>(trace.clock.ticksPerSecond));
    if (session.onlyTime)
        filter.time = TimeRange{trace.tickAt(session.onlyTime->first), trace.tickAt(session.onlyTime->second)};
    m_zoomFilter.setFilter(filter);
    if (session.zoom)
        m_zoomFilter.setZoom({trace.tickAt(session.zoom->first), trace.tickAt(session.zoom->second)});
}

} // namespace laggard
