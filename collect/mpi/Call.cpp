// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Call.h"

#include "collect/store/LeftFrame.h"
#include "trace/recording/Checks.h"

#include <algorithm>
#include <climits>
#include <functional>
#include <memory>

namespace laggard::collect::mpi {

using recording::RecordKind;

namespace {

std::uint32_t idOf(const Communicator *communicator) { return communicator == nullptr ? recording::nothing : communicator->id; }

Part messagePart(RecordKind kind, std::uint32_t peer, int tag, std::uint32_t communicator, std::uint64_t bytes,
                 std::uint64_t request, std::uint32_t datatype, std::uint32_t flags) {
    return {kind,
            peer,
            {recording::pair(static_cast<std::uint32_t>(tag == MPI_ANY_TAG ? recording::anyTag : tag), communicator), bytes,
             request, recording::pair(datatype, flags)},
            4};
}

Part requestPart(RecordKind kind, std::uint64_t request) { return {kind, 0, {request}, 1}; }

/// The word of a message's or collective's part that has the request.
std::uint64_t &requestOf(Part &part) { return part.words[part.kind == RecordKind::CollectivePart ? 3 : 2]; }

/// The operator, as far as it is one of MPI's own.
recording::Reduction reductionOf(MPI_Op op) {
    using enum recording::Reduction;
    const std::pair<MPI_Op, recording::Reduction> known[] = {
        {MPI_SUM, Sum},       {MPI_MAX, Max},       {MPI_MIN, Min},    {MPI_PROD, Prod},      {MPI_LAND, Land},
        {MPI_BAND, Band},     {MPI_LOR, Lor},       {MPI_BOR, Bor},    {MPI_LXOR, Lxor},      {MPI_BXOR, Bxor},
        {MPI_MINLOC, Minloc}, {MPI_MAXLOC, Maxloc}, {MPI_NO_OP, NoOp}, {MPI_REPLACE, Replace}};
    for (const auto &[handle, reduction] : known)
        if (handle == op)
            return reduction;
    return User;
}

/// The last word of a part that starts a persistent request has the call that made it, beside what stands there already.
void addMaker(Part &part, std::uint32_t path) {
    const std::uint32_t before = part.count > 4                            ? recording::low(part.words[4])
                                 : part.kind == RecordKind::CollectivePart ? recording::nothing
                                                                           : 0U;
    part.words[4] = recording::pair(before, path);
    part.count = std::max(part.count, 5U);
}

std::uint32_t makerOf(const Part &part, std::uint32_t path) {
    const bool isStart = part.kind == RecordKind::CollectivePart
                             ? part.count > 4 && recording::high(part.words[4]) != recording::nothing
                             : (recording::high(part.words[3]) & recording::persistentStart) != 0 && part.count > 4;
    return isStart ? recording::high(part.words[4]) : path;
}

} // namespace

struct Call::Scratch {
    /// Where the wrapper of the thread's open call, or Note, has its variables; nullptr: there is none.
    const void *frame = nullptr;
    ThreadLog *log = nullptr; ///< for a call that is in the file
    bool isPoll = false;

