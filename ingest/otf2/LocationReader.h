// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/Archive.h"
#include "ingest/otf2/EventSink.h"
#include "trace/Location.h"
#include "trace/Warning.h"
#include "trace/Work.h"

#include <functional>
#include <span>
#include <vector>

namespace laggard::otf2 {

/// What every worker needs to know of the archive.
struct ArchiveContext {
    const ArchiveFiles &files;
    const References &references;
    UnknownRegions &unknownRegions;
    const Work &work;
    std::uint64_t eventChunk = 0;      ///< bytes
    std::uint64_t definitionChunk = 0; ///< bytes
    TimeRange declared = {};           ///< when all events happened, as the archive says
    bool hasLocalDefinitions = true;   ///< false: the archive was written without, for all locations
};

/// One location as read.
struct LocationResult {
    std::vector<Warning> warnings;
    UnshownCounts unshown{};
};

/// Reads some of the locations of an archive with a handle of its own. Not to be shared between threads.
class LocationReader {
  public:
    /// Opens the archive for these locations. Throws ReadError.
    LocationReader(const ArchiveContext &context, std::span<Location *const> locations);
    ~LocationReader();
    LocationReader(const LocationReader &) = delete;
    LocationReader &operator=(const LocationReader &) = delete;

    /// Reads the events of one of them into it. Damage is cut off and reported. `advanced(bytes)` is called from time to time
    /// with the bytes of the event file read so far. Throws Cancelled.
    LocationResult read(Location &location, CallPathTable &callPaths, const std::function<void(std::uint64_t)> &advanced);

  private:
    struct Attempt;
    struct Extent;
    [[nodiscard]] Extent checkFile(const Location &location) const;
    bool readDefinitions(const Location &location, LocationResult &result);
    std::unique_ptr<Attempt> readEvents(const Location &location, const Extent &extent, CallPathTable &callPaths,
                                        const std::function<void(std::uint64_t)> &advanced);
    [[nodiscard]] static bool narrow(const Attempt &attempt, Extent &extent);
    static void keep(Location &location, Attempt &attempt, LocationResult &result);
    void warnOfDamage(const Location &location, const Extent &extent, LocationResult &result) const;
    void warnOfOddities(const Location &location, const Oddities &odd, LocationResult &result) const;

    const ArchiveContext &m_context;
    ErrorLog m_log;
    ReaderHandle m_reader;
};

} // namespace laggard::otf2
