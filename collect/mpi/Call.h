// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/inject/Injector.h"
#include "collect/mpi/Amounts.h"
#include "collect/mpi/Construction.h"
#include "collect/mpi/Handles.h"
#include "collect/mpi/Layer.h"
#include "collect/store/Undisturbed.h"

#include <cstdint>
#include <vector>

namespace laggard::collect::mpi {

/// One call of an MPI function by the program, from the wrapper's entry to its exit. The generated wrappers use it so:
///
///   Call call(Operation::Send, caller);
///   if (!call) return PMPI_Send(…);         // not recorded: nested in another MPI call, or no recording
///   call.send(…);                           // what the call is about
///   call.begin();                           // it is in the file
///   const int result = PMPI_Send(…);
///   call.returned(result);
///   …                                       // what has been completed
///   call.end();
///
/// Calls that MPI makes of itself while a call is open (its Fortran library calls the C one) are the thread's own business and
/// not recorded; nor are those of a signal handler that interrupts it. Where a handler of the program leaves MPI with an
/// exception or longjmp(), or the thread is cancelled in MPI, the thread's next call notices it. Before begin() has returned, and
/// after returned(), no handler of the program runs in the thread (Undisturbed.h).
class Call {
  public:
    struct Scratch;
    static Scratch &scratch(); ///< the thread's
    /// The open call of the thread was left by other means than its return.
    static void endAbandoned(Scratch &scratch);

    Call(Operation operation, const void *caller);
    ~Call();
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;
    explicit operator bool() const { return m_layer != nullptr; }

    // ---- What the call is about; before begin().
    /// `flags`: recording::PartFlags. `posts`: there will be a request.
    void send(const void *buffer, int dest, int tag, MPI_Comm comm, std::uint64_t count, MPI_Datatype type, std::uint32_t flags,
              bool posts);
    void receive(const void *buffer, int source, int tag, MPI_Comm comm, std::uint64_t count, MPI_Datatype type, bool posts);
    /// MPI_Isendrecv: one request for both.
    void exchange() { m_isExchange = true; }
    /// The send buffer is overwritten by what is received.
    void replaces() { m_isRepeatable = false; }
    void probe(int source, int tag, MPI_Comm comm);
    void matched(const void *buffer, MPI_Message message, std::uint64_t count, MPI_Datatype type, bool posts);
    /// Messages that no receive has taken, in all communicators within MPI_COMM_WORLD. They stay where they are.
    void waitingMessages();
    /// `root`: noRoot where there is none. `amounts(datatypes, circle)` gives the bytes.
    static constexpr int noRoot = -0x4000;
    template <typename GetAmounts> void collective(MPI_Comm comm, int root, bool posts, GetAmounts amounts) {
        Communicator *communicator = m_layer->communicators.find(comm);
        addCollective(communicator, root, amounts(m_layer->datatypes, amounts::Circle(communicator)), posts);
    }
    /// With the operator, the collective is a reduction.
    void reduces(MPI_Op op);
    /// The parts that follow are those of a persistent request that the call makes.
    void persistent() { m_isPersistent = true; }
    template <typename Language> void await(int count, const typename Language::Request *requests) {
        m_handles.clear();
        if (requests == nullptr)
            return;
        for (int i = 0; i < count; ++i)
            m_handles.push_back(Language::request(requests[i]));
        findAwaited(requests, sizeof *requests);
    }
    /// Starts the requests of await(), which are persistent. isStarted() is false for one whose message is dropped: the program's
    /// call must not start it.
    void start();
    [[nodiscard]] bool drops() const { return m_messageFault == MessageFault::Drop; }
    [[nodiscard]] bool isStarted(int index) const { return index != m_droppedStart; }
    /// The buffer of the message is filled or read in parts, later.
    void withoutContents() { m_contents = {}; }

    // ---- One-sided communication and files (OneSided.cpp). What all members do with a window or file is a collective of the
    // communicator that it was made on.
    static constexpr int noTarget = -0x4001;
    void makesWindow(MPI_Comm comm);
    void usesWindow(MPI_Win win, recording::EpochKind kind, int target = noTarget);
    void usesWindowFor(MPI_Win win, recording::EpochKind kind, MPI_Group group);
    void locks(MPI_Win win, int type, int target);
    void madeWindow(MPI_Win win);
    void freedWindow();
    void opensFile(MPI_Comm comm);
    void usesFile(MPI_File file, bool posts);
    void openedFile(MPI_File file);
    void closedFile();

