// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpAssembly.h"
#include "ingest/modeldump/Assembly.h"

#include "trace/ModelDumpNames.h"
#include "trace/Quantity.h"

#include <algorithm>

namespace laggard::modeldump {

void Assembly::setJob(const std::vector<DumpContent> &contents) {
    const DumpContent &first = contents.front();
    std::uint64_t ranks = 0;
    for (const DumpContent &content : contents) {
        m_file = &content.file;
        ranks = std::max(ranks, content.rankCount);
        if (content.ticksPerSecond != first.ticksPerSecond)
            fail("job", "its clock is not that of \"" + first.file + '"');
        m_trace->range.end = std::max({m_trace->range.end, content.ticks, content.at});
        m_trace->eventCount += content.events;
        m_trace->messageCount += content.messageCount;
        m_dump.hasWaits |= content.hasWaits;
    }
    if (ranks == 0 || ranks > mostRanks)
        fail("job.ranks", ranks == 0 ? "a job without ranks" : plural(ranks, "rank") + " are more than can be");
    m_trace->creator = first.creator.empty() ? first.format : first.creator;
    m_trace->clock.ticksPerSecond = first.ticksPerSecond;
    m_trace->clock.startNanosecondsUtc = first.startUtc;
    m_trace->tellsOpenCalls = first.tellsOpenCalls;
    m_trace->processes.resize(ranks);
    for (Rank rank = 0; rank < ranks; ++rank)
        m_trace->processes[rank].name = "MPI Rank " + std::to_string(rank);
    m_dump.models.modelOfRank.assign(ranks, none);
    m_dump.models.stateOfRank.assign(ranks, none);
    m_dump.models.lastStateOfRank.assign(ranks, none);
    if (m_dump.hasWaits)
        m_dump.state.tasks.resize(ranks);
    m_sent.resize(ranks);
    m_received.resize(ranks);
    m_dump.pending.resize(ranks);
}

void Assembly::add(const DumpContent &content) {
    throwIfCancelled(m_work);
    m_file = &content.file;
    m_trace->warnings.insert(m_trace->warnings.end(), content.warnings.begin(), content.warnings.end());
    addPaths(content);
    addProcesses(content);
    addCommunicators(content);
    addStates(content);
    addModels(content);
    addPhaseModels(content);
    if (content.hasWaits)
        addWaits(content);
    addPending(content);
    if (content.hasSamples)
        addSamples(content);
}

void Assembly::addAnswer(const DumpContent &content) {
    if (!content.answer || !content.answer->isWhole || content.wasChanged || !m_dump.hasWaits)
        return;
    const DumpContent::Answer &written = *content.answer;
    DumpedAnswer answer = written.answer;
    const std::size_t ranks = m_trace->processes.size();
    const HeadlineFacts &facts = answer.headline;
    if (facts.job != ranks || facts.known > ranks || facts.others > ranks || answer.waiting > ranks ||
        answer.since > m_trace->range.end)
        fail("answer", "it is not of this job");
    answer.headline.ranks = ranksOf(written.headline);
    answer.crashed = ranksOf(written.crashed);
    answer.byWaits.ranks = ranksOf(written.byWaits);
    answer.leastProgressed.ranks = ranksOf(written.leastProgressed);
    for (std::size_t i = 0; i < answer.findings.size(); ++i) {
        DumpedAnswer::Finding &finding = answer.findings[i];
        finding.ranks = ranksOf(written.ofFindings[i]);
        finding.callPath = joined(m_paths, finding.callPath, "answer.findings");
    }
    if (!agrees(answer))
        fail("answer", "what it says of the job contradicts itself");
    m_dump.answer = std::make_shared<const DumpedAnswer>(std::move(answer));
}

ModelDumpPtr Assembly::finish() {
    for (ModelState &state : m_dump.models.states)
        state.stack = stackOf(state.callPath);
    if (m_dump.hasWaits) {
        m_dump.state.at = std::min(m_dump.state.at, m_trace->range.end);
        countUnreceived();
    }
    if (m_phaseModels)
        checkPhases();
    m_trace->phaseModels = std::move(m_phaseModels);
    m_trace->binaries.assign(m_binaries.begin(), m_binaries.end());
    m_dump.samples = finishedSamples();
    m_dump.job = std::move(m_trace);
    return std::make_shared<const ModelDump>(std::move(m_dump));
}

void Assembly::fail(const std::string &place, const std::string &reason) const {
    throw ReadError("The model dump \"" + *m_file + "\" is damaged (" + place + "): " + reason + '.');
}

std::uint32_t Assembly::joined(const Numbers &table, std::uint32_t number, const char *place) const {
    if (number == none)
        return none;
    if (number >= table.size())
        fail(place, "number " + std::to_string(number) + " does not exist");
    return table[number];
}

std::uint32_t Assembly::joinedNumber(const Numbers &table, std::uint32_t number, const char *place) const {
    if (number == none)
        fail(place, "a number is missing");
    return joined(table, number, place);
}

bool Assembly::agrees(const DumpedAnswer &answer) {
    using Kind = HeadlineFacts::Kind;
    const Kind kind = answer.headline.kind;
    const auto isOneOf = [kind](std::initializer_list<Kind> kinds) { return std::ranges::find(kinds, kind) != kinds.end(); };
    if (kind == Kind::Running || kind == Kind::Finished || kind == Kind::Crashed)
        if (answer.state != dumpName(kind))
            return false;
    return isOneOf({Kind::Unknown, Kind::Running, Kind::Finished, Kind::Crashed, Kind::Spinning, Kind::Slower, Kind::Standing}) ||
           !answer.headline.ranks.empty();
}

RankSet Assembly::ranksOf(const RankRanges &ranges) {
    RankSet ranks;
    forEachRank(ranges, 0, "answer", [&](Rank rank) { ranks.push_back(rank); });
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

void Assembly::addPaths(const DumpContent &content) {
    Numbers functions;
    for (std::size_t i = 0; i < content.functions.size(); ++i) {
        const Region &region = content.functions[i];
        const CodePlace &place = content.places[i];
        const auto [entry, isNew] = m_functions.try_emplace(
            {region.name, region.canonicalName, region.file, region.line, region.isMpi(), place.module, place.offset},
            static_cast<RegionId>(m_trace->regions.size()));
        if (isNew) {
            m_trace->regions.push_back(region);
            m_dump.places.push_back(place);
            if (!region.file.empty() && !place.module.empty())
                m_binaries.insert({place.module, place.buildId});
        }
        functions.push_back(entry->second);
    }
    m_sites.clear();
    for (const CallSite &site : content.sites) {
        const auto [entry, isNew] =
            m_siteNumbers.try_emplace({site.file, site.line, site.datatype}, static_cast<CallSiteId>(m_trace->callSites.size()));
        if (isNew)
            m_trace->callSites.push_back(site);
        m_sites.push_back(entry->second);
    }
    m_paths.clear();
    for (const DumpContent::Path &path : content.paths) {
        const std::uint32_t parent = joined(m_paths, path.parent, "call_paths"); // only earlier ones: no circle
        const std::uint32_t function = joinedNumber(functions, path.function, "call_paths");
        m_paths.push_back(m_trace->callPaths.intern(parent, function, joined(m_sites, path.site, "call_paths")));
        if (m_trace->callPaths[m_paths.back()].depth > deepest)
            fail("call_paths", "a call path is deeper than " + std::to_string(deepest));
    }
}

void Assembly::addProcesses(const DumpContent &content) {
    for (const DumpContent::Host &host : content.hosts) {
        if (m_trace->systemNodes.empty())
            m_trace->systemNodes.push_back({"machine", "machine", none});
        const auto [entry, isNew] = m_hosts.try_emplace(host.name, static_cast<SystemNodeId>(m_trace->systemNodes.size()));
        if (isNew)
            m_trace->systemNodes.push_back({host.name, "node", 0});
        forEachRank(host.ranks, 0, "hosts", [&, node = entry->second](Rank rank) { m_trace->processes[rank].node = node; });
    }
    if (content.pids.size() > m_trace->processes.size())
        fail("pids", "there are more of them than ranks");
    for (Rank rank = 0; rank < content.pids.size(); ++rank)
        if (content.pids[rank] != 0)
            m_trace->processes[rank].pid = content.pids[rank];
    for (const DumpContent::End &end : content.ends)
        forEachRank(end.ranks, end.end.stack.size(), "ends", [&](Rank rank) {
            m_trace->processes[rank].end = end.end;
            m_trace->processes[rank].hangNoticed = end.hangNoticed;
        });
    forEachRank(content.damaged, 8, "damaged", [&](Rank rank) {
        Location location;
        location.id = rank;
        location.rank = rank;
        location.damaged = true;
        m_trace->processes[rank].mainLocation = static_cast<LocationIndex>(m_trace->locations.size());
        m_trace->processes[rank].locations = {m_trace->processes[rank].mainLocation};
        m_trace->locations.push_back(std::move(location));
    });
}

void Assembly::addCommunicators(const DumpContent &content) {
    m_communicators.clear();
    for (std::size_t i = 0; i < content.communicators.size(); ++i) {
        const DumpContent::WrittenCommunicator &written = content.communicators[i];
        const std::string key = written.key.empty() ? "#" + std::to_string(i) : written.key;
        const auto [entry, isNew] =
            m_communicatorOfKey.try_emplace(key, static_cast<CommunicatorId>(m_trace->communicators.size()));
        if (isNew) {
            Communicator communicator;
            communicator.name = written.name;
            communicator.isSelf = written.isSelf;
            for (const DumpContent::Run &run : written.members)
                addMembers(run, communicator.members.edit());
            m_trace->communicators.push_back(std::move(communicator));
        }
        m_communicators.push_back(entry->second);
    }
    for (std::size_t i = 0; i < content.communicators.size(); ++i) {
        const std::uint32_t parent = joined(m_communicators, content.communicators[i].parent, "communicators");
        if (parent != none && parent < m_communicators[i])
            m_trace->communicators[m_communicators[i]].parent = parent;
    }
    if (content.world != none)
        m_trace->world = joined(m_communicators, content.world, "world");
}

void Assembly::addMembers(const DumpContent::Run &run, std::vector<Rank> &members) {
    const auto size = static_cast<std::int64_t>(m_trace->processes.size());
    std::int64_t rank = static_cast<std::int64_t>(run.first);
    m_elements += run.count;
    if (m_elements > mostElements)
        fail("communicators", "it unfolds to more than can be read");
    if (run.step > size || run.step < -size)
        fail("communicators", "members are further apart than there are ranks");
    for (std::uint64_t i = 0; i < run.count; ++i, rank += run.step) {
        if (rank < 0 || rank >= size)
            fail("communicators", "the job has no rank " + std::to_string(rank));
        members.push_back(static_cast<Rank>(rank));
    }
}

std::vector<Frame> Assembly::stackOf(CallPathId path) const {
    std::vector<Frame> stack;
    CallSiteId at = none;
    for (; path != none; path = m_trace->callPaths[path].parent) {
        const Region &region = m_trace->region(path);
        if (at != none && m_trace->callSites[at].hasLine())
            stack.push_back({region.name, m_trace->callSites[at].file, m_trace->callSites[at].line});
        else
            stack.push_back({region.name, region.file, region.line, true});
        at = m_trace->callPaths[path].site;
    }
    return stack;
}

ModelDumpPtr assemble(const std::string &path, std::vector<DumpContent> contents, const Work &work) {
    Assembly assembly(path, work);
    assembly.setJob(contents);
    for (DumpContent &content : contents) {
        assembly.add(content);
        if (contents.size() == 1)
            assembly.addAnswer(content);
        content = DumpContent(); // gives back its memory
    }
    return assembly.finish();
}

} // namespace laggard::modeldump
