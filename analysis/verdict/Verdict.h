// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "analysis/verdict/Headline.h"
#include "analysis/verdict/OtherThreads.h"
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
    std::string file;     ///< of that function, or of its nearest caller with a known source
    std::uint32_t line = 0;
    double score = 0;                   ///< 0..1, comparable within a method
    CallPathId callPath = none;         ///< what to show when the finding is chosen
    std::string why;                    ///< a sentence
    std::optional<TimeRange> time = {}; ///< when, where the analysis tells
};

/// What became of the job, in words.
struct Verdict {
    enum class State : std::uint8_t { Finished, Running, Hung, Crashed };
    State state = State::Running;
    HeadlineFacts facts;           ///< the answer in a nutshell: headlineOf() makes words of them
    std::string summary;           ///< the answer, one to three sentences
    double confidence = 0;         ///< of the summary
    RankSet crashed;               ///< of a job that crashed: whom the summary holds to be the cause
    bool fromDamaged = false;      ///< damaged ranks were involved; the summary says so
    bool fromPart = false;         ///< only a part of the trace was read; the summary says which
    std::vector<Finding> findings; ///< in falling order of score
    /// Of a job that moved and was slow: when that shows best, shortly before the longest wait ended.
    std::optional<Tick> moment = {};
    std::vector<OtherThread> threads; ///< of the ranks named, or of all if none is: threads beside the main one; recordings only
};

[[nodiscard]] std::string_view name(Verdict::State state);

/// Joins what the analyses found at one moment into an answer. `waits` and `progress` are of `trace`, at the same time.
[[nodiscard]] Verdict judge(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress);

} // namespace laggard
