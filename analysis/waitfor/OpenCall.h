// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CallHistory.h"
#include "analysis/waitfor/Snapshot.h"

#include <string>

namespace laggard {

/// How whom an open call concerns is known, for a sentence: "predicted from 211 equal preceding steps".
[[nodiscard]] std::string groundOf(const OpenCall &open);

/// What is known of the rank's open MPI call. Collectives without a precedent stay Unclear (see findCollectiveWaits).
/// Linear in the rank's history.
[[nodiscard]] OpenCall describeOpenCall(const Snapshot &snapshot, Rank rank);

} // namespace laggard
