// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/TraceModels.h"

#include <memory>

namespace laggard {

/// The control-flow models of all moments of a trace: per rank its transitions, with their counts every few thousand calls, so
/// that the counts up to a moment are a look-up and a short scan. Immutable once made; holds the trace.
class ModelIndex {
  public:
    /// Linear in the calls. Throws Cancelled.
    ModelIndex(std::shared_ptr<const Trace> trace, const Work &work);

    /// The same as buildTraceModels.
    [[nodiscard]] TraceModels at(Tick at, const Work &work) const;

  private:
    struct Checkpoint {
        std::uint32_t row = 0;     ///< everything before it has returned
        std::uint32_t current = 0; ///< state that the next transition leaves
        std::uint32_t state = 0;   ///< state after the last call that returned
    };
    struct RankPart {
        std::vector<Transition> transitions; ///< transitions of the whole trace; empty without history
        std::vector<Checkpoint> checkpoints; ///< in order; the first is the start
        std::vector<std::uint32_t> counts;   ///< counts of the transitions before each checkpoint
    };
    [[nodiscard]] bool isKnown(Rank rank) const { return m_atEnd.set.modelOfRank[rank] != none; }
    void indexRank(Rank rank, const Work &work);
    [[nodiscard]] Checkpoint stateAt(const RankPart &part, const Track &track, Tick at, std::vector<Transition> &counted) const;

    std::shared_ptr<const Trace> m_trace;
    TraceModels m_atEnd;
    std::vector<CallPathId> m_outermost; ///< by call path
    std::vector<ModelState> m_states;
    std::vector<std::uint32_t> m_lastStates; ///< ModelSet::lastStateOfRank
    std::vector<std::uint32_t> m_numbers;    ///< by wide state number: in `m_states`
    std::vector<RankPart> m_ranks;
};

} // namespace laggard
