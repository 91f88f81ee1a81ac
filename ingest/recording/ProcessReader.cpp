// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/ProcessReader.h"

#include "ingest/recording/Unwinding.h"
#include "ingest/recording/UserCode.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <numeric>
#include <set>

namespace laggard::recording {
namespace {

/// Reads one file; lives as long as that takes.
class Reader {
  public:
    using Readers = std::vector<std::unique_ptr<ThreadReader>>;

    Reader(const JobFiles::File &file, const std::vector<CommunicatorId> &communicators, std::size_t processCount,
           CodeTables &tables, CallPathTable &callPaths, const Work &work, const std::function<void(std::uint64_t)> &advanced)
        : m_job(file),
          m_file(file.path),
          m_tables(tables),
          m_callPaths(callPaths),
          m_code(m_file.definitions(), tables),
          m_context{m_file, m_code, m_job.clock, communicators, file.windowOf, processCount, work, advanced, file.until},
          m_countedUntil(file.until == openEnd ? openEnd : file.clock(monotonicNow())) {
        if (file.newestEventBytes != 0)
            m_file.keepNewestEvents(file.newestEventBytes);
    }

    ProcessResult read() {
        m_result.end = endOf(m_job);
        readThreads();
        joinRequests();
        addStackOfUnknownThread();
        concludeThreads();
        addError();
        addEarlier();
        addModel();
        addObservations();
        finish();
        return std::move(m_result);
    }

  private:
    [[nodiscard]] const ThreadState *stateOf(std::uint32_t thread) const {
        for (const Slot<ThreadState> &slot : m_file.threadStates())
            if (slot.value.thread == thread && !slot.torn)
                return &slot.value;
        return nullptr;
    }

    /// The main thread's number: the one that says so, else the first.
    [[nodiscard]] std::uint32_t mainThread() const {
        for (const Slot<ThreadState> &slot : m_file.threadStates())
            if (slot.value.isMain != 0)
                return slot.value.thread;
        return m_file.threads().empty() ? nothing : m_file.threads().front();
    }

    void readThreads() {
        std::vector<std::uint32_t> threads = m_file.threads();
        constexpr std::size_t mostThreads = 65536; // numbers that damage has made up must not flood the lists
        if (threads.size() > mostThreads)
            threads.resize(mostThreads);
        if (threads.size() < mostThreads)
            m_result.lostThreads = lostThreads(threads);
        const std::uint32_t main = mainThread();
        std::stable_partition(threads.begin(), threads.end(), [&](std::uint32_t thread) { return thread == main; });
        m_isWrapped =
            std::any_of(threads.begin(), threads.end(), [&](std::uint32_t thread) { return m_file.firstSequence(thread) != 1; });
        for (const std::uint32_t thread : threads) {
            auto reader = std::make_unique<ThreadReader>(m_context, thread, m_callPaths);
            if (thread == main && m_isWrapped)
                reader->seed(requestsBefore(threads));
            reader->readEvents();
            m_threads.push_back(std::move(reader));
        }
    }

    /// Threads are numbered as they come; the memory of those that end is used again after a while.
    [[nodiscard]] std::uint32_t lostThreads(const std::vector<std::uint32_t> &threads) const {
        if (m_file.isIncomplete()) // their blocks may be what is missing
            return 0;
        std::set<std::uint32_t> known(threads.begin(), threads.end());
        for (const Slot<ThreadState> &slot : m_file.threadStates())
            if (slot.torn)
                return 0;
            else
                known.insert(slot.value.thread);
        return known.empty() ? 0 : *known.rbegin() + 1 - static_cast<std::uint32_t>(known.size());
    }

