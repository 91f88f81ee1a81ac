// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ThreadReader.h"

#include "ingest/recording/Operations.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard::recording {
namespace {

constexpr std::uint64_t batch = 4096; ///< records between two looks at the request to stop

} // namespace

ThreadReader::ThreadReader(ProcessContext &process, std::uint32_t thread, CallPathTable &callPaths)
    : m_process(process),
      m_thread(thread),
      m_builder(callPaths),
      m_callers(m_builder),
      m_library(m_builder),
      m_epochs(process.file.definitions(), process.windows, process.processCount),
      m_callPaths(callPaths) {}

void ThreadReader::note(WarningId id, const std::string &message, Warning::Severity severity, Warning::Datum datum) {
    m_warnings.push_back({id, severity, m_thread, m_process.file.path(), message, {std::move(datum)}});
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
        note(WarningId::ImpossibleTimes,
             plural(m_clamped, "event") + (m_clamped == 1 ? " has an impossible time; it takes that of the event before it."
                                                          : " have impossible times; they take those of the events before them."),
             Warning::Severity::Note, {"events", m_clamped});
    if (const std::uint64_t leaves = m_strayLeaves + m_builder.strayLeaves(); leaves != 0)
        note(WarningId::StrayLeaves,
             plural(leaves, "function") + (leaves == 1 ? " was left" : " were left") +
                 " without having been entered (an exception or longjmp does that).",
             Warning::Severity::Note, {"calls", leaves});
    if (m_unknownReferences != 0)
        note(WarningId::UndefinedFunctions,
             plural(m_unknownReferences, "event") + (m_unknownReferences == 1
                                                         ? " refers to a function that is not defined; it is left out."
                                                         : " refer to functions that are not defined; they are left out."),
             m_process.file.header().endKind == static_cast<std::uint32_t>(EndKind::StillOpen) ? Warning::Severity::Note
                                                                                               : Warning::Severity::DataLoss,
             {"events", m_unknownReferences});
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
    case RecordKind::SeenMessage:
        probed(record);
        break;
    case RecordKind::WaitingPart:
        leftOver(record);
        break;
    case RecordKind::Completed:
    case RecordKind::Released:
        for (std::size_t i = 0; i < record.words; ++i)
            completed(record.payload[i]);
        break;
    case RecordKind::DescriptorPart:
    case RecordKind::DescriptorEnd:
    case RecordKind::AddressPart:
    case RecordKind::ReadyPart:
    case RecordKind::ReadyWords:
        m_library.add(record);
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
    m_library.clear(m_last);
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
    // A handler's function that comes into a call of the C library leaves all as it is.
    if (!m_library.isOpen())
        m_callers.closeDownTo(m_callers.certainDepth(), m_last);
    const CallSiteId site =
        record.words > 1 ? m_process.code.lineIn(m_callers.innermost(), static_cast<std::uint32_t>(record.payload[1]), none)
                         : none;
    m_callers.open(region, site, true, time);
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
    if (path->isOfLibrary) {
        beginLibraryCall(record, *path, time);
        return;
    }
    m_library.clear(m_last);
    m_callers.align(*path, m_last, time);
    m_last = time;
    m_builder.enter(time, path->operation, isPoll ? path->place : placeOfCall(record, *path));
    m_call = std::move(m_spare);
    m_call->clear();
    m_call->operation = path->operation;
    m_call->operationName = path->operationName;
    m_call->path = record.argument;
    m_call->row = m_builder.currentRow();
    m_call->begin = time;
    m_call->isPoll = isPoll;
    if (isPoll) {
        m_call->lastPoll = m_process.clock(record.payload[1]);
        m_call->polls = record.payload[2];
    }
}

/// A function of an interpreter says itself at which line it makes the call; its stack has the interpreter only.
CallSiteId ThreadReader::placeOfCall(const Record &record, const CodePath &path) {
    const RegionId caller = m_callers.innermost();
    return record.words > 1 && caller != none
               ? m_process.code.lineIn(caller, static_cast<std::uint32_t>(record.payload[1]), path.place)
               : path.place;
}

void ThreadReader::beginLibraryCall(const Record &record, const CodePath &path, Tick time) {
    if (!m_library.isOpen())
        m_callers.align(path, m_last, time);
    m_library.begin(path, record.argument, placeOfCall(record, path), m_callers.depth(), m_callers.innermost(), time);
    m_last = time;
}

void ThreadReader::endLibraryCall(const Record &record) {
    const Tick time = timeOf(record.payload[0]);
    noteCosts(record, m_library.row());
    const std::uint32_t path = m_library.end(time, (record.argument & callLeft) != 0);
    if (!m_library.isOpen())
        m_callers.returned(path);
    m_last = time;
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
    if (!m_call && m_library.isOpen()) {
        endLibraryCall(record);
        return;
    }
    m_library.endOfNone();
    const Tick time = timeOf(record.payload[0]);
    const bool isOwnEnd = m_call.has_value();
    if ((record.argument & callFailed) != 0) {
        m_epochs.ended(true);
        failCall();
    }
    if (m_call) {
        noteCosts(record, m_call->row);
        noteChoice();
        closeCall(time);
    } else
        m_probeOnly = false; // its beginning was overwritten
    if (!isOwnEnd)
        m_lastPosting = LocationBuilder::Posting{};
    m_last = time;
}

/// What the recorder took at entry and at exit.
void ThreadReader::noteCosts(const Record &record, std::uint32_t row) {
    const std::uint64_t perSecond = m_process.file.header().ticksPerSecond;
    const auto nanoseconds = [perSecond](std::uint64_t ticks) {
        const double exact = static_cast<double>(ticks) * 1e9 / static_cast<double>(std::max<std::uint64_t>(perSecond, 1));
        return static_cast<std::uint32_t>(std::min(exact, 4e9));
    };
    if (record.words < 2 || row == none || record.payload[1] == 0)
        return;
    m_costs.clockCost = nanoseconds(m_process.file.header().clockCost);
    m_costs.add(row, nanoseconds(low(record.payload[1])), nanoseconds(high(record.payload[1])));
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

} // namespace laggard::recording
