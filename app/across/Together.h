// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Transport.h"
#include "trace/ModelDump.h"
#include "trace/Work.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// What one process did of a common work.
struct ShareCounts {
    std::uint64_t parts = 0;      ///< ranks of a trace, or files of a dump
    std::uint64_t events = 0;     ///< read
    std::uint64_t eventBytes = 0; ///< of their columns in memory
    Traffic sent;
    std::uint64_t contentBytes = 0; ///< size of what it sent up the tree, as packed
    std::uint64_t peakBytes = 0;    ///< resident memory at its highest
};

/// What processes have made together. `dump`: at process 0; nullptr at the others.
struct TogetherMade {
    ModelDumpPtr dump;
    std::vector<ShareCounts> counts; ///< by process; at process 0
};

/// What is asked of a common work.
struct TogetherAsked {
    std::string path;
    bool summary = false;   ///< a trace may be judged by its summary; else only dumps, which are theirs
    bool withPhases = true; ///< models by phase are asked for: a dump that has some is refused, as they are not joined
};

/// Makes the summary of what a job left behind: each process reads its share of the ranks, or of a dump's files, and the shares
/// are joined over a binomial tree (docs/nodes.md). The result does not depend on how many processes there are. All call it.
/// Throws TogetherError in all of them, TransportError and Cancelled.
[[nodiscard]] TogetherMade summariseTogether(Transport &transport, const TogetherAsked &asked, const Work &work);

} // namespace laggard
