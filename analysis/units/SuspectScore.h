// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallModel.h"

#include <span>

namespace laggard {

/// A node of the call tree of a unit that is judged.
struct TrialCall {
    std::uint32_t parent = none;  ///< position in the tree; `none` at the outermost level
    std::uint32_t inModel = none; ///< position in the model's calls; `none`: it is not there
};

/// How one effective node differs from the model.
struct CallDifference {
    enum class Kind : std::uint8_t {
        Unknown, ///< called, and in no unit of the model
        Missing, ///< not called, and in units of the model
        Rare,    ///< called, and not in all units of the model
    };
    Kind kind = Kind::Unknown;
    std::uint32_t trialCall = none; ///< position in the unit's tree; `none` for Missing
    std::uint32_t modelCall = none; ///< position in the model's calls; `none` for Unknown
    double probability = 0;         ///< p of the node; 0 for Unknown
    double score = 0;               ///< Δ of the node (equation 6.1)
};

/// Suspect scores of units against one model (thesis §6.2.1).
class SuspectScorer {
  public:
    explicit SuspectScorer(const CallModel::UnitModel &model);

    /// Δ(u) (equation 6.2): the mean of Δ(n) over the effective nodes. These are the nodes that both have (1 − p), and those that
    /// one alone has, but whose parent both have (p where the unit lacks it, 1 where the model does). 0 without effective
    /// nodes. Not `isComplete`: what the unit lacks is left out, as it may only not have come yet. Does not depend on the order
    /// of calls.
    [[nodiscard]] double score(std::span<const TrialCall> unit, bool isComplete);

    /// The nodes that make the score, those with Δ(n) > 0, the largest first; of equals what was called goes before what was not,
    /// then in order of the trees.
    [[nodiscard]] std::vector<CallDifference> differences(std::span<const TrialCall> unit, bool isComplete);

  private:
    void markCalled(std::span<const TrialCall> unit);
    template <typename Take> void forEachMissing(Take take) const;
    [[nodiscard]] static bool isTopmostUnknown(std::span<const TrialCall> unit, const TrialCall &call) {
        return call.inModel == none && (call.parent == none || unit[call.parent].inModel != none);
    }

    std::vector<double> m_probabilities;
    std::vector<std::vector<std::uint32_t>> m_children; ///< those of the outermost level at the end
    std::vector<bool> m_isCalled;
    std::vector<std::uint32_t> m_called; ///< in order
};

} // namespace laggard
