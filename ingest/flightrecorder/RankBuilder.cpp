// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/RankBuilder.h"

#include "ingest/assembly/LocationBuilder.h"
#include "trace/DeviceOperation.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace laggard::flightrecorder {
namespace {

using QueueKind = QueuedOperation::Kind;
using State = DumpEntry::State;

constexpr std::uint64_t mostNumber = std::uint64_t{1}
                                     << 31U; // numbers of instances have 32 bits, and half of them are for others

/// Bytes of an element of one of PyTorch's types; 0 for others.
std::uint64_t bytesOf(std::string_view type) {
    constexpr std::pair<std::string_view, std::uint64_t> sizes[] = {
        {"Float", 4},  {"Double", 8}, {"Half", 2},   {"BFloat16", 2},      {"Long", 8},         {"Int", 4},
        {"Short", 2},  {"Char", 1},   {"Byte", 1},   {"Bool", 1},          {"ComplexFloat", 8}, {"ComplexDouble", 16},
        {"UInt16", 2}, {"UInt32", 4}, {"UInt64", 8}, {"Float8_e4m3fn", 1}, {"Float8_e5m2", 1},
    };
    for (const auto &[name, size] : sizes)
        if (name == type)
            return size;
    return 0;
}

/// What all members must agree about; nothing of operations to which each may bring another number.
std::uint64_t agreedElements(CollectiveOperation operation, const DumpEntry &entry) {
    switch (operation) {
    case CollectiveOperation::Allreduce:
    case CollectiveOperation::Allgather:
    case CollectiveOperation::Bcast:
    case CollectiveOperation::Reduce:
        return entry.inputElements == 0 ? QueuedOperation::none64 : entry.inputElements;
    case CollectiveOperation::ReduceScatter:
        return entry.outputElements == 0 ? QueuedOperation::none64 : entry.outputElements;
    default:
        return QueuedOperation::none64;
    }
}

/// The operations of one group in a ring.
struct GroupUse {
    std::vector<std::uint64_t> completed; ///< sequence numbers of collectives, in order of record
    std::uint64_t firstOpen = 0;          ///< for collectives: the smallest number that is not complete; 0: none
    std::uint64_t lastOpen = 0;
    std::uint64_t firstOpenMessage = 0;
    std::uint64_t lastMessage = 0;
    bool hasCollectives = false;
    bool hasMessages = false;
};

class Builder {
  public:
    Builder(const RankDump &dump, Rank rank, JobTables &tables)
        : m_dump(dump), m_rank(rank), m_tables(tables), m_builder(tables.callPaths), m_uses(dump.groups.size()) {
        for (const DumpGroup &group : dump.groups)
            m_communicators.push_back(tables.groups.intern(group, rank, dump.contradictions.count == 0));
    }

    Location build(std::vector<UnseenGroup> &unseen) {
        for (const DumpEntry &entry : m_dump.entries)
            survey(entry);
        for (std::uint32_t group = 0; group < m_uses.size(); ++group)
            chooseRun(group);
        addCalls();
        Location location;
        location.events = m_builder.finish();
        location.events.tellsFunctions = false;
        location.events.queue = std::move(m_queue);
        location.events.openParts = std::move(m_openParts);
        settleCounts(location.events, unseen);
        location.kind = LocationKind::Thread;
        location.rank = m_rank;
        location.id = m_rank;
        location.name = "rank " + std::to_string(m_rank);
        location.eventCount = m_dump.entries.size();
        location.damaged = m_dump.isCut;
        setTimes(location);
        return location;
    }

  private:
    struct Call {
        const DumpEntry *entry = nullptr;
        Tick begin = 0;
        Tick end = 0;
    };

    static bool isOpen(const DumpEntry &entry) { return entry.state != State::Completed; }

    void survey(const DumpEntry &entry) {
        GroupUse &use = m_uses[entry.group];
        const CommunicatorId communicator = m_communicators[entry.group];
        m_tables.groups.noteUse(communicator, entry.isMessage);
        (entry.isMessage ? use.hasMessages : use.hasCollectives) = true;
        if (entry.isMessage) {
            use.lastMessage = std::max(use.lastMessage, entry.message);
            if (isOpen(entry) && use.firstOpenMessage == 0)
                use.firstOpenMessage = entry.message;
            return;
        }
        if (!isOpen(entry)) {
            if (use.completed.empty() || use.completed.back() < entry.collective)
                use.completed.push_back(entry.collective);
        } else if (entry.collective != 0) {
            use.firstOpen = use.firstOpen == 0 ? entry.collective : std::min(use.firstOpen, entry.collective);
            use.lastOpen = std::max(use.lastOpen, entry.collective);
        }
    }

