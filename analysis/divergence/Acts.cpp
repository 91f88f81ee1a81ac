// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/divergence/Acts.h"

#include "analysis/delays/MpiCallsAlong.h"
#include "trace/MpiName.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint64_t worldKey = 1;
constexpr std::uint64_t selfKey = 2;

/// Regions whose calls are acts.
std::vector<bool> decidedRegions(const Trace &trace) {
    std::vector<bool> decided;
    for (const Region &region : trace.regions) {
        const MpiCall call = mpiCallOf(region);
        const std::string name = mpiBaseName(region.name);
        const bool isChance = call.isPoll() || call.function == MpiFunction::WinTest ||
                              call.function == MpiFunction::RequestGetStatus || name == "waitsome" || name == "wtime" ||
                              name == "wtick";
        const bool isQuestion =
            call.kind == MpiCall::Kind::Other && ((call.asks && !call.ofWindow) || name == "initialized" || name == "finalized");
        decided.push_back(call.isMpi() && !isChance && !isQuestion);
    }
    return decided;
}

/// A part and the act that it belongs to.
struct OwnedPart {
    std::uint32_t act = none;
    ActPart part;
};

class ActCollector {
  public:
    ActCollector(const Trace &trace, const MpiCallTable &calls, const std::vector<std::uint64_t> &communicators,
                 const LocationEvents &events)
        : m_trace(trace), m_calls(calls), m_communicators(communicators), m_events(events) {}

    Acts collect(const Work &work) {
        addCalls();
        throwIfCancelled(work);
        addSends();
        addReceives();
        addCollectives();
        throwIfCancelled(work);
        join();
        return std::move(m_acts);
    }

  private:
    void addCalls() {
        const std::vector<bool> decided = decidedRegions(m_trace);
        const Track &track = m_events.track;
        for (std::uint32_t row = 0; row < track.size(); ++row)
            if (decided[m_trace.callPaths[track.callPath[row]].region] && isOutermostMpi(m_trace, track, row))
                m_acts.row.push_back(row);
        m_acts.unknown.assign(m_acts.size(), false);
        for (const PendingRequest &request : m_events.pending)
            if (const std::uint32_t act = actOf(request.row); act != none && request.kind == PendingRequest::Kind::Receive)
                m_acts.unknown[act] = true;
    }

    /// The act that the call at `row` is, or is made in; `none` if that is no act.
    [[nodiscard]] std::uint32_t actOf(std::uint32_t row) const {
        if (row == none || row >= m_events.track.size())
            return none;
        const std::size_t act = m_acts.find(outermostMpi(m_calls, m_events.track, row));
        return act < m_acts.size() ? static_cast<std::uint32_t>(act) : none;
    }

    /// The MPI call before the one at `row` was a probe: for whom is not recorded, and any message may have been meant.
    [[nodiscard]] bool followsProbe(std::uint32_t row) const {
        while (row != none && row-- > 0) {
            const MpiCall &call = m_calls[m_events.track.callPath[row]];
            if (call.isMpi())
                return call.kind == MpiCall::Kind::Probe || call.kind == MpiCall::Kind::ProbeOnce;
        }
        return false;
    }

    [[nodiscard]] std::uint64_t keyOf(CommunicatorId communicator) const {
        return communicator < m_communicators.size() ? m_communicators[communicator] : 0;
    }

    void add(std::uint32_t act, const ActPart &part) {
        if (act != none)
            m_parts.push_back({act, part});
    }

    [[nodiscard]] ActPart partOf(ActPart::Kind kind, std::uint32_t envelope) const {
        const Envelope &message = m_events.envelopes[envelope];
        ActPart part;
        part.kind = kind;
        part.peer = message.peer;
        part.tag = message.tag;
        part.bytes = message.bytes;
        part.communicator = keyOf(message.communicator);
        return part;
    }

    void addSends() {
        MpiCallsAlong along(m_calls, m_events.track);
        for (std::size_t i = 0; i < m_events.sends.size(); ++i)
            add(actOf(along.at(m_events.sends.time[i])), partOf(ActPart::Kind::Send, m_events.sends.envelope[i]));
    }

