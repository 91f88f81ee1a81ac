// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddGroup.h"

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

constexpr std::uint32_t fewestAlike = 3; ///< as for other habits (Judge)

/// Whether a call of the rank has ended the epoch since.
bool isEnded(const JobView &job, const LocationEvents &events, const EpochCall &begun) {
    const bool isPost = begun.kind == EpochCall::Kind::Post;
    return std::any_of(&begun, events.epochs.data() + events.epochs.size(), [&](const EpochCall &each) {
        const bool ends = isPost ? each.kind == EpochCall::Kind::Wait || each.kind == EpochCall::Kind::Test
                                 : each.kind == EpochCall::Kind::Complete;
        return ends && each.window == begun.window && !each.failed && each.row != none &&
               events.track.end[each.row] <= job.state.at;
    });
}

/// The ranks that wait in a call of an epoch for `rank`.
RankSet waitersInEpochs(const std::vector<Wait> &waits, Rank rank) {
    RankSet waiters;
    for (const Wait &wait : waits)
        if (wait.kind == Wait::Kind::OneSided && !wait.isLock && contains(wait.on, rank))
            waiters.insert(waiters.end(), wait.waiters.begin(), wait.waiters.end());
    std::ranges::sort(waiters);
    return waiters;
}

/// The waiter's call needs of others what an epoch of this kind gives: MPI_Win_start and MPI_Win_complete a post, MPI_Win_wait
/// and MPI_Win_test that what was started is complete.
bool needs(const JobView &job, Rank waiter, EpochCall::Kind kind) {
    const MpiFunction function = job.mpiCall(waiter).function;
    const bool isStarter = function == MpiFunction::WinStart || function == MpiFunction::WinComplete;
    return isStarter == (kind == EpochCall::Kind::Post);
}

/// Of the rank's latest epoch of this kind; nothing unless it is for other of `ofInterest` than those before. If it has ended,
/// one that it is not for any more must wait for the rank.
std::optional<HabitBreak> changeOf(const JobView &job, const std::vector<Wait> &waits, Rank rank, EpochCall::Kind kind,
                                   const RankSet &ofInterest) {
    const LocationEvents &events = job.events(rank);
    const EpochCall *latest = nullptr;
    const EpochCall *before = nullptr;
    std::uint32_t times = 0;
    for (auto each = events.epochs.rbegin(); each != events.epochs.rend(); ++each) {
        if (each->kind != kind || each->failed || each->row == none || each->group >= events.groups.size() ||
            events.track.start[each->row] > job.state.at || (latest != nullptr && each->window != latest->window))
            continue;
        if (latest == nullptr) {
            latest = &*each;
            continue;
        }
        if (before == nullptr)
            before = &*each;
        if (events.groups[each->group] != events.groups[before->group])
            break;
        ++times;
    }
    if (times < fewestAlike)
        return std::nullopt;
    RankSet changed;
    std::ranges::set_symmetric_difference(events.groups[latest->group], events.groups[before->group],
                                          std::back_inserter(changed));
    const bool isOver = isEnded(job, events, *latest);
    const RankSet waiters = isOver ? waitersInEpochs(waits, rank) : RankSet{};
    const bool isOfInterest = std::ranges::any_of(changed, [&](Rank each) {
        return contains(ofInterest, each) &&
               (!isOver || (!contains(events.groups[latest->group], each) && contains(waiters, each) && needs(job, each, kind)));
    });
    if (!isOfInterest)
        return std::nullopt;
    HabitBreak odd;
    odd.rank = rank;
    odd.after = odd.expected = odd.made = events.track.callPath[latest->row];
    odd.times = times;
    odd.time = events.track.start[latest->row];
    odd.isSharedCall = true;
    return odd;
}

} // namespace

std::optional<HabitBreak> onlyOddGroup(const JobView &job, const std::vector<Wait> &waits, const RankSet &members,
                                       const RankSet &changed) {
    std::optional<HabitBreak> only;
    for (const Rank rank : members)
        for (const EpochCall::Kind kind : {EpochCall::Kind::Post, EpochCall::Kind::Start}) {
            std::optional<HabitBreak> odd = changeOf(job, waits, rank, kind, changed);
            if (!odd)
                continue;
            if (only && only->rank != rank)
                return std::nullopt;
            only = only ? std::move(only) : std::move(odd);
        }
    return only;
}

namespace {

/// The rank's latest call of this kind; nullptr if there is none, or its group is not known.
const EpochCall *latestOf(const JobView &job, Rank rank, EpochCall::Kind kind) {
    const LocationEvents &events = job.events(rank);
    const auto latest = std::find_if(events.epochs.rbegin(), events.epochs.rend(), [&](const EpochCall &each) {
        return each.kind == kind && !each.failed && each.row != none && events.track.start[each.row] <= job.state.at;
    });
    return latest == events.epochs.rend() || latest->group >= events.groups.size() ? nullptr : &*latest;
}

} // namespace

bool isAskedInEpoch(const JobView &job, const std::vector<Wait> &waits, Rank rank, Rank except) {
    const EpochCall *post = latestOf(job, rank, EpochCall::Kind::Post);
    const EpochCall *start = latestOf(job, rank, EpochCall::Kind::Start);
    if (post == nullptr || start == nullptr)
        return false;
    const auto &groups = job.events(rank).groups;
    return std::ranges::any_of(waitersInEpochs(waits, rank), [&](Rank waiter) {
        return waiter != rank && waiter != except && !contains(groups[post->group], waiter) &&
               !contains(groups[start->group], waiter);
    });
}

} // namespace laggard
