// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard::automaded {

/// The dump of AutomaDeD at `path`, judged by its first line.
[[nodiscard]] std::vector<std::string> find(const std::string &path);

/// Reads a dump of AutomaDeD (.dump): states, who is in them, and the dependences that it found. Frames of the tool itself are
/// left out, symbols demangled. Throws ReadError with one sentence that names file and line, and Cancelled.
[[nodiscard]] ModelDumpPtr open(const std::string &path, const Work &work);

} // namespace laggard::automaded
