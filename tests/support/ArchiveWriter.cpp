// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ArchiveWriter.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

namespace laggard::test {
namespace {

constexpr std::uint64_t chunk = 1024 * 256;

OTF2_FlushType preFlush(void *, OTF2_FileType, OTF2_LocationRef, void *, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp postFlush(void *, OTF2_FileType, OTF2_LocationRef) { return 0; }

void check(OTF2_ErrorCode code) {
    if (code != OTF2_SUCCESS)
        throw std::runtime_error(std::string("libotf2 does not write the test's archive: ") + OTF2_Error_GetDescription(code));
}

} // namespace

struct ArchiveWriter::Impl {
    struct Comm {
        std::uint32_t id;
        std::vector<std::uint64_t> members, others;
        bool isSelf;
    };
    std::string folder, name;
    std::vector<Region> regions;
    std::vector<Location> locations;
    std::vector<Comm> communicators;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> contexts;
    std::map<std::uint64_t, std::vector<Event>> events;
    std::map<std::uint64_t, std::int64_t> offsets;
    std::vector<std::uint64_t> mapping;
    std::uint64_t ticksPerSecond = 1'000'000'000, clockOffset = 0, clockLength = 1'000'000;
    bool localDefinitions = true, mpi = true;
    std::uint32_t strings = 0, groups = 0;

    std::uint32_t string(OTF2_GlobalDefWriter *writer, const std::string &text) {
        check(OTF2_GlobalDefWriter_WriteString(writer, strings, text.c_str()));
        return strings++;
    }

    std::map<std::uint64_t, std::uint64_t> writeEvents(OTF2_Archive *archive) const {
        std::map<std::uint64_t, std::uint64_t> counts;
        check(OTF2_Archive_OpenEvtFiles(archive));
        for (const Location &location : locations) {
            OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, location.id);
            if (const auto entry = events.find(location.id); entry != events.end())
                for (const Event &event : entry->second)
                    event(writer);
            OTF2_EvtWriter_GetNumberOfEvents(writer, &counts[location.id]);
            check(OTF2_Archive_CloseEvtWriter(archive, writer));
        }
        check(OTF2_Archive_CloseEvtFiles(archive));
        return counts;
    }

    void writeLocalDefinitions(OTF2_Archive *archive) const {
        if (!localDefinitions)
            return;
        check(OTF2_Archive_OpenDefFiles(archive));
        for (const Location &location : locations) {
            OTF2_DefWriter *writer = OTF2_Archive_GetDefWriter(archive, location.id);
            if (!mapping.empty()) {
                OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(mapping.size(), mapping.data(), false);
                check(OTF2_DefWriter_WriteMappingTable(writer, OTF2_MAPPING_REGION, map));
                OTF2_IdMap_Free(map);
            }
            check(OTF2_DefWriter_WriteClockOffset(writer, clockOffset, 0, 0));
            if (const auto offset = offsets.find(location.id); offset != offsets.end())
                for (const std::uint64_t time :
                     {clockOffset + 1, clockOffset + clockLength}) // between two of them libotf2 corrects
                    check(OTF2_DefWriter_WriteClockOffset(writer, time, offset->second, 0));
            check(OTF2_Archive_CloseDefWriter(archive, writer));
        }
        check(OTF2_Archive_CloseDefFiles(archive));
    }