    // ---- Replay (Steering.cpp): what the call asks MPI for, so that it gets what it got in a recorded run. After begin().
    // Without a replay, that is what the program asks for.
    struct Steered {
        int source;
        int tag;
        MPI_Comm comm;
        bool isMiss = false;   ///< a poll is to find nothing
        bool isNobody = false; ///< `comm` is not the program's
    };
    [[nodiscard]] Steered steer(int source, int tag, MPI_Comm comm) {
        return m_layer->replay == nullptr ? Steered{source, tag, comm} : steerReceive({source, tag, comm});
    }
    [[nodiscard]] Steered steerPoll(int source, int tag, MPI_Comm comm) {
        return m_layer->replay == nullptr ? Steered{source, tag, comm} : steerProbe({source, tag, comm});
    }
    struct Choice {
        bool isMiss = false;                                  ///< as of Steered
        const std::vector<std::uint64_t> *requests = nullptr; ///< that are to be complete, and are; nullptr: any
    };
    /// Chooses among the requests of await(). `mayMiss`: the call returns at once.
    [[nodiscard]] Choice choose(bool mayMiss) { return m_layer->replay == nullptr ? Choice{} : chooseRequests(mayMiss); }
    [[nodiscard]] bool isChosen(const Choice &choice, int index) const;

    void makes(Making making, MPI_Comm parent, int tag, bool posts);
    /// It is made by the members of a group, who have to give the same tag, and by nobody else of `parent`.
    void makesWithin(MPI_Comm parent, MPI_Group group, int tag);
    /// … without a parent, and with a text for a tag.
    void makesWithin(MPI_Group group, const char *tag);
    /// It is an intercommunicator: `leader` of the local side, who alone says which rank of `peers` is the other side's.
    void makesBetween(MPI_Comm local, int leader, MPI_Comm peers, int otherLeader, int tag);
    void frees(MPI_Comm comm);

    void begin();
    void beginPoll();

    // ---- Message faults.
    /// Where the message goes: MPI_PROC_NULL if it is dropped.
    [[nodiscard]] int destination(int dest) const { return m_messageFault == MessageFault::Drop ? MPI_PROC_NULL : dest; }
    /// Sends it a second time, if it is to be repeated.
    void repeat(const void *buffer, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);

    // ---- What has happened.
    void returned(int result);
    /// The blocking receive is done.
    void received(const MPI_Status &status);
    /// The call has given this request.
    void posted(MPI_Request request, const void *variable);
    void matchedMessage(MPI_Message message, const MPI_Status &status);
    /// Where in the array of await() the request is that MPI says is complete. Fortran counts from 1, but mpi_f08 of MPICH 4.0
    /// counts from 0, so that we look which request is gone.
    template <typename Language> int which(int index, const typename Language::Request *requests) const {
        if (index == MPI_UNDEFINED || Language::firstIndex == 0)
            return index;
        for (const int candidate : {index - Language::firstIndex, index})
            if (isActive(candidate) && Language::request(requests[candidate]) == MPI_REQUEST_NULL)
                return candidate;
        for (const int candidate : {index - Language::firstIndex, index})
            if (isActive(candidate) && m_found[static_cast<std::size_t>(candidate)].isPersistent)
                return candidate;
        return index - Language::firstIndex;
    }
    /// The same of several. Their numbers alone do not tell from where they count, but all of them together: exactly those
    /// requests must be gone (of persistent ones nothing is to be seen).
    template <typename Language> auto whichOf(const int *indices, int count, const typename Language::Request *requests) const {
        // Not const: of C it would be a constant, and Clang warns of captures of those.
        int first = Language::firstIndex == 0 || areComplete<Language>(indices, count, Language::firstIndex, requests) ||
                            !areComplete<Language>(indices, count, 0, requests)
                        ? Language::firstIndex
                        : 0;
        return [indices, first](int k) { return indices[k] - first; };
    }
    /// The request at `index` of await() is complete.
    void completed(int index, const MPI_Status &status);
    /// Several are: `index(k)` of the k-th of `count`, whose status is statuses[k].
    template <typename Statuses, typename Index> void completedMany(int count, const Statuses &statuses, Index index) {
        for (int k = 0; k < count && hasOutcome(); ++k)
            completedOneOfMany(index(k), statuses[static_cast<std::size_t>(k)]);
    }
    /// The program has been told that the request of await() is complete, and may use or free its buffer before it completes it.
    void knownComplete();
    /// The call failed; `request` is what has become of the request that it was about.
    void failed(MPI_Request request);
    void cancelled();
    void freed();
    void made(MPI_Comm comm);
    void freedCommunicator();

