// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Workspace.h"

#include "analysis/words/HeadlineWords.h"
#include "app/report/NamedSuspect.h"
#include "app/window/AnalysisJob.h"
#include "app/window/CutJob.h"
#include "app/window/MemoryBudget.h"
#include "app/window/MomentChip.h"
#include "app/window/MomentJob.h"
#include "app/window/NobodyWaits.h"
#include "app/window/PhaseJob.h"
#include "app/window/RacesJob.h"
#include "app/window/ReportLook.h"
#include "app/window/RunComparison.h"
#include "app/window/SliceJob.h"
#include "app/window/StatisticsJob.h"
#include "app/window/UnitTreeJob.h"
#include "trace/Quantity.h"
#include "views/charts/LastRecordsPanel.h"
#include "views/charts/LatenessPanel.h"
#include "views/charts/ProfilePanel.h"
#include "views/charts/SuspectsPanel.h"
#include "views/charts/TimeCharts.h"
#include "views/charts/TimePanel.h"
#include "views/details/DetailsPanel.h"
#include "views/kit/ItemView.h"
#include "views/kit/Text.h"
#include "views/panels/DamageBanner.h"
#include "views/panels/FilterBar.h"
#include "views/panels/FindingsPanel.h"
#include "views/panels/StackPanel.h"
#include "views/panels/TraceInfoPanel.h"
#include "views/panels/VerdictPanel.h"
#include "views/panels/WarningsPanel.h"
#include "views/pdg/PdgListPanel.h"
#include "views/pdg/PdgView.h"
#include "views/races/RacesPanel.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/PhasesPanel.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"
#include "views/source/SourceView.h"
#include "views/theme/Hues.h"
#include "views/timeline/OverviewStrip.h"
#include "views/timeline/TimelineWidget.h"
#include "views/units/UnitTreeView.h"
#include "views/units/UnitsPanel.h"

