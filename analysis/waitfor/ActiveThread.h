// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <string_view>

namespace laggard {

/// The thread whose calls are what a rank does at a moment. A main thread that joins another one, or waits in a lock, a barrier
/// or at the end of an OpenMP region, does nothing itself: what the awaited thread does is what the rank does.
struct ActiveThread {
    LocationIndex location = none; ///< `none`: the trace does not have the main thread
    std::uint32_t row = none;      ///< innermost open call in its track; `none` between calls
    /// 0..1: that it is this thread's doing that counts. Below a half where the main thread was not seen, and may wait or
    /// compute.
    double certainty = 1;
};

/// Which location of the rank counts at `at`, and what it does there. The main thread while it is in MPI, or computes and is
/// seen to, or goes on before a thread of its process comes back; one of the others while it waits for them. Logarithmic in the
/// rank's events.
[[nodiscard]] ActiveThread activeThread(const Trace &trace, Rank rank, Tick at);

/// True for functions of the system, of OpenMP and of other thread libraries in which a thread waits for others of its process.
[[nodiscard]] bool isWaitForThreads(std::string_view function);

} // namespace laggard
