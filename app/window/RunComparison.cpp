// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/RunComparison.h"

#include "app/window/MemoryBudget.h"
#include "app/window/Workspace.h"
#include "views/compare/BothRunsPanel.h"
#include "views/kit/Text.h"
#include "views/source/SourceView.h"
#include "views/timeline/TimelineWidget.h"

#include <QDir>
#include <QDockWidget>
#include <QScopedValueRollback>
#include <QTimer>

#include <algorithm>

namespace laggard {
namespace {

const QStringList alignmentNames{QStringLiteral("start"), QStringLiteral("end"), QStringLiteral("phase"),
                                 QStringLiteral("departure"), QStringLiteral("moments")};

/// When the rank's main thread came back from its last MPI call; the trace's end where it made none.
Tick lastCallEnd(const Trace &trace, Rank rank) {
    const LocationEvents *events = trace.mainEvents(rank);
    for (std::size_t row = events == nullptr ? 0 : events->track.size(); row-- > 0;)
        if (trace.region(events->track.callPath[row]).isMpi())
            return std::min(events->track.end[row], trace.range.end);
    return trace.range.end;
}

} // namespace

RunComparison::RunComparison(Workspace &workspace) : QObject(&workspace), m_workspace(workspace), m_job(new CompareJob(this)) {
    connect(m_job, &Job::progressed, this, [this](const QString &what, double fraction) {
        if (m_pane != nullptr)
            m_pane->showProgress(what, fraction);
    });
    connect(m_job, &CompareJob::finished, this, &RunComparison::show);
    connect(m_job, &Job::failed, this, [this](const QString &sentence) {
        close();
        emit ended(sentence);
    });
    connect(&m_workspace.zoomFilter(), &ZoomFilterStack::zoomChanged, this, &RunComparison::followZoom);
    connect(&m_workspace.selection(), &SelectionModel::changed, this, &RunComparison::followSelection);
    // The panels of another question are put where they were without these.
    connect(&m_workspace.docks(), &DockLayout::questionChanged, this,
            [this] { QTimer::singleShot(0, this, &RunComparison::placeDocks); });
    connect(&m_workspace.timeline(), &TimelineWidget::cursorMoved, this, [this](Tick time) {
        if (m_run && !m_isFollowing)
            m_pane->timeline().setCursorTime(m_alignment.toThere(time));
    });
}

RunComparison::~RunComparison() = default;

const Trace &RunComparison::here() const { return *m_workspace.document()->report->trace; }

void RunComparison::start(const ComparedRun &run) {
    if (run.path.isEmpty())
        close();
    if (!m_workspace.document() || run.path.isEmpty())
        return;
    if (here().isSummary) {
        emit ended(tr("A model dump has no calls that could be compared with another run."));
        return;
    }
    close();
    m_path = run.path;
    m_wanted = run;
    openDocks();
    m_pane->showProgress(tr("reading %1").arg(QDir::toNativeSeparators(m_path)), -1);
    m_job->start(m_workspace.document()->report->trace, m_path, memoryBudget());
    emit changed();
}

void RunComparison::close() {
    m_job->cancel();
    if (!isOpen())
        return;
    m_path.clear();
    for (QDockWidget *dock : {m_paneDock, m_panelDock}) {
        dock->hide();
        dock->deleteLater(); // it may be what asked for it
    }
    m_pane = nullptr;
    m_panel = nullptr;
    m_paneDock = nullptr;
    m_panelDock = nullptr;
    m_run.reset();
    emit changed();
}

ComparedRun RunComparison::compared() const {
    ComparedRun run;
    run.path = m_path;
    if (m_path.isEmpty() || !m_run)
        return m_path.isEmpty() ? run : m_wanted;
    run.alignment = alignmentNames.at(static_cast<int>(m_pane->alignment()));
    std::tie(run.here, run.there) = m_pane->moments();
    return run;
}

void RunComparison::openDocks() {
    m_pane = new OtherRunPane;
    m_panel = new BothRunsPanel;
    m_paneDock = new QDockWidget(tr("Other run"), &m_workspace);
    m_paneDock->setObjectName(QStringLiteral("otherrun"));
    m_paneDock->setWidget(m_pane);
    m_panelDock = new QDockWidget(tr("Both runs"), &m_workspace);
    m_panelDock->setObjectName(QStringLiteral("bothruns"));
    m_panelDock->setWidget(m_panel);
    for (QDockWidget *dock : {m_paneDock, m_panelDock}) {
        dock->widget()->setMinimumSize(140, 60);    // as other panels: none asks for more room than it has
        dock->setTitleBarWidget(new QWidget(dock)); // its tab, or its own first line, says the same
        dock->setFeatures(QDockWidget::DockWidgetMovable | QDockWidget::DockWidgetFloatable); // it has a way to close of its own
    }
    placeDocks();
    connect(m_pane, &OtherRunPane::cancelRequested, this, [this] {
        close();
        emit ended(tr("The comparison was cancelled"));
    });
    connect(m_pane, &OtherRunPane::closeRequested, this, &RunComparison::close);
}

/// The other run below all panels, right under the timeline; what both have beside the source.
void RunComparison::placeDocks() {
    if (m_paneDock == nullptr)
        return;
    constexpr int percent = 30; // percent of the window's height
    m_workspace.addDockWidget(Qt::BottomDockWidgetArea, m_paneDock);
    m_paneDock->show();
    if (QDockWidget *source = m_workspace.docks().dockOf(&m_workspace.source()))
        m_workspace.tabifyDockWidget(source, m_panelDock);
    else
        m_workspace.addDockWidget(Qt::RightDockWidgetArea, m_panelDock);
    m_panelDock->show();
    m_workspace.resizeDocks({m_paneDock}, {m_workspace.height() * percent / 100}, Qt::Vertical);
    m_workspace.docks().bringToFront(&m_workspace.timeline());
    QTimer::singleShot(0, m_panelDock, [dock = m_panelDock] { dock->raise(); }); // a new tab can be raised once it is there
}

void RunComparison::show(const OtherRunPtr &run) {
    m_run = run;
    const TracePtr trace = m_workspace.document()->report->trace;
    m_toThere = Counterparts(*trace, *run->trace);
    m_toHere = Counterparts(*run->trace, *trace);
    m_departure = 0;
    m_pane->zoomFilter().reset(run->trace->range);
    m_pane->timeline().setTrace(run->trace, run->pyramid);
    RegionColours colours = m_pane->timeline().colours();
    colours.setOwn(m_workspace.timeline().colours().own());
    m_pane->timeline().setColours(colours);
    m_pane->timeline().fitRows();
    m_panel->setColours([this](const FunctionTimes &function) {
        return function.here != none ? m_workspace.timeline().colours().colour(function.here)
                                     : m_pane->timeline().colours().colour(function.there);
    });
    m_panel->setRuns(trace, run->trace, std::shared_ptr<const DivergenceReport>(run, &run->divergence),
                     compareFunctions(*trace, m_workspace.document()->statistics, *run->trace, run->statistics),
                     std::shared_ptr<const BothModels>(run, &run->models));
    m_pane->setMoments(m_wanted.here, m_wanted.there);
    offerAlignments();
    const auto wanted = static_cast<AlignedAt>(std::max(qsizetype{0}, alignmentNames.indexOf(m_wanted.alignment)));
    m_pane->setAlignment(moments(wanted) ? wanted : AlignedAt::Start);
    m_pane->showTimeline();
    connectPane();
    align();
    followSelection();
    emit ended({});
}

void RunComparison::connectPane() {
    connect(m_pane, &OtherRunPane::alignmentChosen, this, &RunComparison::align);
    connect(&m_pane->zoomFilter(), &ZoomFilterStack::zoomChanged, this, [this](const TimeRange &zoom) {
        if (std::exchange(m_isFollowing, true))
            return;
        m_workspace.zoomFilter().setZoom(m_alignment.toHere(zoom), true);
        m_isFollowing = false;
        followZoom(); // this run may not go as far
    });
    connect(&m_pane->selection(), &SelectionModel::changed, this, [this](const Selection &selection) {
        if (std::exchange(m_isFollowing, true))
            return;
        Selection mapped = m_toHere.selection(selection);
        if (selection.time)
            mapped.time = m_alignment.toHere(*selection.time);
        m_workspace.selection().select(mapped);
        m_isFollowing = false;
    });
    connect(&m_pane->timeline(), &TimelineWidget::cursorMoved, this,
            [this](Tick time) { m_workspace.timeline().setCursorTime(m_alignment.toHere(time)); });
    connect(&m_pane->timeline(), &TimelineWidget::message, &m_workspace, &Workspace::message);
    connect(m_panel, &BothRunsPanel::departureChosen, this, &RunComparison::showDeparture);
    connect(m_panel, &BothRunsPanel::functionChosen, this, [this](const FunctionTimes &function) {
        Selection selection;
        selection.region = function.here;
        m_workspace.selection().select(selection);
        if (function.here == none) {
            const QScopedValueRollback following(m_isFollowing, true);
            Selection there;
            there.region = function.there;
            m_pane->selection().select(there);
        }
    });
}

void RunComparison::offerAlignments() {
    for (int index = 0; index < alignmentNames.size(); ++index) {
        const auto alignment = static_cast<AlignedAt>(index);
        m_pane->setPossible(alignment, alignment == AlignedAt::Phase ? true : moments(alignment).has_value());
    }
}

std::optional<std::pair<Tick, Tick>> RunComparison::phaseMoments() const {
    const ReportPtr report = m_workspace.report();
    if (!report->models || report->models->phases.region.empty())
        return std::nullopt;
    const PhaseTable &phases = report->models->phases;
    const TimeRange zoom = m_workspace.zoomFilter().zoom();
    const Tick middle = zoom.begin + zoom.length() / 2;
    std::uint32_t number = 0; // number of the iteration in view: entries of the function before its middle
    std::optional<Tick> entered;
    for (std::size_t phase = 0; phase < phases.size(); ++phase)
        if (const TimeRange range = phases.range(0, phase); range.begin <= middle && (!entered || range.begin > *entered)) {
            entered = range.begin;
            number = phases.phases[phase].firstIteration;
        }
    const std::optional<Tick> at = instanceOf(*report->trace, phases.region, number);
    const std::optional<Tick> other = instanceOf(*m_run->trace, phases.region, number);
    return at && other ? std::optional(std::pair(*at, *other)) : std::nullopt;
}

std::optional<std::pair<Tick, Tick>> RunComparison::moments(AlignedAt alignment) const {
    const Trace &there = *m_run->trace;
    switch (alignment) {
    case AlignedAt::Start:
        return std::pair(here().range.begin, there.range.begin);
    case AlignedAt::End:
        return std::pair(here().range.end, there.range.end);
    case AlignedAt::Phase:
        return phaseMoments();
    case AlignedAt::Departure: {
        if (m_departure >= m_run->divergence.departures.size())
            return std::nullopt;
        const RankDivergence &departure = m_run->divergence.departures[m_departure];
        return std::pair(departure.here ? departure.here->start : lastCallEnd(here(), departure.rank),
                         departure.there ? departure.there->start : lastCallEnd(there, departure.rank));
    }
    case AlignedAt::Moments: {
        const auto [secondsHere, secondsThere] = m_pane->moments();
        return std::pair(here().tickAt(secondsHere), there.tickAt(secondsThere));
    }
    }
    return std::nullopt;
}

void RunComparison::align() {
    std::optional<std::pair<Tick, Tick>> same = moments(m_pane->alignment());
    if (!same) {
        emit m_workspace.message(tr("The phase in view is not in both runs: they are aligned at their start"));
        m_pane->setAlignment(AlignedAt::Start);
        same = moments(AlignedAt::Start);
    }
    const Trace &there = *m_run->trace;
    m_alignment = RunAlignment(here(), same->first, there, same->second);
    if (m_pane->alignment() != AlignedAt::Moments)
        m_pane->setMoments(here().seconds(same->first), there.seconds(same->second));
    // It may be looked at before its beginning and after its end, as long as this run goes on.
    const TimeRange all = m_alignment.toThere(here().range);
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_pane->zoomFilter().reset({std::min(all.begin, there.range.begin), std::max(all.end, there.range.end)});
    }
    followZoom();
}

