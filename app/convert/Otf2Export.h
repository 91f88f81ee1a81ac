// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/convert/LocationStream.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>

namespace laggard {

/// Writes a trace as an OTF2 archive (folder/traces.otf2) into a new folder, its locations in parallel, with a buffer for each
/// thread. The folder appears when all is written. Throws WriteError, also if the folder exists, and Cancelled; nothing is left
/// behind then.
Otf2Leftovers writeOtf2(const Trace &trace, const std::string &folder, const Work &work);

} // namespace laggard
