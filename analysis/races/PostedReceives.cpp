// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/races/PostedReceives.h"

#include <algorithm>

namespace laggard {
namespace {

RecordedReceive completed(const LocationEvents &events, const RecorderTime &calls, std::uint32_t i) {
    const Envelope &envelope = events.envelopes[events.receives.envelope[i]];
    const Tick time = events.receives.time[i];
    RecordedReceive result{i, none, 0, false, false, envelope.peer, envelope.communicator, envelope.tag, time, time};
    const std::size_t posting = events.postings.find(i);
    if (posting == none) {
        if (const std::size_t call = calls.callOfCompletion(time); call != none)
            result.row = calls.calls()[call].row;
    } else {
        result.row = events.postings.threadOf(posting) == none ? events.postings.row[posting] : none;
        result.part = events.postings.part(posting);
        result.anySource = events.postings.is(posting, ReceivePostings::AnySource);
        result.anyTag = events.postings.is(posting, ReceivePostings::AnyTag);
        if (events.postings.is(posting, ReceivePostings::MatchedProbe) && result.row != none && !events.track.isOpen(result.row))
            result.done = events.track.end[result.row];
    }
    result.posted = result.row == none ? 0 : events.track.start[result.row];
    return result;
}

} // namespace

std::vector<RecordedReceive> postedReceives(const LocationEvents &events, const RecorderTime &calls) {
    std::vector<RecordedReceive> all;
    all.reserve(events.receives.size());
    for (std::uint32_t i = 0; i < events.receives.size(); ++i)
        all.push_back(completed(events, calls, i));
    for (const PendingRequest &request : events.pending) {
        if (request.kind != PendingRequest::Kind::Receive || request.envelope == none || request.matchedProbe)
            continue;
        const Envelope &envelope = events.envelopes[request.envelope];
        all.push_back({none, request.row, request.part, request.anySource, request.anyTag, envelope.peer, envelope.communicator,
                       envelope.tag, request.posted, openEnd});
    }
    std::stable_sort(all.begin(), all.end(), [](const RecordedReceive &a, const RecordedReceive &b) {
        const std::uint64_t left = a.row == none ? 0 : std::uint64_t{a.row} + 1;
        const std::uint64_t right = b.row == none ? 0 : std::uint64_t{b.row} + 1;
        return left != right ? left < right : a.part < b.part;
    });
    return all;
}

} // namespace laggard
