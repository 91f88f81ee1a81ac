// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <mutex>
#include <otf2/otf2.h>
#include <string>
#include <unordered_map>
#include <vector>

namespace laggard {

/// A location of the archive: one of the trace, or an empty one for a rank of which there is nothing.
struct Otf2Location {
    OTF2_LocationRef id = 0;
    LocationIndex source = none;
    Rank rank = none;
    std::uint64_t events = 0;  ///< written
    std::string earlierEpochs; ///< EventAttributes::earlierEpochs
};

/// Attributes for what a trace of ours knows and OTF2 has no place for: ingest/otf2/OperationText.h, docs/otf2.md.
/// Only those that the trace needs have numbers, from 0 without gaps: who reads the definition of one takes it that the archive
/// says such things.
struct Otf2Attributes {
    explicit Otf2Attributes(const Trace &trace);
    OTF2_AttributeRef callSite = none;
    OTF2_AttributeRef pending = none;
    OTF2_AttributeRef openCall = none;
    OTF2_AttributeRef polls = none;
    OTF2_AttributeRef fingerprint = none;
    OTF2_AttributeRef collective = none;
    OTF2_AttributeRef row = none;
    OTF2_AttributeRef how = none;
    OTF2_AttributeRef thread = none;
    OTF2_AttributeRef epoch = none;
    OTF2_AttributeRef taken = none;
};

/// Strings of an archive, each defined once. Locations that are written at the same time share it.
class Otf2Strings {
  public:
    [[nodiscard]] OTF2_StringRef number(const std::string &text);
    /// All strings, by number.
    [[nodiscard]] const std::vector<const std::string *> &all() const { return m_all; }

  private:
    std::mutex m_mutex;
    std::unordered_map<std::string, OTF2_StringRef> m_numbers;
    std::vector<const std::string *> m_all;
};

/// All locations of the trace; ranks without a main thread get an empty one, so that each rank is in MPI_COMM_WORLD.
[[nodiscard]] std::vector<Otf2Location> planLocations(const Trace &trace);

/// Bytes that the largest definition of the trace may take.
[[nodiscard]] std::uint64_t largestDefinition(const Trace &trace);

/// Writes the global definitions as Score-P does: regions and call paths keep their names and sources, communicator i of the
/// trace is communicator i of the archive, groups list the main threads of the ranks. `strings`: those that events refer to.
/// Throws WriteError.
void writeGlobalDefinitions(const Trace &trace, const std::vector<Otf2Location> &locations, Otf2Strings &strings,
                            OTF2_GlobalDefWriter *writer);

} // namespace laggard