    /// A call of `caller` is part of the open one. If there is one, and it is not, that was left by other means than its return.
    [[nodiscard]] bool isNested(const void *newFrame, const void *caller) const {
        if (frame == nullptr)
            return false;
        // The stack grows downwards, so that calls which MPI makes meanwhile have theirs below. If MPI's Fortran function ends
        // with this call, its caller is that of the Fortran function: the recorder itself.
        const Layer *existing = layer();
        const bool isOfMpi = std::less<>{}(newFrame, frame) && (isOwnCode(reinterpret_cast<std::uintptr_t>(caller)) ||
                                                                (existing != nullptr && existing->library.contains(caller)));
        if (isOfMpi || !isLeft(frame, newFrame))
            return true;
        Undisturbed::recover();
        return false;
    }
    void leave() {
        frame = nullptr;
        log = nullptr;
    }
    std::vector<Part> parts;
    std::vector<std::uint64_t> awaited;
    std::vector<Part> completions;
    std::vector<std::uint64_t> done;
    std::vector<MPI_Request> handles;
    std::vector<Posted> found;
};

Call::Scratch &Call::scratch() {
    // Destructors that run after those of the thread's variables may still call MPI: they get a new one.
    static thread_local Scratch *existing = nullptr;
    struct Reaper {
        ~Reaper() {
            delete existing;
            existing = nullptr;
        }
    };
    if (existing == nullptr) {
        const Undisturbed undisturbed;
        existing = new Scratch;
        static thread_local Reaper reaper;
        (void)&reaper;
    }
    return *existing;
}

Call::Call(Operation operation, const void *caller)
    : m_caller(caller),
      m_operation(operation),
      m_scratch(scratch()),
      m_parts(m_scratch.parts),
      m_awaited(m_scratch.awaited),
      m_completions(m_scratch.completions),
      m_done(m_scratch.done),
      m_handles(m_scratch.handles),
      m_found(m_scratch.found) {
    if (m_scratch.isNested(this, caller))
        return;
    startWork();
    openRecorded();
    if (m_layer == nullptr)
        stopWork();
}

/// Begins with a call that is not part of another one, if it is to be recorded.
void Call::openRecorded() {
    Layer *layer = mpi::layer();
    if (layer == nullptr)
        return;
    // Whoever comes in between, a handler that is called for a crash, finds it open.
    m_scratch.frame = this;
    const bool isInit = m_operation == Operation::Init || m_operation == Operation::Init_thread;
    m_log = layer->isReady() == isInit ? nullptr : layer->log.thread();
    if (m_log == nullptr) {
        m_scratch.frame = nullptr;
        return;
    }
    if (m_scratch.log != nullptr)
        endAbandoned(m_scratch);
    m_scratch.frame = this;
    m_faults = injector();
    if (m_faults != nullptr) {
        stopWork(); // what strikes now is the program's
        m_faults->computationEnds();
        m_isFaultyCall = m_faults->beforeCall(nameOf(m_operation), m_caller);
        startWork();
    }
    m_entered = now();
    m_layer = layer;
    m_parts.clear();
    m_awaited.clear();
    m_completions.clear();
    m_done.clear();
    m_handles.clear();
    m_found.clear();
}

/// Handlers of the program must not come in between. Locks and system calls see to cancellation for themselves; of many requests,
/// each of which costs some, it is switched off once.
void Call::startWork(bool isMuch) {
    m_isWorking = isMuch || Undisturbed::areHandlersSet();
    if (m_isWorking)
        Undisturbed::begin();
}

void Call::stopWork() {
    if (!m_isWorking)
        return;
    m_isWorking = false;
    Undisturbed::end();
}

Call::~Call() {
    if (m_layer != nullptr)
        leave();
}

void Call::endAbandoned(Scratch &scratch) {
    if (scratch.isPoll)
        scratch.log->endPollSuccessful(now(), scratch.parts, scratch.awaited, {});
    else
        scratch.log->endCall(now(), recording::callFailed, {});
    for (Part &part : scratch.parts)
        if (requestOf(part) != 0)
            mpi::layer()->log.requestDone(requestOf(part));
    scratch.leave();
}

void Call::leave() {
    m_scratch.leave();
    m_layer = nullptr;
    stopWork();
    if (m_faults == nullptr)
        return;
    if (m_isFaultyCall)
        m_faults->afterCall();
    m_faults->computationBegins();
}

std::uint64_t Call::newRequest(bool posts) { return posts && !m_isPersistent ? m_layer->log.newRequest() : 0; }

void Call::addMessage(RecordKind kind, const void *buffer, const Communicator *communicator, std::uint32_t peer, int tag,
                      std::uint64_t count, MPI_Datatype type, std::uint32_t flags, bool posts) {
    const Datatype datatype = m_layer->datatypes.of(type);
    // MPI_Isendrecv has one request for both of its parts.
    const std::uint64_t request = posts && !m_parts.empty() ? requestOf(m_parts.front()) : newRequest(posts);
    m_parts.push_back(messagePart(kind, peer, tag, idOf(communicator), count * datatype.bytes, request, datatype.id, flags));
    if (m_datatype == recording::nothing)
        m_datatype = datatype.id;
    m_communicator = communicator;
    m_contents = {buffer, datatype.layout, count * datatype.bytes};
    if (kind == RecordKind::SendPart && !m_isPersistent)
        addFingerprint(m_parts.back(), m_contents);
}

/// It is the last word of the part, if it is known.
void Call::addFingerprint(Part &part, const Contents &contents) const {
    if (!m_layer->takesFingerprints || part.argument == recording::nullProcess)
        return;
    if (const std::uint32_t fingerprint = contents.fingerprint(part.words[1], m_pages); fingerprint != 0)
        part.words[part.count++] = fingerprint;
}

void Call::send(const void *buffer, int dest, int tag, MPI_Comm comm, std::uint64_t count, MPI_Datatype type, std::uint32_t flags,
                bool posts) {
    const Communicator *communicator = m_layer->communicators.find(comm);
    const std::uint32_t peer = communicator == nullptr ? (dest == MPI_PROC_NULL ? recording::nullProcess : recording::nothing)
                                                       : communicator->worldRank(dest);
    addMessage(RecordKind::SendPart, buffer, communicator, peer, tag, count, type, flags, posts);
    if (m_faults != nullptr && !m_isPersistent && dest >= 0 && count <= INT_MAX)
        m_messageFault = m_faults->messageSent(
            nameOf(m_operation), m_caller, {peer, tag, communicator == nullptr ? 0 : communicator->key, m_parts.back().words[1]},
            m_isRepeatable);
}

void Call::receive(const void *buffer, int source, int tag, MPI_Comm comm, std::uint64_t count, MPI_Datatype type, bool posts) {
    const Communicator *communicator = m_layer->communicators.find(comm);
    const std::uint32_t peer = communicator == nullptr ? (source == MPI_PROC_NULL ? recording::nullProcess : recording::nothing)
                                                       : communicator->worldRank(source);
    addMessage(RecordKind::ReceivePart, buffer, communicator, peer, tag, count, type, 0, posts);
}

void Call::probe(int source, int tag, MPI_Comm comm) {
    m_communicator = m_layer->communicators.find(comm);
    const std::uint32_t peer = m_communicator == nullptr ? recording::nothing : m_communicator->worldRank(source);
    m_parts.push_back(
        messagePart(RecordKind::ReceivePart, peer, tag, idOf(m_communicator), 0, 0, recording::nothing, recording::probeOnly));
}

void Call::matched(const void *buffer, MPI_Message message, std::uint64_t count, MPI_Datatype type, bool posts) {
    const Messages::Matched matched = message == MPI_MESSAGE_NO_PROC
                                          ? Messages::Matched{nullptr, recording::nullProcess, MPI_ANY_TAG}
                                          : m_layer->messages.take(message);
    addMessage(RecordKind::ReceivePart, buffer, matched.communicator, matched.source, matched.tag, count, type,
               recording::matchedProbe, posts);
    if (matched.number != 0)
        m_parts.back().words[m_parts.back().count++] = matched.number;
}

void Call::addCollective(Communicator *communicator, int root, const amounts::Amounts &amounts, bool posts) {
    const std::uint32_t rootRank =
        root == noRoot || communicator == nullptr ? recording::nothing : communicator->worldRankOfRoot(root);
    m_datatype = amounts.datatype;
    m_communicator = communicator;
    m_parts.push_back({RecordKind::CollectivePart,
                       rootRank,
                       {recording::pair(idOf(communicator), amounts.datatype), amounts.sent, amounts.received, newRequest(posts)},
                       4});
    if (!amounts.hasMoments)
        return;
    Part &part = m_parts.back();
    part.words[4] = recording::pair(static_cast<std::uint32_t>(recording::Reduction::None), recording::nothing);
    part.words[5] = amounts.sentMoments.first;
    part.words[6] = amounts.sentMoments.second;
    part.words[7] = amounts.receivedMoments.first;
    part.words[8] = amounts.receivedMoments.second;
    part.count = 9;
}

void Call::reduces(MPI_Op op) {
    if (m_parts.empty())
        return;
    Part &part = m_parts.back();
    part.words[4] = recording::pair(static_cast<std::uint32_t>(reductionOf(op)), recording::nothing);
    part.count = 5;
}

void Call::makes(Making making, MPI_Comm parent, int tag, bool posts) {
    Communicator *communicator = m_layer->communicators.find(parent);
    m_origin = m_layer->communicators.announce(making, communicator, tag);
    // In MPI_Intercomm_create, all of the local communicator take part; in MPI_Comm_create_group they do not.
    if (making == Making::Copy || making == Making::Derived || making == Making::Pair)
        addCollective(communicator, noRoot, {}, posts);
}

void Call::makesWithin(MPI_Comm parent, MPI_Group group, int tag) {
    m_parts.push_back({RecordKind::MakingPart,
                       static_cast<std::uint32_t>(tag),
                       {idOf(m_layer->communicators.find(parent)),
                        recording::pair(m_layer->windows.groupId(group), recording::nothing), recording::nothing},
                       3});
}

void Call::makesWithin(MPI_Group group, const char *tag) {
    std::uint64_t state = 0;
    for (const char *c = tag; c != nullptr && *c != '\0'; ++c)
        state = recording::mixCheck(state + 1, static_cast<unsigned char>(*c));
    m_parts.push_back({RecordKind::MakingPart,
                       static_cast<std::uint32_t>(state),
                       {recording::pair(recording::nothing, recording::textTag),
                        recording::pair(m_layer->windows.groupId(group), recording::nothing), recording::nothing},
                       3});
}

void Call::makesBetween(MPI_Comm local, int leader, MPI_Comm peers, int otherLeader, int tag) {
    const Communicator *own = m_layer->communicators.find(local);
    const bool isLeader = own != nullptr && own->ownRank == leader;
    const Communicator *between = isLeader ? m_layer->communicators.find(peers) : nullptr;
    m_parts.push_back(
        {RecordKind::MakingPart,
         static_cast<std::uint32_t>(tag),
         {idOf(own), recording::pair(recording::nothing, own == nullptr ? recording::nothing : own->worldRank(leader)),
          between == nullptr ? recording::nothing : between->worldRank(otherLeader)},
         3});
}

void Call::frees(MPI_Comm comm) {
    m_freedHandle = comm;
    m_freed = m_layer->communicators.find(comm);
    addCollective(m_freed, noRoot, {}, false);
}

void Call::findAwaited(const void *variables, std::size_t stride) {
    m_layer->requests.find(m_handles, variables, stride, m_found);
    for (const Posted &posted : m_found)
        if (posted.number != 0)
            m_awaited.push_back(posted.number);
}

void Call::start() {
    m_awaited.clear();
    for (std::size_t i = 0; i < m_found.size(); ++i) {
        Posted &posted = m_found[i];
        if (posted.serial == 0 || !posted.isPersistent)
            continue;
        Part part = posted.part;
        if (part.kind == RecordKind::SendPart && part.argument != recording::nullProcess && m_faults != nullptr) {
            const SentMessage message{part.argument, static_cast<std::int32_t>(recording::low(part.words[0])),
                                      posted.communicator == nullptr ? 0 : posted.communicator->key, part.words[1]};
            m_messageFault = m_faults->messageSent(nameOf(m_operation), m_caller, message, false);
            if (m_messageFault == MessageFault::Drop)
                m_droppedStart = static_cast<int>(i);
        }
        posted.number = m_layer->log.newRequest();
        requestOf(part) = posted.number;
        if (part.kind != RecordKind::CollectivePart)
            part.words[3] |= recording::pair(0, recording::persistentStart);
        if (part.kind == RecordKind::SendPart)
            addFingerprint(part, posted.contents);
        addMaker(part, posted.path);
        m_parts.push_back(part);
        if (static_cast<int>(i) != m_droppedStart) {
            m_layer->requests.started(m_handles[i], posted, posted.number);
        } else {
            m_completions.push_back(requestPart(RecordKind::Completed, posted.number));
            m_done.push_back(posted.number);
        }
    }
}

void Call::begin() {
    m_path = m_log->callPath(m_layer->idOf(m_operation), m_datatype);
    m_scratch.log = m_log;
    m_scratch.isPoll = false;
    if (m_layer->replay != nullptr)
        m_layer->replay->begins(m_log, m_operation, m_entered);
    if (m_isPersistent) {
        m_log->beginCall(m_path, m_entered, {});
        enterLibrary();
        return;
    }
    m_log->beginCall(m_path, m_entered, m_parts, m_awaited);
    if (std::ranges::any_of(m_parts, [](Part &part) { return requestOf(part) != 0; }))
        postRequests();
    openEpoch();
    enterLibrary();
}

void Call::postRequests() {
    const Undisturbed undisturbed; // once, and not for each
    // Where two parts have one request, the receive says more about what is waited for.
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        if (const std::uint64_t request = requestOf(m_parts[i]);
            request != 0 && (i + 1 == m_parts.size() || requestOf(m_parts[i + 1]) != request))
            m_layer->log.requestPosted(request, m_parts[i], makerOf(m_parts[i], m_path), m_entered);
}

/// From here on the call is MPI's, or stays in a fault.
void Call::enterLibrary() {
    stopWork();
    if (m_isFaultyCall)
        m_faults->insideCall();
}

void Call::beginPoll() {
    m_path = m_log->callPath(m_layer->idOf(m_operation), m_datatype);
    m_scratch.log = m_log;
    m_scratch.isPoll = true;
    if (m_layer->replay != nullptr)
        m_layer->replay->polls(m_log, m_entered);
    m_log->beginPoll(m_path, m_entered);
    enterLibrary();
}

void Call::repeat(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    if (m_messageFault != MessageFault::Repeat || !isSuccessful())
        return;
    // The program may change its buffer, and a receive may never take the copy: it gets memory of its own that is never freed.
    int size = 0;
    if (PMPI_Pack_size(count, type, comm, &size) != MPI_SUCCESS)
        return;
    auto packed = std::make_unique<char[]>(static_cast<std::size_t>(size) + 1);
    int position = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    if (PMPI_Pack(buffer, count, type, packed.get(), size, &position, comm) == MPI_SUCCESS &&
        PMPI_Isend(packed.get(), position, MPI_PACKED, dest, tag, comm, &request) == MPI_SUCCESS) {
        (void)packed.release();
        PMPI_Request_free(&request);
    }
}

void Call::returned(int result) {
    m_returned = now();
    m_pages.forget();
    startWork(m_found.size() > 1);
    m_result = result;
    if (isSuccessful())
        return;
    // What was to be posted was not.
    for (Part &part : m_parts)
        if (requestOf(part) != 0)
            m_done.push_back(requestOf(part));
    if (!m_parts.empty())
        for (std::size_t i = 0; i < m_found.size(); ++i)
            if (m_found[i].isPersistent)
                m_layer->requests.completed(m_handles[i], m_found[i]);
}

Part Call::receivedPart(const Communicator *communicator, const MPI_Status &status, std::uint64_t request,
                        const Contents &contents) const {
    MPI_Count bytes = 0;
    PMPI_Get_elements_x(&status, MPI_BYTE, &bytes);
    const std::uint32_t source = status.MPI_SOURCE == MPI_PROC_NULL ? recording::nullProcess
                                 : communicator == nullptr          ? recording::nothing
                                                                    : communicator->worldRank(status.MPI_SOURCE);
    Part part{RecordKind::CompletedReceive,
              source,
              {recording::pair(static_cast<std::uint32_t>(status.MPI_TAG), idOf(communicator)),
               bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0, request},
              3};
    addFingerprint(part, contents);
    return part;
}

Part Call::completedPart(const Posted &posted, const MPI_Status &status) const {
    // MPICH 4.0 leaves the status of receives from MPI_PROC_NULL empty, and that of MPI_Isendrecv as an earlier request had it:
    // there we know what source and tag the program asked for.
#ifdef OPEN_MPI
    constexpr bool isKnown = true;
#else
    const bool isKnown = !posted.receive;
#endif
    Part part = receivedPart(posted.communicator, status, posted.number, isKnown ? posted.contents : Contents{});
    if (!isKnown)
        part.words[1] = 0;
    const Part &asked = posted.receive ? *posted.receive : posted.part;
    if (asked.argument != recording::anySource)
        part.argument = asked.argument;
    else if (posted.receive && part.words[1] == 0)
        part.argument = recording::nothing;
    if (static_cast<std::int32_t>(recording::low(asked.words[0])) != recording::anyTag)
        part.words[0] = asked.words[0];
    return part;
}

void Call::received(const MPI_Status &status) {
    if (isSuccessful())
        m_completions.push_back(receivedPart(m_communicator, status, 0, m_contents));
}

void Call::posted(MPI_Request request, const void *variable) {
    if (!isSuccessful() || request == MPI_REQUEST_NULL || m_parts.empty())
        return;
    Posted posted;
    posted.part = m_parts.front();
    if (m_isExchange)
        posted.receive = m_parts.back();
    posted.number = requestOf(posted.part);
    posted.path = m_path;
    posted.communicator = m_communicator;
    posted.contents = m_contents;
    posted.variable = variable;
    posted.isPersistent = m_isPersistent;
    m_layer->requests.add(request, std::move(posted));
}

void Call::matchedMessage(MPI_Message message, const MPI_Status &status) {
    if (!isSuccessful() || message == MPI_MESSAGE_NULL || message == MPI_MESSAGE_NO_PROC || m_communicator == nullptr)
        return;
    const std::uint64_t number = m_layer->log.newRequest();
    Part taken = receivedPart(m_communicator, status, number, {});
    taken.kind = RecordKind::TakenMessage;
    m_completions.push_back(taken);
    m_layer->messages.add(message, {m_communicator, taken.argument, status.MPI_TAG, number});
}

void Call::seen(const MPI_Status &status) {
    if (!isSuccessful() || m_communicator == nullptr || status.MPI_SOURCE == MPI_PROC_NULL)
        return;
    Part seen = receivedPart(m_communicator, status, 0, {});
    seen.kind = RecordKind::SeenMessage;
    m_completions.push_back(seen);
}

void Call::completed(int index, const MPI_Status &status) {
    if (!isActive(index))
        return; // or MPI_UNDEFINED
    const Posted &posted = m_found[static_cast<std::size_t>(index)];
    int isCancelled = 0;
    if (posted.isCancelled)
        PMPI_Test_cancelled(&status, &isCancelled);
    if (isCancelled != 0)
        m_completions.push_back(requestPart(RecordKind::Released, posted.number));
    else if (posted.receives())
        m_completions.push_back(completedPart(posted, status));
    else
        m_completions.push_back(requestPart(RecordKind::Completed, posted.number));
    m_done.push_back(posted.number);
    m_layer->requests.completed(m_handles[static_cast<std::size_t>(index)], posted);
}

void Call::completedOneOfMany(int index, const MPI_Status &status) {
    if (isSuccessful() || (m_result == MPI_ERR_IN_STATUS && status.MPI_ERROR == MPI_SUCCESS))
        completed(index, status);
    else if (m_result == MPI_ERR_IN_STATUS && status.MPI_ERROR != MPI_ERR_PENDING)
        release(index);
}

void Call::release(int index) {
    if (index < 0 || static_cast<std::size_t>(index) >= m_found.size())
        return;
    const Posted &posted = m_found[static_cast<std::size_t>(index)];
    if (posted.serial == 0)
        return;
    if (posted.number != 0) {
        m_completions.push_back(requestPart(RecordKind::Released, posted.number));
        m_done.push_back(posted.number);
    }
    m_layer->requests.completed(m_handles[static_cast<std::size_t>(index)], posted);
}

void Call::knownComplete() {
    if (!m_found.empty() && m_found.front().serial != 0 && !m_found.front().isPersistent)
        m_layer->requests.forgetContents(m_handles.front(), m_found.front());
}

void Call::failed(MPI_Request request) {
    if (request == MPI_REQUEST_NULL)
        release(0);
}

void Call::cancelled() {
    if (isSuccessful() && !m_found.empty() && m_found.front().serial != 0)
        m_layer->requests.cancelled(m_handles.front(), m_found.front());
}

void Call::freed() {
    if (!isSuccessful() || m_found.empty() || m_found.front().serial == 0)
        return;
    release(0);
    m_layer->requests.freed(m_handles.front(), m_found.front());
}

void Call::made(MPI_Comm comm) {
    if (isSuccessful())
        m_layer->communicators.made(comm, m_origin);
}

void Call::freedCommunicator() {
    if (isSuccessful() && m_freed != nullptr)
        m_layer->communicators.freed(m_freedHandle, m_freed);
}

void Call::end() {
    if (m_layer->replay != nullptr)
        m_layer->replay->ended(m_log, false, false);
    m_log->endCall(m_returned, isSuccessful() ? 0U : static_cast<std::uint32_t>(recording::callFailed), m_completions);
    finishEpoch();
    for (const std::uint64_t request : m_done)
        m_layer->log.requestDone(request);
    leave();
}

void Call::endPoll(bool isSuccessful) {
    if (m_layer->replay != nullptr)
        m_layer->replay->ended(m_log, true, !isSuccessful);
    if (isSuccessful)
        m_log->endPollSuccessful(m_returned, m_parts, m_awaited, m_completions);
    if (isSuccessful)
        finishEpoch();
    else
        m_log->endPollUnsuccessful(m_returned, m_parts, m_awaited);
    for (const std::uint64_t request : m_done)
        m_layer->log.requestDone(request);
    leave();
}

void Call::initialized() {
    if (isSuccessful())
        m_layer->initialized(1);
    if (isSuccessful())
        m_layer->synchroniseClocks();
}

void Call::finishes() {
    if (m_layer->replay != nullptr)
        m_layer->replay->finishes(m_log);
    if (m_faults != nullptr)
        m_faults->jobEnds();
    m_layer->finalizing();
}

void Call::finalized() {
    if (isSuccessful())
        m_layer->log.finalized();
}

Note::Note(const void *caller) : m_isOutermost(!Call::scratch().isNested(this, caller)) {
    if (!m_isOutermost)
        return;
    const Undisturbed undisturbed;
    if (Call::scratch().log != nullptr)
        Call::endAbandoned(Call::scratch());
    Call::scratch().frame = this;
}

Note::~Note() {
    if (m_isOutermost)
        Call::scratch().leave();
}

void recordPhase(int level) {
    const Undisturbed undisturbed;
    Layer *existing = layer();
    ThreadLog *log = existing != nullptr && existing->isReady() ? existing->log.thread() : nullptr;
    if (log != nullptr)
        log->phase(level);
    if (Injector *faults = injector(); faults != nullptr && log != nullptr)
        faults->phaseBegins();
}

void madeDatatype(MPI_Datatype type) {
    const Undisturbed undisturbed;
    if (Layer *existing = layer(); existing != nullptr && existing->isReady())
        existing->datatypes.made(type);
}

void freedDatatype(MPI_Datatype type) {
    const Undisturbed undisturbed;
    if (Layer *existing = layer(); existing != nullptr && existing->isReady())
        existing->datatypes.freed(type);
}

void namedDatatype(MPI_Datatype type) {
    const Undisturbed undisturbed;
    if (Layer *existing = layer(); existing != nullptr && existing->isReady())
        existing->datatypes.named(type);
}

void knowCommunicator(MPI_Comm comm) {
    const Undisturbed undisturbed;
    Layer *existing = layer();
    if (existing != nullptr && existing->isReady() && comm != MPI_COMM_NULL && existing->communicators.find(comm) == nullptr)
        existing->communicators.made(comm, existing->communicators.announce(Making::Alone, nullptr, 0));
}

void nameCommunicator(MPI_Comm comm) {
    const Undisturbed undisturbed;
    Layer *existing = layer();
    if (existing != nullptr && existing->isReady())
        existing->communicators.named(comm);
}

} // namespace laggard::collect::mpi
