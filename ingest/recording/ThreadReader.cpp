// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ThreadReader.h"

#include "ingest/recording/Operations.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard::recording {
namespace {

constexpr std::uint64_t batch = 4096; ///< records between two looks at the request to stop

CollectiveKind kindOfCollective(const Record &record, const std::string &operation, CommunicatorId communicator, Rank root) {
    return {collectiveOf(operation), communicator, root, record.payload[1], record.payload[2]};
}

} // namespace

Tick ClockMap::operator()(std::uint64_t ticks) const {
    if (ticks <= fromTicks)
        return toTick > fromTicks - ticks ? toTick - (fromTicks - ticks) : 0;
    const std::uint64_t passed = ticks - fromTicks;
    const auto nanoseconds = ticksPerSecond == 1'000'000'000U ? static_cast<unsigned __int128>(passed)
                                                              : static_cast<unsigned __int128>(passed) * 1'000'000'000U /
                                                                    std::max<std::uint64_t>(ticksPerSecond, 1);
    return nanoseconds >= latest - std::min(latest, toTick) ? latest : toTick + static_cast<Tick>(nanoseconds);
}

ThreadReader::ThreadReader(ProcessContext &process, std::uint32_t thread, CallPathTable &callPaths)
    : m_process(process), m_thread(thread), m_builder(callPaths), m_callPaths(callPaths) {}

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
        const CommunicatorId on = communicator(slot.communicator);
        const bool anyTagged = slot.tag == anyTag;
        const Envelope envelope{peer(slot.peer), on, anyTagged ? 0 : static_cast<std::uint32_t>(slot.tag), slot.bytes};
        if (slot.kind == static_cast<std::uint32_t>(RecordKind::SendPart) && slot.peer != nullProcess)
            m_builder.send(posted, envelope, slot.request);
        else if (slot.kind == static_cast<std::uint32_t>(RecordKind::ReceivePart) && slot.peer != nullProcess)
            m_builder.postReceive(posted, slot.request, envelope, slot.peer == anySource, anyTagged);
        else if (slot.kind == static_cast<std::uint32_t>(RecordKind::CollectivePart)) {
            const CodePath *path = m_process.code.path(slot.path);
            m_builder.postCollective(
                posted, slot.request,
                {path == nullptr ? CollectiveOperation::Other : collectiveOf(m_process.code.operationName(path->operationName)),
                 on, peer(slot.peer), slot.bytes, slot.bytes});
        }
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
        if (record.sequence != m_sequence) {
            const bool isFirst = std::exchange(m_sequence, record.sequence) == 0;
            m_isNewChunk = reader.followsGap();
            if (isFirst && m_isNewChunk && record.kind == RecordKind::Context) {
                readKept(record.payload[0]);
                m_eventsFrom = m_process.clock(record.payload[0]);
            }
        }
        take(record);
    }
    m_process.advanced(reader.bytesRead() - reported);
    for (const Warning &warning : reader.warnings())
        m_warnings.push_back(warning);
    m_hasGaps |= !reader.warnings().empty();
    m_isDamaged = reader.endsDamaged();
    if (m_clamped != 0)
        note(describeCount(m_clamped) + " events have impossible times; they take those of the events before them.",
             Warning::Severity::Note);
    if (const std::uint64_t leaves = m_strayLeaves + m_builder.strayLeaves(); leaves != 0)
        note(describeCount(leaves) + " functions were left without having been entered (an exception or longjmp does that).",
             Warning::Severity::Note);
    if (m_unknownReferences != 0)
        note(describeCount(m_unknownReferences) + " events refer to functions that are not defined; they are left out.",
             m_process.file.header().endKind == static_cast<std::uint32_t>(EndKind::StillOpen) ? Warning::Severity::Note
                                                                                               : Warning::Severity::DataLoss);
}

/// What was kept of the calls before the events that are left.
void ThreadReader::readKept(std::uint64_t untilTicks) {
    EventReader reader = m_process.file.kept(m_thread);
    m_isKept = true;
    for (Record record; reader.next(record);) {
        if ((record.kind == RecordKind::CallBegin || record.kind == RecordKind::Phase) && record.payload[0] >= untilTicks)
            break;
        take(record);
    }
    m_isKept = false;
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
    case RecordKind::AwaitedPart:
        if (m_call)
            m_call->awaited.insert(m_call->awaited.end(), record.payload, record.payload + record.words);
        break;
    case RecordKind::CompletedReceive:
        received(record);
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
    closeDownTo(0, m_last);
    m_last = time;
    for (std::size_t i = 0; i < std::min<std::size_t>(record.argument, (record.words - 1) * 2); ++i) {
        const std::uint64_t word = record.payload[1 + i / 2];
        const RegionId region = m_process.code.function(i % 2 == 0 ? low(word) : high(word));
        if (region != none)
            open(region, none, true, time);
    }
}

