// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/replay/RecordedPath.h"

#include "trace/Quantity.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace laggard::replay {

using namespace recording;

namespace {

constexpr std::array<std::string_view, 7> completions{
    "MPI_Waitany", "MPI_Waitsome", "MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Request_get_status"};
constexpr std::array<std::string_view, 2> polledProbes{"MPI_Iprobe", "MPI_Improbe"};

bool isOneOf(const auto &names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

/// Where nothing is known of a request.
constexpr std::size_t nowhere = ~std::size_t{0};

/// The records of one thread, call by call.
class PathReader {
  public:
    PathReader(const RecordingFile &file, const ClockMap &clock) : m_file(file), m_clock(clock) {
        m_path.operations = file.definitions().operations;
        for (const auto &communicator : file.definitions().communicators)
            m_path.keyOfCommunicator.push_back(communicator.key);
    }

    RankPath read(std::uint32_t thread) {
        EventReader reader = m_file.events(thread);
        for (Record record; reader.next(record);)
            take(record);
        endOpenCall();
        if (!reader.warnings().empty())
            m_path.problem = reader.warnings().front().message;
        for (const auto &[request, place] : m_posted)
            settle(m_path.outcomes[place], request);
        std::erase_if(m_path.receives, [](const PathMessage &message) { return message.peer == nothing; });
        return std::move(m_path);
    }
    [[nodiscard]] bool receives() const { return m_receives; }
    [[nodiscard]] bool callsInit() const { return m_callsInit; }

  private:
    struct Open {
        std::uint32_t operation = nothing; ///< number of its definition
        std::string_view name;
        bool isPoll = false;
        std::uint64_t polls = 0;
        bool hasEnded = false;
        bool hasFailed = false;
        Tick end = 0;
        bool hasReceive = false;
        std::uint32_t source = nothing; ///< as asked
        std::int32_t tag = 0;
        std::uint32_t communicator = nothing;
        std::uint64_t request = 0;
        std::uint32_t flags = 0;
        std::vector<std::uint64_t> awaited;
        std::vector<std::uint64_t> done;   ///< requests
        std::vector<std::size_t> receives; ///< that it posted: in m_path.receives
        bool hasMessage = false;
        std::uint32_t from = nothing;
        std::int32_t with = 0;
        std::uint32_t receive = none;
    };
    /// What became of a request.
    struct Done {
        std::uint32_t source = nothing;
        std::int32_t tag = 0;
        std::uint32_t receive = none;
        Tick time = 0;
        std::uint64_t call = 0;
        bool isCancelled = false;
        bool hasMessage = false;
    };

    void take(const Record &record);
    void begin(const Record &record, bool isPoll);
    void receivePart(const Record &record);
    void received(const Record &record);
    void endOpenCall();
    void addChoice(const Open &open);
    void settle(Outcome &outcome, std::uint64_t request);

    const RecordingFile &m_file;
    const ClockMap &m_clock;
    RankPath m_path;
    std::optional<Open> m_open;
    std::unordered_map<std::uint64_t, std::size_t> m_posted;    ///< request: in the outcomes
    std::unordered_map<std::uint64_t, std::size_t> m_receiveOf; ///< request: in the receives
    std::unordered_map<std::uint64_t, Done> m_done;
    std::unordered_set<std::uint64_t> m_fromNobody;
    bool m_receives = false;
    bool m_callsInit = false;
};

void PathReader::begin(const Record &record, bool isPoll) {
    endOpenCall();
    const FileDefinitions &definitions = m_file.definitions();
    Open open;
    open.isPoll = isPoll;
    if (record.argument < definitions.paths.size() && definitions.paths[record.argument].address < definitions.addresses.size()) {
        const auto &address = definitions.addresses[definitions.paths[record.argument].address];
        if (address.kind == AddressKind::Operation && address.offset < m_path.operations.size()) {
            open.operation = static_cast<std::uint32_t>(address.offset);
            open.name = m_path.operations[address.offset];
        }
    }
    m_callsInit |= open.name == "MPI_Init" || open.name == "MPI_Init_thread";
    if (isPoll)
        open.polls = record.payload[2];
    m_open = std::move(open);
}

void PathReader::receivePart(const Record &record) {
    m_receives = true;
    Open &open = *m_open;
    open.hasReceive = true;
    open.source = record.argument;
    open.tag = static_cast<std::int32_t>(low(record.payload[0]));
    open.communicator = high(record.payload[0]);
    open.request = record.payload[2];
    open.flags = high(record.payload[3]);
    const bool isWild = open.source == anySource || open.tag == anyTag;
    if (open.source == nullProcess && open.request != 0)
        m_fromNobody.insert(open.request);
    if ((open.flags & persistentStart) != 0 && isWild && m_path.problem.empty())
        m_path.problem =
            "it starts persistent receives from any source or with any tag (MPI_Recv_init), which cannot be replayed.";
    if (open.isPoll || (open.flags & (probeOnly | matchedProbe)) != 0 || open.source == nullProcess)
        return;
    if (open.request != 0)
        m_receiveOf[open.request] = m_path.receives.size();
    open.receives.push_back(m_path.receives.size());
    m_path.receives.push_back({m_path.calls + 1, nothing, 0, open.communicator, open.request});
}

void PathReader::received(const Record &record) {
    const std::uint64_t request = record.payload[2];
    Done done{.source = record.argument,
              .tag = static_cast<std::int32_t>(low(record.payload[0])),
              .time = m_open->end,
              .call = m_path.calls + 1,
              .hasMessage = true};
    const bool isProbe = (m_open->flags & probeOnly) != 0 && m_open->hasReceive;
    const bool isNobody = m_fromNobody.erase(request) != 0;
    if (!isNobody && !isProbe && done.source != nullProcess && done.source != nothing && done.source != anySource)
        done.receive = m_path.receiveCount++;
    const std::size_t place = request != 0               ? (m_receiveOf.contains(request) ? m_receiveOf[request] : nowhere)
                              : m_open->receives.empty() ? nowhere
                                                         : m_open->receives.front();
    if (place != nowhere && done.receive != none) {
        m_path.receives[place].peer = done.source;
        m_path.receives[place].tag = done.tag;
    }
    if (request == 0) {
        m_open->hasMessage = true;
        m_open->from = done.source;
        m_open->with = done.tag;
        m_open->receive = done.receive;
        return;
    }
    m_open->done.push_back(request);
    m_done[request] = done;
}

void PathReader::take(const Record &record) {
    switch (record.kind) {
    case RecordKind::CallBegin:
        return begin(record, false);
    case RecordKind::Polls:
        return begin(record, true);
    case RecordKind::Enter:
    case RecordKind::Leave:
    case RecordKind::Context:
    case RecordKind::Phase:
        return;
    default:
        break;
    }
    if (!m_open)
        return;
    switch (record.kind) {
    case RecordKind::CallEnd:
        m_open->hasEnded = true;
        m_open->end = m_clock(record.payload[0]);
        m_open->hasFailed = (record.argument & callFailed) != 0;
        break;
    case RecordKind::ReceivePart:
        receivePart(record);
        break;
    case RecordKind::SendPart:
        m_path.sends.push_back({m_path.calls + 1, record.argument, static_cast<std::int32_t>(low(record.payload[0])),
                                high(record.payload[0]), record.payload[2]});
        m_receives |= record.payload[2] != 0; // a request: another thread must not have one
        break;
    case RecordKind::AwaitedPart:
        m_receives = true;
        m_open->awaited.insert(m_open->awaited.end(), record.payload, record.payload + record.words);
        break;
    case RecordKind::CompletedReceive:
        received(record);
        break;
    case RecordKind::TakenMessage:
        m_path.receives.push_back(
            {m_path.calls + 1, record.argument, static_cast<std::int32_t>(low(record.payload[0])), high(record.payload[0]), 0});
        [[fallthrough]];
    case RecordKind::SeenMessage:
        m_open->hasMessage = true;
        m_open->from = record.argument;
        m_open->with = static_cast<std::int32_t>(low(record.payload[0]));
        break;
    case RecordKind::Completed:
    case RecordKind::Released:
        for (std::size_t i = 0; i < record.words; ++i) {
            m_open->done.push_back(record.payload[i]);
            if (record.kind == RecordKind::Released)
                m_done[record.payload[i]] = {
                    .time = m_open->end, .call = m_path.calls + 1, .isCancelled = m_open->name != "MPI_Request_free"};
        }
        break;
    default:
        break;
    }
}

void PathReader::addChoice(const Open &open) {
    Outcome outcome;
    outcome.call = m_path.calls;
    outcome.asked = {.operation = std::string(open.name), .awaited = open.awaited, .isCompletion = true};
    outcome.kind = open.hasFailed ? Outcome::Kind::Unknown : Outcome::Kind::Completion;
    outcome.requests = open.name == "MPI_Request_get_status" ? open.awaited : open.done;
    outcome.done = open.end;
    outcome.doneCall = m_path.calls;
    m_path.outcomes.push_back(std::move(outcome));
}

void PathReader::endOpenCall() {
    if (!m_open)
        return;
    const Open open = std::move(*m_open);
    m_open.reset();
    const bool isChoice = isOneOf(completions, open.name);
    const bool isPolledProbe = isOneOf(polledProbes, open.name);
    const bool isWild = open.hasReceive && (open.flags & matchedProbe) == 0 && (open.source == anySource || open.tag == anyTag);
    Asked asked{.operation = std::string(open.name), .awaited = open.awaited, .isCompletion = isChoice};
    if (!isChoice)
        asked = {std::string(open.name), open.source, open.tag, open.communicator};
    if (open.isPoll) {
        if (isChoice || isPolledProbe)
            m_path.misses.push_back({m_path.calls, std::move(asked), open.polls});
        return;
    }
    if (!open.hasEnded)
        return;
    ++m_path.calls;
    m_path.operationOf.push_back(open.operation);
    m_path.ends.push_back(open.end);
    if (isChoice)
        return addChoice(open);
    if (!open.hasReceive || (!isWild && !isPolledProbe))
        return;
    Outcome outcome{.call = m_path.calls, .asked = std::move(asked), .request = open.request, .receive = open.receive};
    outcome.takes = (open.flags & probeOnly) == 0 || open.name == "MPI_Mprobe" || open.name == "MPI_Improbe";
    if (open.request != 0) {
        m_posted[open.request] = m_path.outcomes.size();
    } else {
        outcome.done = open.end;
        outcome.doneCall = m_path.calls;
        if (open.hasMessage && open.from != nothing && open.from != anySource) {
            outcome.kind = Outcome::Kind::Message;
            outcome.source = open.from;
            outcome.tag = open.with;
        }
    }
    m_path.outcomes.push_back(std::move(outcome));
}

void PathReader::settle(Outcome &outcome, std::uint64_t request) {
    const auto found = m_done.find(request);
    if (found == m_done.end())
        return;
    const Done &done = found->second;
    outcome.done = done.time;
    outcome.doneCall = done.call;
    outcome.receive = done.receive;
    if (done.isCancelled) {
        outcome.kind = Outcome::Kind::Nothing;
    } else if (done.hasMessage && done.source != nothing && done.source != anySource) {
        outcome.kind = Outcome::Kind::Message;
        outcome.source = done.source;
        outcome.tag = done.tag;
    }
}

} // namespace

RankPath readPath(const JobFiles::File &file) {
    const RecordingFile recording(file.path);
    const auto unusable = [](std::string why) {
        RankPath path;
        path.problem = std::move(why);
        return path;
    };
    if (recording.header().mode == static_cast<std::uint32_t>(Mode::Model))
        return unusable("it has no events (--mode model).");
    if (recording.header().droppedRecords != 0)
        return unusable("there was no room for " + plural(recording.header().droppedRecords, "event") + ".");
    if (recording.isDamaged() || recording.isIncomplete())
        return unusable("it is damaged" + (recording.warnings().empty() ? "." : ": " + recording.warnings().front().message));
    std::optional<RankPath> found;
    std::optional<RankPath> started;
    for (const std::uint32_t thread : recording.threads()) {
        if (recording.firstSequence(thread) > 1)
            return unusable("its beginning has been overwritten by later events (--buffer).");
        PathReader reader(recording, file.clock);
        RankPath path = reader.read(thread);
        if (reader.callsInit())
            started = path;
        if (!reader.receives())
            continue;
        if (found)
            return unusable("several of its threads receive messages, which cannot be replayed.");
        if (!reader.callsInit() && path.problem.empty())
            path.problem = "another thread than the one that called MPI_Init receives messages, which cannot be replayed.";
        found = std::move(path);
    }
    return found ? std::move(*found) : started ? std::move(*started) : unusable("it has no call of MPI_Init.");
}

} // namespace laggard::replay
