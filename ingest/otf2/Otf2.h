// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/MemoryEstimate.h"

namespace laggard::otf2 {

/// The anchor files of OTF2 archives at `path`: the file itself if it is one, the archive that a definition or event file belongs
/// to, or all archives of a folder (not of its subfolders).
[[nodiscard]] std::vector<std::string> find(const std::string &path);

/// Reads the OTF2 archive with this anchor file, per location, with one reader handle per worker. What could not be read is in
/// the trace's warnings. Throws ReadError when nothing can be named (anchor or global definitions gone), and Cancelled.
[[nodiscard]] TracePtr open(const std::string &anchor, const OpenOptions &options, const Work &work);

/// What reading it would cost. Throws as `open` does.
[[nodiscard]] TraceOutline outline(const std::string &anchor, const Work &work);

} // namespace laggard::otf2
