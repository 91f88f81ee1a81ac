// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/CommunicatorGuess.h"
#include "app/across/ShareTrace.h"

namespace laggard {

/// Asks all processes for what their ranks' calls were at the places where ranks of any share stand in a collective of which the
/// communicator is not known: `lacking` are those of this share. What is returned answers for them. All processes call it. Throws
/// TransportError.
[[nodiscard]] CommunicatorGuess::KindsOf askForKinds(Transport &transport, const ShareTrace &share, const Snapshot &snapshot,
                                                     const RankSet &lacking);

} // namespace laggard
