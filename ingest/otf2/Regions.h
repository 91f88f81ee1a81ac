// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/otf2/Definitions.h"
#include "ingest/otf2/IdMap.h"
#include "trace/Trace.h"

namespace laggard::otf2 {

/// Fills `trace.regions` and the positions of the archive's regions and calling contexts in it.
void buildRegions(const Definitions &definitions, Trace &trace, IdMap &regionOf, IdMap &regionOfContext);

} // namespace laggard::otf2
