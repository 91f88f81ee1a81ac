// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/slice/TraceSlice.h"
#include "app/window/Comparison.h"
#include "app/window/DockLayout.h"
#include "app/window/Document.h"
#include "app/window/MomentBar.h"
#include "app/window/Preferences.h"
#include "app/window/Session.h"
#include "views/panels/LegendPanel.h"
#include "views/selection/SelectionModel.h"
#include "views/selection/ZoomFilterStack.h"
#include "views/slice/SlicePanel.h"

#include <QMainWindow>

#include <optional>
#include <thread>
#include <vector>

class QStackedWidget;

namespace laggard {

struct Race;
struct RacingMessage;
class AnalysisJob;
class DamageBanner;
class DetailsPanel;
class FilterBar;
class FindingsPanel;
class LastRecordsPanel;
class LatenessPanel;
class UnitsPanel;
class UnitTreeJob;
class MomentChip;
class MomentJob;
class NobodyWaits;
class PdgListPanel;
class PdgView;
class ProfilePanel;
class RacesJob;
class RacesPanel;
class RunComparison;
class ClustersPanel;
class CutJob;
class PhaseJob;
class PhasesPanel;
class SemiMarkovFocus;
class SliceJob;
class SmmPanel;
class SourceView;
class StackPanel;
class StatisticsJob;
class SuspectsPanel;
class TimePanel;
class TimelineWidget;
class TraceInfoPanel;
class TransitionPanel;
class VerdictPanel;
class WarningsPanel;

/// All views of one trace, in docks below its verdict, linked through one selection and one zoom and filter.
class Workspace : public QMainWindow {
    Q_OBJECT

  public:
    explicit Workspace(QWidget *parent = nullptr);
    ~Workspace() override;

    /// Shows another trace, or none (null), and then its verdict.
    void setDocument(DocumentPtr document);
    [[nodiscard]] const DocumentPtr &document() const { return m_document; }
    /// What is known so far: who waits for whom alone, or, once all analyses have ended, what they found. Null without a
    /// document.
    [[nodiscard]] ReportPtr report() const;

    /// Somebody wants this layout: for the trace that is open, the verdict chooses none any more.
    void chooseLayout(Question question);

    /// Shows who waits for whom at another moment, as soon as that is known: graph, list, findings, stacks and source.
    /// `momentShown` tells. At or after the end: as `showEnd`.
    void showMoment(Tick at);
    void showEnd();
    /// The moment at which the least-progressed ranks of the end became that, if it is known (Report::since).
    void showStart();
    /// The moment that is shown, or asked for; nothing for the end.
    [[nodiscard]] std::optional<Tick> moment() const { return m_momentAsked; }
    /// Moments worth looking at, by time: when it started, when ranks waited longest.
    [[nodiscard]] std::vector<KeyMoment> keyMoments() const;
    /// The report that is shown: the one about the moment asked for, or the document's.
    [[nodiscard]] ReportPtr shown() const;

    /// Compares ranks, phases and runs beside the window, anew if that is going on; `analysesEnded` tells when it is done.
    void runAnalyses();
    void cancelAnalyses();
    [[nodiscard]] bool isAnalysing() const;
    [[nodiscard]] const Comparison &comparison() const { return m_comparison; }
    /// Changes what is compared and how, and runs the analyses if that is something else than before.
    void compare(const Comparison &comparison);
    /// Brings the panel of execution units to the front.
    void showUnits();

