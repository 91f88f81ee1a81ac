// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/delays/Delays.h"
#include "analysis/divergence/Divergence.h"
#include "analysis/lateness/AlwaysLast.h"
#include "analysis/messages/RepeatedMessages.h"
#include "analysis/outliers/Outliers.h"
#include "analysis/progress/MomentIndex.h"
#include "analysis/progress/ProgressGraph.h"
#include "analysis/progress/ProgressRule.h"
#include "analysis/units/JudgeUnits.h"
#include "analysis/verdict/MpiUse.h"
#include "analysis/verdict/Verdict.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/ModelDump.h"
#include "trace/Trace.h"

#include <memory>
#include <optional>
#include <vector>

namespace laggard {

struct ClockReport;
struct CorrectionReport;
struct RaceReport;

/// Which analyses a report is to have (--only).
struct AnalysisChoice {
    bool progress = true;
    bool delays = true; ///< goes with progress, as repeated messages do
    bool phases = true;
    bool clusters = true;
    bool transitions = true;
    bool failStop = true;
    bool outliers = true;
    bool races = false; ///< only if asked for

    [[nodiscard]] bool semiMarkov() const { return phases || clusters || transitions; }
    /// Who waits for whom alone: what a first look needs.
    [[nodiscard]] static AnalysisChoice progressOnly() { return {true, false, false, false, false, false, false, false}; }
};

/// What the analyses are to do.
struct AnalysisOptions {
    Tick at = openEnd; ///< the moment that progress is about; `openEnd`: the end
    AnalysisChoice choice;
    SemiMarkovOptions semiMarkov;
    OutlierOptions outliers;
    std::vector<TracePtr> references;                  ///< sample runs: traces, or the jobs of model dumps
    std::shared_ptr<const CallModel> callModel;        ///< to judge execution units by; nullptr for none
    TracePtr other;                                    ///< a run to compare with call by call; nullptr for none
    std::shared_ptr<const CorrectionReport> corrected; ///< how the trace was made from the recorded one; nullptr: it is that one
};

/// Everything the analyses say about one trace at one moment. Immutable once made; views and reports show it.
struct Report {
    AnalysisChoice choice; ///< what was asked for
    TracePtr trace;        ///< for a model dump: its ranks and call paths
    ModelDumpPtr dump;     ///< nullptr for a trace
    WaitForGraph waits;
    ProgressGraph progress;
    ProgressRule rule;    ///< with progress: what the rule of progress dependence says by itself
    MomentIndexPtr index; ///< for other moments of the same trace; nullptr for a dump
    /// When it started: from then on the least-progressed ranks are those named. With progress and delays, at the end only.
    std::optional<Tick> since;
    std::optional<DelayReport> delays;                 ///< with progress: who made the others wait, in the whole of what was read
    std::vector<Lateness> alwaysLast;                  ///< with delays: who came last, by kind of occasion
    std::vector<RepeatedMessage> repeated;             ///< with delays
    std::vector<MpiUseError> misuse;                   ///< in the whole trace; empty at other moments than its end
    std::optional<SemiMarkovReport> models;            ///< if one of its parts was asked for
    std::optional<OutlierReport> outliers;             ///< if fail-stop or outliers were asked for
    std::optional<DivergenceReport> divergence;        ///< if another run was given
    TracePtr other;                                    ///< the other run
    std::optional<UnitReport> units;                   ///< if a call model was given
    std::shared_ptr<const CallModel> callModel;        ///< by which `units` were judged
    std::shared_ptr<const ClockReport> clocks;         ///< with progress and delays, where clocks disagree; else nullptr
    std::shared_ptr<const CorrectionReport> corrected; ///< for a trace without the recorder's time (--corrected); else nullptr
    std::shared_ptr<const RaceReport> races;           ///< if races were asked for and the trace has messages
    bool isKept = false;                               ///< `verdict` is that of all events, which the model dump holds
    Verdict ofWaits;                                   ///< what the waits say by themselves, before the other methods joined
    Verdict verdict;                                   ///< with the findings of all analyses
};

using ReportPtr = std::shared_ptr<const Report>;

} // namespace laggard
