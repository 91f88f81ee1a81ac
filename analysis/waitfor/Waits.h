// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/OpenCall.h"
#include "analysis/waitfor/UnreceivedMessages.h"

namespace laggard {

/// Appends the waits of ranks in point-to-point calls, and fills `need` of their activities (MPI 3.1 §3).
/// `openCalls` is by rank.
void findPointToPointWaits(Snapshot &snapshot, const std::vector<OpenCall> &openCalls, const UnreceivedMessages &unreceived,
                           std::vector<Wait> &waits);

/// Appends the waits of ranks in collectives, MPI_Init and MPI_Finalize, one for each instance of a communicator, and fills
/// `need` of their activities (MPI 3.1 §5). Completes those of `openCalls` whose communicator was not known. Linear in ranks and
/// collective calls.
void findCollectiveWaits(Snapshot &snapshot, std::vector<OpenCall> &openCalls, std::vector<Wait> &waits, const Work &work);

} // namespace laggard
