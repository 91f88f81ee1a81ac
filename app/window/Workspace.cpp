// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Workspace.h"

#include "app/window/AnalysisJob.h"
#include "app/window/MemoryBudget.h"
#include "app/window/MomentChip.h"
#include "app/window/MomentJob.h"
#include "app/window/SliceJob.h"
#include "app/window/StatisticsJob.h"
#include "views/charts/LastRecordsPanel.h"
#include "views/charts/ProfilePanel.h"
#include "views/charts/SuspectsPanel.h"
#include "views/kit/ItemView.h"
#include "views/panels/DamageBanner.h"
#include "views/panels/FilterBar.h"
#include "views/panels/FindingsPanel.h"
#include "views/panels/StackPanel.h"
#include "views/panels/TraceInfoPanel.h"
#include "views/panels/WarningsPanel.h"
#include "views/pdg/PdgListPanel.h"
#include "views/pdg/PdgView.h"
#include "views/semimarkov/ClustersPanel.h"
#include "views/semimarkov/PhasesPanel.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/semimarkov/TransitionPanel.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <QVBoxLayout>

#include <numeric>
#include <utility>

namespace laggard {
namespace {

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

    m_docks = new DockLayout(*this);
    m_statistics = new StatisticsJob(this);
    m_analyses = new AnalysisJob(this);
    m_momentJob = new MomentJob(this);
    m_slices = new SliceJob(this);
    buildDocks();
    connectViews();
    connectAnalyses();
    connectSlice();
    m_docks->reset();
}

Workspace::~Workspace() = default;

void Workspace::showEvent(QShowEvent *event) {
    QMainWindow::showEvent(event);
    m_docks->windowShown();
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
    m_slice = new SlicePanel(m_selection);
    m_docks->add(tr("Findings"), QStringLiteral("findings"), m_findings, Qt::LeftDockWidgetArea);
    m_docks->add(tr("Who waits for whom"), QStringLiteral("groups"), m_groups, Qt::LeftDockWidgetArea);
    m_docks->add(tr("Source"), QStringLiteral("source"), m_source, Qt::RightDockWidgetArea);
    m_docks->add(tr("Stack of the selection"), QStringLiteral("stack"), m_stack, Qt::RightDockWidgetArea);
    m_docks->add(tr("Stacks of all ranks"), QStringLiteral("tree"), m_tree, Qt::RightDockWidgetArea);
    m_docks->addOfEvents(tr("Timeline"), QStringLiteral("timeline"), m_timeline, Qt::BottomDockWidgetArea,
                         tr("A model dump has no timeline: it holds states and counts instead of events."));
    m_docks->add(tr("Suspects"), QStringLiteral("suspects"), m_suspects, Qt::BottomDockWidgetArea);
    m_docks->add(tr("Last records"), QStringLiteral("records"), m_lastRecords, Qt::BottomDockWidgetArea);
    m_docks->add(tr("Phases"), QStringLiteral("phases"), m_phases, Qt::BottomDockWidgetArea);
    m_docks->add(tr("Clusters"), QStringLiteral("clusters"), m_clusters, Qt::BottomDockWidgetArea);
    m_docks->add(tr("State model"), QStringLiteral("statemodel"), m_stateModel, Qt::BottomDockWidgetArea);
    m_docks->add(tr("Slice"), QStringLiteral("slice"), m_slice, Qt::BottomDockWidgetArea);
    m_docks->add(tr("Transition"), QStringLiteral("transition"), m_transition, Qt::RightDockWidgetArea);
    m_docks->add(tr("Contributions"), QStringLiteral("contributions"), m_contributions, Qt::RightDockWidgetArea);
    m_docks->add(tr("Profile"), QStringLiteral("profile"), m_profile, Qt::RightDockWidgetArea);
    m_docks->addOfEvents(tr("Legend"), QStringLiteral("legend"), m_legend, Qt::BottomDockWidgetArea,
                         tr("A model dump has no calls to count: it holds states and counts instead of events."));
    m_docks->add(tr("Warnings"), QStringLiteral("warnings"), m_warnings, Qt::BottomDockWidgetArea);
    m_docks->add(tr("Trace"), QStringLiteral("info"), m_info, Qt::BottomDockWidgetArea);
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
        if (!m_moment) {
            m_findings->setVerdict(report->trace, partOf<Verdict>(report, &Report::verdict));
            m_graph->setVerdict(partOf<Verdict>(report, &Report::verdict));
        }
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
    connect(m_transition, &TransitionPanel::chosen, this, [this] {
        showSelected();
        if (const std::optional<TimeRange> &time = m_selection.current().time)
            m_timeline->showTime(*time);
    });
    connect(m_stateModel, &SmmPanel::transitionChosen, this, [this] { m_docks->bringToFront(m_transition); });
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
    clearSlice();
    showComparisons(nullptr, {});
    m_momentJob->cancel();
    ReportPtr momentBefore = std::exchange(m_moment, nullptr);
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

void Workspace::showReport(const ReportPtr &report) {
    const TracePtr trace = report ? report->trace : nullptr;
    const auto waits = partOf<WaitForGraph>(report, &Report::waits);
    const auto progress = partOf<ProgressGraph>(report, &Report::progress);
    m_findings->setVerdict(trace, partOf<Verdict>(report, &Report::verdict));
    m_graph->setVerdict(partOf<Verdict>(report, &Report::verdict));
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
    if (at >= trace.readRange().end) {
        showEnd();
        m_timeline->setCursorTime(at);
        return;
    }
    m_momentChip->showMoment(trace.seconds(at), false);
    m_timeline->setCursorTime(at);
    m_momentJob->ask(m_document->report, at);
}

void Workspace::takeMoment(const ReportPtr &moment) {
    m_moment = moment == report() ? nullptr : moment;
    // Nodes and edges are those of another graph from here on, and a call is one of another moment: stack and source follow.
    if (const Selection before = m_selection.current(); before.node || before.edge || before.callPath != none || before.step) {
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
    if (!m_momentChip->isHidden())
        m_timeline->setCursorTime(std::nullopt); // it stood for the moment that is left
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
