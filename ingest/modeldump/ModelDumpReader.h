// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelDump.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard::modeldump {

/// The model dump at `path` (docs/model-dump.md): a file, or a folder with one file for each rank. Judged by the first bytes.
[[nodiscard]] std::vector<std::string> find(const std::string &path);

/// The files of the dump at `path`, sorted: one, or those of the folder.
[[nodiscard]] std::vector<std::string> filesOf(const std::string &path);

/// Reads a dump that `find` has given. Throws ReadError with one sentence that names file and place, and Cancelled.
[[nodiscard]] ModelDumpPtr open(const std::string &path, const Work &work);

} // namespace laggard::modeldump