#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace laggard {
namespace {

/// A part of a report, kept alive by the whole.
template <typename Part> std::shared_ptr<const Part> partOf(const ReportPtr &report, const Part Report::*part) {
    return report ? std::shared_ptr<const Part>(report, &((*report).*part)) : nullptr;
}

/// The function of the program in which the ranks spent most time; only functions whose place is known count.
std::optional<Frame> whereTimeWent(const Trace &trace, const std::vector<RegionStatistics> &statistics) {
    RegionId most = none;
    for (RegionId region = 0; region < std::min(trace.regions.size(), statistics.size()); ++region)
        if (!trace.regions[region].isMpi() && !trace.regions[region].file.empty() && statistics[region].exclusive > 0 &&
            (most == none || statistics[region].exclusive > statistics[most].exclusive))
            most = region;
    if (most == none)
        return std::nullopt;
    return Frame{trace.regions[most].name, trace.regions[most].file, trace.regions[most].line, true};
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

} // namespace

Workspace::Workspace(QWidget *parent) : QMainWindow(parent) {
    setWindowFlags(Qt::Widget); // QMainWindow makes itself a window of its own
    setDockOptions(AllowNestedDocks | AllowTabbedDocks | GroupedDragging);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    auto *top = new QWidget(this);
    auto *column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_banner = new DamageBanner(top);
    m_verdict = new VerdictPanel(top);
    m_filterBar = new FilterBar(m_zoomFilter, top);
    for (QWidget *each :
         {static_cast<QWidget *>(m_banner), static_cast<QWidget *>(m_verdict), static_cast<QWidget *>(m_filterBar)})
        column->addWidget(each);
    setMenuWidget(top); // above all panels, in the whole width

    m_docks = new DockLayout(*this);
    m_statistics = new StatisticsJob(this);
    m_analyses = new AnalysisJob(this);
    m_momentJob = new MomentJob(this);
    m_phaseJob = new PhaseJob(this);
    m_cutJob = new CutJob(this);
    m_unitTree = new UnitTreeJob(this);
    m_slices = new SliceJob(this);
    m_racesJob = new RacesJob(this);
    buildDocks();
    connectViews();
    connectAnalyses();
    connectPhases();
    connectSlice();
    connectRaces();
    m_docks->reset();
    m_runs = new RunComparison(*this);
}

Workspace::~Workspace() = default;

void Workspace::showEvent(QShowEvent *event) {
    QMainWindow::showEvent(event);
    m_docks->windowShown();
}

void Workspace::buildDocks() {
    m_findings = new FindingsPanel(m_selection);
    QWidget *graph = makeGraphPages();
    m_groups = new PdgListPanel(m_selection);
    m_timeline = new TimelineWidget(m_selection, m_zoomFilter);
    m_source = new SourceView(m_selection);
    m_stack = new StackPanel(m_selection, StackPanel::Scope::SelectedRanks);
    m_tree = new StackPanel(m_selection, StackPanel::Scope::AllRanks);
    m_details = new DetailsPanel(m_selection);
    m_legend = new LegendPanel(m_selection, m_zoomFilter);
    m_warnings = new WarningsPanel(m_selection);
    m_info = new TraceInfoPanel(m_selection);
    m_suspects = new SuspectsPanel(m_selection);
    m_contributions = new ProfilePanel(ProfilePanel::Kind::Contributions, m_selection);
    m_profile = new ProfilePanel(ProfilePanel::Kind::Profile, m_selection);
    m_lastRecords = new LastRecordsPanel(m_selection);
    m_alwaysLast = new LatenessPanel(m_selection);
    m_units = new UnitsPanel(m_selection);
    m_semiMarkov = new SemiMarkovFocus(m_selection, this);
    m_phases = new PhasesPanel(*m_semiMarkov, m_zoomFilter);
    m_clusters = new ClustersPanel(*m_semiMarkov);
    m_stateModel = new SmmPanel(*m_semiMarkov);
    m_transition = new TransitionPanel(*m_semiMarkov);
    m_slice = new SlicePanel(m_selection);
    m_functions = new TimePanel(TimePanel::Items::Functions, m_selection);
    m_waiting = new TimePanel(TimePanel::Items::Ranks, m_selection);
    m_races = new RacesPanel(m_selection);
    m_docks->add(tr("Findings"), QStringLiteral("findings"), m_findings);
    m_docks->add(tr("Who waits for whom"), QStringLiteral("groups"), m_groups);
    m_docks->add(tr("Graph"), QStringLiteral("graph"), graph);
    m_docks->add(tr("Source"), QStringLiteral("source"), m_source);
    m_docks->add(tr("Stack"), QStringLiteral("stack"), m_stack);
    m_docks->add(tr("All stacks"), QStringLiteral("tree"), m_tree);
    m_docks->addOfEvents(tr("Timeline"), QStringLiteral("timeline"), m_timeline,
                         tr("A model dump has no timeline: it holds states and counts instead of events."));
    m_docks->add(tr("Suspects"), QStringLiteral("suspects"), m_suspects);
    m_docks->add(tr("Last records"), QStringLiteral("records"), m_lastRecords);
    m_docks->add(tr("Always last"), QStringLiteral("lateness"), m_alwaysLast);
    m_docks->add(tr("Units"), QStringLiteral("units"), m_units);
    m_docks->add(tr("Phases"), QStringLiteral("phases"), m_phases);
    m_docks->add(tr("Clusters"), QStringLiteral("clusters"), m_clusters);
    m_docks->add(tr("State model"), QStringLiteral("statemodel"), m_stateModel);
    m_docks->add(tr("Slice"), QStringLiteral("slice"), m_slice);
    m_docks->add(tr("Transition"), QStringLiteral("transition"), m_transition);
    m_docks->add(tr("Contributions"), QStringLiteral("contributions"), m_contributions);
    m_docks->add(tr("Profile"), QStringLiteral("profile"), m_profile);
    m_docks->add(tr("Time by function"), QStringLiteral("functions"), m_functions);
    m_docks->add(tr("Waiting by rank"), QStringLiteral("waiting"), m_waiting);
    m_docks->addOfEvents(tr("Races"), QStringLiteral("races"), m_races,
                         tr("A model dump has no messages over time: it holds states and counts instead of events."));
    m_docks->add(tr("Details of the selection"), QStringLiteral("details"), m_details);
    m_docks->addOfEvents(tr("Legend"), QStringLiteral("legend"), m_legend,
                         tr("A model dump has no calls to count: it holds states and counts instead of events."));
    m_docks->add(tr("Warnings"), QStringLiteral("warnings"), m_warnings);
    m_docks->add(tr("Trace"), QStringLiteral("info"), m_info);
}

/// The graph below the moment that it is of; where it would be empty, why it is.
QWidget *Workspace::makeGraphPages() {
    auto *page = new QWidget;
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_momentChip = new MomentChip(page);
    m_graph = new PdgView(m_selection, page);
    m_graphPages = new QStackedWidget(page);
    m_nobodyWaits = new NobodyWaits(m_selection, m_graphPages);
    m_graphPages->addWidget(m_graph);
    m_graphPages->addWidget(m_nobodyWaits);
    column->addWidget(m_momentChip);
    column->addWidget(m_graphPages, 1);
    page->setFocusProxy(m_graph);
    connect(m_graphPages, &QStackedWidget::currentChanged, page,
            [this, page] { page->setFocusProxy(m_graphPages->currentWidget()); });
    return page;
}

void Workspace::connectViews() {
    connect(&m_selection, &SelectionModel::changed, this, &Workspace::followSelection);
    connect(m_timeline, &TimelineWidget::message, this, &Workspace::message);
    connect(m_timeline, &TimelineWidget::callActivated, this, [this](CallPathId path, Rank rank) {
        Selection selection;
        selection.ranks = {rank};
        selection.callPath = path;
        m_selection.select(selection);
        m_docks->show(m_source);
    });
    connect(m_timeline, &TimelineWidget::momentChosen, this, &Workspace::showMoment);
    connect(m_momentChip, &MomentChip::endRequested, this, &Workspace::showEnd);
    connect(m_momentJob, &MomentJob::answered, this, &Workspace::takeMoment);
    connect(m_momentJob, &MomentJob::failed, this, [this](const QString &sentence) {
        showEnd();
        emit message(sentence);
    });
    connect(m_banner, &DamageBanner::detailsRequested, this, [this] { m_docks->show(m_warnings); });
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
    connect(m_statistics, &StatisticsJob::failed, this, &Workspace::message);
    m_legend->setColours([this](RegionId region) { return m_timeline->colours().colour(region); });
}

void Workspace::connectAnalyses() {
    connect(m_analyses, &AnalysisJob::progressed, this, &Workspace::analysing);
    connect(m_analyses, &AnalysisJob::finished, this, [this](const ReportPtr &report) {
        m_analysed = report;
        showVerdict();
        if (!m_moment)
            showSuspect(report);
        showComparisons(report, {});
        showGraphOrWhyNot();
        openAtAnswer();
        emit momentsChanged();
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
    connect(m_details, &DetailsPanel::chosen, this, [this] {
        showSelected();
        if (const std::optional<TimeRange> &time = m_selection.current().time)
            m_timeline->showTime(*time);
    });
    connect(m_lastRecords, &LastRecordsPanel::chosen, this, &Workspace::showSelected);
    connect(m_alwaysLast, &LatenessPanel::chosen, this, &Workspace::showSelected);
    connect(m_units, &UnitsPanel::chosen, this, &Workspace::showSelected);
    connect(m_units, &UnitsPanel::treeRequested, this, [this](const JudgedUnit &unit) {
        if (m_analysed && m_analysed->callModel)
            m_unitTree->ask(m_analysed->trace, m_analysed->callModel, unit);
    });
    connect(m_unitTree, &UnitTreeJob::answered, m_units, [this](const JudgedUnit &unit, const std::optional<UnitTree> &tree) {
        m_units->setTree(unit, tree, tr("The model has no process that sets up its connections as this one does."));
    });
    connect(m_unitTree, &UnitTreeJob::failed, m_units, [this](const QString &sentence) { m_units->setTree({}, {}, sentence); });
    connect(m_transition, &TransitionPanel::chosen, this, [this] {
        showSelected();
        if (const std::optional<TimeRange> &time = m_selection.current().time)
            m_timeline->showTime(*time);
    });
    connect(m_stateModel, &SmmPanel::transitionChosen, this, [this] { m_docks->bringToFront(m_transition); });
    for (ProfilePanel *panel : {m_contributions, m_profile})
        connect(panel, &ProfilePanel::chosen, this, &Workspace::showSelected);
    connect(m_waiting, &TimePanel::chosen, this, &Workspace::showSelected);
    connect(m_nobodyWaits, &NobodyWaits::chosen, this, &Workspace::showSelected);
    connect(m_nobodyWaits, &NobodyWaits::stateModelRequested, this, [this] { chooseLayout(Question::Behaviour); });
    connect(m_nobodyWaits, &NobodyWaits::longestWaitRequested, this, [this] {
        if (const ReportPtr known = report(); known && known->delays && !known->delays->longest.empty())
            showMoment(lateIn(known->delays->longest.front().time));
    });
    connect(m_findings->view(), &ItemView::chosen, this, &Workspace::showSelected);
    showComparisons(nullptr, {});
}

void Workspace::connectPhases() {
    connect(m_semiMarkov, &SemiMarkovFocus::analysedChanged, m_phaseJob, &PhaseJob::cancel);
    connect(m_semiMarkov, &SemiMarkovFocus::phaseRequested, this, [this](std::uint32_t phase) {
        const std::shared_ptr<const SemiMarkovReport> &analysed = m_semiMarkov->analysed();
        m_phaseJob->cancel();
        if (m_semiMarkov->report()->shownPhase == phase)
            return;
        emit message(tr("Models of %1 are being made …").arg(toLine(analysed->phases.describe(phase))));
        m_phaseJob->ask(m_semiMarkov->trace(), analysed, phase);
    });
    connect(m_phaseJob, &PhaseJob::answered, this, [this](const std::shared_ptr<const SemiMarkovReport> &shown) {
        m_semiMarkov->showPhase(shown);
        emit message(tr("Clusters, state model and transition show %1").arg(toLine(shown->phases.describe(shown->shownPhase))));
    });
    connect(m_phaseJob, &PhaseJob::failed, this, &Workspace::message);
    connect(m_semiMarkov, &SemiMarkovFocus::reportChanged, m_cutJob, &CutJob::cancel);
    connect(m_semiMarkov, &SemiMarkovFocus::cutRequested, m_cutJob, &CutJob::ask);
    connect(m_cutJob, &CutJob::answered, m_semiMarkov, &SemiMarkovFocus::showCut);
    connect(m_cutJob, &CutJob::failed, this, &Workspace::message);
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
    options.corrected = m_document->corrected;
    emit analysing(tr("comparing ranks"), -1);
    m_analyses->start(m_document->report, m_comparison.references, m_comparison.callModel, std::move(options), memoryBudget());
}

void Workspace::showUnits() { m_docks->show(m_units); }

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
    Chart waiting;
    waiting.emptyText = state;
    if (report && report->delays)
        waiting = waitingByRankChart(*trace, *report->delays,
                                     report->verdict.state == Verdict::State::Hung ? findUnfinishedWaits(*trace, report->waits)
                                                                                   : UnfinishedWaits());
    m_nobodyWaits->setWaiting(waiting);
    m_waiting->setChart(std::move(waiting));
    m_lastRecords->setFailStop(trace, outliers ? std::shared_ptr<const FailStop>(outliers, &outliers->failStop) : nullptr, state);
    m_alwaysLast->setLateness(
        trace, report && report->delays ? std::shared_ptr<const std::vector<Lateness>>(report, &report->alwaysLast) : nullptr,
        state);
    m_unitTree->cancel();
    m_units->setReport(trace, report && report->units ? std::shared_ptr<const UnitReport>(report, &*report->units) : nullptr,
                       state);
    m_timeline->setUnits(report && report->units ? report->units->spans : nullptr);
    m_semiMarkov->setReport(
        trace, report && report->models ? std::shared_ptr<const SemiMarkovReport>(report, &*report->models) : nullptr, state);
    const bool isTold = report && !report->verdict.findings.empty(); // else no verdict rests on the phase
    if (const SemiMarkovReport *models = m_semiMarkov->report(); models != nullptr && models->ranges.size() > 1)
        m_timeline->overview().setPhases(models->ranges, isTold ? models->verdict.phase : std::nullopt,
                                         models->verdict.kind == SemiMarkovVerdict::Kind::Permanent, [this](std::size_t phase) {
                                             const SemiMarkovReport *shown = m_semiMarkov->report();
                                             return shown != nullptr && phase < shown->phases.size()
                                                        ? toLine(shown->phases.describe(phase))
                                                        : QString();
                                         });
}

void Workspace::setDocument(DocumentPtr document) {
    m_runs->close();
    DocumentPtr before = std::exchange(m_document, std::move(document));
    ReportPtr analysedBefore = std::exchange(m_analysed, nullptr);
    m_statistics->cancel();
    m_analyses->cancel();
    m_racesJob->cancel();
    m_races->setReport(nullptr, nullptr);
    clearSlice();
    showComparisons(nullptr, {});
    m_momentJob->cancel();
    ReportPtr momentBefore = std::exchange(m_moment, nullptr);
    m_momentAsked.reset();
    m_momentChip->hide();
    const ReportPtr report = m_document ? m_document->report : nullptr;
    const TracePtr trace = report ? report->trace : nullptr;
    m_selection.reset();
    m_zoomFilter.reset(trace ? trace->range : TimeRange());
    if (report)
        m_docks->setHasEvents(!report->dump, !report->dump || trace->phaseModels);
    m_banner->setTrace(trace);
    m_filterBar->setTrace(trace);
    m_timeline->setTrace(trace, m_document ? m_document->pyramid : nullptr);
    m_timeline->overview().setShares(m_document ? m_document->shares : nullptr);
    showReport(report);
    showVerdict();
    m_legend->setStatistics(trace, m_document ? m_document->statistics : std::vector<RegionStatistics>());
    const Chart functions = report && !report->dump ? timeByFunctionChart(*trace, m_document->statistics) : Chart();
    m_functions->setChart(functions);
    m_nobodyWaits->setFunctions(functions);
    m_source->setUsual(report && !report->dump ? whereTimeWent(*trace, m_document->statistics) : std::nullopt);
    m_legend->setScope(LegendPanel::Scope::WholeTrace);
    m_warnings->setTrace(trace);
    m_info->setTrace(trace);
    m_timeline->setTimesNote(m_document && m_document->corrected ? QStringLiteral("without the recorder's time") : QString());
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
    m_layoutChosen = m_opensAtAnswer = false;
    openAtAnswer();
    if (leastProgressedNode())
        showLeastProgressed();
    if (m_races->isVisible())
        m_races->want();
    emit momentsChanged();
}

ReportPtr Workspace::shown() const { return m_moment ? m_moment : m_document ? m_document->report : nullptr; }

void Workspace::showReport(const ReportPtr &report) {
    const TracePtr trace = report ? report->trace : nullptr;
    const auto waits = partOf<WaitForGraph>(report, &Report::waits);
    const auto progress = partOf<ProgressGraph>(report, &Report::progress);
    m_groups->setGraph(progress);
    m_graph->setGraph(trace, progress);
    if (report)
        m_timeline->setGraphNodes(nodeOfRank(*report));
    m_stack->setReport(trace, waits, progress);
    m_tree->setReport(trace, waits, progress);
    m_source->setReport(trace, waits, progress);
    showGraphOrWhyNot();
    m_details->setReport(trace, m_document ? m_document->pyramid : nullptr, waits);
    showSuspect(report);
}

/// The verdict and its findings are of the job, whichever moment is looked at.
void Workspace::showVerdict() {
    const ReportPtr known = report();
    const auto verdict = partOf<Verdict>(known, &Report::verdict);
    m_verdict->setVerdict(known ? known->trace : nullptr, verdict);
    m_findings->setVerdict(known ? known->trace : nullptr, verdict);
    m_graph->setVerdict(verdict);
}

void Workspace::showGraphOrWhyNot() {
    const ReportPtr now = shown();
    const bool isEmpty = now && now->progress.nodes.empty();
    m_graphPages->setCurrentIndex(isEmpty ? 1 : 0);
    if (!isEmpty)
        return;
    const ReportPtr known = report();
    QString wait;
    if (known->delays && !known->delays->longest.empty())
        wait = tr("At %1").arg(toText(describeDuration(known->trace->seconds(known->delays->longest.front().time.begin))));
    m_nobodyWaits->setText(m_moment                         ? tr("Nobody waits for anybody at this moment.")
                           : now->progress.finished.empty() ? tr("Nothing is known of who waits for whom at the end.")
                           : now->progress.unknown.empty()
                               ? tr("Every rank has finished, so nobody waits for anybody at the end.")
                               : tr("%1 finished; what the others did at the end is not known.")
                                     .arg(countText(now->progress.finished.size(), "rank")),
                           wait);
}

void Workspace::showSuspect(const ReportPtr &report) {
    if (!report)
        return;
    const Suspect suspect = suspectOf(*report);
    m_timeline->setSuspect(suspect);
    m_legend->setSuspect(suspect.region);
    m_timeline->setClasses(classesOf(*report));
    const VerdictMoment moment = momentOf(*report);
    m_timeline->overview().setMark(moment.time, moment.text, QColor::fromRgb(hue::vermilion));
}

void Workspace::showMoment(Tick at) {
    if (!m_document || !m_document->report->index)
        return;
    const Trace &trace = *m_document->report->trace;
    if (at >= trace.readRange().end) {
        showEnd();
        m_timeline->setCursorTime(at);
        return;
    }
    m_momentAsked = at;
    m_momentChip->showMoment(trace.seconds(at), {});
    m_timeline->setCursorTime(at);
    m_momentJob->ask(m_document->report, at);
    emit momentsChanged();
}

void Workspace::takeMoment(const ReportPtr &moment) {
    m_moment = moment == m_document->report ? nullptr : moment;
    // Nodes and edges are those of another graph from here on, and a call is one of another moment: stack and source follow.
    if (const Selection before = m_selection.current(); before.node || before.edge || before.callPath != none || before.step) {
        Selection ranks;
        ranks.ranks = before.ranks;
        m_selection.select(ranks);
    }
    showReport(moment);
    if (std::exchange(m_opensAtAnswer, false))
        selectAnswer();
    if (m_moment)
        m_momentChip->showMoment(moment->trace->seconds(moment->progress.at), toText(headlineOf(moment->verdict.facts)));
    emit momentShown();
}

void Workspace::showEnd() {
    if (!m_momentChip->isHidden())
        m_timeline->setCursorTime(std::nullopt); // it stood for the moment that is left
    m_momentJob->cancel();
    m_momentChip->hide();
    m_momentAsked.reset();
    if (m_moment)
        takeMoment(m_document->report);
    emit momentsChanged();
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

void Workspace::updateStatistics() {
    if (!m_document)
        return;
    const TracePtr &trace = m_document->report->trace;
    const Selection &selection = m_selection.current();
    const TimeRange read = trace->readRange(); // nothing is known of what calls did outside
    const auto within = [&read](TimeRange range) {
        range.begin = std::clamp(range.begin, read.begin, read.end);
        return TimeRange{range.begin, std::clamp(range.end, range.begin, read.end)};
    };
    switch (m_legend->scope()) {
    case LegendPanel::Scope::WholeTrace:
        m_statistics->cancel();
        m_legend->setStatistics(trace, m_document->statistics);
        return;
    case LegendPanel::Scope::ShownWindow:
        m_statistics->start(trace, within(m_zoomFilter.zoom()), m_zoomFilter.filter().ranks.value_or(allRanks(*trace)));
        return;
    case LegendPanel::Scope::Selection:
        m_statistics->start(trace, within(selection.time.value_or(read)),
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

} // namespace laggard
