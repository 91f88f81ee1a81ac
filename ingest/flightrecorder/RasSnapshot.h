// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"
#include "trace/Work.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::flightrecorder {

/// A communicator as ncclras (the client of NCCL's RAS subsystem) shows it at a moment.
struct RasCommunicator {
    std::string hash;       ///< "27a079b828ff1a75"
    std::uint64_t size = 0; ///< ranks; 0: not told
    /// By the communicator's own ranks: operations launched of one kind, or of all. Text names only ranks that differ from most.
    struct Launched {
        std::string operation;             ///< "AllReduce", "collective"
        std::uint64_t most = 0;            ///< the most that any rank has launched
        std::map<Rank, std::uint64_t> few; ///< ranks that have launched fewer
        bool operator==(const Launched &) const = default;
    };
    std::vector<Launched> launched;
    std::vector<Rank> silent; ///< that did not answer, or are considered dead
};

struct RasSnapshot {
    std::string file;
    std::vector<RasCommunicator> communicators; ///< those about which there is something to say
    std::vector<std::string> gone;              ///< lines about processes that cannot be reached
};

/// True for the beginning of what ncclras writes, as text or as JSON.
[[nodiscard]] bool looksLikeRas(std::string_view beginning);

/// Reads text or JSON; what it does not know in it, it leaves out. Throws ReadError and Cancelled.
[[nodiscard]] RasSnapshot readRas(const std::string &file, const Work &work);

/// Adds a note to the trace for what each snapshot shows, and, of several, what of it lasts from the first to the last.
void addSnapshots(const std::vector<std::string> &files, Trace &trace, const Work &work);

} // namespace laggard::flightrecorder
