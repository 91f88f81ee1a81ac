// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/Assembly.h"

#include <algorithm>

namespace laggard::modeldump {

Rank Assembly::peerOf(WrittenPeer peer, bool relative, Rank self, const char *place) const {
    if (peer == noPeer)
        return none;
    if (peer < -static_cast<WrittenPeer>(mostRanks) || peer > static_cast<WrittenPeer>(mostRanks))
        fail(place, "the job has no rank " + std::to_string(peer));
    const WrittenPeer rank = relative ? peer + static_cast<WrittenPeer>(self) : peer;
    if (rank < 0 || rank >= static_cast<WrittenPeer>(m_trace->processes.size()))
        fail(place, "the job has no rank " + std::to_string(rank));
    return static_cast<Rank>(rank);
}

void Assembly::addWaits(const DumpContent &content) {
    JobState &state = m_dump.state;
    state.at = std::max(state.at, Tick{content.at});
    state.lastEvent = std::max(state.lastEvent, Tick{content.lastEvent});
    if (content.since.size() > state.tasks.size())
        fail("waits.since_ticks", "there are more of them than ranks");
    for (const DumpContent::WrittenActivity &written : content.activities) {
        Activity activity;
        activity.kind = written.kind;
        activity.callPath = joined(m_paths, written.path, "waits.activities");
        activity.site = joined(m_sites, written.site, "waits.activities");
        const CallPathId mpiPath = joined(m_paths, written.mpiPath, "waits.activities");
        const bool isInCall = activity.kind == Activity::Kind::Collective || activity.kind == Activity::Kind::PointToPoint;
        if (isInCall && mpiPath == none)
            fail("waits.activities", "a task in a call without the call's path");
        forEachRank(written.ranks, 0, "waits.activities", [&](Rank rank) {
            TaskState &task = state.tasks[rank];
            task.activity = activity;
            task.mpiPath = mpiPath;
            if (rank < content.since.size())
                task.activity.since = content.since[rank];
        });
    }
    for (const DumpContent::Open &open : content.openCalls)
        forEachRank(open.ranks, open.receives.size() + open.sends.size(), "waits.open_calls",
                    [&](Rank rank) { addOpenCall(open, rank); });
    for (const DumpContent::Collectives &written : content.collectives)
        addCollectives(written);
    for (const DumpContent::Messages &written : content.messages)
        forEachRank(written.ranks, written.sent.size() + written.received.size(), "waits.messages", [&](Rank rank) {
            addMessages(written.sent, written.relative, rank, m_sent[rank]);
            addMessages(written.received, written.relative, rank, m_received[rank]);
        });
    for (MissingSend missing : content.missingSends) {
        if (missing.from >= state.tasks.size() || missing.to >= state.tasks.size())
            fail("waits.missing_sends", "the job does not have these ranks");
        missing.callPath = joined(m_paths, missing.callPath, "waits.missing_sends");
        m_dump.missingSends.push_back(std::move(missing));
    }
}

void Assembly::addOpenCall(const DumpContent::Open &written, Rank rank) {
    OpenCall &open = m_dump.state.tasks[rank].open;
    open = written.call;
    open.confidence = std::clamp(open.confidence, 0.0, 1.0);
    open.sendConfidence = std::clamp(open.sendConfidence, 0.0, 1.0);
    if (open.isCollective) {
        open.collective.communicator = joinedNumber(m_communicators, open.collective.communicator, "waits.open_calls");
        if (open.collective.root != none && open.collective.root >= m_trace->processes.size())
            fail("waits.open_calls", "the root is not a rank of the job");
    }
    for (const DumpContent::Receive &each : written.receives) {
        ExpectedReceive receive = each.receive;
        receive.from = peerOf(each.from, written.relative, rank, "waits.open_calls");
        receive.communicator = joined(m_communicators, receive.communicator, "waits.open_calls");
        open.receives.push_back(receive);
    }
    for (const DumpContent::Send &each : written.sends) {
        AwaitedSend send = each.send;
        send.to = peerOf(each.to, written.relative, rank, "waits.open_calls");
        send.communicator = joined(m_communicators, send.communicator, "waits.open_calls");
        open.sends.push_back(send);
    }
}

void Assembly::addCollectives(const DumpContent::Collectives &written) {
    std::vector<CollectiveCount> counts = written.counts;
    for (CollectiveCount &count : counts)
        count.communicator = joinedNumber(m_communicators, count.communicator, "waits.collectives");
    std::sort(counts.begin(), counts.end(),
              [](const CollectiveCount &a, const CollectiveCount &b) { return a.communicator < b.communicator; });
    forEachRank(written.ranks, counts.size(), "waits.collectives",
                [&](Rank rank) { m_dump.state.tasks[rank].collectives = counts; });
}

void Assembly::addMessages(const std::vector<DumpContent::PeerMessages> &written, bool relative, Rank self,
                           std::vector<MessageCount> &counts) const {
    for (const DumpContent::PeerMessages &each : written) {
        MessageCount count = each.count;
        count.peer = peerOf(each.peer, relative, self, "waits.messages");
        count.communicator = joined(m_communicators, count.communicator, "waits.messages");
        counts.push_back(count);
    }
}

void Assembly::countUnreceived() {
    m_dump.state.unreceived.resize(m_sent.size());
    const auto key = [](const MessageCount &c) { return std::tuple(c.peer, c.communicator, c.tag); };
    const auto before = [&](const MessageCount &a, const MessageCount &b) { return key(a) < key(b); };
    for (std::vector<MessageCount> &counts : m_received)
        std::sort(counts.begin(), counts.end(), before);
    for (Rank sender = 0; sender < m_sent.size(); ++sender) {
        std::sort(m_sent[sender].begin(), m_sent[sender].end(), before);
        for (MessageCount count : m_sent[sender]) {
            const std::uint64_t sent = count.messages;
            if (count.peer != none) {
                MessageCount wanted = count;
                wanted.peer = sender;
                const std::vector<MessageCount> &received = m_received[count.peer];
                for (auto r = std::lower_bound(received.begin(), received.end(), wanted, before);
                     r != received.end() && key(*r) == key(wanted); ++r)
                    count.messages -= std::min(count.messages, r->messages);
            }
            if (count.messages == 0)
                continue;
            // No more than there were, as no more messages are left than were sent.
            count.bytes = static_cast<std::uint64_t>(static_cast<unsigned __int128>(count.bytes) * count.messages / sent);
            count.held = std::min(count.held, count.messages);
            m_dump.state.unreceived[sender].push_back(count);
        }
        m_sent[sender] = {};
    }
    m_dump.state.received = std::move(m_received);
}

void Assembly::addPending(const DumpContent &content) {
    for (const DumpContent::Pending &written : content.pending)
        forEachRank(written.ranks, written.requests.size(), "pending", [&](Rank rank) {
            for (const DumpContent::Request &each : written.requests) {
                DumpedRequest request = each.request;
                request.peer = peerOf(each.peer, written.relative, rank, "pending");
                request.communicator = joined(m_communicators, request.communicator, "pending");
                request.callPath = joined(m_paths, request.callPath, "pending");
                m_dump.pending[rank].push_back(request);
            }
        });
}

void Assembly::addSamples(const DumpContent &content) {
    constexpr const char *place = "samples.threads";
    if (!m_samples)
        m_samples = std::make_shared<StackSamples>();
    if (content.sampleTimes.size() > m_samples->times.size())
        m_samples->times.assign(content.sampleTimes.begin(), content.sampleTimes.end());
    for (const DumpContent::Sampled &written : content.sampled) {
        SampledStack stack = written.stack;
        stack.callPath = joinedNumber(m_paths, stack.callPath, place);
        stack.site = joined(m_sites, stack.site, place);
        stack.stays = joined(m_paths, stack.stays, place);
        if (stack.sample >= content.sampleTimes.size())
            fail(place, "the sample has no time");
        if (!m_trace->callPaths.isAncestor(stack.stays, stack.callPath))
            fail(place, "what was not left is not on the stack");
        forEachRank(written.ranks, 1, place, [&](Rank rank) {
            stack.rank = rank;
            m_samples->stacks.push_back(stack);
        });
    }
}

std::shared_ptr<const StackSamples> Assembly::finishedSamples() {
    if (!m_samples)
        return nullptr;
    const auto key = [](const SampledStack &each) { return std::tuple(each.rank, each.thread, each.sample); };
    std::ranges::stable_sort(m_samples->stacks, {}, key);
    std::vector<SampledStack> &stacks = m_samples->stacks;
    stacks.erase(std::unique(stacks.begin(), stacks.end(), [&](const auto &a, const auto &b) { return key(a) == key(b); }),
                 stacks.end());
    return std::move(m_samples);
}

} // namespace laggard::modeldump
