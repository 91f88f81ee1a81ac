// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/UnitComparison.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint32_t notLookedUp = none - 1;

/// Callers first, and what they call below them in the order that there is.
std::vector<UnitTreeCall> callersFirst(std::vector<UnitTreeCall> calls) {
    std::vector<std::vector<std::uint32_t>> below(calls.size() + 1); // the outermost calls at the end
    for (std::uint32_t i = 0; i < calls.size(); ++i)
        below[calls[i].parent == none ? calls.size() : calls[i].parent].push_back(i);
    std::vector<UnitTreeCall> sorted;
    std::vector<std::uint32_t> placeOf(calls.size(), none);
    std::vector<std::uint32_t> open(below.back().rbegin(), below.back().rend());
    while (!open.empty()) {
        const std::uint32_t call = open.back();
        open.pop_back();
        placeOf[call] = static_cast<std::uint32_t>(sorted.size());
        if (calls[call].parent != none)
            calls[call].parent = placeOf[calls[call].parent];
        sorted.push_back(std::move(calls[call]));
        open.insert(open.end(), below[call].rbegin(), below[call].rend());
    }
    return sorted;
}

} // namespace

UnitComparison::UnitComparison(const Trace &trace, const CallNames &names, const CallModel::UnitModel *model)
    : m_trace(trace),
      m_names(names),
      m_model(*model),
      m_scorer(*model),
      m_inModel(trace.callPaths.size(), notLookedUp),
      m_position(trace.callPaths.size(), none) {
    for (std::uint32_t i = 0; i < m_model.calls.size(); ++i) {
        const CallModel::Call &call = m_model.calls[i];
        m_index.emplace(Key(call.parent, callName(call.function, call.site), call.file, call.line), i);
    }
}

std::vector<UnitDifference> UnitComparison::differences(const std::vector<CallPathId> &calls, bool isComplete) {
    std::vector<UnitDifference> result;
    for (const CallDifference &difference : m_scorer.differences(treeOf(calls), isComplete && m_around == nullptr)) {
        if (result.size() == UnitReport::mostDifferences)
            break;
        result.push_back(difference.trialCall == none ? described(difference)
                                                      : described(difference, calls[difference.trialCall]));
    }
    return result;
}

std::span<const TrialCall> UnitComparison::treeOf(const std::vector<CallPathId> &calls) {
    m_tree.clear();
    for (std::uint32_t i = 0; i < calls.size(); ++i)
        m_position[m_names.node(calls[i])] = i;
    for (const CallPathId path : calls) {
        const CallPathId parent = m_names.nodeOfParent(path);
        m_tree.push_back({parent == none ? none : m_position[parent], find(m_names.node(path))});
    }
    for (const CallPathId path : calls)
        m_position[m_names.node(path)] = none;
    return m_tree;
}

std::uint32_t UnitComparison::find(CallPathId node) {
    if (m_inModel[node] != notLookedUp)
        return m_inModel[node];
    const CallPathId parent = m_names.nodeOfParent(node);
    const bool isCalledInUnit = parent != none && m_position[parent] != none;
    const std::uint32_t above = isCalledInUnit ? find(parent) : none;
    const bool isBelowUnknown = isCalledInUnit && above == none;
    const auto entry = isBelowUnknown
                           ? m_index.end()
                           : m_index.find(Key(above, m_names.name(node), m_names.file(node), m_trace.region(node).line));
    return m_inModel[node] = entry == m_index.end() ? none : entry->second;
}

UnitDifference UnitComparison::described(const CallDifference &difference) const {
    const CallModel::Call &call = m_model.calls[difference.modelCall];
    const std::string caller = call.parent == none ? std::string() : m_model.calls[call.parent].function;
    return {difference.kind,        call.function,   call.site, call.file, call.line, caller, none,
            difference.probability, difference.score};
}

UnitDifference UnitComparison::described(const CallDifference &difference, CallPathId path) const {
    const Region &region = m_trace.region(path);
    const CallPathId parent = m_trace.callPaths[path].parent;
    return {difference.kind,
            region.name,
            m_names.site(path),
            region.file,
            region.line,
            parent == none ? std::string() : m_trace.region(parent).name,
            path,
            difference.probability,
            difference.score};
}

UnitTreeCall UnitComparison::unitCall(CallPathId path) const {
    const Region &region = m_trace.region(path);
    UnitTreeCall call;
    call.presence = UnitTreeCall::Presence::UnitOnly;
    call.function = region.name;
    call.site = m_names.site(path);
    call.file = region.file;
    call.line = region.line;
    call.callPath = path;
    return call;
}

UnitTreeCall UnitComparison::modelCall(std::uint32_t number) const {
    const CallModel::Call &known = m_model.calls[number];
    UnitTreeCall call;
    call.presence = UnitTreeCall::Presence::ModelOnly;
    call.function = known.function;
    call.site = known.site;
    call.file = known.file;
    call.line = known.line;
    call.probability = m_model.probability(number);
    return call;
}

UnitTree UnitComparison::tree(const std::vector<CallPathId> &calls, bool isComplete) {
    isComplete = isComplete && m_around == nullptr;
    UnitTree tree;
    tree.modelUnits = m_model.units;
    tree.score = score(calls, isComplete);
    std::vector<std::uint32_t> positionOf(m_model.calls.size(), none); // where the model's calls are in the tree
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
        UnitTreeCall call = unitCall(calls[i]);
        call.parent = m_tree[i].parent;
        if (const std::uint32_t number = m_tree[i].inModel; number != none) {
            call.presence = UnitTreeCall::Presence::Both;
            call.probability = m_model.probability(number);
            call.counts = true;
            positionOf[number] = i;
        }
        tree.calls.push_back(std::move(call));
    }
    for (std::uint32_t number = 0; isComplete && number < m_model.calls.size(); ++number) {
        if (positionOf[number] != none)
            continue;
        UnitTreeCall call = modelCall(number);
        const std::uint32_t above = m_model.calls[number].parent;
        call.parent = above == none ? none : positionOf[above];
        positionOf[number] = static_cast<std::uint32_t>(tree.calls.size());
        tree.calls.push_back(std::move(call));
    }
    for (const CallDifference &difference : m_scorer.differences(m_tree, isComplete)) {
        const std::uint32_t place = difference.trialCall != none ? difference.trialCall : positionOf[difference.modelCall];
        tree.calls[place].counts = true;
        tree.calls[place].score = difference.score;
    }
    tree.calls = callersFirst(std::move(tree.calls));
    return tree;
}

} // namespace laggard
