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

/// Of the rank's latest epoch of this kind, if it is open; nothing unless it is for other of `ofInterest` than those before.
std::optional<HabitBreak> changeOf(const JobView &job, Rank rank, EpochCall::Kind kind, const RankSet &ofInterest) {
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
            if (isEnded(job, events, *latest))
                return std::nullopt;
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
    if (std::ranges::none_of(changed, [&](Rank each) { return contains(ofInterest, each); }))
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

std::optional<HabitBreak> onlyOddGroup(const JobView &job, const RankSet &members, const RankSet &changed) {
    std::optional<HabitBreak> only;
    for (const Rank rank : members)
        for (const EpochCall::Kind kind : {EpochCall::Kind::Post, EpochCall::Kind::Start}) {
            std::optional<HabitBreak> odd = changeOf(job, rank, kind, changed);
            if (!odd)
                continue;
            if (only && only->rank != rank)
                return std::nullopt;
            only = only ? std::move(only) : std::move(odd);
        }
    return only;
}

} // namespace laggard
