// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/LocationBuilder.h"

#include <algorithm>

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
    m_pending.insert_or_assign(request, PendingRequest{kind, time, m_row, envelope, sendIndex, none, false, false});
}

void LocationBuilder::postReceive(Tick time, std::uint64_t request) {
    post(PendingRequest::Kind::Receive, time, request, none, none);
}

void LocationBuilder::postCollective(Tick time, std::uint64_t request) {
    post(PendingRequest::Kind::Collective, time, request, none, none);
}

void LocationBuilder::postReceive(Tick time, std::uint64_t request, const Envelope &envelope, bool anySource, bool anyTag) {
    post(PendingRequest::Kind::Receive, time, request, m_envelopes.intern(envelope), none);
    PendingRequest &posted = m_pending[request];
    posted.anySource = anySource;
    posted.anyTag = anyTag;
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
        return std::pair(a.posted, a.sendIndex) < std::pair(b.posted, b.sendIndex);
    });
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