    /// Requests that were posted before the events that are left, in order of posting.
    [[nodiscard]] std::vector<RequestSlot> requestsBefore(const std::vector<std::uint32_t> &threads) const {
        std::uint64_t from = ~std::uint64_t{0};
        for (const std::uint32_t thread : threads) {
            EventReader events = m_file.events(thread);
            if (Record first; events.next(first) && first.kind == RecordKind::Context)
                from = std::min(from, first.payload[0]);
        }
        std::vector<RequestSlot> requests;
        for (const Slot<RequestSlot> &slot : m_file.requests())
            if (!slot.torn && slot.value.posted < from)
                requests.push_back(slot.value);
        std::sort(requests.begin(), requests.end(),
                  [](const RequestSlot &a, const RequestSlot &b) { return a.posted < b.posted; });
        return requests;
    }

    /// Requests that one thread posts and another completes; and, where records are missing, those that are done.
    void joinRequests() {
        for (const auto &reader : m_threads) {
            for (const ThreadReader::Unknown &unknown : reader->unknownRequests())
                for (std::uint32_t other = 0; other < m_threads.size(); ++other)
                    if (m_threads[other] != reader && m_threads[other]->completeFor(unknown, *reader, other))
                        break;
            for (const std::uint64_t message : reader->matchedMessages().strange())
                for (const auto &other : m_threads)
                    other->matchedMessages().forget(message);
        }
        if (!missesRecords() || m_file.isIncomplete() || wentOn())
            return;
        std::unordered_set<std::uint64_t> open;
        for (const Slot<RequestSlot> &slot : m_file.requests())
            open.insert(slot.value.request);
        for (const auto &reader : m_threads)
            reader->keepPending(open);
    }

    /// Adds the stack of a thread that had recorded nothing, and then called exit() or was struck by a signal.
    void addStackOfUnknownThread() {
        for (const CrashRecord &crash : m_file.crashes())
            if (crash.thread == nothing && (crash.state.signal != 0 || isExit(crash))) {
                std::vector<CodeFrames> frames = unwind(crash, m_file.definitions(), m_tables.symbols).frames;
                cutAboveMain(frames);
                const UserCode userCode(m_file.header().program, m_file.definitions());
                if (isExit(crash) && isMpisOwn(frames, userCode))
                    m_result.end.exit = ProcessEnd::Exit::ByLibrary;
                const std::size_t called = cutLibraryInsides(frames, userCode);
                keepStack(std::span(frames).subspan(isExit(crash) ? 0 : called));
            }
    }

    [[nodiscard]] static bool isExit(const CrashRecord &crash) {
        return crash.state.signal == 0 && crash.state.code == static_cast<std::int32_t>(CaptureReason::Exit);
    }

