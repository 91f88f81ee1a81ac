// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Communication.h"

#include <array>

namespace laggard {

std::string_view name(CollectiveOperation operation) {
    static constexpr std::array<std::string_view, 23> names = {
        "unknown",    "Barrier",    "Bcast",          "Gather",
        "Gatherv",    "Scatter",    "Scatterv",       "Allgather",
        "Allgatherv", "Alltoall",   "Alltoallv",      "Alltoallw",
        "Allreduce",  "Reduce",     "Reduce_scatter", "Reduce_scatter_block",
        "Scan",       "Exscan",     "create handle",  "destroy handle",
        "allocate",   "deallocate", "other"};
    return names[static_cast<std::size_t>(operation)];
}

} // namespace laggard