std::size_t ThreadReader::instrumentedDepth() const {
    std::size_t depth = m_stack.size();
    while (depth != 0 && !m_stack[depth - 1].isInstrumented)
        --depth;
    return depth;
}

/// What of the stack is certain between two calls: instrumented functions, and the outermost one (main).
std::size_t ThreadReader::certainDepth() const {
    const std::size_t depth = instrumentedDepth();
    return depth == 0 && !m_stack.empty() ? 1 : depth;
}

void ThreadReader::open(RegionId region, CallSiteId site, bool isInstrumented, Tick time) {
    m_builder.enter(time, region, site);
    m_stack.push_back({region, site, isInstrumented});
}

void ThreadReader::closeDownTo(std::size_t depth, Tick time) {
    for (; m_stack.size() > depth; m_stack.pop_back())
        m_builder.leave(time, m_stack.back().region);
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
    closeDownTo(certainDepth(), m_last);
    open(region, none, true, time);
    m_last = time;
}

void ThreadReader::leave(const Record &record) {
    const Tick time = timeOf(record.payload[0]);
    if (m_call)
        closeCall(m_last);
    const RegionId region = m_process.code.function(record.argument);
    std::size_t depth = m_stack.size();
    while (depth != 0 && (!m_stack[depth - 1].isInstrumented || m_stack[depth - 1].region != region))
        --depth;
    if (depth == 0) {
        ++m_strayLeaves;
        return;
    }
    closeDownTo(std::max(depth, instrumentedDepth()), m_last);
    closeDownTo(depth - 1, time);
    m_last = time;
}

/// Opens and closes callers that are not instrumented, so that the stack is that of `path`. Those that this call shares with the
/// one before stay open; the others ended some time after the last event, and began some time before this one.
void ThreadReader::align(const CodePath &path, Tick time) {
    const std::size_t base = instrumentedDepth();
    std::size_t first = 0; // the first frame of the path that is above the instrumented functions
    if (base != 0) {
        first = path.frames.size();
        while (first != 0 && path.frames[first - 1].region != m_stack[base - 1].region)
            --first;
        if (first == 0)
            first = path.frames.size(); // the stack was cut off: nothing can be said of callers
    }
    std::size_t same = 0;
    while (base + same < m_stack.size() && first + same < path.frames.size() &&
           m_stack[base + same].region == path.frames[first + same].region &&
           m_stack[base + same].site == path.frames[first + same].site)
        ++same;
    if (m_lastPath != nothing) {
        const auto [entry, isNew] = m_depthAfter.try_emplace(m_lastPath, base + same);
        if (!isNew)
            entry->second = std::min(entry->second, base + same);
    }
    closeDownTo(base + same, m_last);
    for (std::size_t i = first + same; i < path.frames.size(); ++i)
        open(path.frames[i].region, path.frames[i].site, false, time);
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
    align(*path, time);
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
    if (isPoll) {
        m_call->lastPoll = m_process.clock(record.payload[1]);
        m_call->polls = record.payload[2];
    }
}

void ThreadReader::closeCall(Tick time) {
    Call call = std::move(*m_call);
    m_call.reset();
    m_builder.leave(time, call.operation);
    m_lastPath = call.path;
    if (call.isPoll)
        m_polls.push_back({call.row, call.polls});
    m_probeOnly = false;
    for (const Part &part : call.parts) {
        if (part.kind == RecordKind::CollectivePart && part.request == 0 && !call.isPoll)
            m_builder.collective(time, part.collective, call.row);
        m_probeOnly |= part.kind == RecordKind::ReceivePart && (part.flags & probeOnly) != 0;
    }
    if (call.isPoll)
        noteSeries(std::move(call));
    else {
        m_series.clear();
        m_spare = std::move(call);
    }
}

/// Polls that take turns, or between which functions are called, are one wait.
void ThreadReader::noteSeries(Call &&poll) {
    constexpr std::size_t mostPaths = 16;
    const auto known = std::find_if(m_series.begin(), m_series.end(), [&](const Call &call) { return call.path == poll.path; });
    if (known == m_series.end()) {
        if (m_series.size() < mostPaths)
            m_series.push_back(std::move(poll));
        return;
    }
    poll.begin = known->begin;
    poll.polls += known->polls;
    *known = std::move(poll);
}

void ThreadReader::endCall(const Record &record) {
    const Tick time = timeOf(record.payload[0]);
    if (m_call)
        closeCall(time);
    else
        m_probeOnly = false; // its beginning was overwritten
    m_last = time;
}

