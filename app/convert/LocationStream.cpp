// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/LocationStream.h"

#include "app/convert/Otf2Names.h"
#include "app/convert/Otf2Status.h"
#include "ingest/otf2/OperationText.h"
#include "trace/Work.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace laggard {
namespace {

using Posts = Otf2Source::Posts;
using Call = MpiCall::Kind;

Posts postsOf(const Region &region) {
    if (!region.isMpi())
        return Posts::Nothing;
    std::string name = region.canonicalName.empty() ? region.name : region.canonicalName;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (classifyMpiCall(name).kind != Call::Post)
        return Posts::Nothing;
    const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
    if (has("_irecv") || has("_imrecv"))
        return Posts::Receive;
    if (has("_isend") || has("_ibsend") || has("_issend") || has("_irsend") || has("_start"))
        return Posts::Send;
    return has("_file_") ? Posts::Nothing : Posts::Collective;
}

struct AttributesDeleter {
    void operator()(OTF2_AttributeList *list) const { OTF2_AttributeList_Delete(list); }
};
using Attributes = std::unique_ptr<OTF2_AttributeList, AttributesDeleter>;

/// Completions of one kind that calls have posted, the oldest first. Never more are posted than will be completed.
class Postings {
  public:
    void expect() { ++m_expected; }
    [[nodiscard]] bool mayPost() const { return m_open.size() < m_expected; }
    void post(std::uint64_t request) { m_open.push_back(request); }
    /// The request that is completed now; 0 if none was posted.
    std::uint64_t complete() {
        --m_expected;
        if (m_open.empty())
            return 0;
        const std::uint64_t request = m_open.front();
        m_open.pop_front();
        return request;
    }

  private:
    std::deque<std::uint64_t> m_open;
    std::size_t m_expected = 0; ///< completions to come
};

class Stream {
  public:
    Stream(const Otf2Source &source, const Location &location, OTF2_EvtWriter *writer, const Work &work)
        : m_source(source),
          m_events(location.events),
          m_track(location.events.track),
          m_writer(writer),
          m_work(work),
          m_isPendingSend(location.events.sends.size(), false),
          m_hasPending(location.events.track.size(), false) {
        for (const PendingRequest &request : m_events.pending) {
            if (request.kind != PendingRequest::Kind::Send)
                m_pending.push_back(&request);
            else if (request.sendIndex < m_isPendingSend.size())
                m_isPendingSend[request.sendIndex] = true;
            if (request.row < m_hasPending.size())
                m_hasPending[request.row] = true;
        }
        countCompletions();
    }

    Otf2Leftovers write() {
        for (std::uint32_t row = 0; row < m_track.size(); ++row) {
            if ((row & 0xFFFFU) == 0)
                throwIfCancelled(m_work);
            while (!m_open.empty() && m_open.back() != m_track.parent[row])
                leave(row);
            enter(row);
        }
        while (!m_open.empty() && !m_track.isOpen(m_open.back()))
            leave(none);
        writeRecords({openEnd, true, true});
        completeSends(m_now);
        return m_leftovers;
    }

  private:
    /// Which records are due: those before `time`, and of those at `time` some.
    struct Limit {
        Tick time;
        bool sendsToo;
        bool othersToo;
    };

    [[nodiscard]] const MpiCall &callOf(std::uint32_t row) const { return m_source.calls[m_track.callPath[row]]; }
    [[nodiscard]] RegionId regionOf(std::uint32_t row) const { return m_source.trace.callPaths[m_track.callPath[row]].region; }
    /// The call that makes a record now.
    [[nodiscard]] Call currentCall() const { return m_open.empty() ? Call::NotMpi : callOf(m_open.back()).kind; }
    static bool completesRequests(Call call) {
        return call == Call::WaitOne || call == Call::WaitAll || call == Call::WaitAny || call == Call::Test ||
               call == Call::TestAny;
    }
    OTF2_TimeStamp stamp(Tick time) { return m_now = std::max(m_now, time); }

    /// How many receives and collectives are completed by calls that complete requests.
    void countCompletions() {
        const auto count = [this](const Column<Tick> &times, Postings &postings) {
            for (const Tick time : times)
                if (const std::uint32_t row = rowAt(time); row != none && completesRequests(callOf(row).kind))
                    postings.expect();
        };
        m_cursor = 0;
        count(m_events.receives.time, m_receives);
        m_cursor = 0;
        count(m_events.collectives.end, m_collectives);
    }

