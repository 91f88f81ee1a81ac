// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/convert/Otf2Definitions.h"

#include "app/convert/Otf2Names.h"
#include "app/convert/Otf2Status.h"
#include "ingest/otf2/OperationText.h"
#include "ingest/otf2/TableText.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

namespace laggard {
namespace {

struct ParadigmClass {
    Paradigm paradigm;
    const char *name;
    OTF2_ParadigmClass kind;
};
/// Paradigms of parallelism: only these are defined in an archive, others are known by number.
constexpr std::array parallelParadigms = {
    ParadigmClass{Paradigm::Mpi, "MPI", OTF2_PARADIGM_CLASS_PROCESS},
    ParadigmClass{Paradigm::OpenMp, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN},
    ParadigmClass{Paradigm::Pthread, "POSIX threads", OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT},
    ParadigmClass{Paradigm::Shmem, "SHMEM", OTF2_PARADIGM_CLASS_PROCESS},
    ParadigmClass{Paradigm::Accelerator, "Accelerator", OTF2_PARADIGM_CLASS_ACCELERATOR},
};

class DefinitionsWriter {
  public:
    DefinitionsWriter(const Trace &trace, const std::vector<Otf2Location> &locations, Otf2Strings &strings,
                      OTF2_GlobalDefWriter *writer)
        : m_trace(trace), m_locations(locations), m_strings(strings), m_writer(writer) {}

    void write() {
        string("");
        checkOtf2(OTF2_GlobalDefWriter_WriteClockProperties(
            m_writer, m_trace.clock.ticksPerSecond, m_trace.range.begin, m_trace.range.length(),
            m_trace.clock.startNanosecondsUtc != 0 ? m_trace.clock.startNanosecondsUtc : OTF2_UNDEFINED_TIMESTAMP));
        writeParadigms();
        writeAttributes();
        writeRegions();
        writeSystemTree();
        writeProcesses();
        if (!m_trace.communicators.empty())
            writeCommunicators();
    }

  private:
    OTF2_StringRef string(const std::string &text) {
        const OTF2_StringRef number = m_strings.number(text);
        for (; m_written < m_strings.all().size(); ++m_written)
            checkOtf2(OTF2_GlobalDefWriter_WriteString(m_writer, m_written, m_strings.all()[m_written]->c_str()));
        return number;
    }
    OTF2_StringRef stringIfAny(const std::string &text) { return text.empty() ? OTF2_UNDEFINED_STRING : string(text); }

    void writeParadigms() {
        for (const ParadigmClass &each : parallelParadigms) {
            const bool isUsed = (each.paradigm == Paradigm::Mpi && !m_trace.communicators.empty()) ||
                                std::any_of(m_trace.regions.begin(), m_trace.regions.end(),
                                            [&](const Region &r) { return r.paradigm == each.paradigm; });
            if (isUsed)
                checkOtf2(
                    OTF2_GlobalDefWriter_WriteParadigm(m_writer, otf2Paradigm(each.paradigm), string(each.name), each.kind));
        }
    }

    void writeAttribute(OTF2_AttributeRef number, std::string_view name, const char *description, OTF2_Type type) {
        if (number != none)
            checkOtf2(
                OTF2_GlobalDefWriter_WriteAttribute(m_writer, number, string(std::string(name)), string(description), type));
    }

    void writeAttributes() {
        const Otf2Attributes attributes(m_trace);
        writeAttribute(attributes.callSite, otf2::callSiteAttribute, "Where the caller calls the function",
                       OTF2_TYPE_SOURCE_CODE_LOCATION);
        writeAttribute(attributes.pending, otf2::pendingAttribute, "What a request that stays pending has posted",
                       OTF2_TYPE_STRING);
        writeAttribute(attributes.openCall, otf2::openCallAttribute, "What a call that never returned waits for",
                       OTF2_TYPE_STRING);
        writeAttribute(attributes.polls, otf2::pollsAttribute, "Number of unsuccessful polls that are one call here",
                       OTF2_TYPE_UINT64);
        writeAttribute(attributes.collective, otf2::collectiveAttribute, "What else is known of a collective", OTF2_TYPE_STRING);
        writeAttribute(attributes.row, otf2::rowAttribute, "Number of the Enter of the call that posted the operation, from 0",
                       OTF2_TYPE_UINT32);
        writeAttribute(attributes.how, otf2::howAttribute, "How a receive was posted", OTF2_TYPE_UINT32);
        writeAttribute(attributes.thread, otf2::threadAttribute, "Which thread of the process posted a receive",
                       OTF2_TYPE_UINT32);
        writeAttribute(attributes.epoch, otf2::epochAttribute, "What the call does to epochs of windows", OTF2_TYPE_STRING);
        writeAttribute(attributes.taken, otf2::takenAttribute, "Message that a matched probe took and no receive got",
                       OTF2_TYPE_STRING);
        writeAttribute(attributes.fingerprint, otf2::fingerprintAttribute, "Equal for messages of equal contents",
                       OTF2_TYPE_UINT32);
        for (CallSiteId id = 0; id < m_trace.callSites.size(); ++id)
            checkOtf2(OTF2_GlobalDefWriter_WriteSourceCodeLocation(m_writer, id, string(m_trace.callSites[id].file),
                                                                   m_trace.callSites[id].line));
    }