void ThreadReader::message(const Record &record) {
    if (record.kind == RecordKind::ReceivePart && record.argument == nullProcess && record.payload[2] != 0)
        m_fromNobody.insert(record.payload[2]);
    if (!m_call || m_isKept || record.argument == nullProcess)
        return;
    Part part;
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
    } else if (part.request != 0 && (part.flags & probeOnly) == 0) {
        m_builder.postReceive(m_call->begin, part.request, part.envelope, part.anySource, part.anyTag);
    }
    m_call->parts.push_back(std::move(part));
}

void ThreadReader::collective(const Record &record) {
    if (!m_call || m_isKept)
        return;
    Part part;
    part.kind = record.kind;
    part.request = record.payload[3];
    const CommunicatorId on = communicator(low(record.payload[0]));
    part.collective = kindOfCollective(record, m_process.code.operationName(m_call->operationName), on, peer(record.argument));
    const std::uint32_t number = m_posted[on]++;
    if (part.request != 0) {
        m_builder.postCollective(m_call->begin, part.request, part.collective);
        m_numberOf[part.request] = number;
    }
    m_call->parts.push_back(std::move(part));
}

void ThreadReader::completed(std::uint64_t request) {
    const PendingRequest *pending = m_builder.pending(request);
    if (pending == nullptr) {
        m_unknown.push_back({request, m_last});
        return;
    }
    if (pending->kind == PendingRequest::Kind::Collective && pending->collectiveKind != none) {
        const CollectiveKind kind = m_builder.kind(pending->collectiveKind);
        m_builder.collective(m_last, kind, pending->row);
        m_numberOf.erase(request);
    }
    m_builder.complete(request);
}

bool ThreadReader::completeFor(std::uint64_t request, Tick time, ThreadReader &other) {
    const PendingRequest *pending = m_builder.pending(request);
    if (pending == nullptr)
        return false;
    if (pending->kind == PendingRequest::Kind::Collective && pending->collectiveKind != none)
        other.m_builder.collective(time, m_builder.kind(pending->collectiveKind), none);
    m_builder.complete(request);
    return true;
}

void ThreadReader::received(const Record &record) {
    const std::uint64_t request = record.payload[2];
    if (request != 0 && !m_builder.complete(request))
        m_unknown.push_back({request, m_last});
    // Of receives from MPI_PROC_NULL, MPICH's status says rank 0, or is empty: then MPI_ANY_SOURCE may stand in it.
    if (m_fromNobody.erase(request) != 0 || m_probeOnly || record.argument == nullProcess || record.argument == nothing ||
        record.argument == anySource)
        return;
    m_builder.receive(m_last,
                      {peer(record.argument), communicator(high(record.payload[0])), low(record.payload[0]), record.payload[1]});
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
    const Tick since = std::max(m_process.clock(state.since), m_last);
    if (m_call)
        closeCall(m_last);
    closeDownTo(0, m_last);
    if (!std::exchange(m_hasTime, true))
        m_first = since;
    m_last = since;
    for (std::uint32_t i = 0; i < std::min<std::size_t>(state.depth, maxLiveDepth); ++i)
        if (const RegionId region = m_process.code.function(state.functions[i]); region != none)
            open(region, none, true, since);
    const std::uint32_t number = state.callPath != nothing ? state.callPath : state.lastCallPath;
    const CodePath *path = number == nothing ? nullptr : m_process.code.path(number);
    if (path == nullptr)
        return;
    align(*path, since);
    if (state.callPath == nothing)
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
    const Tick lastPoll = std::max(m_call->lastPoll, m_call->begin);
    const bool isIn = state != nullptr && state->callPath == m_call->path;
    const Tick period = (lastPoll - m_call->begin) / std::max<std::uint64_t>(m_call->polls, 1);
    const Tick patience = std::max<Tick>(1'000'000'000, period > openEnd / 64 ? openEnd / 2 : period * 20);
    m_last = std::max(m_last, std::min(lastPoll, std::max(alive, m_call->begin)));
    if (!isIn && alive > m_last && alive - m_last > patience)
        closeCall(m_last);
}

/// A thread that has polled again and again and was seen between two polls is still waiting, unless the last one was long ago.
void ThreadReader::resumeSeries(Tick alive) {
    constexpr std::uint64_t fewest = 3;
    constexpr Tick leastPatience = 500'000'000;
    std::uint64_t polls = 0;
    Tick first = openEnd;
    const Call *latest = nullptr;
    for (const Call &call : m_series) {
        polls += call.polls;
        first = std::min(first, call.begin);
        if (latest == nullptr || call.lastPoll >= latest->lastPoll)
            latest = &call;
    }
    if (latest == nullptr || polls < fewest)
        return;
    const Tick last = std::max(latest->lastPoll, first);
    const Tick period = (last - first) / polls;
    if (alive > last && alive - last > std::max(leastPatience, period > openEnd / 64 ? openEnd / 2 : period * 20))
        return;
    const CodePath *path = m_process.code.path(latest->path);
    std::size_t depth = 0; // so much of the stack belongs to the poll
    for (const StackFrame &frame : path->frames)
        if (depth < m_stack.size() && m_stack[depth].region == frame.region)
            ++depth;
    closeDownTo(depth, m_last);
    align(*path, m_last);
    m_builder.enter(m_last, path->operation, path->place);
    m_call = *latest;
    m_call->row = m_builder.currentRow();
    m_call->begin = m_last;
}

void ThreadReader::conclude(const ThreadState *state, const CodePath *stopped, bool isInLibrary, std::optional<Tick> exited,
                            Tick alive) {
    const bool eventsEndEarly = m_records == 0 || m_isDamaged || m_process.file.header().droppedRecords != 0;
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
        if (!m_call->isFromState)
            m_openParts = openParts();
        if (stopped != nullptr && !isInLibrary && !m_call->isPoll && stopped->place != none)
            m_stoppedAt = stopped->place;
        if (m_call->isPoll)
            m_polls.push_back({m_call->row, m_call->polls});
    } else if (exited) {
        closeDownTo(certainDepth(), m_last);
        closeDownTo(0, std::max(*exited, m_last));
    } else if (stopped != nullptr) {
        align(*stopped, m_last);
        m_stoppedAt = stopped->place;
    } else {
        const auto usual = m_depthAfter.find(m_lastPath);
        closeDownTo(std::max(certainDepth(), usual == m_depthAfter.end() ? 0 : std::min(usual->second, m_stack.size())), m_last);
    }
}

