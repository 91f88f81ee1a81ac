// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/TraceModels.h"
#include "analysis/slice/SliceQuestion.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <string_view>
#include <unordered_set>

namespace laggard {
namespace {

/// Where paths part is told by the largest groups; the slicer takes time for each.
constexpr std::size_t mostStacks = 16;

bool hasPlace(const std::vector<Frame> &frames) {
    return std::ranges::any_of(frames, [](const Frame &frame) { return !frame.file.empty() && frame.line != 0; });
}

/// The send that the ranks should have made, by their own history; `none` if that is not what is said of them.
CallPathId missingSendOf(const RankSet &ranks, const WaitForVerdict &verdict) {
    if (verdict.kind != WaitForVerdict::Kind::MissingSend || verdict.missingSends.empty())
        return none;
    const MissingSend &missing = verdict.missingSends.front();
    return ranks == RankSet{missing.from} ? missing.callPath : none;
}

/// Signals that a program brings upon itself.
bool isFault(std::int32_t signal) {
    constexpr int faults[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP};
    return std::ranges::find(faults, signal) != std::end(faults);
}

/// The end that one of the ranks has come to by itself, with the line where; null if none is known.
const ProcessEnd *endOf(const Trace &trace, const RankSet &ranks, Tick at) {
    for (const Rank rank : ranks) {
        const ProcessEnd &end = trace.processes[rank].end;
        const bool isOwnDoing = (end.kind == ProcessEnd::Kind::Signalled && isFault(end.value)) ||
                                (end.kind == ProcessEnd::Kind::Exited && end.value != 0);
        if (isOwnDoing && end.time <= at && hasPlace(end.stack))
            return &end;
    }
    return nullptr;
}

std::string nameOf(const ProcessEnd &end) {
    if (end.kind != ProcessEnd::Kind::Signalled)
        return "exit";
    const char *name = ::sigabbrev_np(end.value);
    return name == nullptr ? "signal" : "SIG" + std::string(name);
}

} // namespace

std::vector<Frame> outsideMpi(const Trace &trace, std::vector<Frame> frames) {
    std::unordered_set<std::string_view> mpi;
    for (const Region &region : trace.regions)
        if (region.isMpi())
            mpi.insert(region.name);
    const auto outermost = std::find_if(frames.rbegin(), frames.rend(), [&](const Frame &f) { return mpi.contains(f.function); });
    frames.erase(frames.begin(), outermost.base());
    return frames;
}

std::vector<SliceStack> sliceStacks(const Trace &trace, const WaitForGraph &waits, const ProgressGraph &progress) {
    std::vector<const ProgressNode *> nodes;
    for (const ProgressNode &node : progress.nodes)
        nodes.push_back(&node);
    std::ranges::stable_sort(nodes, [](const ProgressNode *a, const ProgressNode *b) {
        return a->leastProgressed != b->leastProgressed ? a->leastProgressed : a->ranks.size() > b->ranks.size();
    });
    std::vector<SliceStack> stacks;
    if (nodes.empty() || !nodes.front()->leastProgressed)
        return stacks;
    for (const ProgressNode *node : nodes) {
        if (const ProcessEnd *end = node->leastProgressed ? endOf(trace, node->ranks, progress.at) : nullptr) {
            if (std::vector<Frame> frames = outsideMpi(trace, end->stack); stacks.size() < mostStacks && hasPlace(frames)) {
                stacks.push_back({node->ranks, std::move(frames), nameOf(*end)});
                continue;
            }
        }
        const CallPathId send = node->leastProgressed ? missingSendOf(node->ranks, waits.verdict) : none;
        std::vector<Frame> frames = outsideMpi(trace, send == none ? node->stack : stackOf(trace, send));
        if (stacks.size() < mostStacks && hasPlace(frames))
            stacks.push_back({node->ranks, std::move(frames)});
        else if (node->leastProgressed && stacks.empty())
            return stacks; // without its place there is nothing to ask
    }
    return stacks;
}

} // namespace laggard
