// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/LocationStream.h"

#include "app/convert/EventAttributes.h"
#include "app/convert/Otf2Names.h"
#include "app/convert/Otf2Status.h"
#include "trace/Work.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace laggard {
namespace {

using Call = MpiCall::Kind;

/// Completions of one kind, by the call that posted them.
class Postings {
  public:
    /// One that `row` has posted will be completed.
    void expect(std::uint32_t row) { m_expected.push_back(row); }
    void sort() { std::ranges::sort(m_expected); }
    /// How many that were posted by `row` will be completed; rows must not decrease.
    std::size_t countOf(std::uint32_t row) {
        while (m_next < m_expected.size() && m_expected[m_next] < row)
            ++m_next;
        const std::size_t first = m_next;
        while (m_next < m_expected.size() && m_expected[m_next] == row)
            ++m_next;
        return m_next - first;
    }
    void post(std::uint32_t row, std::uint64_t request) { m_open[row].push_back(request); }
    /// The request of one that is completed now; 0 if it has none.
    std::uint64_t complete(std::uint32_t row) {
        const auto posted = m_open.find(row);
        if (posted == m_open.end())
            return 0;
        const std::uint64_t request = posted->second.front();
        posted->second.pop_front();
        if (posted->second.empty())
            m_open.erase(posted);
        return request;
    }

  private:
    std::vector<std::uint32_t> m_expected; ///< a row for each completion, sorted
    std::size_t m_next = 0;
    std::unordered_map<std::uint32_t, std::deque<std::uint64_t>> m_open;
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
          m_attributes(source, location.events) {
        for (const PendingRequest &request : m_events.pending) {
            if (request.kind != PendingRequest::Kind::Send)
                m_pending.push_back(&request);
            else if (request.sendIndex < m_isPendingSend.size())
                m_isPendingSend[request.sendIndex] = true;
        }
        expectCompletions();
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

    /// True for a call that may have posted what another has completed.
    [[nodiscard]] bool isPost(std::uint32_t row) const { return row < m_track.size() && callOf(row).kind == Call::Post; }

    /// Which calls have posted receives and collectives that are completed later.
    void expectCompletions() {
        const ReceivePostings &postings = m_events.postings;
        for (std::size_t i = 0; i < postings.size(); ++i)
            if (postings.threadOf(i) == none && isPost(postings.row[i]))
                m_receives.expect(postings.row[i]);
        for (const std::uint32_t row : m_events.collectives.row)
            if (isPost(row))
                m_collectives.expect(row);
        m_receives.sort();
        m_collectives.sort();
    }

    /// The row of the innermost open call; `none` outside all calls.
    [[nodiscard]] std::uint32_t currentRow() const { return m_open.empty() ? none : m_open.back(); }

    void enter(std::uint32_t row) {
        const Tick time = m_track.start[row];
        writeRecords({time, false, false});
        checkOtf2(OTF2_EvtWriter_Enter(m_writer, m_attributes.ofEnter(row), stamp(time), regionOf(row)));
        m_open.push_back(row);
        const bool hasRecord =
            m_nextCollective < m_events.collectives.size() && m_events.collectives.row[m_nextCollective] == row;
        if (hasRecord ? !completesRequests(callOf(row).kind) && !isPost(row) : m_track.isOpen(row) && callOf(row).isCollective())
            beginCollective(time);
        post(row, time);
    }

    /// A call that posts operations which are completed later.
    void post(std::uint32_t row, Tick time) {
        for (std::size_t count = m_receives.countOf(row); count != 0; --count) {
            m_receives.post(row, ++m_request);
            checkOtf2(OTF2_EvtWriter_MpiIrecvRequest(m_writer, nullptr, stamp(time), m_request));
        }
        for (std::size_t count = m_collectives.countOf(row); count != 0; --count) {
            m_collectives.post(row, ++m_request);
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
            checkOtf2(OTF2_EvtWriter_NonBlockingCollectiveRequest(m_writer, m_attributes.ofPending(request, currentRow()), time,
                                                                  ++m_request));
        else
            checkOtf2(OTF2_EvtWriter_MpiIrecvRequest(m_writer, m_attributes.ofPending(request, currentRow()), time, ++m_request));
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
        OTF2_AttributeList *attributes = m_attributes.ofSend(index);
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

    std::uint64_t requestOfReceive(std::uint32_t index) {
        const ReceivePostings &postings = m_events.postings;
        const std::size_t posting = postings.find(index);
        const bool isHere = posting != none && postings.threadOf(posting) == none;
        return isHere ? m_receives.complete(postings.row[posting]) : 0;
    }

    void writeReceive(std::uint32_t index) {
        const Envelope &envelope = m_events.envelopes[m_events.receives.envelope[index]];
        const std::uint32_t peer = m_source.ranks.find(envelope.communicator, envelope.peer);
        const OTF2_TimeStamp time = stamp(m_events.receives.time[index]);
        const std::uint64_t request = requestOfReceive(index);
        OTF2_AttributeList *attributes = m_attributes.ofReceive(index, currentRow(), request != 0);
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
        const std::uint64_t request = m_collectives.complete(m_events.collectives.row[index]);
        OTF2_AttributeList *attributes = m_attributes.ofCollective(index, currentRow(), request != 0);
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
            checkOtf2(OTF2_EvtWriter_NonBlockingCollectiveComplete(m_writer, attributes, stamp(time), operation,
                                                                   kind.communicator, rootOrNone, kind.bytesSent,
                                                                   kind.bytesReceived, request));
            return;
        }
        if (!m_hasBegun)
            beginCollective(time);
        m_hasBegun = false;
        checkOtf2(OTF2_EvtWriter_MpiCollectiveEnd(m_writer, attributes, stamp(time), operation, kind.communicator, rootOrNone,
                                                  kind.bytesSent, kind.bytesReceived));
    }

    const Otf2Source &m_source;
    const LocationEvents &m_events;
    const Track &m_track;
    OTF2_EvtWriter *m_writer;
    const Work &m_work;
    std::vector<bool> m_isPendingSend;             ///< by send
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
    bool m_hasBegun = false;
    Tick m_now = 0;
    EventAttributes m_attributes;
    Otf2Leftovers m_leftovers;
};

} // namespace

Otf2Source::Otf2Source(const Trace &trace, Otf2Strings &strings)
    : trace(trace), strings(strings), attributes(trace), calls(trace), ranks(trace) {}

Otf2Leftovers writeLocation(const Otf2Source &source, const Location &location, OTF2_EvtWriter *writer, const Work &work) {
    return Stream(source, location, writer, work).write();
}

} // namespace laggard
