// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ThreadReader.h"

#include "ingest/recording/Operations.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard::recording {
namespace {

constexpr std::uint64_t batch = 4096; ///< records between two looks at the request to stop

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

ThreadReader::ThreadReader(ProcessContext &process, std::uint32_t thread, CallPathTable &callPaths)
    : m_process(process),
      m_thread(thread),
      m_builder(callPaths),
      m_callers(m_builder),
      m_epochs(process.file.definitions(), process.windows, process.processCount),
      m_callPaths(callPaths) {}

void ThreadReader::note(const std::string &message, Warning::Severity severity) {
    m_warnings.push_back({severity, m_thread, m_process.file.path(), message});
}

CommunicatorId ThreadReader::communicator(std::uint32_t number) const {
    return number < m_process.communicators.size() ? m_process.communicators[number] : none;
}

/// Time never steps back, and never beyond the end: where damage says so, an event takes the time of the one before it. A run of
/// polls ends here. `m_last` stays at the event before.
Tick ThreadReader::timeOf(std::uint64_t ticks) {
    Tick time = m_process.clock(ticks);
    if (m_hasTime && (time < m_last || time >= m_process.clock.latest)) {
        ++m_clamped;
        time = m_last;
    }
    if (!std::exchange(m_hasTime, true))
        m_first = m_last = time;
    if (m_call && m_call->isPoll) {
        m_last = std::clamp(m_call->lastPoll, m_last, time);
        closeCall(m_last);
    }
    return time;
}

void ThreadReader::seed(const std::vector<RequestSlot> &requests) {
    for (const RequestSlot &slot : requests) {
        const Tick posted = m_process.clock(slot.posted);
        const CodePath *path = m_process.code.path(slot.path);
        const CommunicatorId on = communicator(slot.communicator);
        const bool anyTagged = slot.tag == anyTag;
        const Envelope envelope{peer(slot.peer), on, anyTagged ? 0 : static_cast<std::uint32_t>(slot.tag), slot.bytes};
        if (slot.kind == static_cast<std::uint32_t>(RecordKind::SendPart) && slot.peer != nullProcess)
            m_builder.send(posted, envelope, slot.request);
        else if (slot.kind == static_cast<std::uint32_t>(RecordKind::ReceivePart) && slot.peer != nullProcess)
            m_builder.postReceive(posted, slot.request, envelope, slot.peer == anySource, anyTagged);
        else if (slot.kind == static_cast<std::uint32_t>(RecordKind::CollectivePart))
            m_builder.postCollective(
                posted, slot.request,
                m_process.code.collective(
                    path == nullptr ? nothing : path->operationName,
                    {.communicator = on, .root = peer(slot.peer), .bytesSent = slot.bytes, .bytesReceived = slot.bytes}, nothing,
                    Reduction::None));
        else if (slot.kind == static_cast<std::uint32_t>(RecordKind::EpochPart))
            m_epochs.openedBefore(slot, m_process.code.intern(slot.path, m_callPaths));
        if (PendingRequest *pending = m_builder.pending(slot.request))
            pending->startedBy = m_process.code.intern(slot.path, m_callPaths);
        if (PendingRequest *pending = m_builder.pending(slot.request);
            pending != nullptr && path != nullptr && isInitialiser(m_process.code.operationName(path->operationName)))
            pending->madeBy = pending->startedBy; // what started it is not known any more
    }
}

void ThreadReader::readEvents() {
    EventReader reader = m_process.file.events(m_thread);
    std::uint64_t reported = 0;
    for (Record record; reader.next(record);) {
        if (m_records % batch == 0) {
            throwIfCancelled(m_process.work);
            m_process.advanced(reader.bytesRead() - std::exchange(reported, reader.bytesRead()));
        }
        if (!m_firstLoss &&
            (!reader.warnings().empty() || (record.sequence != m_sequence && m_sequence != 0 && reader.followsGap())))
            m_firstLoss = m_last;
        if (record.sequence != m_sequence) {
            const bool isFirst = std::exchange(m_sequence, record.sequence) == 0;
            m_isNewChunk = reader.followsGap();
            if (isFirst && m_isNewChunk && record.kind == RecordKind::Context) {
                readKept(record.payload[0]);
                m_eventsFrom = m_process.clock(record.payload[0]);
            }
        }
        if (isTooLate(record)) {
            m_wentOn = true;
            break;
        }
        take(record);
    }
    m_process.advanced(reader.bytesRead() - reported);
    for (const Warning &warning : reader.warnings())
        m_warnings.push_back(warning);
    m_hasGaps |= !reader.warnings().empty();
    if (!m_firstLoss &&
        (!reader.warnings().empty() || m_process.file.isIncomplete() || m_process.file.header().droppedRecords != 0))
        m_firstLoss = m_last;
    m_isDamaged |= !reader.warnings().empty();
    m_endsDamaged = reader.endsDamaged();
    if (m_clamped != 0)
        note(plural(m_clamped, "event") + (m_clamped == 1 ? " has an impossible time; it takes that of the event before it."
                                                          : " have impossible times; they take those of the events before them."),
             Warning::Severity::Note);
    if (const std::uint64_t leaves = m_strayLeaves + m_builder.strayLeaves(); leaves != 0)
        note(plural(leaves, "function") + (leaves == 1 ? " was left" : " were left") +
                 " without having been entered (an exception or longjmp does that).",
             Warning::Severity::Note);
    if (m_unknownReferences != 0)
        note(plural(m_unknownReferences, "event") + (m_unknownReferences == 1
                                                         ? " refers to a function that is not defined; it is left out."
                                                         : " refer to functions that are not defined; they are left out."),
             m_process.file.header().endKind == static_cast<std::uint32_t>(EndKind::StillOpen) ? Warning::Severity::Note
                                                                                               : Warning::Severity::DataLoss);
}

/// What was kept of the calls before the events that are left.
void ThreadReader::readKept(std::uint64_t untilTicks) {
    EventReader reader = m_process.file.kept(m_thread);
    m_isKept = true;
    bool isPast = false; // read all the same: only at its end the chunk's check tells
    for (Record record; reader.next(record);) {
        isPast |= (record.kind == RecordKind::CallBegin || record.kind == RecordKind::Phase) && record.payload[0] >= untilTicks;
        if (!isPast)
            take(record);
    }
    m_isKept = false;
    m_isDamaged |= !reader.warnings().empty();
    m_warnings.insert(m_warnings.end(), reader.warnings().begin(), reader.warnings().end());
}

/// Records without a time belong to the one before them that has one.
bool ThreadReader::isTooLate(const Record &record) const {
    if (m_process.until == openEnd)
        return false;
    switch (record.kind) {
    case RecordKind::Context:
    case RecordKind::Enter:
    case RecordKind::Leave:
    case RecordKind::CallBegin:
    case RecordKind::CallEnd:
    case RecordKind::Polls:
    case RecordKind::Phase:
        return m_process.clock(record.payload[0]) > m_process.until;
    default:
        return false;
    }
}

void ThreadReader::take(const Record &record) {
    ++m_records;
    switch (record.kind) {
    case RecordKind::Context:
        --m_records; // the recorder's own
        context(record);
        break;
    case RecordKind::Enter:
        enter(record);
        break;
    case RecordKind::Leave:
        leave(record);
        break;
    case RecordKind::CallBegin:
        beginCall(record, false);
        break;
    case RecordKind::Polls:
        beginCall(record, true);
        break;
    case RecordKind::CallEnd:
        endCall(record);
        break;
    case RecordKind::SendPart:
    case RecordKind::ReceivePart:
        message(record);
        break;
    case RecordKind::CollectivePart:
        collective(record);
        break;
    case RecordKind::EpochPart:
        if (m_call && !m_isKept)
            m_epochs.add(record, m_call->row, m_call->isPoll);
        break;
    case RecordKind::MakingPart:
        makes(record);
        break;
    case RecordKind::AwaitedPart:
        if (m_call)
            m_call->awaited.insert(m_call->awaited.end(), record.payload, record.payload + record.words);
        break;
    case RecordKind::CompletedReceive:
        received(record);
        break;
    case RecordKind::TakenMessage:
        taken(record);
        break;
    case RecordKind::WaitingPart:
        leftOver(record);
        break;
    case RecordKind::Completed:
    case RecordKind::Released:
        for (std::size_t i = 0; i < record.words; ++i)
            completed(record.payload[i]);
        break;
    case RecordKind::Phase:
        m_last = timeOf(record.payload[0]);
        m_phases.push_back({m_last, static_cast<std::int32_t>(record.argument)});
        break;
    default:
        ++m_unknownKinds;
        break;
    }
}

/// Functions open at the beginning of a chunk: news only where records before it are missing.
void ThreadReader::context(const Record &record) {
    if (!std::exchange(m_isNewChunk, false))
        return;
    m_hasGaps = true;
    const Tick time = timeOf(record.payload[0]);
    if (m_call)
        closeCall(m_last);
    m_callers.closeDownTo(0, m_last);
    m_last = time;
    for (std::size_t i = 0; i < std::min<std::size_t>(record.argument, (record.words - 1) * 2); ++i) {
        const std::uint64_t word = record.payload[1 + i / 2];
        const RegionId region = m_process.code.function(i % 2 == 0 ? low(word) : high(word));
        if (region != none) {
            m_tellsFunctions = true;
            m_callers.open(region, none, true, time);
        }
    }
}

void ThreadReader::enter(const Record &record) {
    const Tick time = timeOf(record.payload[0]);
    if (m_call)
        closeCall(m_last); // its end was lost
    const RegionId region = m_process.code.function(record.argument);
    if (region == none) {
        ++m_unknownReferences;
        return;
    }
    m_tellsFunctions = true;
    m_callers.closeDownTo(m_callers.certainDepth(), m_last);
    m_callers.open(region, none, true, time);
    m_last = time;
}

void ThreadReader::leave(const Record &record) {
    const Tick time = timeOf(record.payload[0]);
    if (m_call)
        closeCall(m_last);
    const RegionId region = m_process.code.function(record.argument);
    const std::size_t depth = m_callers.depthOf(region);
    if (depth == 0) {
        ++m_strayLeaves;
        return;
    }
    m_callers.closeDownTo(std::max(depth, m_callers.instrumentedDepth()), m_last);
    m_callers.closeDownTo(depth - 1, time);
    m_last = time;
}

void ThreadReader::beginCall(const Record &record, bool isPoll) {
    const Tick time = timeOf(record.payload[0]);
    if (m_call)
        closeCall(m_last); // its end was lost
    const CodePath *path = m_process.code.path(record.argument);
    if (path == nullptr || path->operation == none) {
        ++m_unknownReferences;
        return;
    }
    m_callers.align(*path, m_last, time);
    m_last = time;
    m_builder.enter(time, path->operation, path->place);
    m_call = std::move(m_spare);
    m_call->operation = path->operation;
    m_call->operationName = path->operationName;
    m_call->path = record.argument;
    m_call->row = m_builder.currentRow();
    m_call->begin = time;
    m_call->isPoll = isPoll;
    m_call->isFromState = false;
    m_call->parts.clear();
    m_call->awaited.clear();
    m_call->receivesPosted = 0;
    if (isPoll) {
        m_call->lastPoll = m_process.clock(record.payload[1]);
        m_call->polls = record.payload[2];
    }
}

void ThreadReader::closeCall(Tick time) {
    RecordedCall call = std::move(*m_call);
    m_call.reset();
    m_epochs.ended(false);
    m_builder.leave(time, call.operation);
    m_callers.returned(call.path);
    if (call.isPoll)
        m_polls.push_back({call.row, call.polls});
    m_probeOnly = m_takesMatched = false;
    m_lastPosting.reset();
    for (const CallPart &part : call.parts) {
        m_takesMatched |= part.kind == RecordKind::ReceivePart && (part.flags & matchedProbe) != 0;
        if (part.kind == RecordKind::CollectivePart && part.request == 0 && !call.isPoll)
            m_builder.collective(time, part.collective, call.row);
        m_probeOnly |= part.kind == RecordKind::ReceivePart && (part.flags & probeOnly) != 0;
        if (part.kind == RecordKind::ReceivePart && part.request == 0)
            m_lastPosting = {call.row, part.anySource, part.anyTag, false, 0, none};
    }
    if (call.isPoll)
        m_series.add(std::move(call));
    else {
        m_series.clear();
        m_spare = std::move(call);
    }
}

void ThreadReader::endCall(const Record &record) {
    const Tick time = timeOf(record.payload[0]);
    const bool isOwnEnd = m_call.has_value();
    if ((record.argument & callFailed) != 0) {
        m_epochs.ended(true);
        failCall();
    }
    if (m_call) {
        noteCosts(record);
        noteChoice();
        closeCall(time);
    } else
        m_probeOnly = false; // its beginning was overwritten
    if (!isOwnEnd)
        m_lastPosting = LocationBuilder::Posting{};
    m_last = time;
}

/// What the recorder took at entry and at exit.
void ThreadReader::noteCosts(const Record &record) {
    const std::uint64_t perSecond = m_process.file.header().ticksPerSecond;
    const auto nanoseconds = [perSecond](std::uint64_t ticks) {
        const double exact = static_cast<double>(ticks) * 1e9 / static_cast<double>(std::max<std::uint64_t>(perSecond, 1));
        return static_cast<std::uint32_t>(std::min(exact, 4e9));
    };
    if (record.words < 2 || m_call->row == none || record.payload[1] == 0)
        return;
    m_costs.clockCost = nanoseconds(m_process.file.header().clockCost);
    m_costs.add(m_call->row, nanoseconds(low(record.payload[1])), nanoseconds(high(record.payload[1])));
}

/// The call at hand returns as one of several receives is done.
void ThreadReader::noteChoice() {
    if (m_call->awaited.size() < 2 || m_call->row == none || !isAnyOf(m_process.code.operationName(m_call->operationName)))
        return;
    for (const std::uint64_t request : m_call->awaited)
        if (const PendingRequest *pending = m_builder.pending(request);
            pending != nullptr && pending->kind == PendingRequest::Kind::Receive)
            m_chosenFrom[request].push_back(m_choices.size());
    m_choices.push_back({m_call->row, {}});
}

/// The request of a receive is done; `none`: without a message.
void ThreadReader::settleChoices(std::uint64_t request, std::uint32_t receive) {
    const auto found = m_chosenFrom.find(request);
    if (found == m_chosenFrom.end())
        return;
    if (receive != none)
        for (const std::size_t choice : found->second)
            m_choices[choice].receives.push_back(receive);
    m_chosenFrom.erase(found);
}

/// An error in a call that only sends: it has sent nothing. One that receives as well may have failed in that.
void ThreadReader::failCall() {
    if (!m_call)
        return;
    if (m_call->row != none)
        m_failed.push_back(m_call->row);
    const auto isReceive = [](const CallPart &part) { return part.kind == RecordKind::ReceivePart; };
    const auto isSend = [](const CallPart &part) { return part.kind == RecordKind::SendPart; };
    const auto first = std::ranges::find_if(m_call->parts, isSend);
    if (first == m_call->parts.end() || std::ranges::any_of(m_call->parts, isReceive))
        return;
    m_builder.dropSends(first->sendIndex);
    std::erase_if(m_call->parts, isSend);
}

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
    part.collective = m_process.code.collective(
        made != nullptr ? made->operationName : m_call->operationName,
        {.communicator = on, .root = peer(record.argument), .bytesSent = record.payload[1], .bytesReceived = record.payload[2]},
        high(record.payload[0]), isLong ? static_cast<Reduction>(low(record.payload[4])) : Reduction::None);
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
    // Of receives from MPI_PROC_NULL, MPICH's status says rank 0, or is empty: then MPI_ANY_SOURCE may stand in it.
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

/// Opens what the live state says: where the events do not reach so far.
void ThreadReader::openState(const ThreadState &state) {
    const Tick since = std::max(m_seenSince.value_or(m_process.clock(state.since)), m_last);
    if (m_call)
        closeCall(m_last);
    m_callers.closeDownTo(0, m_last);
    if (!std::exchange(m_hasTime, true))
        m_first = since;
    m_last = since;
    for (std::uint32_t i = 0; i < std::min<std::size_t>(state.depth, maxLiveDepth); ++i)
        if (const RegionId region = m_process.code.function(state.functions[i]); region != none) {
            m_tellsFunctions = true;
            m_callers.open(region, none, true, since);
        }
    const std::uint32_t number = state.callPath != nothing ? state.callPath : state.lastCallPath;
    const CodePath *path = number == nothing ? nullptr : m_process.code.path(number);
    if (path == nullptr)
        return;
    m_callers.align(*path, m_last, since);
    if (state.callPath == nothing || path->operation == none)
        return; // the callers of the last call are the best there is
    m_builder.enter(since, path->operation, path->place);
    m_call.emplace();
    m_call->isFromState = true;
    m_call->operation = path->operation;
    m_call->operationName = path->operationName;
    m_call->path = number;
    m_call->row = m_builder.currentRow();
    m_call->begin = since;
}

/// A run of polls at the end is a call that is still open, unless the process has been doing something else for long.
void ThreadReader::concludePoll(const ThreadState *state, Tick alive) {
    constexpr Tick leastPatience = 1'000'000'000;
    const Tick lastPoll = std::max(m_call->lastPoll, m_call->begin);
    const bool isIn = state != nullptr && state->callPath == m_call->path;
    const Tick patience = pollPatience(m_call->begin, lastPoll, m_call->polls, leastPatience);
    m_last = std::max(m_last, std::min(lastPoll, std::max(alive, m_call->begin)));
    if (!isIn && alive > m_last && alive - m_last > patience)
        closeCall(m_last);
}

/// A thread that has polled again and again and was seen between two polls is still waiting, unless the last one was long ago.
void ThreadReader::resumeSeries(Tick alive) {
    const RecordedCall *latest = m_series.stillWaiting(alive);
    if (latest == nullptr)
        return;
    const CodePath *path = m_process.code.path(latest->path);
    m_callers.closeDownTo(m_callers.depthWithin(*path), m_last);
    m_callers.align(*path, m_last, m_last);
    m_builder.enter(m_last, path->operation, path->place);
    m_call = *latest;
    m_call->row = m_builder.currentRow();
    m_call->begin = m_last;
}

/// Where the thread is in its open call: at the line that calls it, or in a function of the program that MPI has called.
void ThreadReader::seeStopped(const Stopped &stopped) {
    if (stopped.calledBack) {
        m_isCalledBack = true;
        for (const StackFrame &frame : stopped.calledBack->frames)
            m_builder.enter(m_last, frame.region, frame.site);
        m_stoppedAt = stopped.calledBack->place;
    } else if (!stopped.isInLibrary && !m_call->isPoll && stopped.path.place != none) {
        m_stoppedAt = stopped.path.place;
    }
}

void ThreadReader::conclude(const ThreadState *state, const Stopped *stopped, std::optional<Tick> exited, Tick alive) {
    const bool eventsEndEarly =
        m_records == 0 || m_endsDamaged || m_process.file.isIncomplete() || m_process.file.header().droppedRecords != 0;
    if (state != nullptr && eventsEndEarly && m_process.clock(state->since) >= m_last)
        openState(*state);
    else if (m_call && m_call->isPoll && !exited)
        concludePoll(state, alive);
    else if (m_call && m_call->isPoll)
        closeCall(std::max(m_last, std::min(m_call->lastPoll, *exited)));
    if (!m_call && state != nullptr && state->callPath != nothing && !exited) {
        // A poll that has not returned leaves no record.
        const CodePath *path = m_process.code.path(state->callPath);
        if (path != nullptr && path->operation != none && m_process.clock(state->since) >= m_last)
            openState(*state);
    }
    if (!m_call && !exited && stopped == nullptr)
        resumeSeries(alive);
    if (m_call) {
        if (!m_call->isFromState && !eventsEndEarly)
            m_openParts = openParts();
        if (stopped != nullptr)
            seeStopped(*stopped);
        if (m_call->isPoll)
            m_polls.push_back({m_call->row, m_call->polls});
    } else if (exited) {
        m_callers.closeDownTo(m_callers.certainDepth(), m_last);
        m_callers.closeDownTo(0, std::max(*exited, m_last));
    } else if (stopped != nullptr) {
        m_callers.align(stopped->path, m_last, m_last);
        m_stoppedAt = stopped->path.place;
    } else {
        m_callers.closeDownTo(m_callers.depthAfterLastCall(), m_last);
    }
}

OpenParts ThreadReader::openParts() const {
    OpenParts parts = openPartsOf(*m_call, m_builder, m_numberOf);
    parts.anyOf = isAnyOf(m_process.code.operationName(m_call->operationName));
    // Of requests that are polled in turns, any may be enough.
    for (const RecordedCall &other : m_series.runs()) {
        if (!m_call->isPoll || other.path == m_call->path)
            continue;
        const OpenParts more = openPartsOf(other, m_builder, m_numberOf);
        parts.receives.insert(parts.receives.end(), more.receives.begin(), more.receives.end());
        parts.sends.insert(parts.sends.end(), more.sends.begin(), more.sends.end());
        parts.anyOf = true;
    }
    return parts;
}

LocationEvents ThreadReader::finish() {
    LocationEvents events = m_builder.finish();
    events.polls = std::move(m_polls);
    events.failed = std::move(m_failed);
    events.taken = m_matched.left();
    events.probed = std::move(m_probed);
    events.costs = std::move(m_costs);
    for (ReceiveChoice &choice : m_choices)
        std::ranges::sort(choice.receives);
    std::erase_if(m_choices, [](const ReceiveChoice &choice) { return choice.receives.size() < 2; });
    events.choices = std::move(m_choices);
    m_epochs.finish(m_call.has_value(), events);
    events.phases = std::move(m_phases);
    events.openParts = std::move(m_openParts);
    events.stoppedAt = m_stoppedAt;
    events.tellsFunctions = m_tellsFunctions;
    return events;
}

} // namespace laggard::recording
