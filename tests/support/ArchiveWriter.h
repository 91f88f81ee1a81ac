// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <otf2/otf2.h>
#include <string>
#include <vector>

namespace laggard::test {

/// Writes small OTF2 archives through libotf2, odd ones too. Nanoseconds; a machine with one node; MPI_COMM_WORLD is communicator
/// 0 and holds the main locations in the order in which they were added.
class ArchiveWriter {
  public:
    /// The archive is FOLDER/NAME.otf2.
    explicit ArchiveWriter(std::string folder, std::string name = "traces");
    ~ArchiveWriter();
    ArchiveWriter(const ArchiveWriter &) = delete;
    ArchiveWriter &operator=(const ArchiveWriter &) = delete;

    struct Region {
        std::uint32_t id = 0;
        std::string name;
        std::string canonicalName;
        OTF2_RegionRole role = OTF2_REGION_ROLE_FUNCTION;
        OTF2_Paradigm paradigm = OTF2_PARADIGM_COMPILER;
        std::string file;
        std::uint32_t line = 0;
    };
    ArchiveWriter &region(Region region);
    /// Regions 0 to 4: main, work, MPI_Send, MPI_Recv, MPI_Allreduce.
    ArchiveWriter &usualRegions();

    struct Location {
        std::uint64_t id = 0;
        std::uint32_t process = 0; ///< number of its location group
        OTF2_LocationType type = OTF2_LOCATION_TYPE_CPU_THREAD;
        bool isMpi = true;                ///< a rank of MPI_COMM_WORLD
        std::uint64_t declaredEvents = 0; ///< what the definition says; 0: the truth
        bool isDefined = true;            ///< false: no definition, only its files
        OTF2_LocationGroupType groupType = OTF2_LOCATION_GROUP_TYPE_PROCESS;
        std::uint32_t creator = OTF2_UNDEFINED_LOCATION_GROUP;
    };
    ArchiveWriter &location(Location location);
    /// Ranks 0 to n-1, one location each, with the rank's number.
    ArchiveWriter &ranks(std::uint32_t n);

    /// A communicator of these members of MPI_COMM_WORLD, or with `others` between these and those.
    ArchiveWriter &communicator(std::uint32_t id, std::vector<std::uint64_t> members, std::vector<std::uint64_t> others = {});
    ArchiveWriter &selfCommunicator(std::uint32_t id);
    ArchiveWriter &callingContext(std::uint32_t id, std::uint32_t region);

    /// An event of the location: called with its writer. Times must not decrease.
    using Event = std::function<void(OTF2_EvtWriter *)>;
    ArchiveWriter &event(std::uint64_t location, Event event);
    ArchiveWriter &enter(std::uint64_t location, std::uint64_t time, std::uint32_t region);
    ArchiveWriter &leave(std::uint64_t location, std::uint64_t time, std::uint32_t region);
    ArchiveWriter &send(std::uint64_t location, std::uint64_t time, std::uint32_t to, std::uint32_t tag = 0,
                        std::uint32_t communicator = 0, std::uint64_t bytes = 8);
    ArchiveWriter &receive(std::uint64_t location, std::uint64_t time, std::uint32_t from, std::uint32_t tag = 0,
                           std::uint32_t communicator = 0, std::uint64_t bytes = 8);
    ArchiveWriter &allreduce(std::uint64_t location, std::uint64_t time, std::uint32_t communicator = 0);

    ArchiveWriter &clock(std::uint64_t ticksPerSecond, std::uint64_t offset, std::uint64_t length);
    /// The definition files of the locations hold a mapping of regions (local number i is global number `globalRegions[i]`).
    ArchiveWriter &mapRegions(std::vector<std::uint64_t> globalRegions);
    /// Corrects the clock of a location by this much, all the time.
    ArchiveWriter &clockOffset(std::uint64_t location, std::int64_t offset);
    ArchiveWriter &withoutLocalDefinitions();
    ArchiveWriter &withoutMpi(); ///< no groups and communicators

    /// Writes the files. The writer is spent. Returns the path of the anchor.
    std::string write();

  private:
    struct Impl;
    std::unique_ptr<Impl> m;
};

/// A whole file, and back. For damage.
[[nodiscard]] std::string fileBytes(const std::string &path);
void setFileBytes(const std::string &path, const std::string &bytes);
/// Replaces the time of all events at `from` in an event file by `to`.
void patchTime(const std::string &eventFile, std::uint64_t from, std::uint64_t to);

} // namespace laggard::test