    /// The completing call that a record at `time` belongs to, as good as the rows tell; times must not decrease.
    std::uint32_t rowAt(Tick time) {
        while (m_cursor < m_track.size() && (m_track.end[m_cursor] < time || !completesRequests(callOf(m_cursor).kind))) {
            if (m_track.start[m_cursor] > time)
                return none;
            ++m_cursor;
        }
        return m_cursor < m_track.size() && m_track.start[m_cursor] <= time ? m_cursor : none;
    }

    void enter(std::uint32_t row) {
        const Tick time = m_track.start[row];
        writeRecords({time, false, false});
        checkOtf2(OTF2_EvtWriter_Enter(m_writer, enterAttributes(row), stamp(time), regionOf(row)));
        m_open.push_back(row);
        const bool hasRecord =
            m_nextCollective < m_events.collectives.size() && m_events.collectives.row[m_nextCollective] == row;
        if (hasRecord ? !completesRequests(callOf(row).kind) : m_track.isOpen(row) && callOf(row).isCollective())
            beginCollective(time);
        post(row, time);
    }

    /// A call that posts an operation which is completed later.
    void post(std::uint32_t row, Tick time) {
        if (m_hasPending[row])
            return; // writes its own request, which stays
        const Posts posts = m_source.posts[regionOf(row)];
        if (posts == Posts::Receive && m_receives.mayPost()) {
            m_receives.post(++m_request);
            checkOtf2(OTF2_EvtWriter_MpiIrecvRequest(m_writer, nullptr, stamp(time), m_request));
        } else if (posts == Posts::Collective && m_collectives.mayPost()) {
            m_collectives.post(++m_request);
            checkOtf2(OTF2_EvtWriter_NonBlockingCollectiveRequest(m_writer, nullptr, stamp(time), m_request));
        }
    }

    /// Leaves the innermost call, before the call `next` is entered.
    void leave(std::uint32_t next) {
        const std::uint32_t row = m_open.back();
        const Tick time = m_track.end[row];
        if (time == openEnd) { // a caller that never returned has no callees after it
            m_open.pop_back();
            return;
        }
        // Sends are recorded on entry and receives before the return: at a common time sends belong to the call that follows.
        const bool nextFollowsAtOnce = next != none && m_track.start[next] == time;
        const bool isMpi = callOf(row).isMpi();
        writePending(row, time);
        writeRecords({time, !nextFollowsAtOnce || (isMpi && m_track.start[row] == time), !nextFollowsAtOnce || isMpi});
        if (completesRequests(callOf(row).kind))
            completeSends(time);
        checkOtf2(OTF2_EvtWriter_Leave(m_writer, nullptr, stamp(time), regionOf(row)));
        m_open.pop_back();
    }

    void writeRecords(Limit limit) {
        const auto isDue = [&](const Column<Tick> &times, std::uint32_t next, bool atLimit) {
            return next < times.size() && (times[next] < limit.time || (atLimit && times[next] == limit.time));
        };
        while (true) {
            const bool send = isDue(m_events.sends.time, m_nextSend, limit.sendsToo);
            const bool receive = isDue(m_events.receives.time, m_nextReceive, limit.othersToo);
            const bool collective = isDue(m_events.collectives.end, m_nextCollective, limit.othersToo);
            const bool pending = m_nextPending < m_pending.size() && m_pending[m_nextPending]->posted < limit.time;
            const Tick sendTime = send ? m_events.sends.time[m_nextSend] : openEnd;
            const Tick receiveTime = receive ? m_events.receives.time[m_nextReceive] : openEnd;
            const Tick collectiveTime = collective ? m_events.collectives.end[m_nextCollective] : openEnd;
            const Tick pendingTime = pending ? m_pending[m_nextPending]->posted : openEnd;
            const Tick first = std::min({sendTime, receiveTime, collectiveTime, pendingTime});
            if (pending && pendingTime == first)
                writePendingRequest(*m_pending[m_nextPending++]);
            else if (send && sendTime == first)
                writeSend(m_nextSend++);
            else if (receive && receiveTime == first)
                writeReceive(m_nextReceive++);
            else if (collective && collectiveTime == first)
                writeCollective(m_nextCollective++);
            else
                return;
        }
    }

    /// Requests that the call `row` has posted, before it is left at `time`.
    void writePending(std::uint32_t row, Tick time) {
        while (m_nextPending < m_pending.size() && m_pending[m_nextPending]->row == row &&
               m_pending[m_nextPending]->posted <= time) {
            writeRecords({m_pending[m_nextPending]->posted, true, false});
            writePendingRequest(*m_pending[m_nextPending++]);
        }
    }