    [[nodiscard]] SelectionModel &selection() { return m_selection; }
    [[nodiscard]] ZoomFilterStack &zoomFilter() { return m_zoomFilter; }
    [[nodiscard]] TimelineWidget &timeline() { return *m_timeline; }
    [[nodiscard]] PdgView &graph() { return *m_graph; }
    [[nodiscard]] FindingsPanel &findings() { return *m_findings; }
    [[nodiscard]] SourceView &source() { return *m_source; }
    [[nodiscard]] StackPanel &stack() { return *m_stack; }
    [[nodiscard]] DetailsPanel &details() { return *m_details; }
    [[nodiscard]] LegendPanel &legend() { return *m_legend; }
    [[nodiscard]] WarningsPanel &warnings() { return *m_warnings; }
    [[nodiscard]] SuspectsPanel &suspects() { return *m_suspects; }
    [[nodiscard]] ProfilePanel &contributions() { return *m_contributions; }
    [[nodiscard]] ProfilePanel &profile() { return *m_profile; }
    [[nodiscard]] LatenessPanel &alwaysLast() { return *m_alwaysLast; }
    [[nodiscard]] UnitsPanel &units() { return *m_units; }
    [[nodiscard]] LastRecordsPanel &lastRecords() { return *m_lastRecords; }
    [[nodiscard]] SemiMarkovFocus &semiMarkov() { return *m_semiMarkov; }
    [[nodiscard]] PhasesPanel &phases() { return *m_phases; }
    [[nodiscard]] ClustersPanel &clusters() { return *m_clusters; }
    [[nodiscard]] SmmPanel &stateModel() { return *m_stateModel; }
    [[nodiscard]] TransitionPanel &transition() { return *m_transition; }
    [[nodiscard]] SlicePanel &slice() { return *m_slice; }
    [[nodiscard]] RunComparison &runs() { return *m_runs; }
    [[nodiscard]] DockLayout &docks() { return *m_docks; }
    [[nodiscard]] FilterBar &filterBar() { return *m_filterBar; }
    [[nodiscard]] VerdictPanel &verdict() { return *m_verdict; }
    [[nodiscard]] TimePanel &functions() { return *m_functions; }
    [[nodiscard]] TimePanel &waiting() { return *m_waiting; }
    [[nodiscard]] RacesPanel &races() { return *m_races; }
    /// Opens the list of races, which are then looked for.
    void showRaces();
    [[nodiscard]] bool isLookingForRaces() const;

    /// How the timeline draws calls.
    void setCallLines(CallLines lines);
    /// Selects the least-progressed ranks and shows their last call, in graph, timeline, stack and source. Where there are none
    /// nothing is selected, and the status line says so.
    void showLeastProgressed();
    /// Moves the zoom and lifts the filter where they keep the least-progressed ranks' last call out of sight. Both can be
    /// undone.
    void uncoverLeastProgressed();

    /// Makes the slice of the end's least progressed, or of what `sliceFromHere` has chosen. Unless it is asked for, nothing is
    /// compiled where the recorded program or its sources are not on this machine; the panel then says what is missing.
    void startSlice(bool isAsked);
    void stopSlice();
    void sliceOfLeastProgressed();
    /// The slice of the frame that the source panel shows, for the ranks that are selected.
    void sliceFromHere();
    /// Selects the next or previous line of the slice, or says in the status line why there is none.
    void stepSlice(bool forward);
    /// How the program is compiled: a compile_commands.json. The slice is made anew.
    void setCompileCommands(const QString &file);
    /// The slice that is shown; none as long as there is none.
    [[nodiscard]] const std::optional<ReportSlice> &sliceReport() const { return m_sliceReport; }

    /// What the user has set up; the window's part of a session is left alone.
    void storeIn(Session &session) const;
    /// Replaces what the user has set up. A session without zoom leaves the zoom as it is.
    void restoreFrom(const Session &session);

