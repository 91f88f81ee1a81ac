// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/assembly/PartialTrace.h"
#include "ingest/otf2/Archive.h"
#include "ingest/otf2/Tables.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <optional>

namespace laggard::otf2 {

/// Reads the events of all locations of `trace` and gives their call paths one numbering. Fills the locations, `regions`
/// (stand-ins for those not defined), `callPaths`, the event counts, and warns of everything that is missing or odd. Throws
/// Cancelled, and ReadError where libotf2 does not open the archive. Locations of ranks that `trace.part` leaves out stay empty;
/// if it names a time, the calls are cut to it, and `cut` is filled. `declared`: when all events happened, as the archive says.
void readLocations(const ArchiveFiles &files, const References &references, TimeRange declared, const Work &work, Trace &trace,
                   TimeCut &cut);

} // namespace laggard::otf2