    /// Whoever asked, found it hanging or ends jobs from outside has looked at a thread that was going on.
    [[nodiscard]] static bool isFromOutside(const CrashRecord &crash) {
        static constexpr std::array<std::uint32_t, 6> signals{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
        return (crash.state.signal == 0 && !isExit(crash)) || std::ranges::find(signals, crash.state.signal) != signals.end();
    }

    /// The process has recorded more than is read here.
    [[nodiscard]] bool wentOn() const {
        return std::ranges::any_of(m_threads, [](const auto &reader) { return reader->wentOn(); });
    }

    void concludeThreads() {
        const bool hasExited = m_result.end.kind == ProcessEnd::Kind::Exited || m_result.end.kind == ProcessEnd::Kind::Replaced;
        const Tick alive = std::min(m_job.clock(m_file.header().aliveTicks), m_job.until);
        const UserCode userCode(m_file.header().program, m_file.definitions());
        for (const auto &reader : m_threads) {
            const ThreadState *state = stateOf(reader->thread());
            if (state != nullptr && reader->recordCount() != 0 && (reader->wentOn() || m_job.clock(state->since) > m_job.until))
                state = nullptr; // it tells of a later moment
            const bool hasEnded = hasExited || (state != nullptr && state->tid < 0);
            std::optional<ThreadReader::Stopped> stopped;
            if (const CrashRecord *crash = latestStack(reader->thread()); crash != nullptr) {
                auto [frames, isInRecorder, withinCall] = unwind(*crash, m_file.definitions(), m_tables.symbols);
                const std::vector<CodeFrames> within = calledBack(frames, withinCall, userCode);
                cutAboveMain(frames);
                // A thread that records nothing and runs in a library (MPI's own, or OpenMP's that polls) says nothing of the
                // program.
                if (isSilent(state) &&
                    std::ranges::none_of(frames, [&](const CodeFrames &place) { return userCode.contains(place); })) {
                    if (isExit(*crash) && isMpisOwn(frames, userCode))
                        m_result.end.exit = ProcessEnd::Exit::ByLibrary;
                    frames.clear();
                }
                const std::size_t called = cutLibraryInsides(frames, userCode);
                if (crash->state.signal != 0)
                    keepStack(std::span(frames).subspan(called));
                // If a library's function ends the process (MPI's, or that of Fortran's STOP), it is told as well; if an MPI call
                // is open that is recorded, that call tells more.
                else if (isExit(*crash) && (called == 0 || !reader->hasOpenCall()))
                    keepStack(frames);
                if (!hasEnded && m_job.clock(crash->state.time) >= reader->lastTime() && !frames.empty())
                    stopped = {m_code.unwound(frames), !isInRecorder,
                               within.empty() ? std::nullopt : std::optional(m_code.unwound(within)), isFromOutside(*crash)};
            }
            if (stopped)
                reader->placeIsSeen();
            if (isSilent(state))
                reader->seenSince(m_threads.front()->lastTime());
            reader->conclude(state, stopped ? &*stopped : nullptr,
                             !hasEnded   ? std::nullopt
                             : hasExited ? std::optional(m_result.end.time)
                                         : std::optional(reader->lastTime()),
                             alive);
        }
    }

    /// An error that MPI found counts if its call is still open, and the program's handler of errors is not what it is in:
    /// handlers may leave the call with an exception, or go on.
    void addError() {
        const FileHeader &header = m_file.header();
        const Tick time = m_job.clock(header.errorTicks);
        const bool isRecorded = header.errorPath == 0;
        const bool isOpen =
            header.errorTicks != 0 && time <= m_job.until && std::ranges::any_of(m_threads, [&](const auto &reader) {
                return reader->thread() == header.errorThread && reader->hasOpenCall() == isRecorded &&
                       reader->lastTime() <= time && !reader->isCalledBack();
            });
        if (!isOpen)
            return;
        if (m_result.end.kind == ProcessEnd::Kind::Exited)
            m_result.end.stack.clear(); // that is MPI's way to end the process
        if (!isRecorded)
            addErrorStack(header.errorPath - 1);
        m_result.end.mpiError.assign(header.errorText, std::min<std::size_t>(header.errorBytes, sizeof header.errorText));
        m_result.end.mpiErrorTime = time;
        m_result.end.time = std::max(m_result.end.time, time);
    }

    void addErrorStack(std::uint32_t number) {
        const CodePath *path = m_code.path(number);
        if (path == nullptr || path->operation == none)
            return;
        std::vector<Frame> &stack = m_result.end.mpiErrorStack;
        stack.push_back({m_code.operationName(path->operationName), {}, 0});
        for (std::size_t i = path->frames.size(); i-- > 0;)
            stack.push_back(
                m_tables.frameOf(path->frames[i].region, i + 1 == path->frames.size() ? path->place : path->frames[i + 1].site));
    }

    /// A thread that was only seen when the process was found hanging.
    [[nodiscard]] static bool isSilent(const ThreadState *state) {
        return state != nullptr && state->isMain == 0 && state->events == 0 && state->depth == 0 &&
               state->lastCallPath == nothing && state->callPath == nothing;
    }

    [[nodiscard]] const CrashRecord *latestStack(std::uint32_t thread) const {
        const CrashRecord *latest = nullptr;
        for (const CrashRecord &crash : m_file.crashes())
            if (crash.thread == thread && (latest == nullptr || crash.state.time > latest->state.time))
                latest = &crash;
        return latest;
    }

    /// What has called main is the machinery that starts programs, and often without names.
    static void cutAboveMain(std::vector<CodeFrames> &frames) {
        const auto main =
            std::find_if(frames.rbegin(), frames.rend(), [](const CodeFrames &place) { return place.back().function == "main"; });
        if (main != frames.rend())
            frames.erase(main.base(), frames.end());
    }

    /// `frames`: from the user's innermost on.
    void keepStack(std::span<const CodeFrames> frames) {
        m_result.end.stack.clear();
        for (const CodeFrames &place : frames)
            for (const CodeFrame &frame : place)
                if (!isRuntimeStart(frame.function))
                    m_result.end.stack.push_back({frame.function, frame.atFile.empty() ? frame.file : frame.atFile,
                                                  frame.atFile.empty() ? frame.line : frame.atLine});
    }

    /// True if the events are not all that happened.
    [[nodiscard]] bool missesRecords() const { return missesRecordsOfThreads() || m_result.lostThreads != 0; }
    [[nodiscard]] bool missesRecordsOfThreads() const {
        return m_file.header().droppedRecords != 0 || m_file.isIncomplete() ||
               m_file.header().mode == static_cast<std::uint32_t>(Mode::Model) ||
               std::any_of(m_threads.begin(), m_threads.end(), [](const auto &reader) { return reader->missesRecords(); });
    }

    [[nodiscard]] CommunicatorId communicator(std::uint32_t number) const {
        return number < m_context.communicators.size() ? m_context.communicators[number] : none;
    }

    /// What was counted beside what is recorded: so much has been overwritten.
    void addEarlier() {
        for (const auto &reader : m_threads)
            m_events.push_back(reader->finish());
        if (!missesRecords() || m_events.empty())
            return;
        if (!wentOn()) {
            addEarlier(m_threads, m_events);
            return;
        }
        // The counts are those of when the file was opened: all that was recorded until then was counted, and is not read above.
        ProcessContext context = m_context;
        context.until = m_countedUntil;
        Readers readers;
        std::vector<LocationEvents> events;
        for (const auto &reader : m_threads) {
            readers.push_back(std::make_unique<ThreadReader>(context, reader->thread(), m_callPaths));
            readers.back()->readEvents();
            events.push_back(readers.back()->finish());
        }
        addEarlier(readers, events);
    }
    void addEarlier(const Readers &counted, const std::vector<LocationEvents> &events) {
        const std::vector<Slot<CountSlot>> counts = m_file.counts();
        addEarlierCollectives(counts, counted, events);
        addEarlierMessages(counts, events);
    }

    /// The main thread's model, over all phases, where its events do not tell everything.
    void addModel() {
        if (!missesRecordsOfThreads() || m_threads.empty())
            return;
        const std::uint32_t main = m_threads.front()->thread();
        const auto stateOf = [this](std::uint32_t state) {
            if (state == startState)
                return std::optional(CountedTransition::start);
            const CallPathId path = m_code.intern(state / 2, m_callPaths);
            return path == none ? std::nullopt : std::optional(std::uint64_t{path} * 2 + state % 2);
        };
        std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> counts;
        for (const TransitionSlot &slot : m_file.transitions())
            if (slot.thread == main)
                if (const auto from = stateOf(slot.from), to = stateOf(slot.to); from && to)
                    counts[{*from, *to}] += slot.count;
        for (const auto &[states, count] : counts)
            m_result.model.push_back({states.first, states.second, count});
    }

    /// What the monitor thread has noted: that the process hangs, and what it saw of others.
    void addObservations() {
        Tick last = 0;
        for (const auto &reader : m_threads)
            last = std::max(last, reader->lastTime());
        const FileDefinitions &definitions = m_file.definitions();
        if (!definitions.hangs.empty())
            if (const Tick noticed = m_job.clock(definitions.hangs.back().time); noticed >= last)
                m_result.hangNoticed = noticed;
        for (const FileDefinitions::Neighbour &each : definitions.neighbours)
            if (const Tick time = m_job.clock(each.time); each.state != NeighbourState::HasLock || time >= last) // not got since
                m_result.neighbours.push_back({each.pid, time, each.state});
    }

    void addEarlierCollectives(const std::vector<Slot<CountSlot>> &counts, const Readers &counted,
                               const std::vector<LocationEvents> &countedEvents) {
        std::map<CommunicatorId, std::int64_t> begun;
        std::map<CommunicatorId, std::int64_t> completed;
        for (const Slot<CountSlot> &slot : counts)
            if (slot.value.kind == CountKind::Collectives)
                if (const CommunicatorId on = communicator(slot.value.communicator); on != none) {
                    begun[on] += static_cast<std::int64_t>(slot.value.begun);
                    completed[on] += static_cast<std::int64_t>(slot.value.completed);
                }
        for (const auto &reader : counted)
            for (const auto &[on, count] : reader->posted())
                begun[on] -= count;
        for (const LocationEvents &events : countedEvents)
            for (const std::uint32_t kind : events.collectives.kind)
                --completed[events.collectiveKinds[kind].communicator];
        for (const auto &[on, count] : completed)
            if (on != none && count > 0 && count < std::int64_t{none})
                m_events.front().earlierCollectives.push_back({on, static_cast<std::uint32_t>(count)});
        for (LocationEvents &events : m_events)
            if (events.openParts && events.openParts->collectiveNumber != none)
                if (const auto lost = begun.find(events.openParts->collective.communicator);
                    lost != begun.end() && lost->second > 0)
                    events.openParts->collectiveNumber += static_cast<std::uint32_t>(lost->second);
    }

    void addEarlierMessages(const std::vector<Slot<CountSlot>> &counts, const std::vector<LocationEvents> &countedEvents) {
        using Channel = std::tuple<bool, Rank, CommunicatorId, std::uint32_t>;
        std::map<Channel, std::int64_t> lost;
        for (const Slot<CountSlot> &slot : counts) {
            const CountSlot &count = slot.value;
            if ((count.kind != CountKind::Sends && count.kind != CountKind::Receives) || count.tag == anyTag ||
                count.peer >= m_context.processCount)
                continue;
            lost[{count.kind == CountKind::Sends, count.peer, communicator(count.communicator),
                  static_cast<std::uint32_t>(count.tag)}] += static_cast<std::int64_t>(count.begun);
        }
        // What the ring has overwritten was before its events; what is damaged, or found no room, lies among or behind them.
        const std::optional<Tick> firstLoss = firstLossOfAll();
        std::map<Channel, std::uint64_t> before; // before a loss
        const auto takeAway = [&](const LocationEvents &events, const MessageEnds &ends, bool isSend) {
            for (std::size_t i = 0; i < ends.size(); ++i) {
                const Envelope &envelope = events.envelopes[ends.envelope[i]];
                const Channel channel{isSend, envelope.peer, envelope.communicator, envelope.tag};
                if (const auto entry = lost.find(channel); entry != lost.end())
                    --entry->second;
                if (firstLoss && ends.time[i] <= *firstLoss)
                    ++before[channel];
            }
        };
        for (const LocationEvents &events : countedEvents) {
            takeAway(events, events.sends, true);
            takeAway(events, events.receives, false);
        }
        for (const auto &[channel, count] : lost)
            if (count > 0)
                m_result.earlier.push_back({m_job.rank, std::get<0>(channel), std::get<1>(channel), std::get<2>(channel),
                                            std::get<3>(channel), static_cast<std::uint64_t>(count),
                                            firstLoss ? std::optional(m_isWrapped ? 0 : before[channel]) : std::nullopt});
    }

    /// When the last event before anything was lost was; nothing where nothing but overwritten events is missing.
    [[nodiscard]] std::optional<Tick> firstLossOfAll() const {
        std::optional<Tick> first;
        for (const auto &reader : m_threads)
            if (const std::optional<Tick> loss = reader->firstLoss(); loss && (!first || *loss < *first))
                first = loss;
        return first;
    }

    void finish() {
        std::uint64_t overwritten = 0;
        std::vector<std::uint32_t> shown(m_threads.size(), none);
        if (!m_threads.empty())
            m_result.eventsFrom = m_threads.front()->eventsFrom();
        for (std::size_t i = 0; i < m_threads.size(); ++i) {
            ThreadReader &reader = *m_threads[i];
            if (i != 0 && m_events[i].track.empty() && isSilent(stateOf(reader.thread())))
                continue;
            shown[i] = static_cast<std::uint32_t>(m_result.locations.size());
            Location location;
            location.id = std::uint64_t{reader.thread()} << 32U | m_job.rank;
            location.name = i == 0 ? "main thread" : "thread " + std::to_string(reader.thread());
            location.kind = LocationKind::Thread;
            location.rank = m_job.rank;
            location.eventCount = reader.recordCount();
            location.firstEvent = reader.firstTime();
            location.lastEvent = reader.lastTime();
            location.damaged = reader.isDamaged() || m_file.isDamaged();
            location.events = std::move(m_events[i]);
            for (const MessageCount &message : reader.takeLeftOver())
                m_result.leftOver.push_back(message);
            for (Warning &warning : reader.takeWarnings()) {
                warning.location = location.id;
                m_result.warnings.push_back(std::move(warning));
            }
            if (reader.unknownKinds() != 0)
                m_result.unshown["records of unknown kinds"] += reader.unknownKinds();
            if (const ThreadState *state = stateOf(reader.thread());
                state != nullptr && m_file.firstSequence(reader.thread()) > 1 && state->events > reader.recordCount())
                overwritten += state->events - reader.recordCount();
            m_result.locations.push_back(std::move(location));
        }
        for (Location &location : m_result.locations)
            for (std::uint32_t &thread : location.events.postings.thread)
                thread = thread == none ? none : shown[thread];
        for (const Warning &warning : m_file.warnings())
            m_result.warnings.push_back(warning);
        noteMissing(overwritten);
    }

    void noteMissing(std::uint64_t overwritten) {
        if (overwritten != 0)
            m_result.warnings.push_back({WarningId::OverwrittenRecords,
                                         Warning::Severity::Note,
                                         std::nullopt,
                                         m_job.path,
                                         "Of rank " + std::to_string(m_job.rank) + ", the first " +
                                             plural(overwritten, "record") + (overwritten == 1 ? " was" : " were") +
                                             " overwritten by newer ones, as the buffer is limited.",
                                         {{"records", overwritten}}});
        if (m_result.lostThreads != 0)
            m_result.warnings.push_back({WarningId::OverwrittenThreads,
                                         Warning::Severity::Note,
                                         std::nullopt,
                                         m_job.path,
                                         "Of rank " + std::to_string(m_job.rank) + ", what " +
                                             plural(m_result.lostThreads, "thread") +
                                             " recorded that had ended was overwritten by later threads.",
                                         {{"threads", m_result.lostThreads}}});
        if (const std::uint64_t dropped = m_file.header().droppedRecords; dropped != 0)
            m_result.warnings.push_back(
                {WarningId::DroppedRecords,
                 Warning::Severity::DataLoss,
                 std::nullopt,
                 m_job.path,
                 "Of rank " + std::to_string(m_job.rank) + ", " + plural(dropped, "record") +
                     (dropped == 1 ? " was dropped: there was no room for it." : " were dropped: there was no room for them."),
                 {{"records", dropped}}});
    }

    const JobFiles::File &m_job;
    RecordingFile m_file;
    CodeTables &m_tables;
    CallPathTable &m_callPaths;
    FileCode m_code;
    ProcessContext m_context;
    Tick m_countedUntil = openEnd;        ///< for a process that runs: when the file's counts were read
    Readers m_threads;                    ///< main thread first
    std::vector<LocationEvents> m_events; ///< as m_threads
    ProcessResult m_result;
    bool m_isWrapped = false; ///< the ring has lost its beginning
};

} // namespace

ProcessResult readProcess(const JobFiles::File &file, const std::vector<CommunicatorId> &communicators, std::size_t processCount,
                          CodeTables &code, CallPathTable &callPaths, const Work &work,
                          const std::function<void(std::uint64_t)> &advanced) {
    return Reader(file, communicators, processCount, code, callPaths, work, advanced).read();
}

} // namespace laggard::recording
