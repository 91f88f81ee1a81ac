// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/flightrecorder/Dump.h"
#include "ingest/flightrecorder/Groups.h"
#include "trace/Trace.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace laggard::flightrecorder {

/// What the ranks' dumps share in the trace: functions, lines, groups, names of types.
class JobTables {
  public:
    explicit JobTables(Trace &trace) : m_trace(trace) {}

    GroupTable groups;
    CallPathTable callPaths;

    [[nodiscard]] RegionId operation(std::string_view name, RegionRole role);
    [[nodiscard]] RegionId function(const DumpFrame &frame);
    [[nodiscard]] CallSiteId site(const DumpFrame &frame);
    /// What a rank is in that has nothing in its ring.
    [[nodiscard]] RegionId outside();
    /// In Trace::names; `none` for an empty text.
    [[nodiscard]] std::uint32_t typeName(std::string_view type);

  private:
    RegionId intern(Region region);

    Trace &m_trace;
    std::map<std::pair<std::string, std::string>, RegionId> m_regions; ///< by name and file
    std::map<std::pair<std::string, std::uint32_t>, CallSiteId> m_sites;
    std::map<std::string, std::uint32_t, std::less<>> m_types;
};

/// What the status of a rank says of a group that its ring has no operation of: whether it counts collectives or messages depends
/// on what other ranks do on the group, so that it is settled when all are read.
struct UnseenGroup {
    Rank rank = none;
    CommunicatorId communicator = none;
    std::uint64_t enqueued = 0;
    std::uint64_t completed = 0;
};

/// Turns a dump into the location of its rank: docs/flight-recorder.md, "As a trace". Appends what can only be settled later to
/// `unseen`.
[[nodiscard]] Location locationOf(const RankDump &dump, Rank rank, JobTables &tables, std::vector<UnseenGroup> &unseen);

/// Changes the numbers of communicators in all that a rank tells.
void renumberGroups(LocationEvents &events, const std::vector<CommunicatorId> &becomes);

/// Once all are read.
void settleUnseen(const std::vector<UnseenGroup> &unseen, const GroupTable &groups, Trace &trace);

} // namespace laggard::flightrecorder