void ThreadReader::addPending(std::uint64_t request, OpenParts &parts) const {
    const PendingRequest *pending = m_builder.pending(request);
    if (pending == nullptr)
        return;
    switch (pending->kind) {
    case PendingRequest::Kind::Send:
        parts.sends.push_back(pending->sendIndex);
        break;
    case PendingRequest::Kind::Receive:
        if (pending->envelope != none) {
            const Envelope &envelope = m_builder.envelope(pending->envelope);
            parts.receives.push_back({envelope.peer, envelope.communicator, envelope.tag, pending->anyTag});
        }
        break;
    case PendingRequest::Kind::Collective:
        if (pending->collectiveKind != none && !parts.isCollective) {
            parts.isCollective = true;
            parts.collective = m_builder.kind(pending->collectiveKind);
            const auto number = m_numberOf.find(request);
            parts.collectiveNumber = number == m_numberOf.end() ? none : number->second;
        }
        break;
    }
}

OpenParts ThreadReader::openParts() const {
    OpenParts parts = partsOf(*m_call);
    parts.anyOf = isAnyOf(m_process.code.operationName(m_call->operationName));
    // Of requests that are polled in turns, any may be enough.
    for (const Call &other : m_series) {
        if (!m_call->isPoll || other.path == m_call->path)
            continue;
        const OpenParts more = partsOf(other);
        parts.receives.insert(parts.receives.end(), more.receives.begin(), more.receives.end());
        parts.sends.insert(parts.sends.end(), more.sends.begin(), more.sends.end());
        parts.anyOf = true;
    }
    return parts;
}

OpenParts ThreadReader::partsOf(const Call &call) const {
    OpenParts parts;
    for (const Part &part : call.parts) {
        if (part.request != 0)
            continue;
        if (part.kind == RecordKind::SendPart && (part.flags & bufferedMode) == 0) {
            parts.sends.push_back(part.sendIndex);
            parts.synchronous |= (part.flags & synchronousMode) != 0;
        } else if (part.kind == RecordKind::ReceivePart && (part.flags & matchedProbe) == 0) {
            parts.receives.push_back(
                {part.anySource ? none : part.envelope.peer, part.envelope.communicator, part.envelope.tag, part.anyTag});
        } else if (part.kind == RecordKind::CollectivePart) {
            parts.isCollective = true;
            parts.collective = part.collective;
        }
    }
    for (const std::uint64_t request : call.awaited)
        addPending(request, parts);
    return parts;
}

LocationEvents ThreadReader::finish() {
    LocationEvents events = m_builder.finish();
    events.polls = std::move(m_polls);
    events.phases = std::move(m_phases);
    events.openParts = std::move(m_openParts);
    events.stoppedAt = m_stoppedAt;
    return events;
}

} // namespace laggard::recording
