// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/LocationBuilder.h"
#include "ingest/recording/CallerStack.h"
#include "ingest/recording/ClockMap.h"
#include "ingest/recording/CodeTables.h"
#include "ingest/recording/EpochCalls.h"
#include "ingest/recording/LibraryCalls.h"
#include "ingest/recording/MatchedMessages.h"
#include "ingest/recording/PollSeries.h"
#include "ingest/recording/ReceiveOrder.h"
#include "ingest/recording/RecordedCall.h"
#include "ingest/recording/RecordingFile.h"
#include "trace/Work.h"

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace laggard::recording {

/// What the threads of one process have in common while they are read.
struct ProcessContext {
    const RecordingFile &file;
    FileCode &code;
    const ClockMap &clock;
    const std::vector<CommunicatorId> &communicators; ///< by number in the file
    const std::vector<std::uint32_t> &windows;        ///< likewise
    std::size_t processCount;
    const Work &work;
    std::function<void(std::uint64_t)> advanced; ///< bytes read since the last call
    Tick until = openEnd;                        ///< what was recorded later is as if it had not been yet
};

/// Reads what one thread recorded: its events, and from the arrays what it was doing at last. Its parts are in ThreadReader.cpp
/// (order, functions and calls), ThreadMessages.cpp (messages and collectives) and ThreadEnd.cpp (what it was doing at last).
class ThreadReader {
  public:
    ThreadReader(ProcessContext &process, std::uint32_t thread, CallPathTable &callPaths);

    /// Posts the requests that were posted by events that have been overwritten. Before `readEvents`.
    void seed(const std::vector<RequestSlot> &requests);
    void readEvents();
    struct Unknown {
        std::uint64_t request = 0;
        Tick time = 0;
        std::uint32_t receive = none; ///< position of the receive that it completed
    };
    /// Takes note of a request of this thread that another thread has completed. `position`: this thread's, in its process.
    bool completeFor(const Unknown &unknown, ThreadReader &other, std::uint32_t position);
    /// Requests that this thread has completed and not posted.
    [[nodiscard]] const std::vector<Unknown> &unknownRequests() const { return m_unknown; }
    [[nodiscard]] MatchedMessages &matchedMessages() { return m_matched; }
    /// Leaves only these of the pending requests: where records are missing, the array of requests knows better.
    void keepPending(const std::unordered_set<std::uint64_t> &requests);

    /// The stack at a hang or crash.
    struct Stopped {
        CodePath path;
        bool isInLibrary = true;            ///< it ends in the MPI library where a call of it is open
        std::optional<CodePath> calledBack; ///< what of the program it shows inside the open call
        bool isFromOutside = false;         ///< whoever stopped it: it was going on
    };
    /// The end of what is known: the live state where events are missing, the stack (may be nullptr) and, if the process has
    /// exited, when.
    void conclude(const ThreadState *state, const Stopped *stopped, std::optional<Tick> exited, Tick alive);
    /// A stack shows where the thread is at the end.
    void placeIsSeen() { m_tellsFunctions = true; }
    /// The thread is known from stacks only, and since then its process has recorded nothing that would end what it does.
    void seenSince(Tick time) { m_seenSince = time; }
    [[nodiscard]] LocationEvents finish();

    [[nodiscard]] std::uint32_t thread() const { return m_thread; }
    [[nodiscard]] bool hasOpenCall() const { return m_call.has_value(); }
    /// MPI has called a function of the program, which was seen and has not returned.
    [[nodiscard]] bool isCalledBack() const { return m_isCalledBack; }
    /// Collectives that its events begin, by communicator.
    [[nodiscard]] const std::unordered_map<CommunicatorId, std::uint32_t> &posted() const { return m_posted; }
    [[nodiscard]] std::uint64_t recordCount() const { return m_records; }
    [[nodiscard]] Tick firstTime() const { return m_first; }
    [[nodiscard]] Tick lastTime() const { return m_last; }
    [[nodiscard]] Tick eventsFrom() const { return m_eventsFrom; }   ///< earlier ones were overwritten; 0: none were
    [[nodiscard]] bool isDamaged() const { return m_isDamaged; }     ///< some of its events could not be read …
    [[nodiscard]] bool endsDamaged() const { return m_endsDamaged; } ///< … the newest ones among them
    /// When the last event before the first damage was; nothing: there is none.
    [[nodiscard]] std::optional<Tick> firstLoss() const { return m_firstLoss; }
    [[nodiscard]] bool missesRecords() const { return m_hasGaps; } ///< overwritten or lost, anywhere
    [[nodiscard]] bool wentOn() const { return m_wentOn; }         ///< it has records of after `ProcessContext::until`
    [[nodiscard]] std::vector<Warning> takeWarnings() { return std::move(m_warnings); }
    [[nodiscard]] std::uint64_t unknownKinds() const { return m_unknownKinds; }
    /// Messages that waited when it called MPI_Finalize.
    [[nodiscard]] std::vector<MessageCount> takeLeftOver() { return std::move(m_leftOver); }

  private:
    void readKept(std::uint64_t untilTicks);
    void take(const Record &record);
    [[nodiscard]] bool isTooLate(const Record &record) const;
    Tick timeOf(std::uint64_t ticks);
    void context(const Record &record);
    void enter(const Record &record);
    void leave(const Record &record);
    void beginCall(const Record &record, bool isPoll);
    void beginLibraryCall(const Record &record, const CodePath &path, Tick time);
    void endLibraryCall(const Record &record);
    [[nodiscard]] CallSiteId placeOfCall(const Record &record, const CodePath &path);
    void endCall(const Record &record);
    void closeCall(Tick time);
    void failCall();
    void message(const Record &record);
    void collective(const Record &record);
    void makes(const Record &record);
    void completed(std::uint64_t request);
    [[nodiscard]] CallPathId maker(const Record &record) const;
    void received(const Record &record);
    void taken(const Record &record);
    void probed(const Record &record);
    void leftOver(const Record &record);
    void noteCosts(const Record &record, std::uint32_t row);
    void noteChoice();
    void settleChoices(std::uint64_t request, std::uint32_t receive);

    void openState(const ThreadState &state);
    void concludePoll(const ThreadState *state, Tick alive);
    void resumeSeries(Tick alive, bool isSeenElsewhere);
    void seeStopped(const Stopped &stopped);
    [[nodiscard]] OpenParts openParts() const;

    [[nodiscard]] CommunicatorId communicator(std::uint32_t number) const;
    [[nodiscard]] Rank peer(std::uint32_t number) const { return number < m_process.processCount ? number : none; }
    void note(WarningId id, const std::string &message, Warning::Severity severity, Warning::Datum datum);

    ProcessContext &m_process;
    std::uint32_t m_thread;
    LocationBuilder m_builder;
    CallerStack m_callers;
    LibraryCalls m_library;
    std::optional<RecordedCall> m_call;
    RecordedCall m_spare; ///< for its memory
    std::vector<PollRun> m_polls;
    std::vector<std::uint32_t> m_failed; ///< rows
    PollSeries m_series;
    std::vector<PhaseMark> m_phases;
    std::optional<OpenParts> m_openParts;
    CallSiteId m_stoppedAt = none;
    std::optional<Tick> m_seenSince;
    bool m_wentOn = false;
    bool m_isCalledBack = false;
    std::unordered_map<CommunicatorId, std::uint32_t> m_posted; ///< collectives begun
    std::unordered_set<std::uint64_t> m_fromNobody; ///< requests of receives from MPI_PROC_NULL, which are not messages
    CollectiveNumbers m_numberOf;
    std::vector<Unknown> m_unknown;
    std::vector<MessageCount> m_leftOver;
    std::vector<Warning> m_warnings;
    RecorderCosts m_costs;
    std::vector<TakenMessage> m_probed;
    std::vector<ReceiveChoice> m_choices;
    std::unordered_map<std::uint64_t, std::vector<std::size_t>> m_chosenFrom; ///< by request of a receive: in m_choices
    ReceiveOrder m_order;
    MatchedMessages m_matched;
    EpochCalls m_epochs;
    /// How the blocking receive of the call that has just returned was posted; nothing if it is none, or its beginning is lost.
    std::optional<LocationBuilder::Posting> m_lastPosting;
    CallPathTable &m_callPaths;
    bool m_probeOnly = false;      ///< the call that has just returned asked for messages and took none
    bool m_takesMatched = false;   ///< … received messages that a matched probe had taken, in any order
    bool m_tellsFunctions = false; ///< functions have announced themselves, or where it is was seen
    bool m_hasTime = false;
    bool m_isNewChunk = false;
    bool m_isKept = false; ///< the call at hand is one that was kept; its number on the communicator is not known
    bool m_hasGaps = false;
    bool m_isDamaged = false;
    bool m_endsDamaged = false;
    std::uint64_t m_records = 0;
    std::uint64_t m_clamped = 0;
    std::uint64_t m_strayLeaves = 0;
    std::uint64_t m_unknownReferences = 0;
    std::uint64_t m_unknownKinds = 0;
    std::uint64_t m_sequence = 0; ///< sequence number of the chunk at hand
    Tick m_first = 0;
    Tick m_last = 0;
    Tick m_eventsFrom = 0;
    std::optional<Tick> m_firstLoss;
};

} // namespace laggard::recording
