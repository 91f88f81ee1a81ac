// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/LocationBuilder.h"

#include <algorithm>
#include <tuple>

namespace laggard {

CallPathId LocationBuilder::callee(RegionId region, CallSiteId site) {
    const CallPathId parent = currentCallPath();
    const std::uint64_t key = std::uint64_t{parent} << 32U | region;
    CachedCall &cached = m_calls[mixHash(key ^ std::uint64_t{site + 1U} << 20U) & (m_calls.size() - 1)];
    if (cached.key != key || cached.site != site)
        cached = {key, site, m_callPaths.intern(parent, region, site)};
    return cached.path;
}

void LocationBuilder::enter(Tick time, RegionId region, CallSiteId site) {
    Track &track = m_events.track;
    const CallPathId path = callee(region, site);
    track.start.push_back(time);
    track.end.push_back(openEnd);
    track.callPath.push_back(path);
    track.parent.push_back(m_row);
    m_row = static_cast<std::uint32_t>(track.size() - 1);
}

void LocationBuilder::leave(Tick time, RegionId region) {
    Track &track = m_events.track;
    if (m_row != none && m_callPaths[track.callPath[m_row]].region == region) {
        track.end[m_row] = time;
        m_row = track.parent[m_row];
        return;
    }
    std::uint32_t outer = m_row;
    while (outer != none && m_callPaths[track.callPath[outer]].region != region)
        outer = track.parent[outer];
    if (outer == none) {
        ++m_strayLeaves;
        return;
    }
    for (; m_row != outer; m_row = track.parent[m_row]) {
        track.end[m_row] = time;
        ++m_unbalancedLeaves;
    }
    track.end[outer] = time;
    m_row = track.parent[outer];
}

void LocationBuilder::send(Tick time, const Envelope &envelope) {
    m_events.sends.time.push_back(time);
    m_events.sends.envelope.push_back(m_envelopes.intern(envelope));
}

void LocationBuilder::dropSends(std::uint32_t from) {
    std::erase_if(m_pending, [from](const auto &entry) {
        return entry.second.kind == PendingRequest::Kind::Send && entry.second.sendIndex != none &&
               entry.second.sendIndex >= from;
    });
    MessageEnds &sends = m_events.sends;
    sends.time.resize(from);
    sends.envelope.resize(from);
    sends.fingerprint.resize(std::min<std::size_t>(sends.fingerprint.size(), from));
}

void LocationBuilder::setLast(MessageEnds &ends, std::uint32_t fingerprint) {
    while (ends.fingerprint.size() + 1 < ends.size())
        ends.fingerprint.push_back(0);
    ends.fingerprint.push_back(fingerprint);
}

void LocationBuilder::send(Tick time, const Envelope &envelope, std::uint64_t request) {
    send(time, envelope);
    post(PendingRequest::Kind::Send, time, request, m_events.sends.envelope.back(),
         static_cast<std::uint32_t>(m_events.sends.size() - 1));
}

void LocationBuilder::post(PendingRequest::Kind kind, Tick time, std::uint64_t request, std::uint32_t envelope,
                           std::uint32_t sendIndex) {
    m_pending.insert_or_assign(request, PendingRequest{kind, time, m_row, envelope, sendIndex});
}

void LocationBuilder::postReceive(Tick time, std::uint64_t request) {
    post(PendingRequest::Kind::Receive, time, request, none, none);
}

void LocationBuilder::postCollective(Tick time, std::uint64_t request) {
    post(PendingRequest::Kind::Collective, time, request, none, none);
}

void LocationBuilder::postReceive(Tick time, std::uint64_t request, const Envelope &envelope, bool anySource, bool anyTag,
                                  std::uint32_t part) {
    post(PendingRequest::Kind::Receive, time, request, m_envelopes.intern(envelope), none);
    PendingRequest &posted = m_pending[request];
    posted.anySource = anySource;
    posted.anyTag = anyTag;
    posted.part = part;
}

void LocationBuilder::posting(const Posting &posting) {
    constexpr std::uint32_t mostParts = 0xFFFFU >> 3U;
    ReceivePostings &all = m_events.postings;
    unsigned bits = std::min(posting.part, mostParts) << 3U;
    bits |= posting.anySource ? unsigned{ReceivePostings::AnySource} : 0U;
    bits |= posting.anyTag ? unsigned{ReceivePostings::AnyTag} : 0U;
    bits |= posting.matchedProbe ? unsigned{ReceivePostings::MatchedProbe} : 0U;
    if (posting.thread != none || all.thread.size() != 0) {
        all.thread.resize(all.size(), none);
        all.thread.push_back(posting.thread);
    }
    all.receive.push_back(receiveCount() - 1);
    all.row.push_back(posting.row);
    all.how.push_back(static_cast<std::uint16_t>(bits));
}

void LocationBuilder::posting(const Posting &posting, std::uint32_t position) { m_latePostings.emplace_back(position, posting); }

/// Those that another thread has posted are known last.
void LocationBuilder::mergePostings() {
    if (m_latePostings.empty())
        return;
    std::ranges::sort(m_latePostings, {}, [](const auto &late) { return late.first; });
    ReceivePostings known = std::move(m_events.postings);
    ReceivePostings &all = m_events.postings = {};
    std::size_t next = 0;
    const auto addLate = [&](std::uint32_t until) {
        for (; next < m_latePostings.size() && m_latePostings[next].first < until; ++next) {
            posting(m_latePostings[next].second);
            all.receive[all.size() - 1] = m_latePostings[next].first;
        }
    };
    for (std::size_t i = 0; i < known.size(); ++i) {
        addLate(known.receive[i]);
        all.receive.push_back(known.receive[i]);
        all.row.push_back(known.row[i]);
        all.how.push_back(known.how[i]);
        if (all.thread.size() != 0)
            all.thread.push_back(none);
    }
    addLate(none);
}

void LocationBuilder::postCollective(Tick time, std::uint64_t request, const CollectiveKind &kind) {
    postCollective(time, request);
    m_pending[request].collectiveKind = m_kinds.intern(kind);
}

void LocationBuilder::receive(Tick time, const Envelope &envelope) {
    m_events.receives.time.push_back(time);
    m_events.receives.envelope.push_back(m_envelopes.intern(envelope));
}

void LocationBuilder::collective(Tick time, const CollectiveKind &kind) { collective(time, kind, m_row); }

void LocationBuilder::collective(Tick time, const CollectiveKind &kind, std::uint32_t row) {
    m_events.collectives.end.push_back(time);
    m_events.collectives.kind.push_back(m_kinds.intern(kind));
    m_events.collectives.row.push_back(row);
}

bool LocationBuilder::complete(std::uint64_t request) { return m_pending.erase(request) != 0; }

const PendingRequest *LocationBuilder::pending(std::uint64_t request) const {
    const auto entry = m_pending.find(request);
    return entry == m_pending.end() ? nullptr : &entry->second;
}

PendingRequest *LocationBuilder::pending(std::uint64_t request) {
    const auto entry = m_pending.find(request);
    return entry == m_pending.end() ? nullptr : &entry->second;
}

std::vector<std::uint64_t> LocationBuilder::pendingRequests() const {
    std::vector<std::uint64_t> requests;
    for (const auto &[request, pending] : m_pending)
        requests.push_back(request);
    return requests;
}

LocationEvents LocationBuilder::finish() {
    for (const auto &[request, pending] : m_pending)
        m_events.pending.push_back(pending);
    std::sort(m_events.pending.begin(), m_events.pending.end(), [](const PendingRequest &a, const PendingRequest &b) {
        return std::tuple(a.posted, a.sendIndex, a.part) < std::tuple(b.posted, b.sendIndex, b.part);
    });
    mergePostings();
    m_events.postings.receive.shrink();
    m_events.postings.row.shrink();
    m_events.postings.how.shrink();
    m_events.postings.thread.shrink();
    m_events.envelopes = m_envelopes.take();
    m_events.collectiveKinds = m_kinds.take();
    Track &track = m_events.track;
    track.start.shrink();
    track.end.shrink();
    track.callPath.shrink();
    track.parent.shrink();
    for (MessageEnds *ends : {&m_events.sends, &m_events.receives}) {
        ends->time.shrink();
        ends->envelope.shrink();
        if (ends->fingerprint.size() != 0)
            ends->fingerprint.resize(ends->size());
        ends->fingerprint.shrink();
    }
    m_events.collectives.end.shrink();
    m_events.collectives.kind.shrink();
    m_events.collectives.row.shrink();
    return std::move(m_events);
}

} // namespace laggard
