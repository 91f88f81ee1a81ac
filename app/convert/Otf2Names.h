// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Communication.h"
#include "trace/Region.h"
#include "trace/Trace.h"

#include <otf2/otf2.h>

namespace laggard {

/// OTF2's words for ours. Where ours stand for several of OTF2's, the most general one.
[[nodiscard]] OTF2_RegionRole otf2Role(const Region &region);
[[nodiscard]] OTF2_Paradigm otf2Paradigm(Paradigm paradigm);
[[nodiscard]] OTF2_CollectiveOp otf2Operation(CollectiveOperation operation);
[[nodiscard]] OTF2_LocationType otf2LocationType(LocationKind kind);

} // namespace laggard
