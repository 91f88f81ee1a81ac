// SPDX-License-Identifier: GPL-3.0-or-later
// What records tell of messages and collectives.
#include "ingest/recording/ThreadReader.h"

#include "ingest/recording/Operations.h"

#include <algorithm>

namespace laggard::recording {
namespace {

/// The same for groups of the same members, in whatever order; 0 if there is none of the number.
std::uint64_t groupHash(const FileDefinitions &definitions, std::uint32_t number) {
    if (number >= definitions.groups.size())
        return 0;
    std::vector<FileDefinitions::Run> runs = definitions.groups[number];
    std::ranges::sort(runs, {}, &FileDefinitions::Run::first);
    std::uint64_t hash = 1;
    for (std::size_t i = 0; i < runs.size();) {
        const std::uint64_t first = runs[i].first;
        std::uint64_t end = first;
        for (; i < runs.size() && runs[i].first <= end; ++i) // runs that touch are one
            end = std::max(end, std::uint64_t{runs[i].first} + runs[i].length);
        hash = mixHash(hash, first, end);
    }
    return std::max<std::uint64_t>(hash, 1);
}

} // namespace

void ThreadReader::message(const Record &record) {
    if (record.kind == RecordKind::ReceivePart && record.argument == nullProcess && record.payload[2] != 0)
        m_fromNobody.insert(record.payload[2]);
    if (!m_call || m_isKept || record.argument == nullProcess)
        return;
    CallPart part;
    part.kind = record.kind;
    part.flags = high(record.payload[3]);
    part.request = record.payload[2];
    const auto tag = static_cast<std::int32_t>(low(record.payload[0]));
    part.anySource = record.argument == anySource;
    part.anyTag = tag == anyTag;
    part.envelope = {peer(record.argument), communicator(high(record.payload[0])),
                     part.anyTag ? 0 : static_cast<std::uint32_t>(tag), record.payload[1]};
    if (record.kind == RecordKind::SendPart) {
        part.sendIndex = m_builder.sendCount();
        if (part.request != 0)
            m_builder.send(m_call->begin, part.envelope, part.request);
        else
            m_builder.send(m_call->begin, part.envelope);
        if (record.words > 4 && low(record.payload[4]) != 0)
            m_builder.fingerprintOfSend(low(record.payload[4]));
    } else if (part.request != 0 && (part.flags & probeOnly) == 0) {
        m_builder.postReceive(m_call->begin, part.request, part.envelope, part.anySource, part.anyTag, m_call->receivesPosted++);
        if ((part.flags & matchedProbe) == 0)
            m_order.posted(part.request, part.envelope, part.anySource || part.anyTag);
    }
    if (record.kind == RecordKind::ReceivePart && (part.flags & matchedProbe) != 0) {
        if (PendingRequest *pending = m_builder.pending(part.request))
            pending->matchedProbe = true;
        if (record.words > 4)
            m_matched.receiveBegins(record.payload[4], part.request);
    }
    if (PendingRequest *pending = (part.flags & persistentStart) != 0 ? m_builder.pending(part.request) : nullptr)
        pending->madeBy = maker(record);
    m_call->parts.push_back(std::move(part));
}

/// The call that made the persistent request of a part; `none` where not known.
CallPathId ThreadReader::maker(const Record &record) const {
    const CodePath *path = record.words <= 4 ? nullptr : m_process.code.path(high(record.payload[4]));
    if (path == nullptr || !isInitialiser(m_process.code.operationName(path->operationName)))
        return none; // earlier recorders wrote nothing there
    return m_process.code.intern(high(record.payload[4]), m_callPaths);
}

void ThreadReader::collective(const Record &record) {
    if (!m_call || m_isKept)
        return;
    CallPart part;
    part.kind = record.kind;
    part.request = record.payload[3];
    const CommunicatorId on = communicator(low(record.payload[0]));
    const bool isLong = record.words > 4;
    const CodePath *made = isLong && high(record.payload[4]) != nothing ? m_process.code.path(high(record.payload[4])) : nullptr;
    CollectiveKind known{
        .communicator = on, .root = peer(record.argument), .bytesSent = record.payload[1], .bytesReceived = record.payload[2]};
    if (record.words > 8) {
        known.hasMoments = true;
        known.sentMoments = {record.payload[5], record.payload[6]};
        known.receivedMoments = {record.payload[7], record.payload[8]};
    }
    part.collective =
        m_process.code.collective(made != nullptr ? made->operationName : m_call->operationName, known, high(record.payload[0]),
                                  isLong ? static_cast<Reduction>(low(record.payload[4])) : Reduction::None);
    const bool isFree = part.collective.operation == CollectiveOperation::DestroyHandle; // as linkCollectives numbers them
    const std::uint32_t number = isFree ? none : m_posted[on]++;
    if (part.request != 0) {
        m_builder.postCollective(m_call->begin, part.request, part.collective);
        if (made != nullptr)
            m_builder.pending(part.request)->madeBy = maker(record);
        m_numberOf[part.request] = number;
    }
    m_call->parts.push_back(std::move(part));
}

void ThreadReader::makes(const Record &record) {
    if (!m_call || m_isKept)
        return;
    m_call->making = {.communicator = communicator(low(record.payload[0])),
                      .tag = record.argument,
                      .isTextTag = (high(record.payload[0]) & textTag) != 0,
                      .group = groupHash(m_process.file.definitions(), low(record.payload[1])),
                      .ownLeader = peer(high(record.payload[1])),
                      .otherLeader = peer(low(record.payload[2]))};
}

void ThreadReader::completed(std::uint64_t request) {
    settleChoices(request, none);
    const PendingRequest *pending = m_builder.pending(request);
    if (pending == nullptr) {
        m_unknown.push_back({request, m_last, none});
        return;
    }
    if (pending->kind == PendingRequest::Kind::Collective && pending->collectiveKind != none) {
        const CollectiveKind kind = m_builder.kind(pending->collectiveKind);
        m_builder.collective(m_last, kind, pending->row);
        m_numberOf.erase(request);
    }
    m_builder.complete(request);
}

bool ThreadReader::completeFor(const Unknown &unknown, ThreadReader &other, std::uint32_t position) {
    const PendingRequest *pending = m_builder.pending(unknown.request);
    if (pending == nullptr)
        return false;
    if (pending->kind == PendingRequest::Kind::Collective && pending->collectiveKind != none)
        other.m_builder.collective(unknown.time, m_builder.kind(pending->collectiveKind), none);
    if (unknown.receive != none) {
        LocationBuilder::Posting posting = LocationBuilder::postingOf(*pending);
        posting.thread = position;
        other.m_builder.posting(posting, unknown.receive);
    }
    m_builder.complete(unknown.request);
    return true;
}

void ThreadReader::received(const Record &record) {
    const std::uint64_t request = record.payload[2];
    const PendingRequest *pending = request == 0 ? nullptr : m_builder.pending(request);
    std::optional<LocationBuilder::Posting> posting = pending != nullptr ? std::optional(LocationBuilder::postingOf(*pending))
                                                      : request == 0     ? m_lastPosting
                                                                         : std::nullopt;
    const bool isOwn = request == 0 && posting && posting->row != none;
    if (request != 0 && !m_builder.complete(request))
        m_unknown.push_back({request, m_last, none});
    if (m_probeOnly)
        probed(record);
    // MPICH's status of a receive from MPI_PROC_NULL says rank 0, or is empty: then MPI_ANY_SOURCE may stand in it.
    if (m_fromNobody.erase(request) != 0 || m_probeOnly || record.argument == nullProcess || record.argument == nothing ||
        record.argument == anySource)
        return;
    const Envelope envelope{peer(record.argument), communicator(high(record.payload[0])), low(record.payload[0]),
                            record.payload[1]};
    m_builder.receive(m_last, envelope);
    settleChoices(request, m_builder.receiveCount() - 1);
    if (request != 0 && pending == nullptr)
        m_unknown.back().receive = m_builder.receiveCount() - 1;
    if (const TakenBy *probe = m_matched.received(request); probe != nullptr)
        m_builder.posting({probe->message.row, probe->message.anySource, probe->message.anyTag, true, 0, none});
    else if (posting && (!isOwn || posting->anySource || posting->anyTag))
        m_builder.posting(*posting);
    // Contents in another order than that of the sends would not be those of the message that the receive is put together with.
    const bool isNext = m_order.isNext(request, envelope) && !m_takesMatched;
    if (record.words > 3 && isNext)
        m_builder.fingerprintOfReceive(low(record.payload[3]));
}

/// A probe has found a message, and left it for a receive.
void ThreadReader::probed(const Record &record) {
    const Rank source = peer(record.argument);
    if (!m_lastPosting || m_lastPosting->row == none || source == none)
        return;
    const Envelope envelope{source, communicator(high(record.payload[0])), low(record.payload[0]), record.payload[1]};
    m_probed.push_back({m_lastPosting->row, m_builder.intern(envelope), m_lastPosting->anySource, m_lastPosting->anyTag});
}

void ThreadReader::taken(const Record &record) {
    const Envelope envelope{peer(record.argument), communicator(high(record.payload[0])), low(record.payload[0]),
                            record.payload[1]};
    const LocationBuilder::Posting probe = m_lastPosting.value_or(LocationBuilder::Posting{});
    m_matched.taken(record.payload[2], {probe.row, m_builder.intern(envelope), probe.anySource, probe.anyTag});
}

void ThreadReader::leftOver(const Record &record) {
    if (const Rank from = peer(record.argument); from != none)
        m_leftOver.push_back({from, communicator(high(record.payload[0])), low(record.payload[0]), 1, record.payload[1]});
}

void ThreadReader::keepPending(const std::unordered_set<std::uint64_t> &requests) {
    for (const std::uint64_t request : m_builder.pendingRequests())
        if (!requests.contains(request))
            m_builder.complete(request);
}

} // namespace laggard::recording