    void addReceives() {
        const ReceivePostings &postings = m_events.postings;
        MpiCallsAlong along(m_calls, m_events.track);
        std::size_t next = 0; // in postings
        for (std::uint32_t i = 0; i < m_events.receives.size(); ++i) {
            ActPart part = partOf(ActPart::Kind::Receive, m_events.receives.envelope[i]);
            while (next < postings.size() && postings.receive[next] < i)
                ++next;
            if (next == postings.size() || postings.receive[next] != i) {
                const std::uint32_t row = along.at(m_events.receives.time[i]);
                part.anySource = part.anyTag = followsProbe(row);
                add(actOf(row), part);
                continue;
            }
            part.anySource = postings.is(next, ReceivePostings::AnySource);
            part.anyTag = postings.is(next, ReceivePostings::AnyTag);
            if (postings.threadOf(next) == none)
                add(actOf(postings.row[next]), part);
        }
    }

    void addCollectives() {
        const CollectiveCalls &all = m_events.collectives;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all.row[i] == none)
                continue;
            const MpiCall &call = m_calls[m_events.track.callPath[all.row[i]]];
            if (call.isWait() || call.isPoll())
                continue; // posted earlier: by a call that says so by its name
            const CollectiveKind &kind = m_events.collectiveKinds[all.kind[i]];
            ActPart part;
            part.kind = ActPart::Kind::Collective;
            part.operation = kind.operation;
            part.peer = kind.root;
            part.bytes = kind.bytesSent + kind.bytesReceived;
            part.communicator = keyOf(kind.communicator);
            add(actOf(all.row[i]), part);
        }
    }

    void join() {
        std::ranges::sort(m_parts, {}, [](const OwnedPart &part) { return std::tuple(part.act, part.part.key()); });
        m_acts.firstPart.assign(m_acts.size() + 1, 0);
        for (const OwnedPart &part : m_parts) {
            ++m_acts.firstPart[part.act + 1];
            m_acts.parts.push_back(part.part);
        }
        for (std::size_t act = 0; act < m_acts.size(); ++act)
            m_acts.firstPart[act + 1] += m_acts.firstPart[act];
    }

    const Trace &m_trace;
    const MpiCallTable &m_calls;
    const std::vector<std::uint64_t> &m_communicators;
    const LocationEvents &m_events;
    std::vector<OwnedPart> m_parts;
    Acts m_acts;
};

} // namespace

std::size_t Acts::find(std::uint32_t wanted) const {
    const auto found = std::ranges::lower_bound(row, wanted);
    return found != row.end() && *found == wanted ? static_cast<std::size_t>(found - row.begin()) : row.size();
}

std::vector<std::uint64_t> communicatorKeys(const Trace &trace) {
    std::vector<std::uint64_t> keys;
    for (CommunicatorId id = 0; id < trace.communicators.size(); ++id) {
        const Communicator &communicator = trace.communicators[id];
        bool isWorld = communicator.members.empty() || communicator.members.size() == trace.processes.size();
        std::uint64_t key = 0xCBF29CE484222325U; // FNV-1a, 64 bit (Fowler, Noll, Vo)
        for (std::size_t i = 0; i < communicator.members.size(); ++i) {
            isWorld = isWorld && communicator.members[i] == i;
            key = (key ^ (communicator.members[i] + 1)) * 0x100000001B3U;
        }
        keys.push_back(communicator.isSelf ? selfKey : isWorld ? worldKey : key ^ (communicator.isIntercommunicator ? 1U : 0U));
    }
    return keys;
}

Acts actsOf(const Trace &trace, const MpiCallTable &calls, const std::vector<std::uint64_t> &communicators, Rank rank,
            const Work &work) {
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr) {
        Acts nothing;
        nothing.firstPart.push_back(0);
        return nothing;
    }
    return ActCollector(trace, calls, communicators, *events).collect(work);
}

} // namespace laggard
