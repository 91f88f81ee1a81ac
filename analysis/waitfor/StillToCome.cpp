// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/StillToCome.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

/// When the rank sent such messages, sorted.
std::vector<Tick> timesSent(const JobView &job, Rank rank, const SentKind &kind) {
    std::vector<Tick> times;
    for (const LocationIndex location : job.trace.processes[rank].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (std::size_t i = 0; i < events.sends.size() && events.sends.time[i] <= job.state.at; ++i) {
            const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
            if (envelope.peer == kind.to && envelope.communicator == kind.communicator &&
                (kind.tag == none || envelope.tag == kind.tag))
                times.push_back(events.sends.time[i]);
        }
    }
    std::ranges::sort(times);
    return times;
}

/// When the rank entered this call, sorted.
std::vector<Tick> timesEntered(const JobView &job, Rank rank, CallPathId path) {
    std::vector<Tick> times;
    if (job.location(rank) >= job.trace.locations.size())
        return times;
    const Track &track = job.events(rank).track;
    for (std::uint32_t row = 0; row < track.size() && track.start[row] <= job.state.at; ++row)
        if (track.callPath[row] == path)
            times.push_back(track.start[row]);
    return times;
}

std::size_t between(const std::vector<Tick> &entered, Tick from, Tick to) {
    const auto begin = std::ranges::upper_bound(entered, from);
    return static_cast<std::size_t>(std::max(std::ranges::lower_bound(entered, to), begin) - begin);
}

/// How often `other` entered the call before its first such message; 0 if it sent none.
std::size_t beforeFirst(const JobView &job, Rank other, const SentKind &kind, CallPathId path) {
    const std::vector<Tick> sent = timesSent(job, other, kind);
    return sent.empty() ? 0 : between(timesEntered(job, other, path), 0, sent.front());
}

} // namespace

bool mayStillCome(const JobView &job, Rank rank, const SentKind &kind, const RankSet &others) {
    const CallPathId open = job.state.tasks[rank].mpiPath;
    if (open == none)
        return false;
    const std::vector<Tick> sent = timesSent(job, rank, kind);
    const std::vector<Tick> entered = timesEntered(job, rank, open);
    std::size_t most = 0;
    if (sent.empty())
        for (const Rank other : others)
            most = std::max(most, beforeFirst(job, other, kind, open));
    if (sent.size() == 1)
        most = between(entered, 0, sent.front());
    for (std::size_t i = 1; i < sent.size(); ++i)
        most = std::max(most, between(entered, sent[i - 1], sent[i]));
    return between(entered, sent.empty() ? 0 : sent.back(), openEnd) <= most;
}

} // namespace laggard
