// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/Archive.h"
#include "ingest/otf2/IdMap.h"
#include "trace/Warning.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard::otf2 {

/// The global definitions of an archive as they are written: references are the archive's numbers, not yet checked.
struct Definitions {
    struct SystemNode {
        std::uint32_t id, name, className, parent;
    };
    struct LocationGroup {
        std::uint32_t id, name;
        OTF2_LocationGroupType type;
        std::uint32_t node, creator;
    };
    struct Location {
        std::uint64_t id;
        std::uint32_t name;
        OTF2_LocationType type;
        std::uint32_t group;
    };
    struct Region {
        std::uint32_t id, name, canonicalName;
        OTF2_RegionRole role;
        OTF2_Paradigm paradigm;
        std::uint32_t file, line;
    };
    struct Group {
        std::uint32_t id;
        OTF2_GroupType type;
        OTF2_Paradigm paradigm;
        OTF2_GroupFlag flags;
        std::vector<std::uint64_t> members;
    };
    struct Communicator {
        std::uint32_t id, name, group, parent;
        std::uint32_t remoteGroup = OTF2_UNDEFINED_GROUP; ///< for an inter-communicator
        bool isInter = false;
    };
    struct CallingContext {
        std::uint32_t id, region;
    };
    struct Attribute {
        std::uint32_t id, name;
    };
    struct SourceLocation {
        std::uint32_t id, file, line;
    };
    /// A text that belongs to a location or a location group.
    struct Property {
        std::uint64_t owner;
        std::uint32_t name, text;
    };

    bool hasClock = false;
    std::uint64_t ticksPerSecond = 0, clockOffset = 0, clockLength = 0, startUtc = OTF2_UNDEFINED_TIMESTAMP;
    std::vector<std::string> strings;
    IdMap stringOf;
    std::vector<SystemNode> systemNodes;
    std::vector<LocationGroup> locationGroups;
    std::vector<Location> locations;
    std::vector<Region> regions;
    std::vector<Group> groups;
    std::vector<Communicator> communicators;
    std::vector<CallingContext> callingContexts;
    std::vector<Attribute> attributes;
    std::vector<SourceLocation> sourceLocations;
    std::vector<Property> groupProperties;
    std::vector<Property> locationProperties;
    std::vector<OTF2_Paradigm> threadParadigms; ///< those that run in one process

    /// The text of a string definition; empty if there is none.
    [[nodiscard]] const std::string &text(std::uint32_t reference) const;
};

/// Reads the global definitions, whole ones only. Warns (data loss) where they are cut off. Throws ReadError where no location is
/// left, and Cancelled.
[[nodiscard]] Definitions readDefinitions(const ArchiveFiles &files, OTF2_Reader *reader, const Work &work,
                                          std::vector<Warning> &warnings);

} // namespace laggard::otf2
