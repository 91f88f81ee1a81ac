// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Transport.h"
#include "ingest/Format.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <memory>
#include <vector>

namespace laggard {

/// The ranks of a trace that one process has opened.
struct ShareTrace {
    /// Definitions of all, events of `ranks` alone. The range is that of the whole trace, and no message is matched, not even
    /// those between two ranks of the share: what a process finds out must not depend on who else is in its share.
    std::shared_ptr<const Trace> trace;
    RankSet ranks;
    std::vector<std::uint64_t> borders; ///< process p has the ranks from the p-th of these to the next
    std::vector<Warning> warnings;      ///< those of the whole trace, each once; at process 0
};

/// Opens this process' share of a trace. Shares have about equally many bytes of events. Process 0 asks for the sizes of the
/// files. Throws TogetherError, and Cancelled.
[[nodiscard]] ShareTrace openShare(Transport &transport, const Located &located, const Work &work);

} // namespace laggard