    /// Those completed collectives keep their records that have all numbers up to the first one that is not complete:
    /// their numbers are certain then, wherever the ring begins.
    void chooseRun(std::uint32_t group) {
        GroupUse &use = m_uses[group];
        const DumpGroup &config = m_dump.groups[group];
        std::uint64_t last = use.completed.empty() ? 0 : use.completed.back();
        if (use.firstOpen != 0)
            last = use.firstOpen - 1;
        else if (!use.hasMessages && config.lastCompleted > static_cast<std::int64_t>(last))
            last = static_cast<std::uint64_t>(config.lastCompleted);
        last = std::min(last, mostNumber);
        std::uint64_t first = last + 1;
        while (!use.completed.empty() && use.completed.back() >= first)
            use.completed.pop_back();
        for (auto each = use.completed.rbegin(); each != use.completed.rend() && *each + 1 == first && first > 1; ++each)
            --first;
        m_firstKept.push_back(first);
        m_completed.push_back(last);
    }

    // Calls.

    [[nodiscard]] std::optional<DeviceOperation> operationOf(const DumpEntry &entry) const { return deviceOperation(entry.name); }

    [[nodiscard]] QueueKind kindOf(const DumpEntry &entry) const {
        const std::optional<DeviceOperation> operation = operationOf(entry);
        if (operation && operation->kind == DeviceOperation::Kind::Send)
            return QueueKind::Send;
        return operation && operation->kind == DeviceOperation::Kind::Receive ? QueueKind::Receive : QueueKind::Collective;
    }

    [[nodiscard]] Rank peerOf(const DumpEntry &entry) const {
        const std::optional<DeviceOperation> operation = operationOf(entry);
        const std::vector<Rank> &members = m_dump.groups[entry.group].ranks;
        return operation && operation->peer < members.size() ? members[operation->peer] : Rank{none};
    }

    [[nodiscard]] CollectiveKind collectiveOf(const DumpEntry &entry) const {
        CollectiveKind kind;
        const std::optional<DeviceOperation> operation = operationOf(entry);
        kind.operation = operation ? operation->operation : CollectiveOperation::Other;
        kind.communicator = m_communicators[entry.group];
        kind.bytesSent = entry.inputElements * bytesOf(entry.type);
        kind.bytesReceived = entry.outputElements * bytesOf(entry.type);
        kind.basicType = m_tables.typeName(entry.type);
        return kind;
    }

    void addCalls() {
        Tick now = 0;
        std::vector<std::pair<Tick, const DumpEntry *>> late; // completed on another group, after the first that is not complete
        bool isBlocked = false;
        for (std::size_t i = 0; i < m_dump.entries.size(); ++i) {
            const DumpEntry &entry = m_dump.entries[i];
            now = std::max(now, entry.created); // several threads may have taken their time before they took their place
            if (isOpen(entry)) {
                const CallPathId path = isBlocked ? pathOf(entry) : enter(entry, now);
                enqueue(entry, path, now, !isBlocked);
                isBlocked = true;
            } else if (isBlocked) {
                late.emplace_back(std::max(now, entry.completed), &entry);
            } else {
                enter(entry, now);
                const Tick next = i + 1 < m_dump.entries.size() ? std::max(now, m_dump.entries[i + 1].created) : openEnd;
                const Tick end = std::max(now, entry.completed == 0 ? next : std::min(entry.completed, next));
                now = end == openEnd ? now : end;
                complete(entry, now, m_builder.currentRow());
                m_builder.leave(now, m_tables.callPaths[m_builder.currentCallPath()].region);
            }
        }
        std::sort(late.begin(), late.end());
        for (const auto &[time, entry] : late)
            complete(*entry, std::max(now, time), none);
        // All that is known of the program here: its outermost function has not returned.
        while (!isBlocked && m_stack.size() > 1)
            leaveFrame(now);
    }

    [[nodiscard]] RegionId regionOf(const DumpEntry &entry) {
        const std::optional<DeviceOperation> operation = operationOf(entry);
        const bool isCollective = kindOf(entry) == QueueKind::Collective;
        return m_tables.operation(operation ? operation->name : entry.name,
                                  isCollective ? RegionRole::Collective : RegionRole::PointToPoint);
    }

    using Step = std::pair<RegionId, CallSiteId>; ///< a function, and where it is called

    /// Outermost first; `last` becomes where the innermost calls the operation.
    [[nodiscard]] std::vector<Step> stepsOf(const DumpEntry &entry, CallSiteId &last) {
        std::vector<Step> steps;
        last = none;
        if (entry.stack == none)
            return steps;
        const std::vector<DumpFrame> &frames = m_dump.stacks[entry.stack];
        for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
            steps.emplace_back(m_tables.function(*frame), last);
            last = m_tables.site(*frame);
        }
        return steps;
    }