    void writePendingRequest(const PendingRequest &request) {
        const OTF2_TimeStamp time = stamp(request.posted);
        if (request.kind == PendingRequest::Kind::Collective)
            checkOtf2(OTF2_EvtWriter_NonBlockingCollectiveRequest(m_writer, pendingAttributes(request), time, ++m_request));
        else
            checkOtf2(OTF2_EvtWriter_MpiIrecvRequest(m_writer, pendingAttributes(request), time, ++m_request));
    }

    void addText(OTF2_AttributeRef attribute, const std::string &text) {
        checkOtf2(OTF2_AttributeList_AddStringRef(m_attributes.get(), attribute, m_source.strings.number(text)));
    }

    /// What is known of a request that stays pending.
    OTF2_AttributeList *pendingAttributes(const PendingRequest &request) {
        otf2::PostedOperation operation;
        operation.isCollective = request.kind == PendingRequest::Kind::Collective;
        operation.anySource = request.anySource;
        operation.anyTag = request.anyTag;
        const bool isKnown = operation.isCollective ? request.collectiveKind != none : request.envelope != none;
        if (!isKnown || !m_source.trace.tellsOpenCalls)
            return nullptr;
        if (operation.isCollective)
            operation.collective = m_events.collectiveKinds[request.collectiveKind];
        else
            operation.envelope = m_events.envelopes[request.envelope];
        checkOtf2(OTF2_AttributeList_RemoveAllAttributes(m_attributes.get()));
        addText(m_source.attributes.pending, otf2::textOf(operation));
        return m_attributes.get();
    }

    /// Where a call is made, what it waits for if it never returned, and for how many polls it stands.
    OTF2_AttributeList *enterAttributes(std::uint32_t row) {
        const CallPathId path = m_track.callPath[row];
        const CallSiteId site = m_source.trace.siteOf(path) == nullptr ? CallSiteId{none} : m_source.trace.callPaths[path].site;
        const bool isOpenCall =
            m_source.trace.tellsOpenCalls && m_events.openParts && m_track.isOpen(row) && callOf(row).isMpi() && !m_hasOpenCall;
        while (m_nextPoll < m_events.polls.size() && m_events.polls[m_nextPoll].row < row)
            ++m_nextPoll;
        const bool isPolls =
            m_source.trace.tellsOpenCalls && m_nextPoll < m_events.polls.size() && m_events.polls[m_nextPoll].row == row;
        if (site == none && !isOpenCall && !isPolls)
            return nullptr;
        checkOtf2(OTF2_AttributeList_RemoveAllAttributes(m_attributes.get()));
        if (site != none)
            checkOtf2(OTF2_AttributeList_AddSourceCodeLocationRef(m_attributes.get(), m_source.attributes.callSite, site));
        if (isPolls)
            checkOtf2(
                OTF2_AttributeList_AddUint64(m_attributes.get(), m_source.attributes.polls, m_events.polls[m_nextPoll].count));
        if (isOpenCall)
            addText(m_source.attributes.openCall, otf2::textOf(*m_events.openParts));
        m_hasOpenCall |= isOpenCall;
        return m_attributes.get();
    }

    /// Of a message.
    OTF2_AttributeList *fingerprintAttributes(std::uint32_t fingerprint) {
        if (fingerprint == 0)
            return nullptr;
        checkOtf2(OTF2_AttributeList_RemoveAllAttributes(m_attributes.get()));
        checkOtf2(OTF2_AttributeList_AddUint32(m_attributes.get(), m_source.attributes.fingerprint, fingerprint));
        return m_attributes.get();
    }

    void writeSend(std::uint32_t index) {
        const Envelope &envelope = m_events.envelopes[m_events.sends.envelope[index]];
        const std::uint32_t peer = m_source.ranks.find(envelope.communicator, envelope.peer);
        if (peer == none) {
            ++m_leftovers.messages;
            return;
        }
        const OTF2_TimeStamp time = stamp(m_events.sends.time[index]);
        const bool isPending = m_isPendingSend[index];
        OTF2_AttributeList *attributes = fingerprintAttributes(m_events.sends.fingerprintOf(index));
        if (!isPending && currentCall() != Call::Post) {
            checkOtf2(
                OTF2_EvtWriter_MpiSend(m_writer, attributes, time, peer, envelope.communicator, envelope.tag, envelope.bytes));
            return;
        }
        checkOtf2(OTF2_EvtWriter_MpiIsend(m_writer, attributes, time, peer, envelope.communicator, envelope.tag, envelope.bytes,
                                          ++m_request));
        if (!isPending)
            m_openSends.push_back(m_request);
    }

    void completeSends(Tick time) {
        for (const std::uint64_t request : m_openSends)
            checkOtf2(OTF2_EvtWriter_MpiIsendComplete(m_writer, nullptr, stamp(time), request));
        m_openSends.clear();
    }

