// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Tables.h"

#include "ingest/otf2/Extras.h"
#include "ingest/otf2/Regions.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

namespace laggard::otf2 {
namespace {

constexpr std::uint64_t absurdTicksPerSecond = 1'000'000'000'000'000; // no clock ticks in less than a femtosecond

void note(Trace &trace, WarningId id, std::string message, std::vector<Warning::Datum> data = {}) {
    trace.warnings.push_back(
        {id, Warning::Severity::Note, std::nullopt, "global definitions", std::move(message), std::move(data)});
}

void buildClock(const Definitions &d, Trace &trace) {
    if (d.ticksPerSecond != 0 && d.ticksPerSecond < absurdTicksPerSecond)
        trace.clock.ticksPerSecond = d.ticksPerSecond;
    else
        note(trace, WarningId::ImpossibleClock,
             d.hasClock ? "The clock's resolution is given as " + std::to_string(d.ticksPerSecond) +
                              " ticks per second, which cannot be; nanoseconds are assumed."
                        : "The trace does not define its clock; nanoseconds are assumed.",
             {{"ticks_per_second", d.hasClock ? d.ticksPerSecond : 0}});
    if (d.startUtc != OTF2_UNDEFINED_TIMESTAMP)
        trace.clock.startNanosecondsUtc = d.startUtc;
}

void buildSystemTree(const Definitions &d, Trace &trace, IdMap &nodeOf) {
    for (const Definitions::SystemNode &raw : d.systemNodes)
        if (nodeOf.insert(raw.id, static_cast<std::uint32_t>(trace.systemNodes.size()))) {
            // Parents are defined before their children; a reference forward would allow a circle.
            const SystemNodeId parent = nodeOf.find(raw.parent);
            trace.systemNodes.push_back({d.text(raw.name), d.text(raw.className), raw.parent == raw.id ? none : parent});
        }
}

/// The groups of an archive by their numbers, with members as ids of locations.
class Groups {
  public:
    explicit Groups(const Definitions &d) : m_definitions(d) {
        for (std::uint32_t i = 0; i < d.groups.size(); ++i) {
            m_groupOf.insert(d.groups[i].id, i);
            if (d.groups[i].type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
                m_locationsOf.try_emplace(d.groups[i].paradigm, &d.groups[i]);
        }
    }
    [[nodiscard]] const Definitions::Group *find(std::uint32_t id) const {
        const std::uint32_t position = m_groupOf.find(id);
        return position == none ? nullptr : &m_definitions.groups[position];
    }
    /// Locations that communicate in this paradigm, in order; nullptr if the archive does not say.
    [[nodiscard]] const Definitions::Group *communicating(OTF2_Paradigm paradigm) const {
        const auto entry = m_locationsOf.find(paradigm);
        return entry == m_locationsOf.end() ? nullptr : entry->second;
    }
    /// Location ids of the members; OTF2_UNDEFINED_LOCATION for one that does not exist. Nothing if the members are positions in
    /// a list that is missing.
    [[nodiscard]] std::optional<std::vector<std::uint64_t>> locationsOf(const Definitions::Group &group) const {
        if (group.type != OTF2_GROUP_TYPE_COMM_GROUP || (group.flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0)
            return group.members;
        const Definitions::Group *all = communicating(group.paradigm);
        if (all == nullptr)
            return std::nullopt;
        std::vector<std::uint64_t> locations;
        for (const std::uint64_t member : group.members)
            locations.push_back(member < all->members.size() ? all->members[member] : OTF2_UNDEFINED_LOCATION);
        return locations;
    }

  private:
    const Definitions &m_definitions;
    IdMap m_groupOf;
    std::map<OTF2_Paradigm, const Definitions::Group *> m_locationsOf;
};

/// Gives each process its rank and each location its process.
class ProcessBuilder {
  public:
    ProcessBuilder(const Definitions &d, const Groups &groups, const IdMap &nodeOf, Trace &trace)
        : m_definitions(d), m_groups(groups), m_nodeOf(nodeOf), m_trace(trace) {}

    void build() {
        buildLocations();
        for (std::uint32_t i = 0; i < m_definitions.locationGroups.size(); ++i)
            m_groupOf.insert(m_definitions.locationGroups[i].id, i);
        m_rankOfGroup.assign(m_definitions.locationGroups.size(), none);
        for (const std::uint64_t location : mpiLocations())
            addMpiProcess(location);
        addOtherProcesses();
        assignRemaining();
        for (Rank rank = 0; rank < m_trace.processes.size(); ++rank)
            listLocations(rank);
    }
    [[nodiscard]] Rank rankOfLocation(std::uint64_t id) const {
        const std::uint32_t rank = m_rankOfMissing.find(id);
        if (rank != none)
            return rank;
        const std::uint32_t location = m_locationOf.find(id);
        return location == none ? none : m_trace.locations[location].rank;
    }

  private:
    void buildLocations() {
        std::size_t repeated = 0;
        for (const Definitions::Location &raw : m_definitions.locations) {
            if (!m_locationOf.insert(raw.id, static_cast<std::uint32_t>(m_trace.locations.size()))) {
                ++repeated;
                continue;
            }
            Location location;
            location.id = raw.id;
            location.name = m_definitions.text(raw.name);
            location.kind = raw.type == OTF2_LOCATION_TYPE_CPU_THREAD           ? LocationKind::Thread
                            : raw.type == OTF2_LOCATION_TYPE_ACCELERATOR_STREAM ? LocationKind::AcceleratorStream
                            : raw.type == OTF2_LOCATION_TYPE_METRIC             ? LocationKind::Metric
                                                                                : LocationKind::Unknown;
            m_trace.locations.push_back(std::move(location));
            m_groupOfLocation.push_back(raw.group);
        }
        if (repeated != 0)
            note(m_trace, WarningId::RepeatedLocations,
                 plural(repeated, "location") + (repeated == 1 ? " is" : " are") +
                     " defined more than once; the first definition counts.",
                 {{"locations", repeated}});
    }

    /// Main locations of the MPI processes by rank: as MPI_COMM_WORLD has them, or as the archive lists them.
    std::vector<std::uint64_t> mpiLocations() const {
        const Definitions::Group *all = m_groups.communicating(OTF2_PARADIGM_MPI);
        if (all == nullptr)
            return {};
        for (const Definitions::Communicator &communicator : m_definitions.communicators) {
            const Definitions::Group *group = communicator.isInter ? nullptr : m_groups.find(communicator.group);
            if (group == nullptr || m_definitions.text(communicator.name) != "MPI_COMM_WORLD" ||
                group->paradigm != OTF2_PARADIGM_MPI)
                continue;
            const auto locations = m_groups.locationsOf(*group);
            if (locations && std::is_permutation(locations->begin(), locations->end(), all->members.begin(), all->members.end()))
                return *locations;
        }
        return all->members;
    }

    void addMpiProcess(std::uint64_t id) {
        const auto rank = static_cast<Rank>(m_trace.processes.size());
        const std::uint32_t index = m_locationOf.find(id);
        if (index == none) {
            m_rankOfMissing.insert(id, rank);
            m_trace.processes.push_back({"location " + std::to_string(id), none, none, {}});
            m_trace.warnings.push_back({WarningId::UndefinedLocation,
                                        Warning::Severity::DataLoss,
                                        id,
                                        "global definitions",
                                        "Location " + std::to_string(id) + " (rank " + std::to_string(rank) +
                                            ") takes part in MPI but is not defined; nothing is known of this rank.",
                                        {{"rank", rank}}});
            return;
        }
        Location &location = m_trace.locations[index];
        if (location.rank != none) {
            note(m_trace, WarningId::SharedLocation,
                 "Location " + std::to_string(id) + " stands for several MPI processes; the first one counts.");
            m_trace.processes.push_back({"location " + std::to_string(id), none, none, {}});
            return;
        }
        location.rank = rank;
        const std::uint32_t group = m_groupOf.find(m_groupOfLocation[index]);
        if (group != none && m_rankOfGroup[group] == none)
            m_rankOfGroup[group] = rank;
        m_trace.processes.push_back(processOf(group, index));
        m_trace.processes.back().mainLocation = index;
    }

    Process processOf(std::uint32_t group, LocationIndex location) const {
        if (group == none)
            return {m_trace.locations[location].name, none, none, {}};
        const Definitions::LocationGroup &raw = m_definitions.locationGroups[group];
        return {m_definitions.text(raw.name), m_nodeOf.find(raw.node), none, {}};
    }

    /// Processes without MPI, after those with: in the order of their definition.
    void addOtherProcesses() {
        std::vector<bool> isUsed(m_definitions.locationGroups.size(), false);
        for (const std::uint32_t id : m_groupOfLocation)
            if (const std::uint32_t group = m_groupOf.find(id); group != none)
                isUsed[group] = true;
        for (std::uint32_t group = 0; group < m_definitions.locationGroups.size(); ++group)
            if (m_rankOfGroup[group] == none && isUsed[group] &&
                m_definitions.locationGroups[group].type != OTF2_LOCATION_GROUP_TYPE_ACCELERATOR) {
                m_rankOfGroup[group] = static_cast<Rank>(m_trace.processes.size());
                m_trace.processes.push_back(processOf(group, none));
            }
    }

    /// The process that an accelerator's group belongs to: its creator, or the first process at the same place of the system tree
    /// or above.
    [[nodiscard]] Rank ownerOf(std::uint32_t group) const {
        const Definitions::LocationGroup &raw = m_definitions.locationGroups[group];
        const std::uint32_t creator = m_groupOf.find(raw.creator);
        if (creator != none && m_rankOfGroup[creator] != none)
            return m_rankOfGroup[creator];
        for (SystemNodeId node = m_nodeOf.find(raw.node); node != none; node = m_trace.systemNodes[node].parent)
            for (Rank rank = 0; rank < m_trace.processes.size(); ++rank)
                if (m_trace.processes[rank].node == node)
                    return rank;
        return none;
    }

    void assignRemaining() {
        for (std::uint32_t group = 0; group < m_rankOfGroup.size(); ++group)
            if (m_rankOfGroup[group] == none)
                m_rankOfGroup[group] = ownerOf(group);
        for (LocationIndex index = 0; index < m_trace.locations.size(); ++index) {
            Location &location = m_trace.locations[index];
            if (location.rank != none)
                continue;
            const std::uint32_t group = m_groupOf.find(m_groupOfLocation[index]);
            location.rank = group == none ? none : m_rankOfGroup[group];
            if (location.rank == none) { // nobody's: it is a process of its own
                location.rank = static_cast<Rank>(m_trace.processes.size());
                m_trace.processes.push_back(processOf(group, index));
                if (group != none)
                    m_rankOfGroup[group] = location.rank;
            }
        }
        m_locationsOfRank.resize(m_trace.processes.size());
        for (LocationIndex index = 0; index < m_trace.locations.size(); ++index)
            m_locationsOfRank[m_trace.locations[index].rank].push_back(index);
    }

    void listLocations(Rank rank) {
        Process &process = m_trace.processes[rank];
        std::vector<LocationIndex> &locations = m_locationsOfRank[rank];
        // Without MPI the main thread is the first thread listed; a process that has none may still have a stream.
        for (const LocationKind kind : {LocationKind::Thread, LocationKind::Unknown, LocationKind::AcceleratorStream})
            for (const LocationIndex location : locations)
                if (process.mainLocation == none && m_trace.locations[location].kind == kind)
                    process.mainLocation = location;
        if (process.mainLocation == none && !locations.empty())
            process.mainLocation = locations.front();
        std::stable_partition(locations.begin(), locations.end(), [&](LocationIndex l) { return l == process.mainLocation; });
        process.locations = std::move(locations);
    }

    const Definitions &m_definitions;
    const Groups &m_groups;
    const IdMap &m_nodeOf;
    Trace &m_trace;
    IdMap m_locationOf;
    IdMap m_groupOf;
    IdMap m_rankOfMissing; // location ids that take part in MPI and are not defined
    std::vector<std::uint32_t> m_groupOfLocation;
    std::vector<Rank> m_rankOfGroup;
    std::vector<std::vector<LocationIndex>> m_locationsOfRank;
};

class CommunicatorBuilder {
  public:
    CommunicatorBuilder(const Definitions &d, const Groups &groups, const ProcessBuilder &processes, Trace &trace,
                        References &references)
        : m_definitions(d), m_groups(groups), m_processes(processes), m_trace(trace), m_references(references) {}

    void build() {
        std::vector<std::uint32_t> parents;
        for (const Definitions::Communicator &raw : m_definitions.communicators) {
            if (isOfThreads(raw) ||
                !m_references.communicators.insert(raw.id, static_cast<std::uint32_t>(m_trace.communicators.size())))
                continue;
            add(raw);
            parents.push_back(raw.parent);
        }
        for (std::size_t i = 0; i < parents.size(); ++i) {
            const CommunicatorId parent = m_references.communicators.find(parents[i]);
            m_trace.communicators[i].parent = parent < i ? parent : none; // a reference forward would allow a circle
        }
        m_trace.world = findWorld();
    }

  private:
    /// True for the teams of OpenMP and the like: their members are threads of one process.
    [[nodiscard]] bool isOfThreads(const Definitions::Communicator &raw) const {
        const Definitions::Group *group = m_groups.find(raw.group);
        return group != nullptr && group->paradigm != OTF2_PARADIGM_MPI &&
               std::find(m_definitions.threadParadigms.begin(), m_definitions.threadParadigms.end(), group->paradigm) !=
                   m_definitions.threadParadigms.end();
    }

    /// Many communicators may have one group: its ranks are there once.
    struct GroupRanks {
        MemberList all;     ///< by rank in the group; `none` where damaged
        MemberList defined; ///< without these
        MemberList sorted;  ///< `all`
    };

    const GroupRanks &ranksOf(const Definitions::Group &group) {
        const auto [entry, isNew] = m_ranksOf.try_emplace(&group);
        GroupRanks &ranks = entry->second;
        if (!isNew)
            return ranks;
        ranks.all = findRanks(group);
        ranks.defined = ranks.all;
        if (std::find(ranks.all.begin(), ranks.all.end(), none) != ranks.all.end())
            std::erase(ranks.defined.edit(), none);
        ranks.sorted = ranks.all;
        if (!std::is_sorted(ranks.all.begin(), ranks.all.end()))
            std::sort(ranks.sorted.edit().begin(), ranks.sorted.edit().end());
        return ranks;
    }

    /// The ranks of both sides of an inter-communicator.
    const MemberList &ranksOf(const Definitions::Group &group, const Definitions::Group &remote) {
        const auto [entry, isNew] = m_ranksOfBoth.try_emplace({&group, &remote});
        if (isNew) {
            entry->second = ranksOf(group).defined;
            const MemberList &others = ranksOf(remote).defined;
            entry->second.edit().insert(entry->second.edit().end(), others.begin(), others.end());
        }
        return entry->second;
    }

    [[nodiscard]] std::vector<Rank> findRanks(const Definitions::Group &group) const {
        std::vector<Rank> ranks;
        if (const auto locations = m_groups.locationsOf(group)) {
            for (const std::uint64_t location : *locations)
                ranks.push_back(m_processes.rankOfLocation(location));
        } else {
            for (const std::uint64_t member : group.members)
                ranks.push_back(member < m_trace.processes.size() ? static_cast<Rank>(member) : none);
        }
        return ranks;
    }

    void add(const Definitions::Communicator &raw) {
        Communicator communicator;
        communicator.name = m_definitions.text(raw.name);
        PeerTable peers;
        const Definitions::Group *group = m_groups.find(raw.group);
        const Definitions::Group *remote = raw.isInter ? m_groups.find(raw.remoteGroup) : nullptr;
        if (group != nullptr && group->type == OTF2_GROUP_TYPE_COMM_SELF) {
            communicator.isSelf = true;
            peers.kind = PeerTable::Kind::Self;
        } else if (group != nullptr && (!raw.isInter || remote != nullptr)) {
            peers.kind = raw.isInter ? PeerTable::Kind::Inter : PeerTable::Kind::Intra;
            peers.members = ranksOf(*group).all;
            communicator.members = remote == nullptr ? ranksOf(*group).defined : ranksOf(*group, *remote);
            if (remote != nullptr) {
                peers.sortedMembers = ranksOf(*group).sorted;
                peers.remoteMembers = ranksOf(*remote).all;
            }
            if (communicator.members.size() < peers.members.size() + peers.remoteMembers.size())
                note(m_trace, WarningId::UndefinedMembers,
                     "Communicator \"" + communicator.name + "\" has members that are not defined.");
        } else {
            note(m_trace, WarningId::UndefinedMembers,
                 "The members of communicator \"" + communicator.name + "\" are not defined; messages in it cannot be matched.");
        }
        m_trace.communicators.push_back(std::move(communicator));
        m_references.peers.push_back(std::move(peers));
    }

    [[nodiscard]] CommunicatorId findWorld() const {
        CommunicatorId found = none;
        std::vector<Rank> all(m_trace.processes.size());
        std::iota(all.begin(), all.end(), 0U);
        for (CommunicatorId id = 0; id < m_trace.communicators.size(); ++id) {
            const Communicator &communicator = m_trace.communicators[id];
            if (m_references.peers[id].kind != PeerTable::Kind::Intra)
                continue;
            if (communicator.name == "MPI_COMM_WORLD")
                return id;
            if (found == none && communicator.members == all)
                found = id;
        }
        return found;
    }

    const Definitions &m_definitions;
    const Groups &m_groups;
    const ProcessBuilder &m_processes;
    Trace &m_trace;
    References &m_references;
    std::map<const Definitions::Group *, GroupRanks> m_ranksOf;
    std::map<std::pair<const Definitions::Group *, const Definitions::Group *>, MemberList> m_ranksOfBoth;
};

} // namespace

Rank PeerTable::peerOf(Rank self, std::uint32_t peer) const {
    switch (kind) {
    case Kind::Intra:
        return peer < members.size() ? members[peer] : none;
    case Kind::Self:
        return peer == 0 ? self : none;
    case Kind::Inter: {
        const bool isLocal = std::binary_search(sortedMembers.begin(), sortedMembers.end(), self);
        const std::vector<Rank> &others = isLocal ? remoteMembers : members;
        return peer < others.size() ? others[peer] : none;
    }
    case Kind::Unknown:
        break;
    }
    return none;
}

References buildTables(const Definitions &definitions, Trace &trace) {
    References references;
    buildClock(definitions, trace);
    buildRegions(definitions, trace, references.regions, references.callingContexts);
    IdMap nodeOf;
    buildSystemTree(definitions, trace, nodeOf);
    const Groups groups(definitions);
    ProcessBuilder processes(definitions, groups, nodeOf, trace);
    processes.build();
    CommunicatorBuilder(definitions, groups, processes, trace, references).build();
    references.rankCount = static_cast<Rank>(trace.processes.size());
    references.definitions = &definitions;
    readExtras(definitions, trace, references);
    return references;
}

} // namespace laggard::otf2
