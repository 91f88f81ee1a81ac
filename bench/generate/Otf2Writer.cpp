// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/generate/Otf2Writer.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>

namespace laggard::bench {
namespace {

constexpr std::uint64_t eventChunk = 1U << 20U; // as Score-P has them
constexpr std::uint64_t definitionChunk = 4U << 20U;

void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(std::string("libotf2: ") + OTF2_Error_GetDescription(code));
}

OTF2_RegionRole otf2Role(RegionRole role) {
    switch (role) {
    case RegionRole::PointToPoint:
        return OTF2_REGION_ROLE_POINT2POINT;
    case RegionRole::Collective:
        return OTF2_REGION_ROLE_COLL_OTHER;
    case RegionRole::Barrier:
        return OTF2_REGION_ROLE_BARRIER;
    case RegionRole::Parallel:
        return OTF2_REGION_ROLE_PARALLEL;
    default:
        return OTF2_REGION_ROLE_FUNCTION;
    }
}

OTF2_Paradigm otf2Paradigm(Paradigm paradigm) {
    switch (paradigm) {
    case Paradigm::Mpi:
        return OTF2_PARADIGM_MPI;
    case Paradigm::OpenMp:
        return OTF2_PARADIGM_OPENMP;
    default:
        return OTF2_PARADIGM_COMPILER;
    }
}

OTF2_CollectiveOp otf2Operation(CollectiveOperation operation) {
    switch (operation) {
    case CollectiveOperation::Barrier:
        return OTF2_COLLECTIVE_OP_BARRIER;
    case CollectiveOperation::Bcast:
        return OTF2_COLLECTIVE_OP_BCAST;
    case CollectiveOperation::Allreduce:
        return OTF2_COLLECTIVE_OP_ALLREDUCE;
    case CollectiveOperation::CreateHandle:
        return OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    default:
        throw std::logic_error("a collective that no pattern uses");
    }
}

std::string hostName(std::size_t number) {
    std::string digits = std::to_string(number);
    return "n" + std::string(digits.size() < 3 ? 3 - digits.size() : 0, '0') + digits;
}

} // namespace

Otf2Writer::Otf2Writer(const std::filesystem::path &folder, JobShape shape, Tick skew)
    : m_shape(std::move(shape)), m_streams(m_shape.locationCount()), m_skew(skew) {
    if (std::filesystem::exists(folder) && !std::filesystem::is_empty(folder))
        throw std::runtime_error(folder.string() + " exists and is not empty");
    m_archive.reset(OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, eventChunk, definitionChunk,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE));
    if (!m_archive)
        throw std::runtime_error(folder.string() + " cannot be written");
    OTF2_Archive *archive = m_archive.get();
    // No post-flush callback: its time would become an event of its own.
    static const OTF2_FlushCallbacks flush = {
        [](void *, OTF2_FileType, OTF2_LocationRef, void *, bool) -> OTF2_FlushType { return OTF2_FLUSH; }, nullptr};
    check(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_SetCreator(archive, "laggard-generate"));
    check(OTF2_Archive_SetMachineName(archive, "cluster"));
    check(OTF2_Archive_OpenEvtFiles(archive));
    for (std::size_t location = 0; location < m_streams.size(); ++location) {
        Stream &stream = m_streams[location];
        stream.writer = OTF2_Archive_GetEvtWriter(archive, locationId(location));
        if (stream.writer == nullptr)
            throw std::runtime_error("libotf2 refuses to write location " + std::to_string(locationId(location)));
        if (skew != 0)
            stream.clockBehind = (rankOf(static_cast<LocationIndex>(location)) * 0x9E3779B9U) % (2 * skew + 1);
    }
}

std::uint64_t Otf2Writer::locationId(std::size_t location) const {
    return (location % m_shape.threadsPerRank) << 32U | location / m_shape.threadsPerRank;
}

OTF2_TimeStamp Otf2Writer::stamp(Stream &stream, Tick time) {
    m_first = std::min(m_first, time);
    m_last = std::max(m_last, time);
    ++stream.events;
    return stream.last = time + m_skew - stream.clockBehind;
}

void Otf2Writer::enter(LocationIndex location, Tick time, Function function) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_Enter(stream.writer, nullptr, stamp(stream, time), static_cast<OTF2_RegionRef>(function)));
}

void Otf2Writer::leave(LocationIndex location, Tick time, Function function) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_Leave(stream.writer, nullptr, stamp(stream, time), static_cast<OTF2_RegionRef>(function)));
}

void Otf2Writer::send(LocationIndex location, Tick time, const Peer &receiver) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiSend(stream.writer, nullptr, stamp(stream, time), receiver.rank, receiver.communicator, receiver.tag,
                                 receiver.bytes));
}

void Otf2Writer::isend(LocationIndex location, Tick time, const Peer &receiver, std::uint64_t request) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiIsend(stream.writer, nullptr, stamp(stream, time), receiver.rank, receiver.communicator, receiver.tag,
                                  receiver.bytes, request));
}

