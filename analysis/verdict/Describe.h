// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Phrases.h"
#include "trace/PlainName.h"
#include "trace/Quantity.h"
#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <string>

namespace laggard {

/// "compute_flux (stencil.c:41)"; of an MPI call, with its caller: "MPI_Recv, called from recv_plane (wavefront.c:25)".
/// "code outside all recorded calls" for `none`.
/// With `stoppedAt`, the line in the function where it was seen; of MPI calls, the line that calls them where it is known.
[[nodiscard]] std::string describeCall(const Trace &trace, CallPathId path, CallSiteId stoppedAt = none);

/// The same, and the next caller up where the line of that call is known: "better (merge.c:17), called from merge (merge.c:26)",
/// "MPI_Recv, called from take (queue.c:19), from step (step.c:69)". What is wrong is often not in the small function at the end.
[[nodiscard]] std::string describeWithCaller(const Trace &trace, CallPathId path, CallSiteId stoppedAt = none);

/// The source to show for a call path: where the function is or, for one without source, where it is called from, or the nearest
/// caller with source. Empty without any.
[[nodiscard]] Frame placeOf(const Trace &trace, CallPathId path, CallSiteId stoppedAt = none);

/// The innermost frame with a known source file at or above `path`; `none` if there is none.
[[nodiscard]] CallPathId nearestWithSource(const Trace &trace, CallPathId path);

/// A confidence of 0..1 in whole percent, rounded down: 0.999 is not certainty.
[[nodiscard]] int confidencePercent(double confidence);

/// A share of 0..1 in whole percent, rounded down: "12 %"; "less than 1 %" of what is not nothing.
[[nodiscard]] std::string describeShare(double share);

/// "0.97 (high)" and the like, for a confidence of 0..1.
[[nodiscard]] std::string describeConfidence(double confidence);

} // namespace laggard