void RunComparison::followZoom() {
    if (!m_run || m_isFollowing)
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    const TimeRange zoom = m_workspace.zoomFilter().zoom();
    m_pane->zoomFilter().setZoom(m_alignment.toThere(zoom), true);
    const QString file = QDir::toNativeSeparators(toLine(m_run->trace->path));
    m_pane->setTitle(file, m_alignment.reaches(zoom.begin) ? QString() : tr("begins within what is shown: not aligned"));
}

void RunComparison::followSelection() {
    if (!m_run || m_isFollowing)
        return;
    const QScopedValueRollback following(m_isFollowing, true);
    const Selection &selection = m_workspace.selection().current();
    Selection mapped = m_toThere.selection(selection);
    if (selection.time)
        mapped.time = m_alignment.toThere(*selection.time);
    m_pane->selection().select(mapped);
    if (!mapped.ranks.empty())
        m_pane->timeline().showRank(mapped.ranks.front());
}

void RunComparison::showDeparture(std::size_t index) {
    if (!m_run || index >= m_run->divergence.departures.size())
        return;
    m_departure = index;
    m_pane->setAlignment(AlignedAt::Departure);
    align();
    const RankDivergence &departure = m_run->divergence.departures[index];
    const auto selectionOf = [&](const std::optional<DivergedCall> &call, const Trace &trace) {
        Selection selection;
        selection.ranks = {departure.rank};
        if (call) {
            selection.callPath = call->callPath;
            selection.time = TimeRange{call->start, std::min(call->end, trace.range.end)};
        }
        return selection;
    };
    const TimeRange before = m_workspace.zoomFilter().zoom();
    {
        const QScopedValueRollback following(m_isFollowing, true);
        m_workspace.selection().select(selectionOf(departure.here, here()));
        m_pane->selection().select(selectionOf(departure.there, *m_run->trace));
    }
    m_workspace.timeline().showRank(departure.rank);
    m_pane->timeline().showRank(departure.rank);
    const Tick at = departure.here ? departure.here->start : here().range.end;
    if (at < before.begin || at > before.end) {
        const Tick half = std::min(before.length() / 2, at - here().range.begin);
        m_workspace.zoomFilter().setZoom({at - half, at - half + before.length()});
    }
    followZoom();
}

} // namespace laggard
