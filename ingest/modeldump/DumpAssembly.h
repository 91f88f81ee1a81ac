// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/modeldump/DumpContent.h"
#include "trace/Work.h"

namespace laggard::modeldump {

/// Checks the contents of the files of one job and joins them: their tables may differ. `path` is what was opened. Throws
/// ReadError, naming file and place, and Cancelled.
[[nodiscard]] ModelDumpPtr assemble(const std::string &path, std::vector<DumpContent> contents, const Work &work);

} // namespace laggard::modeldump
