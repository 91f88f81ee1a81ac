// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OpenCall.h"

#include "analysis/waitfor/MessageFates.h"
#include "analysis/waitfor/SkippedSends.h"
#include "analysis/waitfor/UnreceivedMessages.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard {
namespace {

using CallKind = MpiCall::Kind;

RecordRange recordsBetween(const Column<Tick> &times, Tick from, Tick to) {
    const auto begin = std::lower_bound(times.begin(), times.end(), from);
    const auto end = std::upper_bound(begin, times.end(), to);
    return {static_cast<std::uint32_t>(begin - times.begin()), static_cast<std::uint32_t>(end - times.begin())};
}

void expect(std::vector<ExpectedReceive> &receives, const Envelope &envelope, bool anyTag = false) {
    if (envelope.peer == none)
        return;
    for (ExpectedReceive &known : receives)
        if (known.from == envelope.peer && known.communicator == envelope.communicator && (anyTag || known.tag == envelope.tag)) {
            known.count += anyTag ? 0 : 1;
            return;
        }
    receives.push_back({envelope.peer, envelope.communicator, envelope.tag, anyTag, 1});
}

/// Takes away a message that was received already.
void receiveOne(std::vector<ExpectedReceive> &receives, const Envelope &envelope) {
    const auto expected = std::find_if(receives.begin(), receives.end(), [&](const ExpectedReceive &r) {
        return r.from == envelope.peer && r.communicator == envelope.communicator && (r.anyTag || r.tag == envelope.tag);
    });
    if (expected != receives.end() && --expected->count == 0)
        receives.erase(expected);
}

class Describer {
  public:
    Describer(const Snapshot &snapshot, Rank rank)
        : m_snapshot(snapshot),
          m_events(snapshot.events(rank)),
          m_call(snapshot.openCall(rank)),
          m_rank(rank),
          m_row(snapshot.openCalls[rank]),
          m_path(m_events.track.callPath[m_row]),
          m_start(m_events.track.start[m_row]) {}

    OpenCall describe() {
        addOwnSends();
        if (m_call.kind == CallKind::Flush)
            addBuffered();
        else if (m_snapshot.returnsLater(m_rank))
            fromFuture();
        else if (m_events.openParts)
            fromParts(*m_events.openParts);
        else if (!fromOwnRequests())
            fromHistory();
        for (const std::uint32_t send : m_sends)
            m_open.sends.push_back({sent(send).peer, isReceived(send), sent(send).communicator, sent(send).tag,
                                    startedBy(m_events.sends.time[send])});
        m_open.anyReceive |= m_call.kind == CallKind::WaitAny || m_call.kind == CallKind::TestAny;
        const bool isRunOfPolls = m_events.openParts && !m_snapshot.returnsLater(m_rank);
        if (m_call.isPoll()) // it returns at once, so that the rank may as well be doing something else
            m_open.confidence *= isRunOfPolls ? 0.95 : 0.5;
        return std::move(m_open);
    }

  private:
    [[nodiscard]] const Envelope &sent(std::uint32_t i) const { return m_events.envelopes[m_events.sends.envelope[i]]; }
    [[nodiscard]] const Envelope &received(std::uint32_t i) const { return m_events.envelopes[m_events.receives.envelope[i]]; }
    [[nodiscard]] const CollectiveKind &collective(std::uint32_t i) const {
        return m_events.collectiveKinds[m_events.collectives.kind[i]];
    }

    /// The earlier call in which a send was begun; `none` if it was the open call itself.
    [[nodiscard]] CallPathId startedBy(Tick time) const {
        const std::uint32_t row = time < m_start ? m_events.track.innermostAt(time) : none;
        return row == none ? none : m_events.track.callPath[row];
    }

    [[nodiscard]] bool isReceived(std::uint32_t send) const {
        const LocationIndex location = m_snapshot.location(m_rank);
        if (m_snapshot.fates != nullptr)
            return m_snapshot.fates->of(location, send).isReceived;
        return laggard::isReceived(m_snapshot.trace, location, send, m_snapshot.at);
    }