    CallPathId enter(const DumpEntry &entry, Tick now) {
        CallSiteId last = none;
        const std::vector<Step> steps = stepsOf(entry, last);
        std::size_t common = 0;
        while (common < steps.size() && common < m_stack.size() && steps[common] == m_stack[common])
            ++common;
        while (m_stack.size() > common)
            leaveFrame(now);
        for (; common < steps.size(); ++common) {
            m_builder.enter(now, steps[common].first, steps[common].second);
            m_stack.push_back(steps[common]);
        }
        m_builder.enter(now, regionOf(entry), last);
        return m_builder.currentCallPath();
    }

    void leaveFrame(Tick now) {
        m_builder.leave(now, m_stack.back().first);
        m_stack.pop_back();
    }

    [[nodiscard]] CallPathId pathOf(const DumpEntry &entry) {
        CallSiteId last = none;
        CallPathId path = none;
        for (const auto &[region, site] : stepsOf(entry, last))
            path = m_tables.callPaths.intern(path, region, site);
        return m_tables.callPaths.intern(path, regionOf(entry), last);
    }

    void complete(const DumpEntry &entry, Tick time, std::uint32_t row) {
        const std::uint64_t number = entry.collective;
        if (entry.isMessage || number < m_firstKept[entry.group] || number > m_completed[entry.group] ||
            !m_done.emplace(entry.group, number).second)
            return;
        m_builder.collective(time, collectiveOf(entry), row);
    }

    void enqueue(const DumpEntry &entry, CallPathId path, Tick now, bool isFirst) {
        const QueueKind kind = kindOf(entry);
        const std::uint64_t number = entry.isMessage ? entry.message : entry.collective;
        // What is coalesced has an entry for each part and one for the whole, all with one number.
        if (number == 0 || number > mostNumber || (!entry.isMessage && !m_queued.emplace(entry.group, number).second))
            return;
        QueuedOperation queued;
        queued.kind = entry.isMessage && kind == QueueKind::Collective ? QueueKind::Send : kind;
        queued.started = entry.state == State::Started;
        queued.collective = collectiveOf(entry);
        queued.peer = entry.isMessage ? peerOf(entry) : Rank{none};
        queued.number = static_cast<std::uint32_t>(number - 1);
        if (!entry.isMessage)
            queued.elements = agreedElements(queued.collective.operation, entry);
        queued.enqueued = now;
        queued.callPath = path;
        m_queue.push_back(queued);
        if (isFirst && !entry.isMessage) {
            m_openParts.emplace();
            m_openParts->isCollective = true;
            m_openParts->collective = queued.collective;
            m_openParts->collectiveNumber = queued.number;
        }
    }

    // Counts.

    void settleCounts(LocationEvents &events, std::vector<UnseenGroup> &unseen) {
        std::map<CommunicatorId, std::uint32_t> earlier;
        for (std::uint32_t group = 0; group < m_uses.size(); ++group) {
            const GroupUse &use = m_uses[group];
            const DumpGroup &config = m_dump.groups[group];
            if (use.hasCollectives)
                earlier[m_communicators[group]] = static_cast<std::uint32_t>(m_firstKept[group] - 1);
            if (use.hasMessages && config.ranks.size() == 2)
                addMessages(events, group);
            if (!use.hasCollectives && !use.hasMessages && config.lastEnqueued > 0)
                unseen.push_back({m_rank, m_communicators[group], static_cast<std::uint64_t>(config.lastEnqueued),
                                  static_cast<std::uint64_t>(std::max<std::int64_t>(config.lastCompleted, 0))});
        }
        for (const auto &[communicator, count] : earlier)
            if (count != 0)
                events.earlierCollectives.push_back({communicator, count});
    }

    void addMessages(LocationEvents &events, std::uint32_t group) const {
        const GroupUse &use = m_uses[group];
        const std::uint64_t enqueued = std::min(use.lastMessage, mostNumber);
        const std::uint64_t completed = use.firstOpenMessage == 0 ? enqueued : std::min(use.firstOpenMessage - 1, enqueued);
        events.queuedMessages.push_back(
            {m_communicators[group], static_cast<std::uint32_t>(enqueued), static_cast<std::uint32_t>(completed)});
    }

    void setTimes(Location &location) const {
        for (const DumpEntry &entry : m_dump.entries) {
            const Tick first = location.firstEvent;
            location.firstEvent = first == 0 ? entry.created : std::min(first, entry.created);
            location.lastEvent = std::max({location.lastEvent, entry.created, entry.started, entry.completed});
        }
    }

