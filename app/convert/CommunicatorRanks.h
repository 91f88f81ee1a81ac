// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <vector>

namespace laggard {

/// The rank that a process has in each communicator: OTF2 writes peers so.
class CommunicatorRanks {
  public:
    explicit CommunicatorRanks(const Trace &trace);

    /// `none` if `rank` is not in the communicator, or either is `none`. In MPI_COMM_SELF and its like everybody is 0.
    [[nodiscard]] std::uint32_t find(CommunicatorId communicator, Rank rank) const;

  private:
    struct Member {
        Rank rank;
        std::uint32_t position;
    };
    struct Table {
        bool isSelf = false;
        std::uint32_t identicalUpTo = 0; ///< ranks below are at the position of their number
        std::vector<Member> members;     ///< the others, sorted by rank
    };
    std::vector<Table> m_tables;
};

} // namespace laggard
