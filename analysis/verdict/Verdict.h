// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/verdict/Crash.h"
#include "analysis/verdict/Headline.h"
#include "analysis/verdict/OtherThreads.h"
#include "analysis/verdict/Overdue.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "trace/Trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// Something an analysis has to say about some ranks, as the Findings list shows it.
struct Finding {
    std::string method; ///< "progress", later "phases", "outliers" …
    RankSet ranks;
    std::string function; ///< innermost function; empty where nothing is known
    std::string file;     ///< source of that function, or of its nearest caller with a known source
    std::uint32_t line = 0;
    bool isDefinition = false;          ///< `line` is where that function begins, and not where it had come to
    double score = 0;                   ///< 0..1, comparable within a method
    CallPathId callPath = none;         ///< what to show when the finding is chosen
    std::optional<TimeRange> time = {}; ///< when, where the analysis tells
    /// What of the waits' and the progress graph's it is about.
    enum class Of : std::uint8_t {
        Other,       ///< found by another method
        MissingSend, ///< `item` in WaitForVerdict::missingSends
        LeftOut,     ///< WaitForVerdict::leftOut
        HeldLock,    ///< WaitForVerdict::heldLock
        HabitBreak,  ///< WaitForVerdict::habitBreak
        Node,        ///< `item` in ProgressGraph::nodes
        Crash,       ///< Verdict::crash
        Stopped,     ///< processes that are stopped
        Standing,    ///< `item` in the groups of a StacksJudgement
    };
    Of of = Of::Other;
    std::uint32_t item = 0;
    std::string why = {}; ///< a sentence, which analysis/words makes: empty until then
};

/// What became of the job.
struct Verdict {
    enum class State : std::uint8_t { Finished, Running, Hung, Crashed };
    State state = State::Running;
    HeadlineFacts facts; ///< the answer in a nutshell: headlineOf() makes words of them
    /// What the summary is about.
    enum class Basis : std::uint8_t {
        Waits,           ///< who waits for whom
        Crash,           ///< `crash`
        CrashByMismatch, ///< MPI found an error where the ranks disagree about a collective
        NothingKnown,    ///< no main thread has events
        Running,         ///< who waited for whom, without blame
        Standing,        ///< all stand in MPI, and nobody can be singled out
    };
    Basis basis = Basis::Waits;
    std::optional<Crash> crash;     ///< for a job that crashed
    std::optional<Overdue> overdue; ///< where those named compute, or are in a call of which nothing is missing
    /// For a job that hangs: whether processes were stopped, and whether the verdict names just these in any case.
    enum class Stopped : std::uint8_t { None, Named, Added };
    Stopped stopped = Stopped::None;
    std::string summary;           ///< one to three sentences, which analysis/words makes: empty until then
    double confidence = 0;         ///< how sure the summary is
    RankSet crashed;               ///< for a job that crashed: whom the summary holds to be the cause
    bool fromDamaged = false;      ///< damaged ranks were involved; the summary says so
    bool fromPart = false;         ///< only a part of the trace was read; the summary says which
    std::vector<Finding> findings; ///< in falling order of score
    /// For a job that moved and was slow: when that shows best, shortly before the longest wait ended.
    std::optional<Tick> moment = {};
    std::vector<OtherThread> threads; ///< for the ranks named, or all if none is: threads beside the main one; recordings only
};

[[nodiscard]] std::string_view name(Verdict::State state);

/// Joins what the analyses found at one moment into an answer, without its words (analysis/words/VerdictWords.h). `waits` and
/// `progress` are of `trace`, at the same time.
[[nodiscard]] Verdict judge(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress);

} // namespace laggard