void Otf2Writer::isendComplete(LocationIndex location, Tick time, std::uint64_t request) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiIsendComplete(stream.writer, nullptr, stamp(stream, time), request));
}

void Otf2Writer::irecvRequest(LocationIndex location, Tick time, std::uint64_t request) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiIrecvRequest(stream.writer, nullptr, stamp(stream, time), request));
}

void Otf2Writer::receive(LocationIndex location, Tick time, const Peer &sender) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiRecv(stream.writer, nullptr, stamp(stream, time), sender.rank, sender.communicator, sender.tag,
                                 sender.bytes));
}

void Otf2Writer::irecv(LocationIndex location, Tick time, const Peer &sender, std::uint64_t request) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiIrecv(stream.writer, nullptr, stamp(stream, time), sender.rank, sender.communicator, sender.tag,
                                  sender.bytes, request));
}

void Otf2Writer::collectiveBegin(LocationIndex location, Tick time) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiCollectiveBegin(stream.writer, nullptr, stamp(stream, time)));
}

void Otf2Writer::collectiveEnd(LocationIndex location, Tick time, const CollectiveKind &kind) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_MpiCollectiveEnd(stream.writer, nullptr, stamp(stream, time), otf2Operation(kind.operation),
                                          kind.communicator, kind.root == none ? OTF2_UNDEFINED_UINT32 : kind.root,
                                          kind.bytesSent, kind.bytesReceived));
}

void Otf2Writer::fork(LocationIndex location, Tick time, std::uint32_t threads) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_ThreadFork(stream.writer, nullptr, stamp(stream, time), OTF2_PARADIGM_OPENMP, threads));
}

void Otf2Writer::join(LocationIndex location, Tick time) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_ThreadJoin(stream.writer, nullptr, stamp(stream, time), OTF2_PARADIGM_OPENMP));
}

void Otf2Writer::teamBegin(LocationIndex location, Tick time) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_ThreadTeamBegin(stream.writer, nullptr, stamp(stream, time), teamOf(rankOf(location))));
}

void Otf2Writer::teamEnd(LocationIndex location, Tick time) {
    Stream &stream = m_streams[location];
    check(OTF2_EvtWriter_ThreadTeamEnd(stream.writer, nullptr, stamp(stream, time), teamOf(rankOf(location))));
}

std::uint64_t Otf2Writer::close() {
    OTF2_Archive *archive = m_archive.get();
    for (Stream &stream : m_streams)
        check(OTF2_Archive_CloseEvtWriter(archive, stream.writer));
    check(OTF2_Archive_CloseEvtFiles(archive));
    writeLocalDefinitions();
    m_definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    if (m_definitions == nullptr)
        throw std::runtime_error("libotf2 refuses to write the global definitions");
    writeGlobalDefinitions();
    check(OTF2_Archive_CloseGlobalDefWriter(archive, m_definitions));
    check(OTF2_Archive_Close(m_archive.release()));
    return std::accumulate(m_streams.begin(), m_streams.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Stream &stream) { return sum + stream.events; });
}

void Otf2Writer::writeLocalDefinitions() {
    OTF2_Archive *archive = m_archive.get();
    check(OTF2_Archive_OpenDefFiles(archive));
    for (std::size_t location = 0; location < m_streams.size(); ++location) {
        OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, locationId(location));
        if (writer == nullptr)
            throw std::runtime_error("libotf2 refuses to write the definitions of location " +
                                     std::to_string(locationId(location)));
        if (m_skew != 0) {
            const Stream &stream = m_streams[location];
            const auto offset = static_cast<std::int64_t>(stream.clockBehind) - static_cast<std::int64_t>(m_skew);
            check(OTF2_DefWriter_WriteClockOffset(writer, m_first - m_skew, offset, 0.0));
            check(OTF2_DefWriter_WriteClockOffset(writer, std::max(stream.last, m_first) + m_skew, offset, 0.0));
        }
        check(OTF2_Archive_CloseDefWriter(archive, writer));
    }
    check(OTF2_Archive_CloseDefFiles(archive));
}

OTF2_StringRef Otf2Writer::string(const std::string &text) {
    const auto [entry, isNew] = m_strings.try_emplace(text, static_cast<OTF2_StringRef>(m_strings.size()));
    if (isNew)
        check(OTF2_GlobalDefWriter_WriteString(m_definitions, entry->second, text.c_str()));
    return entry->second;
}

