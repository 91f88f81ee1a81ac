// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"
#include "trace/recording/Histogram.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace laggard {

/// How the phases of a run were found (AutomaDeD §4.1; the last three are ours).
enum class PhaseSource : std::uint8_t {
    Chosen,   ///< the region that was asked for
    Pcontrol, ///< MPI_Pcontrol: marks of a recording, calls of another trace
    Role,     ///< a region whose OTF2 role is phase or loop
    Function, ///< found: a function entered equally often by all ranks, that covers most of their time
    MpiCall,  ///< found: an MPI call made once per iteration; a phase goes from one entry to the next
    WholeRun, ///< none of these: the run is one phase
};

/// A state of a semi-Markov model (AutomaDeD §2.1) in a summary: by call path, or by the level of the mark it follows.
struct PhaseState {
    enum class Kind : std::uint8_t { Start, Communication, Computation, AfterMark, Finished, NotReturned };
    Kind kind = Kind::Start;
    CallPathId callPath = none; ///< for Communication and Computation: their MPI call
    std::int32_t level = 0;     ///< for AfterMark: argument of MPI_Pcontrol
    auto operator<=>(const PhaseState &) const = default;
};

/// How often a rank took a transition in a phase, and how long it stayed in the source state before. Times in ticks.
struct PhaseTransition {
    std::uint32_t transition = 0; ///< in PhaseModels::transitions
    std::uint64_t count = 0;
    double mean = 0;
    double squares = 0;                     ///< sum of squared deviations from the mean
    double longest = 0;                     ///< for a state that did not return: the time elapsed (censored)
    Tick longestBegin = 0;                  ///< when the longest one began
    CallPathId longestPath = none;          ///< in which call most of it was spent
    std::vector<Histogram::Bucket> buckets; ///< at most Histogram::maxBuckets; their counts add up to `count`
};

/// One phase of one rank.
struct RankPhase {
    std::uint32_t set =
        none; ///< in PhaseModels::sets; `none`: outside all phases, for the last state of a rank that did not return
    Tick begin = 0;
    Tick end = 0;
    std::vector<PhaseTransition> transitions;
    /// If the rank's last phase was cut off by the end: this one as if it had been cut off after as many states.
    std::vector<PhaseTransition> asIfCut;
};

/// The semi-Markov models of a run, by rank and phase, without its events: what a model dump keeps.
struct PhaseModels {
    /// Phases that are compared with each other: they begin with the same call, or with a mark of the same level.
    struct Set {
        CallPathId callPath = none;
        bool isMark = false;
        std::int32_t level = 0;   ///< if isMark
        std::uint32_t joined = 1; ///< iterations that make one phase here
        auto operator<=>(const Set &) const = default;
    };
    struct Rank {
        Tick end = 0;                  ///< when its last state ended
        bool open = false;             ///< the last state was not left
        CallPathId openPath = none;    ///< if open: the innermost open call; `none` outside all calls
        std::vector<RankPhase> phases; ///< in order of time
    };
    PhaseSource source = PhaseSource::WholeRun;
    std::string region;         ///< that delimits phases; empty for the whole run
    CallPathId callPath = none; ///< if only calls with this path delimit
    double coverage = 1;        ///< share of the ranks' active time that lies in phases
    std::vector<Set> sets;
    std::vector<PhaseState> states;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> transitions; ///< source and target in `states`
    std::vector<Rank> ranks;                                          ///< by rank; without phases where nothing is known
    /// Only while a dump is made: why it has no phases though the run has; empty otherwise.
    std::string note;
};

} // namespace laggard
