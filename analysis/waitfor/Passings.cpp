// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Passings.h"

#include "analysis/waitfor/ActSequence.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <tuple>

namespace laggard {

std::vector<Passing> passingsOf(const JobView &job, Rank rank, std::size_t most) {
    std::vector<Passing> all;
    Tick from = 0; // what is earlier is not known of all threads
    for (const LocationIndex location : job.trace.processes[rank].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (const MessageEnds *ends : {&events.sends, &events.receives}) {
            const auto known = std::ranges::upper_bound(ends->time, job.state.at) - ends->time.begin();
            const auto first = std::max<std::ptrdiff_t>(0, known - static_cast<std::ptrdiff_t>(most));
            if (first > 0)
                from = std::max(from, ends->time[first]);
            for (auto i = first; i < known; ++i)
                if (events.envelopes[ends->envelope[i]].peer != rank)
                    all.push_back({ends->time[i], location, ends->envelope[i], ends == &events.receives});
        }
    }
    std::erase_if(all, [from](const Passing &each) { return each.time < from; });
    // What was received at the moment at which another one was sent came before it.
    std::ranges::sort(all, {}, [](const Passing &each) { return std::tuple(each.time, !each.isReceive); });
    return all;
}

const Envelope &envelopeOf(const JobView &job, const Passing &each) {
    return job.trace.locations[each.location].events.envelopes[each.envelope];
}

CallPathId callOf(const Trace &trace, const Passing &passing) {
    const Track &track = trace.locations[passing.location].events.track;
    std::uint32_t row = track.innermostAt(passing.isReceive ? passing.time - std::min<Tick>(passing.time, 1) : passing.time);
    while (row != none && track.parent[row] != none && trace.region(track.callPath[track.parent[row]]).isMpi())
        row = track.parent[row];
    return row != none && trace.region(track.callPath[row]).isMpi() ? track.callPath[row] : none;
}

std::vector<std::vector<Passing>> latestPassings(const JobView &job, const Work &work) {
    const std::size_t most = latestOfEach(job.size());
    std::vector<std::vector<Passing>> passings(job.size());
    forEachParallel(job.size(), work,
                    [&](std::size_t rank, unsigned) { passings[rank] = passingsOf(job, static_cast<Rank>(rank), most); });
    return passings;
}

TagsOf tagsOf(const JobView &job, const std::vector<std::vector<Passing>> &passings) {
    TagsOf tags;
    for (const std::vector<Passing> &ofRank : passings)
        for (const Passing &each : ofRank)
            if (std::set<std::uint32_t> &known = tags[envelopeOf(job, each).communicator]; known.size() <= mostTagsOfKinds)
                known.insert(envelopeOf(job, each).tag); // no more than it takes to know that there are many
    return tags;
}

} // namespace laggard