    void end();
    void endPoll(bool isSuccessful);

    /// A probe has found this message, and left it.
    void seen(const MPI_Status &status);

    /// MPI_Init has returned; MPI_Finalize or MPI_Abort is about to be called, and MPI must not be asked any more.
    void initialized();
    void finishes();
    void finalized();
    void aborts(int status) { m_layer->log.aborts(status); }
    [[nodiscard]] bool isSuccessful() const { return m_result == MPI_SUCCESS; }
    /// Statuses say what has become of which request.
    [[nodiscard]] bool hasOutcome() const { return isSuccessful() || m_result == MPI_ERR_IN_STATUS; }

  private:
    void addMessage(recording::RecordKind kind, const void *buffer, const Communicator *communicator, std::uint32_t peer, int tag,
                    std::uint64_t count, MPI_Datatype type, std::uint32_t flags, bool posts);
    void addFingerprint(Part &part, const Contents &contents) const;
    void addCollective(Communicator *communicator, int root, const amounts::Amounts &amounts, bool posts);
    std::uint64_t newRequest(bool posts);
    void findAwaited(const void *variables, std::size_t stride);
    void findWaiting(MPI_Comm comm, const Communicator &communicator);
    void completedOneOfMany(int index, const MPI_Status &status);
    void release(int index);
    [[nodiscard]] bool isActive(int index) const {
        return index >= 0 && static_cast<std::size_t>(index) < m_found.size() &&
               m_found[static_cast<std::size_t>(index)].number != 0;
    }
    /// True if these requests of await(), counted from `first`, are complete and no others.
    template <typename Language>
    bool areComplete(const int *indices, int count, int first, const typename Language::Request *requests) const {
        const auto isPersistent = [this](int index) { return m_found[static_cast<std::size_t>(index)].isPersistent; };
        int gone = 0;
        for (int i = 0; static_cast<std::size_t>(i) < m_found.size(); ++i)
            gone += isActive(i) && !isPersistent(i) && Language::request(requests[i]) == MPI_REQUEST_NULL ? 1 : 0;
        for (int k = 0; k < count; ++k) {
            const int index = indices[k] - first;
            if (!isActive(index) || (!isPersistent(index) && Language::request(requests[index]) != MPI_REQUEST_NULL))
                return false;
            gone -= isPersistent(index) ? 0 : 1;
        }
        return gone == 0;
    }
    [[nodiscard]] Steered steerReceive(Steered asked);
    [[nodiscard]] Steered steerProbe(Steered asked);
    [[nodiscard]] Choice chooseRequests(bool mayMiss);
    [[nodiscard]] Asked askedMessage() const;
    [[nodiscard]] bool direct(Steered &asked, const ReplayPlan::Outcome &outcome) const;
    void addEpoch(recording::EpochKind kind, std::uint32_t flags, int target, std::uint32_t group);
    void openEpoch();
    void finishEpoch();
    void leave();
    void startWork(bool isMuch = false);
    void stopWork();
    void openRecorded();
    void postRequests();
    void enterLibrary();
    [[nodiscard]] Part receivedPart(const Communicator *communicator, const MPI_Status &status, std::uint64_t request,
                                    const Contents &contents) const;

    [[nodiscard]] Part completedPart(const Posted &posted, const MPI_Status &status) const;

