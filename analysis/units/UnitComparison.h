// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/CallNames.h"
#include "analysis/units/UnitTree.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace laggard {

/// Compares units of one kind and connection with the model of such units; calls are given as UnitCalls lists them. Lives no
/// longer than what it is made from, but has the model where that is given to keep.
class UnitComparison {
  public:
    UnitComparison(const Trace &trace, const CallNames &names, const CallModel::UnitModel &model)
        : UnitComparison(trace, names, &model) {}
    /// With the model of other units, `around`: they call what these may call, and more. What a unit lacks counts for nothing.
    UnitComparison(const Trace &trace, const CallNames &names, std::unique_ptr<const CallModel::UnitModel> around)
        : UnitComparison(trace, names, around.get()) {
        m_around = std::move(around);
    }

    [[nodiscard]] double score(const std::vector<CallPathId> &calls, bool isComplete) {
        return m_scorer.score(treeOf(calls), isComplete && m_around == nullptr);
    }
    /// At most UnitReport::mostDifferences.
    [[nodiscard]] std::vector<UnitDifference> differences(const std::vector<CallPathId> &calls, bool isComplete);
    [[nodiscard]] UnitTree tree(const std::vector<CallPathId> &calls, bool isComplete);

  private:
    UnitComparison(const Trace &trace, const CallNames &names, const CallModel::UnitModel *model);
    /// With the calls' own order of positions; parents that are not in the unit are the loop's own.
    std::span<const TrialCall> treeOf(const std::vector<CallPathId> &calls);
    std::uint32_t find(CallPathId node);
    [[nodiscard]] UnitDifference described(const CallDifference &difference) const;
    [[nodiscard]] UnitDifference described(const CallDifference &difference, CallPathId path) const;
    [[nodiscard]] UnitTreeCall modelCall(std::uint32_t call) const;
    [[nodiscard]] UnitTreeCall unitCall(CallPathId path) const;

    const Trace &m_trace;
    const CallNames &m_names;
    std::unique_ptr<const CallModel::UnitModel> m_around;
    const CallModel::UnitModel &m_model;
    SuspectScorer m_scorer;
    std::vector<std::uint32_t> m_inModel;                                           ///< by node
    using Key = std::tuple<std::uint32_t, std::string, std::string, std::uint32_t>; ///< caller, name, file and line
    std::map<Key, std::uint32_t> m_index;
    std::vector<std::uint32_t> m_position; ///< in the tree of the unit that is looked at, by node
    std::vector<TrialCall> m_tree;
};

} // namespace laggard