  signals:
    /// Another moment is asked for, or more is known of those worth looking at.
    void momentsChanged();
    /// All views show the moment asked for, or the end again.
    void momentShown();
    /// Something to say in the status line.
    void message(const QString &text);
    /// What the analyses beside the window do. `fraction` is 0..1, negative where the amount of work is unknown.
    void analysing(const QString &what, double fraction);
    /// A slice is there (`error` is empty), or there is none, and `error` says why.
    void slicingEnded(const QString &error);
    /// Races are shown (`error` is empty), or there are none to show, and `error` says why.
    void racesEnded(const QString &error);
    /// A replay of this run is wanted, in which this message comes first.
    void replayRequested(const laggard::Race &race, const laggard::RacingMessage &message);
    /// They have ended, and `report` has what they found; or they were cancelled or failed, and `error` says so.
    void analysesEnded(const QString &error);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    void buildDocks();
    void connectViews();
    void connectAnalyses();
    void connectPhases();
    void connectSlice();
    void connectRaces();
    void lookForRaces();
    void showRace();
    void takeSlice(const TraceSlice &made);
    void clearSlice();
    void askForCompileCommands();
    /// `state` says why there is no report.
    void showComparisons(const ReportPtr &report, const QString &state);
    void showSelected();
    void takeMoment(const ReportPtr &moment);
    void showReport(const ReportPtr &report);
    void showVerdict();
    void showGraphOrWhyNot();
    /// Unless somebody has chosen something: the layout for the verdict, and of a slow job the moment of the largest delay.
    void openAtAnswer();
    /// Whom the verdict names, where they are at the moment that is shown.
    void selectAnswer();
    void showSuspect(const ReportPtr &report);
    void chooseFirstFinding();
    /// True once somebody has chosen a moment or something to look at in this trace: from then on none is chosen for them.
    [[nodiscard]] bool wasTouched() const;
    void centreCall(Rank rank, CallPathId path);
    void centreLastCall(Rank rank);
    [[nodiscard]] std::optional<std::uint32_t> leastProgressedNode() const;
    [[nodiscard]] bool hidesNode(const ProgressNode &node, const Filter &filter) const;
    void followSelection(const Selection &selection);
    void updateStatistics();
    void setOwnColour(RegionId region, const QColor &colour);

    [[nodiscard]] QWidget *makeGraphPages();

    DockLayout *m_docks;
    DocumentPtr m_document;
    SelectionModel m_selection;
    ZoomFilterStack m_zoomFilter;
    DamageBanner *m_banner;
    VerdictPanel *m_verdict;
    FilterBar *m_filterBar;
    QStackedWidget *m_graphPages; ///< the graph; why there is none
    NobodyWaits *m_nobodyWaits;
    bool m_opensAtAnswer = false; ///< the moment that is being made is the answer
    bool m_layoutChosen = false;  ///< by somebody, for this trace: the verdict chooses none
    TimePanel *m_functions;
    TimePanel *m_waiting;
    RacesPanel *m_races;
    RacesJob *m_racesJob;
    PdgView *m_graph;
    FindingsPanel *m_findings;
    PdgListPanel *m_groups;
    TimelineWidget *m_timeline;
    SourceView *m_source;
    StackPanel *m_stack;
    StackPanel *m_tree;
    DetailsPanel *m_details;
    LegendPanel *m_legend;
    WarningsPanel *m_warnings;
    TraceInfoPanel *m_info;
    CallLines m_callLines = CallLines::Automatic;
    std::jthread m_releasing; ///< gives back the memory of the document before
    StatisticsJob *m_statistics;
    SuspectsPanel *m_suspects;
    ProfilePanel *m_contributions;
    ProfilePanel *m_profile;
    LastRecordsPanel *m_lastRecords;
    LatenessPanel *m_alwaysLast;
    UnitsPanel *m_units;
    SemiMarkovFocus *m_semiMarkov;
    PhaseJob *m_phaseJob;
    CutJob *m_cutJob;
    UnitTreeJob *m_unitTree;
    PhasesPanel *m_phases;
    ClustersPanel *m_clusters;
    SmmPanel *m_stateModel;
    TransitionPanel *m_transition;
    SlicePanel *m_slice;
    SliceJob *m_slices;
    SliceSettings m_sliceSettings;
    SliceBeginning m_sliceFrom;
    std::optional<ReportSlice> m_sliceReport;
    Comparison m_comparison;
    AnalysisJob *m_analyses;
    RunComparison *m_runs;
    MomentJob *m_momentJob;
    MomentChip *m_momentChip;
    std::optional<Tick> m_momentAsked;
    ReportPtr m_moment;   ///< report of another moment than the end; null while the end is shown
    ReportPtr m_analysed; ///< with all analyses; null until they have ended
};

} // namespace laggard
