// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/otf2/Extras.h"

#include "ingest/otf2/EpochText.h"
#include "ingest/otf2/OperationText.h"
#include "ingest/otf2/TableText.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace laggard::otf2 {
namespace {

class ExtraReader {
  public:
    ExtraReader(const Definitions &d, Trace &trace, References &references)
        : m_definitions(d), m_trace(trace), m_references(references) {}

    void read() {
        for (const Definitions::Attribute &attribute : m_definitions.attributes)
            findAttribute(attribute);
        m_trace.tellsOpenCalls = m_references.openCallAttribute != none;
        if (m_references.callSiteAttribute != none)
            for (const Definitions::SourceLocation &raw : m_definitions.sourceLocations)
                if (m_references.callSites.insert(raw.id, static_cast<CallSiteId>(m_trace.callSites.size())))
                    m_trace.callSites.push_back({m_definitions.text(raw.file), raw.line});
        if (m_definitions.groupProperties.empty() && m_definitions.locationProperties.empty())
            return;
        for (const Definitions::Property &property : m_definitions.groupProperties)
            readTable(m_definitions.text(property.name), m_definitions.text(property.text));
        m_references.nameCount = static_cast<std::uint32_t>(m_trace.names.size());
        m_references.windowCount = static_cast<std::uint32_t>(m_trace.windows.size());
        readProperties();
    }

  private:
    void findAttribute(const Definitions::Attribute &attribute) {
        const std::string &name = m_definitions.text(attribute.name);
        for (const auto &[wanted, place] :
             {std::pair(callSiteAttribute, &m_references.callSiteAttribute),
              std::pair(pendingAttribute, &m_references.pendingAttribute),
              std::pair(openCallAttribute, &m_references.openCallAttribute),
              std::pair(pollsAttribute, &m_references.pollsAttribute),
              std::pair(fingerprintAttribute, &m_references.fingerprintAttribute),
              std::pair(collectiveAttribute, &m_references.collectiveAttribute),
              std::pair(rowAttribute, &m_references.rowAttribute), std::pair(howAttribute, &m_references.howAttribute),
              std::pair(threadAttribute, &m_references.threadAttribute), std::pair(epochAttribute, &m_references.epochAttribute),
              std::pair(takenAttribute, &m_references.takenAttribute)})
            if (name == wanted)
                *place = attribute.id;
    }

    /// What all ranks share, wherever it stands.
    void readTable(const std::string &name, const std::string &text) {
        if (name == namesProperty)
            m_trace.names = listIn(text);
        else if (name == windowsProperty)
            m_trace.windows = windowsIn(text, m_references.communicators);
        else if (name == bridgesProperty)
            readIntercommunicators(text);
        else if (name == datatypesProperty)
            readDatatypes(text);
        else if (name == lossesProperty)
            for (Warning &loss : lossesIn(text))
                m_trace.warnings.push_back(std::move(loss));
    }

    void readIntercommunicators(const std::string &text) {
        for (const std::string_view each : split(text, ",")) {
            std::uint32_t reference = none;
            const CommunicatorId id = parse(each, reference) ? m_references.communicators.find(reference) : none;
            if (id < m_trace.communicators.size())
                m_trace.communicators[id].isIntercommunicator = true;
        }
    }

    void readDatatypes(const std::string &text) {
        for (const std::string_view each : split(text, "\t")) {
            const std::size_t space = each.find(' ');
            std::uint32_t reference = none;
            if (space == std::string_view::npos || !parse(each.substr(0, space), reference))
                continue;
            if (const CallSiteId site = m_references.callSites.find(reference); site < m_trace.callSites.size())
                m_trace.callSites[site].datatype = each.substr(space + 1);
        }
    }