    void writeRegions() {
        for (RegionId id = 0; id < m_trace.regions.size(); ++id) {
            const Region &region = m_trace.regions[id];
            checkOtf2(OTF2_GlobalDefWriter_WriteRegion(m_writer, id, string(region.name),
                                                       string(region.canonicalName.empty() ? region.name : region.canonicalName),
                                                       string(""), otf2Role(region), otf2Paradigm(region.paradigm),
                                                       OTF2_REGION_FLAG_NONE, stringIfAny(region.file), region.line, 0));
        }
    }

    void writeSystemTree() {
        for (SystemNodeId id = 0; id < m_trace.systemNodes.size(); ++id) {
            const SystemNode &node = m_trace.systemNodes[id];
            const bool hasParent = node.parent < id;
            checkOtf2(OTF2_GlobalDefWriter_WriteSystemTreeNode(
                m_writer, id, string(node.name), string(node.className),
                hasParent ? node.parent : OTF2_SystemTreeNodeRef{OTF2_UNDEFINED_SYSTEM_TREE_NODE}));
            if (!hasParent || node.className == "node")
                checkOtf2(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(
                    m_writer, id, hasParent ? OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY : OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
        }
        m_nodeForOthers = static_cast<OTF2_SystemTreeNodeRef>(m_trace.systemNodes.size());
        const bool isNeeded = std::any_of(m_trace.processes.begin(), m_trace.processes.end(),
                                          [](const Process &process) { return process.node == none; });
        if (!isNeeded)
            return;
        checkOtf2(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_writer, m_nodeForOthers, string("machine"), string("machine"),
                                                           OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        checkOtf2(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(m_writer, m_nodeForOthers, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    }

    void writeProcesses() {
        for (Rank rank = 0; rank < m_trace.processes.size(); ++rank) {
            const Process &process = m_trace.processes[rank];
            const std::string name = process.name.empty() ? "MPI Rank " + std::to_string(rank) : process.name;
            checkOtf2(OTF2_GlobalDefWriter_WriteLocationGroup(m_writer, rank, string(name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                              process.node == none ? m_nodeForOthers : process.node,
                                                              OTF2_UNDEFINED_LOCATION_GROUP));
            if (process.pid != 0)
                writeProperty(rank, otf2::pidProperty, std::to_string(process.pid));
            if (const std::string text = otf2::textOf(process.end); text != otf2::textOf(ProcessEnd()))
                writeProperty(rank, otf2::endProperty, text);
            if (!process.end.stack.empty())
                writeProperty(rank, otf2::endStackProperty, otf2::textOf(process.end.stack));
            if (!process.end.mpiErrorStack.empty())
                writeProperty(rank, otf2::errorStackProperty, otf2::textOf(process.end.mpiErrorStack));
            if (process.hangNoticed != openEnd)
                writeProperty(rank, otf2::hangProperty, std::to_string(process.hangNoticed));
            if (process.fileLockOf != none)
                writeProperty(rank, otf2::fileLockProperty,
                              std::to_string(process.fileLockOf) + ' ' + std::to_string(process.fileLockSeen));
            if (!process.unrecordedSends.empty())
                writeProperty(rank, otf2::unrecordedProperty, otf2::textOf(process.unrecordedSends));
            if (!process.end.mpiError.empty())
                writeProperty(rank, otf2::mpiErrorProperty,
                              std::to_string(process.end.mpiErrorTime) + ' ' + process.end.mpiError);
            if (process.eventsFrom != 0)
                writeProperty(rank, otf2::eventsFromProperty, std::to_string(process.eventsFrom));
            if (!process.leftOver.empty())
                writeProperty(rank, otf2::waitingProperty, otf2::textOf(process.leftOver));
        }
        if (!m_trace.processes.empty())
            writeTables();
        for (const Otf2Location &location : m_locations) {
            const Location *source = location.source == none ? nullptr : &m_trace.locations[location.source];
            checkOtf2(OTF2_GlobalDefWriter_WriteLocation(
                m_writer, location.id, string(source == nullptr || source->name.empty() ? "Master thread" : source->name),
                otf2LocationType(source == nullptr ? LocationKind::Thread : source->kind), location.events, location.rank));
            if (source != nullptr ? source->damaged : m_trace.isDamaged(location.rank))
                writeProperty(location, otf2::damagedProperty, "1");
            if (source != nullptr)
                writeLocationProperties(location, source->events);
        }
    }

    /// What all ranks share stands with the first.
    void writeTables() {
        if (!m_trace.names.empty())
            writeProperty(0, otf2::namesProperty, otf2::listText(m_trace.names));
        if (!m_trace.windows.empty())
            writeProperty(0, otf2::windowsProperty, otf2::textOf(m_trace.windows));
        std::string bridges;
        for (CommunicatorId id = 0; id < m_trace.communicators.size(); ++id)
            if (m_trace.communicators[id].isIntercommunicator)
                bridges += (bridges.empty() ? "" : ",") + std::to_string(id);
        if (!bridges.empty())
            writeProperty(0, otf2::bridgesProperty, bridges);
        std::vector<std::string> datatypes;
        for (CallSiteId id = 0; id < m_trace.callSites.size(); ++id)
            if (!m_trace.callSites[id].datatype.empty())
                datatypes.push_back(std::to_string(id) + ' ' + m_trace.callSites[id].datatype);
        if (!datatypes.empty())
            writeProperty(0, otf2::datatypesProperty, otf2::listText(datatypes));
        if (m_trace.hasDataLoss())
            writeProperty(0, otf2::lossesProperty, otf2::lossesText(m_trace.warnings));
    }

    void writeLocationProperties(const Otf2Location &location, const LocationEvents &events) {
        if (events.stoppedAt != none) {
            const CallSite &site = m_trace.callSites[events.stoppedAt];
            writeProperty(location, otf2::stoppedProperty, site.file + ':' + std::to_string(site.line));
        }
        if (!m_trace.tellsOpenCalls)
            return;
        if (!events.tellsFunctions)
            writeProperty(location, otf2::callersOnlyProperty, "1");
        if (!events.earlierCollectives.empty())
            writeProperty(location, otf2::earlierProperty, otf2::textOf(events.earlierCollectives));
        if (!location.earlierEpochs.empty())
            writeProperty(location, otf2::epochsProperty, location.earlierEpochs);
    }

    OTF2_AttributeValue value(const std::string &text) {
        OTF2_AttributeValue value{};
        value.stringRef = string(text);
        return value;
    }
    void writeProperty(Rank rank, std::string_view name, const std::string &text) {
        const OTF2_AttributeValue written = value(text);
        checkOtf2(OTF2_GlobalDefWriter_WriteLocationGroupProperty(m_writer, rank, string(std::string(name)), OTF2_TYPE_STRING,
                                                                  written));
    }
    void writeProperty(const Otf2Location &location, std::string_view name, const std::string &text) {
        const OTF2_AttributeValue written = value(text);
        checkOtf2(OTF2_GlobalDefWriter_WriteLocationProperty(m_writer, location.id, string(std::string(name)), OTF2_TYPE_STRING,
                                                             written));
    }

    void writeGroup(OTF2_GroupRef self, OTF2_GroupType type, const std::vector<std::uint64_t> &members) {
        checkOtf2(OTF2_GlobalDefWriter_WriteGroup(m_writer, self, string(""), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                  static_cast<std::uint32_t>(members.size()), members.data()));
    }

    /// Main locations of the ranks that take part in MPI: those of communicators, and all before them.
    [[nodiscard]] std::vector<std::uint64_t> communicatingLocations() const {
        Rank count = 0;
        for (CommunicatorId id = 0; id < m_trace.communicators.size(); ++id) {
            const Communicator &communicator = m_trace.communicators[id];
            if (id == m_trace.world && communicator.members.empty())
                count = static_cast<Rank>(m_trace.processes.size());
            for (const Rank member : communicator.members)
                count = std::max(count, member + 1);
        }
        std::vector<std::uint64_t> ids(count, OTF2_UNDEFINED_LOCATION);
        for (const Otf2Location &location : m_locations)
            if (location.rank < count &&
                (location.source == none || m_trace.processes[location.rank].mainLocation == location.source))
                ids[location.rank] = location.id;
        return ids;
    }

    void writeCommunicators() {
        const std::vector<std::uint64_t> communicating = communicatingLocations();
        writeGroup(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, communicating);
        for (CommunicatorId id = 0; id < m_trace.communicators.size(); ++id) {
            const Communicator &communicator = m_trace.communicators[id];
            std::vector<std::uint64_t> members(communicator.members.begin(), communicator.members.end());
            if (id == m_trace.world && members.empty()) {
                members.resize(communicating.size());
                std::iota(members.begin(), members.end(), std::uint64_t{0});
            }
            // All communicators of this kind share one group: a second one would be an error.
            OTF2_GroupRef group = id + 1;
            if (communicator.isSelf && m_selfGroup != OTF2_UNDEFINED_GROUP)
                group = m_selfGroup;
            else if (communicator.isSelf)
                writeGroup(m_selfGroup = group, OTF2_GROUP_TYPE_COMM_SELF, {});
            else
                writeGroup(group, OTF2_GROUP_TYPE_COMM_GROUP, members);
            checkOtf2(OTF2_GlobalDefWriter_WriteComm(
                m_writer, id, string(communicator.name), group,
                communicator.parent < id ? communicator.parent : OTF2_CommRef{OTF2_UNDEFINED_COMM}, OTF2_COMM_FLAG_NONE));
        }
    }

    const Trace &m_trace;
    const std::vector<Otf2Location> &m_locations;
    Otf2Strings &m_strings;
    OTF2_StringRef m_written = 0; ///< strings
    OTF2_GlobalDefWriter *m_writer;
    OTF2_SystemTreeNodeRef m_nodeForOthers = 0;
    OTF2_GroupRef m_selfGroup = OTF2_UNDEFINED_GROUP;
};

} // namespace

OTF2_StringRef Otf2Strings::number(const std::string &text) {
    const std::lock_guard lock(m_mutex);
    const auto [entry, isNew] = m_numbers.try_emplace(text, static_cast<OTF2_StringRef>(m_numbers.size()));
    if (isNew)
        m_all.push_back(&entry->first); // keys of an unordered_map stay where they are
    return entry->second;
}

std::vector<Otf2Location> planLocations(const Trace &trace) {
    std::vector<Otf2Location> locations;
    std::uint64_t nextId = 0;
    for (LocationIndex index = 0; index < trace.locations.size(); ++index) {
        const Location &location = trace.locations[index];
        locations.push_back({location.id, index, location.rank, 0, {}});
        nextId = std::max(nextId, location.id + 1);
    }
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (trace.processes[rank].mainLocation == none)
            locations.push_back({nextId++, none, rank, 0, {}});
    return locations;
}

Otf2Attributes::Otf2Attributes(const Trace &trace) {
    OTF2_AttributeRef next = 0;
    if (!trace.callSites.empty())
        callSite = next++;
    if (trace.tellsOpenCalls) {
        pending = next++;
        openCall = next++;
        polls = next++;
        collective = next++;
        row = next++;
        how = next++;
        thread = next++;
        epoch = next++;
        taken = next++;
    }
    if (std::ranges::any_of(trace.locations, [](const Location &location) {
            return location.events.sends.fingerprint.size() + location.events.receives.fingerprint.size() != 0;
        }))
        fingerprint = next++;
}

std::uint64_t largestDefinition(const Trace &trace) {
    constexpr std::uint64_t bytesOfMember = 10; // each member of a group takes a compressed number of 64 bits
    std::uint64_t largest = trace.processes.size() * bytesOfMember;
    for (const Communicator &communicator : trace.communicators)
        largest = std::max<std::uint64_t>(largest, communicator.members.size() * bytesOfMember);
    for (const Region &region : trace.regions)
        largest = std::max<std::uint64_t>(largest, std::max(region.name.size(), region.canonicalName.size()));
    std::uint64_t tables = 0; // texts in one string
    for (const std::string &name : trace.names)
        tables += name.size() + 1;
    for (const Window &window : trace.windows)
        tables += window.name.size() + bytesOfMember + 2;
    for (const CallSite &site : trace.callSites)
        tables += site.datatype.empty() ? 0 : site.datatype.size() + bytesOfMember + 2;
    tables = std::max<std::uint64_t>(tables, otf2::lossesText(trace.warnings).size());
    return std::max(largest, tables) + 1024;
}

void writeGlobalDefinitions(const Trace &trace, const std::vector<Otf2Location> &locations, Otf2Strings &strings,
                            OTF2_GlobalDefWriter *writer) {
    DefinitionsWriter(trace, locations, strings, writer).write();
}

} // namespace laggard