    const RankDump &m_dump;
    Rank m_rank;
    JobTables &m_tables;
    LocationBuilder m_builder;
    std::vector<CommunicatorId> m_communicators; ///< by group of the dump
    std::vector<GroupUse> m_uses;                ///< likewise
    std::vector<std::uint64_t> m_firstKept;      ///< likewise: the first completed collective whose record is kept
    std::vector<std::uint64_t> m_completed;      ///< likewise: collectives completed
    std::set<std::pair<std::uint32_t, std::uint64_t>> m_done;
    std::set<std::pair<std::uint32_t, std::uint64_t>> m_queued;
    std::vector<QueuedOperation> m_queue;
    std::vector<Step> m_stack; ///< functions that are open
    std::optional<OpenParts> m_openParts;
};

} // namespace

RegionId JobTables::intern(Region region) {
    const auto [known, isNew] = m_regions.try_emplace({region.name, region.file}, static_cast<RegionId>(m_trace.regions.size()));
    if (isNew)
        m_trace.regions.push_back(std::move(region));
    return known->second;
}

RegionId JobTables::operation(std::string_view name, RegionRole role) {
    Region region;
    region.name = region.canonicalName = name;
    region.role = role;
    region.paradigm = Paradigm::Mpi;
    return intern(std::move(region));
}

RegionId JobTables::function(const DumpFrame &frame) {
    Region region;
    region.name = region.canonicalName = frame.function.empty() ? "?" : frame.function;
    region.file = frame.file.empty() ? "?" : frame.file; // an operation has none
    region.role = RegionRole::Function;
    region.paradigm = Paradigm::User;
    return intern(std::move(region));
}

RegionId JobTables::outside() {
    Region region;
    region.name = region.canonicalName = "(outside communication)";
    region.role = RegionRole::Artificial;
    region.paradigm = Paradigm::User;
    return intern(std::move(region));
}

CallSiteId JobTables::site(const DumpFrame &frame) {
    if (frame.file.empty() || frame.line == 0)
        return none;
    const auto [known, isNew] = m_sites.try_emplace({frame.file, frame.line}, static_cast<CallSiteId>(m_trace.callSites.size()));
    if (isNew)
        m_trace.callSites.push_back({frame.file, frame.line});
    return known->second;
}

std::uint32_t JobTables::typeName(std::string_view type) {
    if (type.empty())
        return none;
    const auto known = m_types.find(type);
    if (known != m_types.end())
        return known->second;
    const auto number = static_cast<std::uint32_t>(m_trace.names.size());
    m_trace.names.emplace_back(type);
    m_types.emplace(type, number);
    return number;
}

Location locationOf(const RankDump &dump, Rank rank, JobTables &tables, std::vector<UnseenGroup> &unseen) {
    return Builder(dump, rank, tables).build(unseen);
}

void renumberGroups(LocationEvents &events, const std::vector<CommunicatorId> &becomes) {
    for (CollectiveKind &kind : events.collectiveKinds)
        kind.communicator = becomes[kind.communicator];
    for (QueuedOperation &queued : events.queue)
        queued.collective.communicator = becomes[queued.collective.communicator];
    if (events.openParts && events.openParts->isCollective)
        events.openParts->collective.communicator = becomes[events.openParts->collective.communicator];
    for (EarlierCollectives &earlier : events.earlierCollectives)
        earlier.communicator = becomes[earlier.communicator];
    for (QueuedMessages &messages : events.queuedMessages)
        messages.communicator = becomes[messages.communicator];
}

void settleUnseen(const std::vector<UnseenGroup> &unseen, const GroupTable &groups, Trace &trace) {
    for (const UnseenGroup &each : unseen) {
        LocationEvents &events = trace.locations[trace.processes[each.rank].mainLocation].events;
        const auto count = static_cast<std::uint32_t>(std::min(each.enqueued, mostNumber));
        const auto completed = static_cast<std::uint32_t>(std::min(each.completed, mostNumber));
        const bool messages = groups.hasMessages(each.communicator);
        if (messages && groups.all()[each.communicator].members.size() == 2)
            events.queuedMessages.push_back({each.communicator, count, std::min(count, completed)});
        else if (!messages)
            events.earlierCollectives.push_back({each.communicator, count});
    }
    for (Location &location : trace.locations) {
        const auto byCommunicator = [](const auto &a, const auto &b) { return a.communicator < b.communicator; };
        std::ranges::sort(location.events.earlierCollectives, byCommunicator);
        std::ranges::sort(location.events.queuedMessages, byCommunicator);
    }
}

} // namespace laggard::flightrecorder
