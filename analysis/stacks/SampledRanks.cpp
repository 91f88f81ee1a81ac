// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/SampledRanks.h"

#include "trace/MpiName.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace laggard {
namespace {

using Kind = StandingRank::Kind;

/// Calls that may hold a rank up; all others return by themselves.
bool mayBlock(const MpiCall &call) {
    using CallKind = MpiCall::Kind;
    return call.isCollective() || call.isWait() || call.kind == CallKind::Init || call.kind == CallKind::Finalize ||
           call.kind == CallKind::Send || call.kind == CallKind::Receive || call.kind == CallKind::SendReceive ||
           call.kind == CallKind::Probe || call.kind == CallKind::Flush ||
           (call.kind == CallKind::Other && (call.ofWindow || call.ofFile));
}

/// What one stack says.
struct Seen {
    CallPathId blocking = none; ///< call of MPI that may hold the rank up; `none`: outside, or in another call
    bool isPoll = false;
};

Seen seenIn(const Trace &job, const MpiCallTable &calls, CallPathId path) {
    Seen seen;
    if (path == none || !job.region(path).isMpi()) // also what MPI has called: the program is at work
        return seen;
    const bool isUnnamed = !isMpiName(job.region(path).canonicalName); // inside the library, and nobody knows in which call
    seen.blocking = isUnnamed || mayBlock(calls[path]) ? path : CallPathId{none};
    seen.isPoll = calls[path].isPoll();
    return seen;
}

/// The common callers of two calls; `none` if there is none.
CallPathId commonCaller(const CallPathTable &paths, CallPathId a, CallPathId b) {
    while (a != none && !paths.isAncestor(a, b))
        a = paths[a].parent;
    return a;
}

/// False for a stack that could not be unwound to where the thread begins: of the library's inside, without a caller.
bool isUsable(const Trace &job, const SampledStack &stack) {
    if (stack.callPath == none)
        return false;
    const Region &region = job.region(stack.callPath);
    return job.callPaths[stack.callPath].parent != none || !region.isMpi() || isMpiName(region.canonicalName);
}

StandingRank standingOf(const Trace &job, const MpiCallTable &calls, std::span<const SampledStack> all) {
    StandingRank rank;
    std::vector<SampledStack> stacks;
    for (const SampledStack &each : all)
        if (isUsable(job, each))
            stacks.push_back(each);
    if (stacks.empty())
        return rank;
    rank.thread = stacks.front().thread;
    const SampledStack &last = stacks.back();
    rank.callPath = last.callPath;
    rank.site = last.site;
    rank.stays = last.callPath;
    bool hasMoved = false;
    bool polls = false;
    bool isStopped = last.isStopped;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const Seen now = seenIn(job, calls, stacks[i].callPath);
        polls |= now.isPoll;
        if (i == 0)
            continue;
        const Seen before = seenIn(job, calls, stacks[i - 1].callPath);
        rank.moves |= stacks[i].moves || stacks[i].stays != stacks[i].callPath;
        rank.stays = commonCaller(job.callPaths, rank.stays, stacks[i].stays == none ? stacks[i].callPath : stacks[i].stays);
        if (now.blocking != before.blocking)
            hasMoved = true;
        else if (now.blocking != none && stacks[i].sample == stacks[i - 1].sample + 1 &&
                 !job.callPaths.isAncestor(now.blocking, stacks[i].stays))
            hasMoved = true; // another call from the same line
    }
    const Seen end = seenIn(job, calls, last.callPath);
    rank.mpiCall = end.blocking;
    rank.arguments = end.blocking == none ? nullptr : last.arguments;
    rank.kind = isStopped                                             ? Kind::Stopped
                : hasMoved                                            ? Kind::Moving
                : end.blocking == none                                ? (polls ? Kind::Polling : Kind::Computing)
                : calls[end.blocking].kind == MpiCall::Kind::Finalize ? Kind::Finalizing
                                                                      : Kind::InCall;
    return rank;
}

/// The main thread stands in a call that waits for another thread.
bool waitsForThread(const Trace &job, const StandingRank &rank) {
    static constexpr std::array<std::string_view, 9> parts = {
        "pthread_", "lll_lock_wait", "futex", "sem_wait", "barrier_wait", "GOMP_", "gomp_", "thread::join", "OpenMP's library"};
    if (rank.kind != StandingRank::Kind::Computing || rank.moves || rank.callPath == none)
        return false;
    const std::string &name = job.region(rank.callPath).name;
    return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

/// Another thread of the rank: it counts if the main thread waits for it, and it is known that there is one in MPI.
void addThread(const Trace &job, StandingRank &own, StandingRank other) {
    const bool isInMpi =
        other.mpiCall != none || other.kind == StandingRank::Kind::Polling || other.kind == StandingRank::Kind::Moving;
    if (!isInMpi)
        return;
    if (own.thread == 0 && other.mpiCall != none && waitsForThread(job, own)) {
        own = std::move(other);
        return;
    }
    own.othersInMpi = true;
    if (other.kind == StandingRank::Kind::Moving) // one thread that comes on is a job that does
        own.kind = StandingRank::Kind::Moving;
}

} // namespace

std::vector<StandingRank> standingRanks(const Trace &job, const MpiCallTable &calls, const StackSamples &samples) {
    std::vector<StandingRank> standing(job.processes.size());
    for (auto begin = samples.stacks.begin(); begin != samples.stacks.end();) {
        const auto end = std::find_if(begin, samples.stacks.end(), [&](const SampledStack &each) {
            return each.rank != begin->rank || each.thread != begin->thread;
        });
        if (begin->rank < standing.size()) {
            StandingRank &own = standing[begin->rank];
            if (begin->thread == 0)
                own = standingOf(job, calls, {begin, end});
            else
                addThread(job, own, standingOf(job, calls, {begin, end}));
        }
        begin = end;
    }
    for (Rank rank = 0; rank < standing.size(); ++rank)
        if (StandingRank &each = standing[rank];
            each.kind != Kind::Unknown && job.processes[rank].end.kind == ProcessEnd::Kind::Killed)
            each.kind = Kind::Moving; // it has ended while it was looked at
    return standing;
}

} // namespace laggard
