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
#include "analysis/verdict/MpiUse.h"
#include "analysis/verdict/Verdict.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/ModelDump.h"
#include "trace/Slice.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

namespace laggard {

/// Which analyses a report is to have (--only).
struct AnalysisChoice {
    bool progress = true;
    bool delays = true; ///< goes with progress, as repeated messages do
    bool phases = true;
    bool clusters = true;
    bool transitions = true;
    bool failStop = true;
    bool outliers = true;

    [[nodiscard]] bool semiMarkov() const { return phases || clusters || transitions; }
    /// Who waits for whom alone: what a first look needs.
    [[nodiscard]] static AnalysisChoice progressOnly() { return {true, false, false, false, false, false, false}; }
};

/// What the analyses are to do.
struct AnalysisOptions {
    Tick at = openEnd; ///< the moment that progress is about; `openEnd`: the end
    AnalysisChoice choice;
    SemiMarkovOptions semiMarkov;
    OutlierOptions outliers;
    std::vector<TracePtr> references; ///< sample runs: traces, or the jobs of model dumps
    TracePtr other;                   ///< a run to compare with call by call; nullptr for none
};

/// Everything the analyses say about one trace at one moment. Immutable once made; views and reports show it.
struct Report {
    AnalysisChoice choice; ///< what was asked for
    TracePtr trace;        ///< of a model dump its ranks and call paths
    ModelDumpPtr dump;     ///< nullptr for a trace
    WaitForGraph waits;
    ProgressGraph progress;
    ProgressRule rule;    ///< with progress: what the rule of progress dependence says by itself
    MomentIndexPtr index; ///< for other moments of the same trace; nullptr for a dump
    /// When it started: from then on the least-progressed ranks are those named. With progress and delays, at the end only.
    std::optional<Tick> since;
    std::optional<DelayReport> delays;          ///< with progress: who made the others wait, in the whole of what was read
    std::vector<Lateness> alwaysLast;           ///< with delays: who came last, by kind of occasion
    std::vector<RepeatedMessage> repeated;      ///< with delays
    std::vector<MpiUseError> misuse;            ///< of the whole trace; empty at other moments than its end
    std::optional<SemiMarkovReport> models;     ///< if one of its parts was asked for
    std::optional<OutlierReport> outliers;      ///< if fail-stop or outliers were asked for
    std::optional<DivergenceReport> divergence; ///< if another run was given
    TracePtr other;                             ///< that run
    Verdict verdict;                            ///< with the findings of all analyses
};

using ReportPtr = std::shared_ptr<const Report>;

/// Runs the analyses on `trace`. Throws Cancelled, and std::invalid_argument for a phase region that the trace does not have.
[[nodiscard]] ReportPtr analyse(TracePtr trace, const AnalysisOptions &options, const Work &work);

/// The same on a model dump, which allows for progress, and, if it has models by phase, for phases, clusters and transitions.
/// Throws std::invalid_argument if a moment is asked for (a dump tells of one), or other phases than it has.
[[nodiscard]] ReportPtr analyse(ModelDumpPtr dump, const AnalysisOptions &options, const Work &work);

/// Of what is asked for, what the report's trace or model dump can tell.
[[nodiscard]] AnalysisChoice possibleOf(const Report &report, AnalysisChoice asked);

/// The semi-Markov analyses of a report's trace, once it is known who made the least progress. Throws as `analyse` does.
[[nodiscard]] SemiMarkovReport semiMarkovOf(const Report &report, const AnalysisOptions &options, const Work &work);

/// Who is always last (Report::alwaysLast), from the trace's waits (findWaitSegments) and, where the report has them, its phases.
[[nodiscard]] std::vector<Lateness> alwaysLastOf(const Report &report, const std::vector<WaitSegments> &waits, const Work &work);

/// Who waits for whom at another moment of the same trace: of `report` only the trace and its index are used. Throws Cancelled.
[[nodiscard]] ReportPtr analyseMoment(const Report &report, Tick at, const Work &work);

/// When it started (Report::since); nothing for reports on other moments than the end, and for jobs that do not hang.
[[nodiscard]] std::optional<Tick> startOf(const Report &report, const Work &work);

/// The slice that was asked for beside the analyses.
struct ReportSlice {
    SlicePtr slice;        ///< nullptr where there is none
    std::string problem;   ///< why there is none: a sentence
    RankSet ranks;         ///< whose stop it explains
    std::vector<Frame> at; ///< where they stand: the stack that it began at, innermost first
    std::size_t steps = 8; ///< so many are for people to read; programs get all
};

/// The answer in words, as a colleague would give it: what happened, who, where, why, what is uncertain, what was damaged.
/// `slice` is nullptr where none was asked for, here and below.
void writeText(std::ostream &out, const Report &report, const ReportSlice *slice = nullptr);

/// The report as JSON, schema "laggard.report/1" (docs/json-report.md).
void writeJson(std::ostream &out, const Report &report, const ReportSlice *slice = nullptr);

} // namespace laggard