    void writeLocations(OTF2_GlobalDefWriter *writer, const std::map<std::uint64_t, std::uint64_t> &counts) {
        const std::uint32_t machine = string(writer, "machine");
        const std::uint32_t node = string(writer, "node");
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, machine, machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 1, string(writer, "n0"), node, 0));
        std::vector<std::uint32_t> written;
        for (const Location &location : locations)
            if (std::find(written.begin(), written.end(), location.process) == written.end()) {
                written.push_back(location.process);
                const std::uint32_t groupName = string(writer, "process " + std::to_string(location.process));
                check(OTF2_GlobalDefWriter_WriteLocationGroup(writer, location.process, groupName, location.groupType, 1,
                                                              location.creator));
            }
        for (const Location &location : locations)
            if (location.isDefined) {
                const std::uint32_t locationName = string(writer, "location " + std::to_string(location.id));
                check(OTF2_GlobalDefWriter_WriteLocation(
                    writer, location.id, locationName, location.type,
                    location.declaredEvents != 0 ? location.declaredEvents : counts.at(location.id), location.process));
            }
    }

    void writeRegions(OTF2_GlobalDefWriter *writer) {
        for (const Region &region : regions) {
            const std::uint32_t regionName = string(writer, region.name);
            const std::uint32_t canonicalName = region.canonicalName.empty() ? regionName : string(writer, region.canonicalName);
            const std::uint32_t file = region.file.empty() ? OTF2_UNDEFINED_STRING : string(writer, region.file);
            check(OTF2_GlobalDefWriter_WriteRegion(writer, region.id, regionName, canonicalName, OTF2_UNDEFINED_STRING,
                                                   region.role, region.paradigm, OTF2_REGION_FLAG_NONE, file, region.line,
                                                   region.line));
        }
        for (const auto &[id, region] : contexts)
            check(OTF2_GlobalDefWriter_WriteCallingContext(writer, id, region, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                                           OTF2_UNDEFINED_CALLING_CONTEXT));
    }

    std::uint32_t group(OTF2_GlobalDefWriter *writer, OTF2_GroupType type, const std::vector<std::uint64_t> &members) {
        const std::uint32_t groupName = string(writer, "");
        check(OTF2_GlobalDefWriter_WriteGroup(writer, groups, groupName, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                              static_cast<std::uint32_t>(members.size()), members.data()));
        return groups++;
    }

    void writeCommunicators(OTF2_GlobalDefWriter *writer) {
        if (!mpi)
            return;
        std::vector<std::uint64_t> all, world;
        for (const Location &location : locations)
            if (location.isMpi) {
                world.push_back(all.size());
                all.push_back(location.id);
            }
        group(writer, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
        const std::uint32_t worldGroup = group(writer, OTF2_GROUP_TYPE_COMM_GROUP, world);
        const std::uint32_t worldName = string(writer, "MPI_COMM_WORLD");
        check(OTF2_GlobalDefWriter_WriteComm(writer, 0, worldName, worldGroup, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
        std::uint32_t first = 0;
        const Comm *before = nullptr; // one of the same members has the same group
        for (const Comm &comm : communicators) {
            const std::uint32_t commName = string(writer, "");
            if (before == nullptr || before->isSelf != comm.isSelf || before->members != comm.members)
                first = group(writer, comm.isSelf ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP, comm.members);
            before = &comm;
            if (comm.others.empty())
                check(OTF2_GlobalDefWriter_WriteComm(writer, comm.id, commName, first, 0, OTF2_COMM_FLAG_NONE));
            else
                check(OTF2_GlobalDefWriter_WriteInterComm(writer, comm.id, commName, first,
                                                          group(writer, OTF2_GROUP_TYPE_COMM_GROUP, comm.others), 0,
                                                          OTF2_COMM_FLAG_NONE));
        }
    }
};

ArchiveWriter::ArchiveWriter(std::string folder, std::string name) : m(std::make_unique<Impl>()) {
    m->folder = std::move(folder);
    m->name = std::move(name);
}
ArchiveWriter::~ArchiveWriter() = default;

ArchiveWriter &ArchiveWriter::region(Region region) {
    m->regions.push_back(std::move(region));
    return *this;
}

ArchiveWriter &ArchiveWriter::usualRegions() {
    region({0, "main", "", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "main.c", 1});
    region({1, "work", "", OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, "main.c", 10});
    region({2, "MPI_Send", "", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0});
    region({3, "MPI_Recv", "", OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI, "MPI", 0});
    return region({4, "MPI_Allreduce", "", OTF2_REGION_ROLE_COLL_ALL2ALL, OTF2_PARADIGM_MPI, "MPI", 0});
}

ArchiveWriter &ArchiveWriter::location(Location location) {
    m->locations.push_back(location);
    return *this;
}

ArchiveWriter &ArchiveWriter::ranks(std::uint32_t n) {
    for (std::uint32_t rank = 0; rank < n; ++rank) {
        Location each;
        each.id = rank;
        each.process = rank;
        location(each);
    }
    return *this;
}

ArchiveWriter &ArchiveWriter::communicator(std::uint32_t id, std::vector<std::uint64_t> members,
                                           std::vector<std::uint64_t> others) {
    m->communicators.push_back({id, std::move(members), std::move(others), false});
    return *this;
}

ArchiveWriter &ArchiveWriter::selfCommunicator(std::uint32_t id) {
    m->communicators.push_back({id, {}, {}, true});
    return *this;
}

ArchiveWriter &ArchiveWriter::callingContext(std::uint32_t id, std::uint32_t region) {
    m->contexts.emplace_back(id, region);
    return *this;
}

ArchiveWriter &ArchiveWriter::event(std::uint64_t location, Event event) {
    m->events[location].push_back(std::move(event));
    return *this;
}

ArchiveWriter &ArchiveWriter::enter(std::uint64_t location, std::uint64_t time, std::uint32_t region) {
    return event(location, [=](OTF2_EvtWriter *w) { check(OTF2_EvtWriter_Enter(w, nullptr, time, region)); });
}

ArchiveWriter &ArchiveWriter::leave(std::uint64_t location, std::uint64_t time, std::uint32_t region) {
    return event(location, [=](OTF2_EvtWriter *w) { check(OTF2_EvtWriter_Leave(w, nullptr, time, region)); });
}

ArchiveWriter &ArchiveWriter::send(std::uint64_t location, std::uint64_t time, std::uint32_t to, std::uint32_t tag,
                                   std::uint32_t communicator, std::uint64_t bytes) {
    return event(location,
                 [=](OTF2_EvtWriter *w) { check(OTF2_EvtWriter_MpiSend(w, nullptr, time, to, communicator, tag, bytes)); });
}

ArchiveWriter &ArchiveWriter::receive(std::uint64_t location, std::uint64_t time, std::uint32_t from, std::uint32_t tag,
                                      std::uint32_t communicator, std::uint64_t bytes) {
    return event(location,
                 [=](OTF2_EvtWriter *w) { check(OTF2_EvtWriter_MpiRecv(w, nullptr, time, from, communicator, tag, bytes)); });
}

ArchiveWriter &ArchiveWriter::allreduce(std::uint64_t location, std::uint64_t time, std::uint32_t communicator) {
    return event(location, [=](OTF2_EvtWriter *w) {
        check(OTF2_EvtWriter_MpiCollectiveEnd(w, nullptr, time, OTF2_COLLECTIVE_OP_ALLREDUCE, communicator,
                                              OTF2_COLLECTIVE_ROOT_NONE, 8, 8));
    });
}

ArchiveWriter &ArchiveWriter::clock(std::uint64_t ticksPerSecond, std::uint64_t offset, std::uint64_t length) {
    m->ticksPerSecond = ticksPerSecond;
    m->clockOffset = offset;
    m->clockLength = length;
    return *this;
}

ArchiveWriter &ArchiveWriter::mapRegions(std::vector<std::uint64_t> globalRegions) {
    m->mapping = std::move(globalRegions);
    return *this;
}

ArchiveWriter &ArchiveWriter::clockOffset(std::uint64_t location, std::int64_t offset) {
    m->offsets[location] = offset;
    return *this;
}

ArchiveWriter &ArchiveWriter::withoutLocalDefinitions() {
    m->localDefinitions = false;
    return *this;
}

ArchiveWriter &ArchiveWriter::withoutMpi() {
    m->mpi = false;
    return *this;
}

std::string ArchiveWriter::write() {
    OTF2_Archive *archive = OTF2_Archive_Open(m->folder.c_str(), m->name.c_str(), OTF2_FILEMODE_WRITE, chunk, chunk,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == nullptr)
        throw std::runtime_error("libotf2 does not create an archive in " + m->folder);
    const OTF2_FlushCallbacks flush{preFlush, postFlush};
    check(OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_SetCreator(archive, "a test"));
    const auto counts = m->writeEvents(archive);
    m->writeLocalDefinitions(archive);
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    check(OTF2_GlobalDefWriter_WriteClockProperties(writer, m->ticksPerSecond, m->clockOffset, m->clockLength,
                                                    OTF2_UNDEFINED_TIMESTAMP));
    m->writeLocations(writer, counts);
    m->writeRegions(writer);
    m->writeCommunicators(writer);
    check(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
    check(OTF2_Archive_Close(archive));
    return m->folder + '/' + m->name + ".otf2";
}

std::string fileBytes(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void setFileBytes(const std::string &path, const std::string &bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

void patchTime(const std::string &eventFile, std::uint64_t from, std::uint64_t to) {
    const auto record = [](std::uint64_t time) {
        std::string bytes(9, '\5');
        std::memcpy(&bytes[1], &time, sizeof time);
        return bytes;
    };
    std::string bytes = fileBytes(eventFile);
    const std::size_t position = bytes.find(record(from));
    if (position == std::string::npos)
        throw std::runtime_error("no event at this time");
    bytes.replace(position, 9, record(to));
    setFileBytes(eventFile, bytes);
}

} // namespace laggard::test