    /// A blocking send writes its record on entry.
    void addOwnSends() {
        if (m_call.kind != CallKind::Send && m_call.kind != CallKind::SendReceive)
            return;
        const RecordRange sends = recordsBetween(m_events.sends.time, m_start, m_snapshot.at);
        if (sends.empty())
            return;
        m_sends.push_back(sends.end - 1);
        if (m_call.kind == CallKind::Send)
            record();
    }
    /// Messages of MPI_Bsend and its like that nobody has received.
    void addBuffered() {
        const RecordRange before = recordsBetween(m_events.sends.time, 0, m_start);
        for (std::uint32_t send = before.begin; send < before.end; ++send) {
            const std::uint32_t row = isReceived(send) ? none : m_events.track.innermostAt(m_events.sends.time[send]);
            if (row != none && m_snapshot.calls[m_events.track.callPath[row]].buffered)
                m_sends.push_back(send);
        }
        m_open.sendConfidence = 1;
        record();
    }
    void record() {
        m_open.source = OpenCall::Source::Recorded;
        m_open.confidence = 1;
    }

    /// The call returned later on, and its records say whom it concerned.
    void fromFuture() {
        const Tick end = m_events.track.end[m_row];
        RecordRange receives = recordsBetween(m_events.receives.time, m_snapshot.at + 1, end);
        if (m_call.kind == CallKind::Probe && receives.end < m_events.receives.size())
            receives.end = receives.begin + 1; // the next receive takes the message that was probed for
        const RecordRange collectives = recordsBetween(m_events.collectives.end, m_snapshot.at + 1, end);
        for (std::uint32_t i = receives.begin; i < receives.end; ++i)
            expect(m_open.receives, received(i));
        if (!collectives.empty())
            addCollective(collective(collectives.begin));
        const bool askedOnly = m_call.isPoll() || m_call.isWait();
        if (!m_sends.empty())
            m_open.sendConfidence = returnedUntaken() ? 0 : 0.8;
        if (!m_open.receives.empty() || m_open.isCollective)
            record();
        else if (!askedOnly && !recordsBetween(m_events.receives.time, m_start, m_snapshot.at).empty())
            record(); // all has come, the call is about to return
    }

    /// Recordings know what an open call waits for: it has said so on entry.
    void fromParts(const OpenParts &parts) {
        record();
        for (const OpenParts::Receive &receive : parts.receives) {
            const auto same = std::find_if(m_open.receives.begin(), m_open.receives.end(), [&](const ExpectedReceive &r) {
                return r.from == receive.from && r.communicator == receive.communicator && r.tag == receive.tag &&
                       r.anyTag == receive.anyTag;
            });
            if (same != m_open.receives.end())
                ++same->count;
            else
                m_open.receives.push_back({receive.from, receive.communicator, receive.tag, receive.anyTag, 1});
        }
        m_open.anyReceive = parts.anyOf;
        if (parts.isCollective) {
            addCollective(parts.collective);
            m_open.collectiveNumber = parts.collectiveNumber;
            m_open.collectiveStartedBy = parts.collectiveStartedBy;
        }
        m_sends.assign(parts.sends.begin(), parts.sends.end());
        const bool isBlocking = m_call.kind == CallKind::Send || m_call.kind == CallKind::SendReceive;
        if (m_call.kind == CallKind::WaitAll && !parts.synchronous)
            if (const std::uint64_t copied = mostCopied())
                std::erase_if(m_sends, [&](std::uint32_t send) { return sent(send).bytes <= copied; });
        if (m_sends.empty())
            return;
        if (parts.synchronous)
            m_open.sendConfidence = 1;
        else if (isBlocking)
            m_open.sendConfidence =
                sendConfidence(CallHistory(m_snapshot.trace, m_snapshot.calls, m_events, m_snapshot.at, m_row));
        else // it may have been copied away long ago, which is seen only when the call returns
            m_open.sendConfidence = m_open.receives.empty() && !m_open.isCollective ? 0.7 : 0.4;
    }

