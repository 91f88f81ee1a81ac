// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"

#include "ingest/assembly/Linking.h"
#include "ingest/assembly/LocationBuilder.h"
#include "trace/MpiName.h"

#include <algorithm>
#include <map>

namespace laggard::test {

struct TraceBuilder::Impl {
    std::shared_ptr<Trace> trace = std::make_shared<Trace>();
    std::map<std::string, RegionId> regions;
    CallPathTable callPaths;
    std::vector<LocationBuilder> builders;
    std::map<Rank, std::vector<PhaseMark>> phases;

    RegionId region(const std::string &name) {
        const auto [entry, isNew] = regions.try_emplace(name, static_cast<RegionId>(trace->regions.size()));
        if (isNew) {
            Region region;
            region.name = region.canonicalName = name;
            const bool isMpi = isMpiName(name);
            region.paradigm = isMpi ? Paradigm::Mpi : Paradigm::Compiler;
            region.role = RegionRole::Function;
            region.file = isMpi ? "" : name + ".c";
            region.line = isMpi ? 0 : 1;
            trace->regions.push_back(region);
        }
        return entry->second;
    }
    LocationBuilder &event(Rank rank, Tick time) {
        Location &location = trace->locations[rank];
        if (location.eventCount++ == 0)
            location.firstEvent = time;
        location.lastEvent = time;
        ++trace->eventCount;
        return builders[rank];
    }
};

TraceBuilder::TraceBuilder(Rank ranks) : m(std::make_unique<Impl>()) {
    Trace &trace = *m->trace;
    trace.path = "made by a test";
    trace.format = "test";
    trace.systemNodes.push_back({"n0", "node", none});
    Communicator world;
    world.name = "MPI_COMM_WORLD";
    for (Rank rank = 0; rank < ranks; ++rank) {
        world.members.edit().push_back(rank);
        Location location;
        location.id = rank;
        location.name = "thread";
        location.kind = LocationKind::Thread;
        location.rank = rank;
        trace.locations.push_back(std::move(location));
        trace.processes.push_back({"rank " + std::to_string(rank), 0, rank, {rank}});
        m->builders.emplace_back(m->callPaths);
    }
    trace.communicators.push_back(world);
    trace.world = 0;
}

TraceBuilder::~TraceBuilder() = default;

CommunicatorId TraceBuilder::communicator(std::vector<Rank> members) {
    m->trace->communicators.push_back({"", MemberList(std::move(members)), 0, false});
    return static_cast<CommunicatorId>(m->trace->communicators.size() - 1);
}

TraceBuilder &TraceBuilder::enter(Rank rank, Tick time, const std::string &region) {
    m->event(rank, time).enter(time, m->region(region));
    return *this;
}

TraceBuilder &TraceBuilder::leave(Rank rank, Tick time, const std::string &region) {
    m->event(rank, time).leave(time, m->region(region));
    return *this;
}

TraceBuilder &TraceBuilder::call(Rank rank, Tick start, Tick end, const std::string &region) {
    return enter(rank, start, region).leave(rank, end, region);
}

TraceBuilder &TraceBuilder::enterOf(Rank rank, Tick time, const std::string &region, const std::string &datatype) {
    std::vector<CallSite> &sites = m->trace->callSites;
    const CallSite wanted{"", 0, datatype};
    const auto site = static_cast<CallSiteId>(std::find(sites.begin(), sites.end(), wanted) - sites.begin());
    if (site == sites.size())
        sites.push_back(wanted);
    m->event(rank, time).enter(time, m->region(region), site);
    return *this;
}

TraceBuilder &TraceBuilder::callOf(Rank rank, Tick start, Tick end, const std::string &region, const std::string &datatype) {
    return enterOf(rank, start, region, datatype).leave(rank, end, region);
}

TraceBuilder &TraceBuilder::send(Rank rank, Tick time, Rank to, std::uint32_t tag, CommunicatorId communicator) {
    m->event(rank, time).send(time, {to, communicator, tag, 8});
    return *this;
}

TraceBuilder &TraceBuilder::isend(Rank rank, Tick time, Rank to, std::uint64_t request, std::uint32_t tag,
                                  CommunicatorId communicator) {
    m->event(rank, time).send(time, {to, communicator, tag, 8}, request);
    return *this;
}

TraceBuilder &TraceBuilder::irecv(Rank rank, Tick time, std::uint64_t request) {
    m->event(rank, time).postReceive(time, request);
    return *this;
}

TraceBuilder &TraceBuilder::receive(Rank rank, Tick time, Rank from, std::uint32_t tag, CommunicatorId communicator) {
    m->event(rank, time).receive(time, {from, communicator, tag, 8});
    return *this;
}

TraceBuilder &TraceBuilder::complete(Rank rank, std::uint64_t request) {
    m->builders[rank].complete(request);
    return *this;
}

TraceBuilder &TraceBuilder::collective(Rank rank, Tick time, CollectiveOperation operation, CommunicatorId communicator,
                                       Rank root) {
    m->event(rank, time).collective(time, {operation, communicator, root, 8, 8});
    return *this;
}

TraceBuilder &TraceBuilder::sendCall(Rank rank, Tick start, Tick end, Rank to, std::uint32_t tag) {
    return enter(rank, start, "MPI_Send").send(rank, start, to, tag).leave(rank, end, "MPI_Send");
}

TraceBuilder &TraceBuilder::receiveCall(Rank rank, Tick start, Tick end, Rank from, std::uint32_t tag) {
    return enter(rank, start, "MPI_Recv").receive(rank, end, from, tag).leave(rank, end, "MPI_Recv");
}

TraceBuilder &TraceBuilder::collectiveCall(Rank rank, Tick start, Tick end, CollectiveOperation operation,
                                           CommunicatorId communicator, Rank root) {
    const std::string region = "MPI_" + std::string(name(operation));
    return enter(rank, start, region).collective(rank, end, operation, communicator, root).leave(rank, end, region);
}

TraceBuilder &TraceBuilder::phase(Rank rank, Tick time, std::int32_t level) {
    m->event(rank, time);
    m->phases[rank].push_back({time, level});
    return *this;
}

TracePtr TraceBuilder::finish(Tick end) {
    Trace &trace = *m->trace;
    trace.range = {0, end};
    for (std::size_t i = 0; i < m->builders.size(); ++i)
        trace.locations[i].events = m->builders[i].finish();
    for (auto &[rank, marks] : m->phases)
        trace.locations[rank].events.phases = std::move(marks);
    std::vector<CallPathTable> tables;
    tables.push_back(std::move(m->callPaths));
    linkCallPaths(trace, tables, std::vector<std::uint32_t>(trace.locations.size(), 0), {});
    linkMessages(trace, {});
    linkCollectives(trace, {});
    return m->trace;
}

} // namespace laggard::test
