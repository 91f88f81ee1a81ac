// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/SuspectScore.h"

#include <algorithm>

namespace laggard {

SuspectScorer::SuspectScorer(const CallModel::UnitModel &model)
    : m_children(model.calls.size() + 1), m_isCalled(model.calls.size()) {
    for (std::uint32_t i = 0; i < model.calls.size(); ++i) {
        m_probabilities.push_back(model.probability(i));
        const std::uint32_t parent = model.calls[i].parent;
        m_children[parent == none ? model.calls.size() : parent].push_back(i);
    }
}

/// Sorted, so that sums of fractions come out the same in whatever order a trace numbers its calls.
void SuspectScorer::markCalled(std::span<const TrialCall> unit) {
    for (const std::uint32_t call : m_called)
        m_isCalled[call] = false;
    m_called.clear();
    for (const TrialCall &call : unit)
        if (call.inModel != none && !m_isCalled[call.inModel]) {
            m_isCalled[call.inModel] = true;
            m_called.push_back(call.inModel);
        }
    std::sort(m_called.begin(), m_called.end());
}

/// The topmost calls of the model that the marked unit lacks.
template <typename Take> void SuspectScorer::forEachMissing(Take take) const {
    const auto takeFrom = [&](const std::vector<std::uint32_t> &children) {
        for (const std::uint32_t child : children)
            if (!m_isCalled[child])
                take(child);
    };
    takeFrom(m_children.back());
    for (const std::uint32_t call : m_called)
        takeFrom(m_children[call]);
}

double SuspectScorer::score(std::span<const TrialCall> unit, bool isComplete) {
    markCalled(unit);
    std::size_t effective = m_called.size();
    double sum = 0;
    for (const std::uint32_t call : m_called)
        sum += 1 - m_probabilities[call];
    if (isComplete)
        forEachMissing([&](std::uint32_t call) {
            sum += m_probabilities[call];
            ++effective;
        });
    for (const TrialCall &call : unit)
        if (isTopmostUnknown(unit, call)) {
            sum += 1;
            ++effective;
        }
    return effective == 0 ? 0 : sum / static_cast<double>(effective);
}

std::vector<CallDifference> SuspectScorer::differences(std::span<const TrialCall> unit, bool isComplete) {
    using Kind = CallDifference::Kind;
    markCalled(unit);
    std::vector<CallDifference> found;
    for (std::uint32_t i = 0; i < unit.size(); ++i) {
        const std::uint32_t call = unit[i].inModel;
        if (isTopmostUnknown(unit, unit[i]))
            found.push_back({Kind::Unknown, i, none, 0, 1});
        else if (call != none && m_probabilities[call] < 1)
            found.push_back({Kind::Rare, i, call, m_probabilities[call], 1 - m_probabilities[call]});
    }
    if (isComplete)
        forEachMissing([&](std::uint32_t call) {
            found.push_back({Kind::Missing, none, call, m_probabilities[call], m_probabilities[call]});
        });
    std::stable_sort(found.begin(), found.end(),
                     [](const CallDifference &a, const CallDifference &b) { return a.score > b.score; });
    return found;
}

} // namespace laggard