    /// Others file it as a pending request.
    bool fromOwnRequests() {
        bool known = false;
        const bool completes = m_call.kind == CallKind::WaitAll || m_call.kind == CallKind::WaitAny ||
                               (m_call.kind == CallKind::WaitOne && m_events.pending.size() == 1);
        for (const PendingRequest &request : m_events.pending) {
            if (request.posted > m_snapshot.at || request.kind != PendingRequest::Kind::Receive || request.envelope == none)
                continue;
            if (request.row == m_row || completes) {
                expect(m_open.receives, m_events.envelopes[request.envelope]);
                known = true;
            }
        }
        if (known)
            record();
        return known;
    }

    void fromHistory() {
        if (m_call.kind == CallKind::Send && !m_sends.empty()) {
            m_open.sendConfidence =
                sendConfidence(CallHistory(m_snapshot.trace, m_snapshot.calls, m_events, m_snapshot.at, m_row));
            return;
        }
        const CallHistory history(m_snapshot.trace, m_snapshot.calls, m_events, m_snapshot.at, m_row);
        if (!m_sends.empty())
            m_open.sendConfidence = sendConfidence(history);
        m_open.precedent = history.precedent(m_path, m_call.kind == CallKind::Probe);
        if (m_open.precedent.confidence == 0)
            precedentAfterSkips(history);
        const Precedent &precedent = m_open.precedent;
        if (precedent.confidence > 0) {
            m_open.source = OpenCall::Source::Predicted;
            m_open.confidence = precedent.confidence;
            if (isAnyOf())
                expectAnyAtPath(history);
            else
                expectAs(history, precedent.step);
        }
        if (m_call.kind == CallKind::WaitOne || m_call.kind == CallKind::WaitAll)
            addPendingSends();
        if (m_open.receives.empty() && m_sends.empty() && !m_open.isCollective)
            m_open.source = OpenCall::Source::Unclear;
    }

    /// A rank that has just left out a send is in surroundings it has never been in; with the send put back they may be known.
    void precedentAfterSkips(const CallHistory &history) {
        const SkipScan scan = findSkippedSends(m_events, history, m_path);
        if (scan.openCallRepeats != none)
            m_open.precedent = {.step = scan.openCallRepeats, .run = scan.openCallRun, .confidence = scan.openCallConfidence};
    }

    /// Waitany and its like; and calls whose peers could not be foretold so far: a receive from any source.
    [[nodiscard]] bool isAnyOf() const {
        if (m_call.kind == CallKind::WaitAny || m_call.kind == CallKind::TestAny)
            return true;
        const bool receivesOne = m_call.kind == CallKind::Receive || m_call.kind == CallKind::Probe;
        return receivesOne && m_open.precedent.tested >= 4 && m_open.precedent.right * 2 < m_open.precedent.tested;
    }

    /// All senders seen at this path. What is the chance that a further one turns up? (Good and Turing: the share of those seen
    /// once.)
    void expectAnyAtPath(const CallHistory &history) {
        std::vector<std::pair<Rank, std::uint32_t>> seen; // peer, messages
        std::uint32_t messages = 0;
        for (std::size_t place = 0; place < history.steps().size(); ++place) {
            const Step &step = history.steps()[place];
            if (!step.isCall || step.path != m_path)
                continue;
            const RecordRange receives = history.receivesOf(place, m_call.kind == CallKind::Probe);
            for (std::uint32_t i = receives.begin; i < receives.end; ++i, ++messages) {
                expect(m_open.receives, received(i), true);
                const Rank peer = received(i).peer;
                const auto entry = std::find_if(seen.begin(), seen.end(), [&](const auto &s) { return s.first == peer; });
                if (entry == seen.end())
                    seen.emplace_back(peer, 1);
                else
                    ++entry->second;
            }
        }
        const auto once = std::count_if(seen.begin(), seen.end(), [](const auto &s) { return s.second == 1; });
        m_open.confidence = 1 - (static_cast<double>(once) + 1) / (messages + 2);
        m_open.anyReceive = true;
    }

