// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/SuspectScore.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <memory>
#include <optional>
#include <string>

namespace laggard {

/// A call in which a unit differs from the model, for people.
struct UnitDifference {
    CallDifference::Kind kind = CallDifference::Kind::Unknown;
    std::string function;
    std::string site;           ///< "server.c:41": where it is called; empty where unknown
    std::string file;           ///< the function's file; empty where unknown
    std::uint32_t line = 0;     ///< the function's line
    std::string caller;         ///< the function that calls it; empty at the outermost level
    CallPathId callPath = none; ///< `none` for Missing, unless the trace has it elsewhere
    double probability = 0;
    double score = 0;
};

/// A unit, and how suspicious it is.
struct JudgedUnit {
    enum class Reason : std::uint8_t {
        Calls,             ///< by equation 6.2
        UnknownConnection, ///< the model has no unit of this kind and connection: 1
        UnknownProcess,    ///< no process of the model sets up these connections: 1, and stands for all units of the process
    };
    Reason reason = Reason::Calls;
    UnitKind kind = UnitKind::Handler;
    Rank rank = none;
    LocationIndex location = none;
    std::uint32_t row = none; ///< row of the unit's first accept or receive, else of its first call
    Tick start = 0;
    Tick finish = 0;
    bool isComplete = true;
    double score = 0;
    std::int32_t descriptor = -1;            ///< the descriptor that a handler received from
    std::string peer;                        ///< address of who is at its other end; empty: not known
    std::vector<UnitDifference> differences; ///< the largest first; of UnknownConnection and UnknownProcess the calls that set up
                                             ///< a connection and that the model does not have
};

/// When the judged units of each thread began and ended, and their scores: what a track of a timeline shows. Columns of one
/// length by location, in order of start.
struct UnitSpans {
    struct Thread {
        std::vector<Tick> start, finish;
        std::vector<float> score;
        std::vector<UnitKind> kind;
        std::vector<std::uint32_t> suspicious; ///< positions of those with `usualUnitThreshold` and above, rising
    };
    std::vector<Thread> threads;                     ///< by location
    static constexpr std::uint64_t most = 4'000'000; ///< in all, of 21 bytes each
};

/// What the model says of a run.
struct UnitReport {
    std::vector<JudgedUnit> units; ///< with a score above 0: by score, then start, then rank; the first `listed` of them
    std::uint64_t judged = 0;      ///< units that were judged
    std::uint64_t suspicious = 0;  ///< judged units with a score above 0
    std::uint64_t incomplete = 0;  ///< judged units without beginning or end: what they lack counts for nothing
    std::uint64_t unplaced = 0;    ///< units not judged: what set their connections up is missing
    std::uint64_t processes = 0;   ///< processes that were judged
    RankSet unknown;               ///< processes with a signature that the model does not have
    RankSet undecided;             ///< not judged: their beginning is missing, and several roles of the model may be theirs
    RankSet withoutLoop;           ///< judged as one unit each, because no event loop was found
    std::shared_ptr<const UnitSpans> spans; ///< nullptr of a further look, and of more than UnitSpans::most
    std::vector<Tick> nextFrom;             ///< UnitsWanted::startedFrom of the next look; empty where this one had none
    /// With UnitsWanted::startedFrom: by rank the signature of a process whose beginning is there, up to its event loop.
    std::vector<std::optional<std::vector<CallModel::Stack>>> signatures;
    static constexpr std::size_t listed = 1000; ///< more than anyone reads; bounds the report
    static constexpr std::size_t mostDifferences = 5;
};

/// The score from which a unit is worth a look, where nobody says another one: in the ring of daemons of the tests, which trace
/// themselves, units of 20 normal runs reach 0.37, those of the fault 0.43. Recorded, with more functions in each unit, 0.30 and
/// 0.31.
inline constexpr double usualUnitThreshold = 0.4;

/// Which units are to be judged, where a run is looked at again and again; by default all.
struct UnitsWanted {
    double atLeast = 0;            ///< only scores of this and above
    std::vector<Tick> startedFrom; ///< by location: only whole units that started then or later. Empty: all units, whole or not
    /// By rank: the process's whole signature, where an earlier look saw its beginning; nullptr: it did not. May be empty.
    std::vector<const std::vector<CallModel::Stack> *> signatures;
    [[nodiscard]] bool isFurtherLook() const { return !startedFrom.empty(); }
};

/// Compares each unit of each process with the model (thesis §6.2.1). What it says does not depend on the order of processes and
/// calls, nor on when the run began. If a process runs and has not come to an event loop, a further look judges nothing of it: it
/// is still setting up its connections. Throws Cancelled.
[[nodiscard]] UnitReport judgeUnits(const Trace &trace, const CallModel &model, const UnitsWanted &wanted, const Work &work);
[[nodiscard]] inline UnitReport judgeUnits(const Trace &trace, const CallModel &model, const Work &work) {
    return judgeUnits(trace, model, {}, work);
}

} // namespace laggard