    void readProperties() {
        IdMap rankOfGroup;
        std::unordered_map<std::uint64_t, LocationIndex> locationOf;
        for (std::size_t i = 0; i < m_definitions.locations.size() && i < m_trace.locations.size(); ++i)
            rankOfGroup.insert(m_definitions.locations[i].group, m_trace.locations[i].rank);
        for (LocationIndex i = 0; i < m_trace.locations.size(); ++i)
            locationOf.emplace(m_trace.locations[i].id, i);
        for (const Definitions::Property &property : m_definitions.groupProperties)
            if (const Rank rank = rankOfGroup.find(property.owner); rank != none)
                readProperty(m_trace.processes[rank], m_definitions.text(property.name), m_definitions.text(property.text));
        for (const Definitions::Property &property : m_definitions.locationProperties)
            if (const auto found = locationOf.find(property.owner); found != locationOf.end())
                readProperty(m_trace.locations[found->second], m_definitions.text(property.name),
                             m_definitions.text(property.text));
    }

    static void readFileLock(Process &process, const std::string &text) {
        const std::size_t space = text.find(' ');
        const unsigned long holder = std::strtoul(text.c_str(), nullptr, 10);
        if (space == std::string::npos || holder >= none)
            return;
        process.fileLockOf = static_cast<Rank>(holder);
        process.fileLockSeen = ticks(text.substr(space + 1));
    }

    void readProperty(Process &process, const std::string &name, const std::string &text) {
        if (name == pidProperty)
            process.pid = static_cast<std::int32_t>(std::strtol(text.c_str(), nullptr, 10));
        else if (name == endProperty)
            readEnd(process.end, text);
        else if (name == endStackProperty)
            process.end.stack = stackIn(text);
        else if (name == mpiErrorProperty)
            readError(process.end, text);
        else if (name == errorStackProperty)
            process.end.mpiErrorStack = stackIn(text);
        else if (name == hangProperty)
            process.hangNoticed = ticks(text);
        else if (name == fileLockProperty)
            readFileLock(process, text);
        else if (name == eventsFromProperty)
            process.eventsFrom = ticks(text);
        else if (name == waitingProperty)
            process.leftOver = waitingMessages(text, m_references.limits());
        else if (name == unrecordedProperty)
            process.unrecordedSends = waitingMessages(text, m_references.limits());
    }

    void readProperty(Location &location, const std::string &name, const std::string &text) {
        LocationEvents &events = location.events;
        if (name == damagedProperty)
            location.damaged = true;
        else if (name == stoppedProperty)
            events.stoppedAt = callSite(text);
        else if (name == callersOnlyProperty)
            events.tellsFunctions = false;
        else if (name == earlierProperty)
            events.earlierCollectives = earlierCollectivesIn(text, m_references.communicators);
        else if (name == epochsProperty)
            events.epochs = epochCalls(text, m_references.limits(), events.groups);
    }

    static Tick ticks(const std::string &text) { return std::strtoull(text.c_str(), nullptr, 10); }

    static void readEnd(ProcessEnd &end, const std::string &text) {
        ProcessEnd read = processEnd(text).value_or(ProcessEnd());
        read.stack = std::move(end.stack);
        read.mpiError = std::move(end.mpiError);
        read.mpiErrorTime = end.mpiErrorTime;
        read.mpiErrorStack = std::move(end.mpiErrorStack);
        end = std::move(read);
    }
    static void readError(ProcessEnd &end, const std::string &text) {
        const std::size_t space = text.find(' ');
        if (space == std::string::npos)
            return;
        end.mpiErrorTime = ticks(text);
        end.mpiError = text.substr(space + 1);
    }

    /// The call site "FILE:LINE", which need not be one of a call.
    CallSiteId callSite(const std::string &text) {
        const std::size_t colon = text.rfind(':');
        if (colon == std::string::npos)
            return none;
        CallSite site{text.substr(0, colon), static_cast<std::uint32_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10))};
        const auto known = std::find(m_trace.callSites.begin(), m_trace.callSites.end(), site);
        const auto position = static_cast<CallSiteId>(known - m_trace.callSites.begin());
        if (known == m_trace.callSites.end())
            m_trace.callSites.push_back(std::move(site));
        return position;
    }

    const Definitions &m_definitions;
    Trace &m_trace;
    References &m_references;
};

} // namespace

void readExtras(const Definitions &definitions, Trace &trace, References &references) {
    ExtraReader(definitions, trace, references).read();
}

} // namespace laggard::otf2
