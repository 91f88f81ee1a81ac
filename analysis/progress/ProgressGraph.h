// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/WaitForGraph.h"
#include "trace/ModelDump.h"
#include "trace/ModelSet.h"
#include "trace/RankSet.h"
#include "trace/Work.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// Ranks in the same state with the same open call path: a node of the progress-dependence graph (PDI §2.1).
struct ProgressNode {
    RankSet ranks;
    ModelState::Kind kind = ModelState::Kind::Start;
    std::uint32_t state = none; ///< in `ProgressGraph::models`
    CallPathId callPath = none; ///< open call path; `none` outside all calls and in model dumps
    std::vector<Frame> stack;   ///< innermost first
    bool leastProgressed = false;
    bool damaged = false; ///< events of some of its ranks could not be read
    /// False: of a computation only the callers of MPI calls are known; it may be in any function that `stack`'s innermost calls.
    bool isExact = true;
    bool finished = false; ///< its ranks have finished, and others wait for them or the verdict names them
};

/// A dependence between two nodes. `from` waits for `to`, unless it is undefined.
struct ProgressEdge {
    enum class Kind : std::uint8_t { Collective, PointToPoint, Loop };
    enum class Dependence : std::uint8_t { Waits, Undefined };
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    Kind kind = Kind::Collective;
    Dependence dependence = Dependence::Waits;
    /// 0..1. Observed: of the wait. From probabilities: their difference, an unseen one counting as a half; 0 if undefined.
    double confidence = 1;
    bool observed = false; ///< from calls and messages (wait-for graph), not from probabilities
    std::string evidence;  ///< a sentence with its numbers
};

/// Least-progressed ranks, and how they were found.
struct LeastProgressedDecision {
    RankSet ranks;
    double confidence = 0; ///< 0..1
    std::string why;       ///< a sentence or two
};

/// The progress-dependence graph at one moment (PDI §2–§4), with the least-progressed (LP) nodes.
struct ProgressGraph {
    Tick at = 0;
    std::vector<ProgressNode> nodes; ///< in order of their lowest rank
    std::vector<ProgressEdge> edges; ///< at most one of each kind between two nodes; sorted
    RankSet leastProgressed;         ///< ranks of the LP nodes
    double confidence = 0;           ///< confidence in the LP decision
    std::string why;                 ///< a sentence: how the LP nodes were found
    bool namedByWaits = false;       ///< the wait-for graph's verdict decided; otherwise `probabilistic` did
    /// What the LP rule says by itself (PDI §4.3), on the edges of this graph.
    LeastProgressedDecision probabilistic;
    RankSet finished;  ///< ranks that had finished: in no node, except in nodes that say so
    RankSet unknown;   ///< ranks of which nothing is known: in no node
    RankSet atLibrary; ///< ranks in a call of MPI of which a stack tells that they had not got into the MPI library
    ModelSet models;   ///< what the probabilities were computed from
};

/// The graph of a model set alone (model dumps): states, models and current states are all there is.
[[nodiscard]] ProgressGraph buildProgressGraph(ModelSet models, const Work &work);

/// The graph of a trace at `waits.at`: structure from the whole trace; where the wait-for graph has an edge it
/// decides, probabilities decide the rest.
[[nodiscard]] ProgressGraph buildProgressGraph(const Trace &trace, const WaitForGraph &waits, const Work &work);

/// The graph of a model dump: with `waits` as for a trace; without (nullptr) from the models, or from the dependences that the
/// dump itself states.
[[nodiscard]] ProgressGraph buildProgressGraph(const ModelDump &dump, const WaitForGraph *waits, const Work &work);

} // namespace laggard