    void writeReceive(std::uint32_t index) {
        const Envelope &envelope = m_events.envelopes[m_events.receives.envelope[index]];
        const std::uint32_t peer = m_source.ranks.find(envelope.communicator, envelope.peer);
        const OTF2_TimeStamp time = stamp(m_events.receives.time[index]);
        const std::uint64_t request = completesRequests(currentCall()) ? m_receives.complete() : 0;
        OTF2_AttributeList *attributes = fingerprintAttributes(m_events.receives.fingerprintOf(index));
        if (peer == none)
            ++m_leftovers.messages;
        else if (request != 0)
            checkOtf2(OTF2_EvtWriter_MpiIrecv(m_writer, attributes, time, peer, envelope.communicator, envelope.tag,
                                              envelope.bytes, request));
        else
            checkOtf2(
                OTF2_EvtWriter_MpiRecv(m_writer, attributes, time, peer, envelope.communicator, envelope.tag, envelope.bytes));
        if (peer == none && request != 0)
            checkOtf2(OTF2_EvtWriter_MpiRequestCancelled(m_writer, nullptr, time, request)); // it is not pending any more
    }

    void beginCollective(Tick time) {
        checkOtf2(OTF2_EvtWriter_MpiCollectiveBegin(m_writer, nullptr, stamp(time)));
        m_hasBegun = true;
    }

    void writeCollective(std::uint32_t index) {
        const CollectiveKind &kind = m_events.collectiveKinds[m_events.collectives.kind[index]];
        const Tick time = m_events.collectives.end[index];
        const std::uint64_t request = completesRequests(currentCall()) ? m_collectives.complete() : 0;
        if (kind.communicator == none) {
            ++m_leftovers.collectives;
            if (request != 0)
                checkOtf2(OTF2_EvtWriter_MpiRequestCancelled(m_writer, nullptr, stamp(time), request));
            return;
        }
        const std::uint32_t root = kind.root == none ? none : m_source.ranks.find(kind.communicator, kind.root);
        const OTF2_CollectiveOp operation = otf2Operation(kind.operation);
        const std::uint32_t rootOrNone = root == none ? static_cast<std::uint32_t>(OTF2_COLLECTIVE_ROOT_NONE) : root;
        if (request != 0) {
            checkOtf2(OTF2_EvtWriter_NonBlockingCollectiveComplete(m_writer, nullptr, stamp(time), operation, kind.communicator,
                                                                   rootOrNone, kind.bytesSent, kind.bytesReceived, request));
            return;
        }
        if (!m_hasBegun)
            beginCollective(time);
        m_hasBegun = false;
        checkOtf2(OTF2_EvtWriter_MpiCollectiveEnd(m_writer, nullptr, stamp(time), operation, kind.communicator, rootOrNone,
                                                  kind.bytesSent, kind.bytesReceived));
    }

    const Otf2Source &m_source;
    const LocationEvents &m_events;
    const Track &m_track;
    OTF2_EvtWriter *m_writer;
    const Work &m_work;
    std::vector<bool> m_isPendingSend;             ///< by send
    std::vector<bool> m_hasPending;                ///< by row: it posted a request that is pending
    std::vector<const PendingRequest *> m_pending; ///< receives and collectives
    std::vector<std::uint32_t> m_open;             ///< rows, outermost first
    Postings m_receives;
    Postings m_collectives;
    std::vector<std::uint64_t> m_openSends; ///< requests of sends that the next completing call completes
    std::uint64_t m_request = 0;            ///< the latest number given
    std::uint32_t m_nextSend = 0;
    std::uint32_t m_nextReceive = 0;
    std::uint32_t m_nextCollective = 0;
    std::uint32_t m_nextPending = 0;
    std::uint32_t m_cursor = 0;
    bool m_hasBegun = false;
    Tick m_now = 0;
    Attributes m_attributes{OTF2_AttributeList_New()};
    std::uint32_t m_nextPoll = 0;
    bool m_hasOpenCall = false; ///< the call that is open has said what it waits for
    Otf2Leftovers m_leftovers;
};

} // namespace

Otf2Source::Otf2Source(const Trace &trace, Otf2Strings &strings)
    : trace(trace), strings(strings), attributes(trace), calls(trace), ranks(trace) {
    for (const Region &region : trace.regions)
        posts.push_back(postsOf(region));
}

Otf2Leftovers writeLocation(const Otf2Source &source, const Location &location, OTF2_EvtWriter *writer, const Work &work) {
    return Stream(source, location, writer, work).write();
}

} // namespace laggard