void Otf2Writer::writeGlobalDefinitions() {
    constexpr std::uint64_t startUtc = 1'780'000'000'000'000'000; // fixed, so that the same seed gives the same archive
    string("");
    check(OTF2_GlobalDefWriter_WriteClockProperties(m_definitions, 1'000'000'000, m_first, m_last - m_first, startUtc));
    check(OTF2_GlobalDefWriter_WriteParadigm(m_definitions, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
    check(OTF2_GlobalDefWriter_WriteParadigm(m_definitions, OTF2_PARADIGM_COMPILER, string("Compiler"),
                                             OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN));
    check(OTF2_GlobalDefWriter_WriteParadigm(m_definitions, OTF2_PARADIGM_OPENMP, string("OpenMP"),
                                             OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN));
    writeRegions();
    writeSystemTree();
    writeCommunicators();
    if (m_shape.threadsPerRank > 1)
        writeThreadTeams();
}

void Otf2Writer::writeRegions() {
    const std::vector<Region> &all = functions();
    for (std::size_t f = 0; f < all.size(); ++f) {
        const Region &region = all[f];
        const OTF2_StringRef name = string(region.name);
        check(OTF2_GlobalDefWriter_WriteRegion(m_definitions, static_cast<OTF2_RegionRef>(f), name, name, string(""),
                                               otf2Role(region.role), otf2Paradigm(region.paradigm), OTF2_REGION_FLAG_NONE,
                                               string(region.file), region.line, 0));
    }
}

void Otf2Writer::writeSystemTree() {
    const Rank ranksPerHost = std::clamp<Rank>((m_shape.ranks + 3) / 4, 1, 48);
    const OTF2_StringRef machine = string("machine");
    check(
        OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, 0, string("cluster"), machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(m_definitions, 0, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
    const OTF2_StringRef node = string("node");
    for (Rank host = 0; host * ranksPerHost < m_shape.ranks; ++host) {
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(m_definitions, host + 1, string(hostName(host)), node, 0));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(m_definitions, host + 1, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
    }
    for (Rank rank = 0; rank < m_shape.ranks; ++rank) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(m_definitions, rank, string("MPI Rank " + std::to_string(rank)),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, 1 + rank / ranksPerHost,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        for (std::uint32_t thread = 0; thread < m_shape.threadsPerRank; ++thread) {
            const std::size_t location = std::size_t{rank} * m_shape.threadsPerRank + thread;
            const OTF2_StringRef name = string(thread == 0 ? "Master thread" : "OMP thread " + std::to_string(thread));
            check(OTF2_GlobalDefWriter_WriteLocation(m_definitions, locationId(location), name, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                     m_streams[location].events, rank));
        }
    }
}

void Otf2Writer::writeCommunicators() {
    const OTF2_StringRef unnamed = string("");
    std::vector<std::uint64_t> members(m_shape.ranks);
    for (Rank rank = 0; rank < m_shape.ranks; ++rank)
        members[rank] = locationId(std::size_t{rank} * m_shape.threadsPerRank);
    const auto group = [&](OTF2_GroupRef self, OTF2_GroupType type, std::size_t count) {
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, self, unnamed, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                              static_cast<std::uint32_t>(count), members.data()));
    };
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, members.size());
    for (std::size_t c = 0; c < m_shape.communicators.size(); ++c) {
        const JobCommunicator &communicator = m_shape.communicators[c];
        std::iota(members.begin(), members.begin() + communicator.count, communicator.first);
        const auto self = static_cast<OTF2_CommRef>(c);
        group(self + 1, OTF2_GROUP_TYPE_COMM_GROUP, communicator.count);
        check(OTF2_GlobalDefWriter_WriteComm(m_definitions, self, c == 0 ? string("MPI_COMM_WORLD") : unnamed, self + 1,
                                             c == 0 ? OTF2_UNDEFINED_COMM : 0, OTF2_COMM_FLAG_NONE));
    }
    const auto self = static_cast<OTF2_CommRef>(m_shape.communicators.size());
    group(self + 1, OTF2_GROUP_TYPE_COMM_SELF, 0);
    check(OTF2_GlobalDefWriter_WriteComm(m_definitions, self, string("MPI_COMM_SELF"), self + 1, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE));
}

void Otf2Writer::writeThreadTeams() {
    const auto firstGroup = static_cast<OTF2_GroupRef>(m_shape.communicators.size() + 2);
    const auto group = [&](OTF2_GroupRef self, OTF2_GroupType type, const std::vector<std::uint64_t> &members) {
        check(OTF2_GlobalDefWriter_WriteGroup(m_definitions, self, string(""), type, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE,
                                              static_cast<std::uint32_t>(members.size()), members.data()));
    };
    std::vector<std::uint64_t> members(m_shape.locationCount());
    for (std::size_t location = 0; location < members.size(); ++location)
        members[location] = locationId(location);
    group(firstGroup, OTF2_GROUP_TYPE_COMM_LOCATIONS, members);
    members.resize(m_shape.threadsPerRank);
    for (Rank rank = 0; rank < m_shape.ranks; ++rank) {
        std::iota(members.begin(), members.end(), std::uint64_t{rank} * m_shape.threadsPerRank);
        const OTF2_GroupRef self = firstGroup + 1 + rank;
        group(self, OTF2_GROUP_TYPE_COMM_GROUP, members);
        check(OTF2_GlobalDefWriter_WriteComm(m_definitions, teamOf(rank), string(""), self, OTF2_UNDEFINED_COMM,
                                             OTF2_COMM_FLAG_NONE));
    }
}

} // namespace laggard::bench
