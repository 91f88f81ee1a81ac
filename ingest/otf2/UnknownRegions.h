// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/CallPathTable.h"
#include "trace/Region.h"

#include <map>
#include <mutex>
#include <vector>

namespace laggard::otf2 {

/// Regions that events refer to and no definition names. Workers share it while they read; the stand-ins get their place among
/// the regions when all have been read, so that numbers do not depend on which worker came first.
class UnknownRegions {
  public:
    explicit UnknownRegions(std::size_t definedRegions) : m_defined(static_cast<RegionId>(definedRegions)) {}

    /// A provisional number for the region with this reference. Beyond a number of different ones all get the same.
    RegionId provisional(std::uint64_t reference);

    /// Appends the stand-ins ("unknown region 17") to `regions` and replaces the provisional numbers in `tables`.
    void settle(std::vector<Region> &regions, std::vector<CallPathTable> &tables) const;

  private:
    static constexpr std::size_t mostStandIns = 1000; // made-up references of damaged files must not flood the lists
    RegionId m_defined;
    std::mutex m_mutex;
    std::map<std::uint64_t, RegionId> m_provisional; ///< by reference
};

} // namespace laggard::otf2