    Layer *m_layer = nullptr; ///< nullptr: not recorded
    ThreadLog *m_log = nullptr;
    Injector *m_faults = nullptr;
    const void *m_caller;
    Operation m_operation;
    Ticks m_entered = 0;
    Ticks m_returned = 0;
    int m_result = MPI_SUCCESS;
    int m_droppedStart = -1;
    MessageFault m_messageFault = MessageFault::None;
    bool m_isWorking = false;    ///< and undisturbed
    bool m_isFaultyCall = false; ///< a fault strikes inside or after it
    bool m_isRepeatable = true;
    bool m_isExchange = false;
    bool m_isPersistent = false;
    std::uint32_t m_datatype = recording::nothing;
    std::uint32_t m_path = recording::nothing;
    const Communicator *m_communicator = nullptr; ///< the communicator of the receive or probe
    Contents m_contents;                          ///< contents of the receive, or of a persistent send
    mutable ReadablePages m_pages;                ///< pages of the messages, before MPI or after it
    Communicator *m_freed = nullptr;
    MPI_Comm m_freedHandle = MPI_COMM_NULL;
    Origin m_origin;
    Window *m_window = nullptr;
    MPI_Win m_windowHandle{};
    MPI_File m_fileHandle{};
    Communicator *m_fileCommunicator = nullptr;
    std::uint64_t m_epochRequest = 0; ///< request of the epoch that the call opens

    // Memory of the thread, so that calls do not allocate.
    Scratch &m_scratch;
    std::vector<Part> &m_parts;
    std::vector<std::uint64_t> &m_awaited;
    std::vector<Part> &m_completions;
    std::vector<std::uint64_t> &m_done; ///< requests that are to be forgotten
    std::vector<MPI_Request> &m_handles;
    std::vector<Posted> &m_found; ///< as m_handles
};

/// The requests that a completion is given: those of the program, or, in a replay, only those that were complete when it was
/// recorded.
template <typename Language> class ChosenRequests {
  public:
    using Request = typename Language::Request;
    ChosenRequests(const Call &call, const Call::Choice &choice, int count, Request *requests) : m_requests(requests) {
        if (choice.requests == nullptr || choice.requests->empty() || requests == nullptr || count <= 0)
            return;
        m_chosen.assign(requests, requests + count);
        for (int i = 0; i < count; ++i)
            if (!call.isChosen(choice, i))
                m_chosen[static_cast<std::size_t>(i)] = Language::nullRequest();
            else
                m_places.push_back(static_cast<std::size_t>(i));
    }
    [[nodiscard]] Request *data() { return m_chosen.empty() ? m_requests : m_chosen.data(); }
    /// What has become of them goes to the program.
    void giveBack() {
        for (const std::size_t place : m_places)
            m_requests[place] = m_chosen[place];
    }

  private:
    Request *m_requests;
    std::vector<Request> m_chosen;
    std::vector<std::size_t> m_places;
};

/// A function of MPI that is not recorded as a call but notes something: once, though MPI's Fortran library calls the C one.
class Note {
  public:
    explicit Note(const void *caller);
    ~Note();
    Note(const Note &) = delete;
    Note &operator=(const Note &) = delete;
    explicit operator bool() const { return m_isOutermost; }

  private:
    bool m_isOutermost;
};
/// MPI_Pcontrol.
void recordPhase(int level);
/// The program has been given the datatype, has freed it, or has named it.
void madeDatatype(MPI_Datatype type);
void freedDatatype(MPI_Datatype type);
void namedDatatype(MPI_Datatype type);
/// The program has been given those that `type` was made from.
template <typename Types> void madeDatatypesOf(MPI_Datatype type, const Types &types) {
    const int number = Construction::typesOf(type);
    for (int i = 0; i < number; ++i)
        madeDatatype(types[static_cast<std::size_t>(i)]);
}
/// Groups, which the epochs of windows name (Windows.h).
void madeGroup(MPI_Group group);
void freedGroup(MPI_Group group);
/// MPI_Comm_get_parent has returned it.
void knowCommunicator(MPI_Comm comm);
/// MPI_Comm_set_name.
void nameCommunicator(MPI_Comm comm);

} // namespace laggard::collect::mpi