    void expectAs(const CallHistory &history, std::uint32_t stepIndex) {
        const Step &step = history.steps()[stepIndex];
        CallRecords records = step.records;
        records.receives = history.receivesOf(stepIndex, m_call.kind == CallKind::Probe);
        for (std::uint32_t i = records.receives.begin; i < records.receives.end; ++i)
            expect(m_open.receives, received(i));
        if (tagsChange(history, step)) {
            for (ExpectedReceive &receive : m_open.receives)
                receive.anyTag = true;
        }
        const RecordRange done = history.openRecords().receives;
        for (std::uint32_t i = done.begin; i < done.end; ++i)
            receiveOne(m_open.receives, received(i));
        if (!records.collectives.empty())
            addCollective(collective(records.collectives.begin));
    }

    void addCollective(const CollectiveKind &kind) {
        if (kind.communicator == none)
            return;
        m_open.isCollective = true;
        m_open.collective = kind;
    }

    /// True if the latest calls equal to this one had messages with other tags.
    [[nodiscard]] bool tagsChange(const CallHistory &history, const Step &like) const {
        std::uint32_t compared = 0;
        for (std::size_t i = history.steps().size(); i-- > 0 && compared < 4;) {
            const Step &step = history.steps()[i];
            if (step.token != like.token)
                continue;
            ++compared;
            for (std::uint32_t a = step.records.receives.begin; a < step.records.receives.end; ++a) {
                bool found = false;
                for (std::uint32_t b = like.records.receives.begin; b < like.records.receives.end && !found; ++b)
                    found = received(a).peer == received(b).peer && received(a).tag == received(b).tag;
                if (!found)
                    return true;
            }
        }
        return false;
    }

    /// A wait for no receive waits for those who have not taken the rank's own messages.
    void addPendingSends() {
        const bool hasReceives = std::any_of(m_events.pending.begin(), m_events.pending.end(), [&](const PendingRequest &r) {
            return r.kind == PendingRequest::Kind::Receive && r.posted <= m_snapshot.at;
        });
        if (!m_open.receives.empty() && (hasReceives || m_events.pending.empty()))
            return;
        if (m_open.isCollective)
            return;
        for (const PendingRequest &request : m_events.pending)
            if (request.kind == PendingRequest::Kind::Send && request.posted <= m_snapshot.at && request.sendIndex != none)
                m_sends.push_back(request.sendIndex);
        if (m_sends.empty())
            return;
        m_open.receives.clear(); // foretold, but the rank has no receive pending
        m_open.source = OpenCall::Source::Recorded;
        m_open.confidence = 1;
        m_open.sendConfidence = hasReceives ? 0.4 : 0.7;
    }

    /// True if the message of the open send was asked for only after the call had returned.
    [[nodiscard]] bool returnedUntaken() const {
        const std::uint32_t send = m_sends.back();
        return m_events.sends.match[send] == none || receiverEntered(send) > m_events.track.end[m_row];
    }

    /// When the receiver entered the call that posted the receive of this message; 0: not known. Nothing if nobody received it.
    [[nodiscard]] std::optional<Tick> askedFor(std::uint32_t send) const {
        const LocationIndex location = m_snapshot.location(m_rank);
        if (m_snapshot.fates != nullptr) {
            const MessageFate fate = m_snapshot.fates->of(location, send);
            return fate.isReceived ? std::optional(fate.asked) : std::nullopt;
        }
        if (m_events.sends.match[send] == none)
            return std::nullopt;
        const Message message = m_snapshot.trace.messageOfSend(location, send);
        return askedForAt(m_snapshot.trace, message.receiver, message.receive);
    }

    /// When the receiver entered the call that completed the receive.
    [[nodiscard]] Tick receiverEntered(std::uint32_t send) const {
        const Message message = m_snapshot.trace.messageOfSend(m_snapshot.location(m_rank), send);
        const Track &track = m_snapshot.trace.locations[message.receiver].events.track;
        const std::uint32_t row = track.innermostAt(message.received);
        return row == none ? message.received : std::min(track.start[row], message.received);
    }

    /// The largest message, in bytes, that earlier calls of this wait for all have let go before its receiver had asked for it:
    /// such are copied away, and nobody waits until they are taken. 0: none was seen.
    [[nodiscard]] std::uint64_t mostCopied() const {
        constexpr std::size_t mostAsked = 64; // earlier waits
        std::vector<std::uint32_t> waits;     // the latest first
        for (std::uint32_t row = m_row; row-- > 0 && waits.size() <= mostAsked;)
            if (m_events.track.callPath[row] == m_path)
                waits.push_back(row);
        std::uint64_t most = 0;
        for (std::size_t i = 0; i + 1 < waits.size(); ++i) {
            const RecordRange begun =
                recordsBetween(m_events.sends.time, m_events.track.end[waits[i + 1]] + 1, m_events.track.start[waits[i]]);
            for (std::uint32_t send = begun.begin; send < begun.end; ++send)
                if (sent(send).bytes > most && askedFor(send).value_or(0) > m_events.track.end[waits[i]])
                    most = sent(send).bytes;
        }
        return most;
    }

    /// Did earlier sends at this path, of at least this size, return before their receivers came? Only those tell it whose
    /// receiver had not asked for the message when the call began: where it had, the call returns at once, whether it would have
    /// waited or not.
    [[nodiscard]] double sendConfidence(const CallHistory &history) const {
        std::uint32_t tested = 0;
        std::uint32_t waited = 0;
        const std::uint64_t bytes = sent(m_sends.back()).bytes;
        for (std::size_t i = history.steps().size(); i-- > 0 && tested < 16;) {
            const Step &step = history.steps()[i];
            if (!step.isCall || step.path != m_path || step.records.sends.empty())
                continue;
            const std::uint32_t send = step.records.sends.begin;
            if (sent(send).bytes < bytes)
                continue;
            const Tick asked = askedFor(send).value_or(0);
            if (asked == 0 || asked <= m_events.track.start[step.row])
                continue;
            ++tested;
            waited += asked <= m_events.track.end[step.row] ? 1 : 0;
        }
        return (waited + 1.0) / (tested + 2.0);
    }

    const Snapshot &m_snapshot;
    const LocationEvents &m_events;
    const MpiCall &m_call;
    Rank m_rank;
    std::uint32_t m_row;
    CallPathId m_path;
    Tick m_start;
    std::vector<std::uint32_t> m_sends; ///< its own messages that must be taken: positions in LocationEvents::sends
    OpenCall m_open;
};

} // namespace

Tick askedForAt(const Trace &trace, LocationIndex receiver, std::uint32_t receive) {
    const LocationEvents &events = trace.locations[receiver].events;
    const std::size_t posting = events.postings.find(receive);
    const Tick received = events.receives.time[receive];
    std::uint32_t row = none;
    if (posting == none) // the call that ended with it
        row = events.track.innermostAt(received - std::min<Tick>(received, 1));
    else if (events.postings.threadOf(posting) == none)
        row = events.postings.row[posting];
    return row == none ? 0 : events.track.start[row];
}

std::string groundOf(const OpenCall &open) {
    using Source = OpenCall::Source;
    const Precedent &precedent = open.precedent;
    switch (open.source) {
    case Source::Recorded:
        return "as recorded";
    case Source::Predicted: {
        std::string text = "predicted from " + plural(precedent.run, "equal preceding step");
        if (precedent.tested != 0)
            text += " (right for " + describeCount(precedent.right) + " of " + plural(precedent.tested, "earlier call") + ")";
        return text;
    }
    case Source::OtherRanks:
        return "communicator as other ranks used it in the same call";
    case Source::World:
        return "taken to be on all ranks";
    case Source::Unclear:
        break;
    }
    return "not known";
}

OpenCall describeOpenCall(const Snapshot &snapshot, Rank rank) { return Describer(snapshot, rank).describe(); }

} // namespace laggard
