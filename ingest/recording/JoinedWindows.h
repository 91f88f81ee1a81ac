// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/Processes.h"

namespace laggard::recording {

/// The windows of all files, joined by their keys. Fills `windowOf` of each file. `communicators`: as joined.
[[nodiscard]] std::vector<Window> joinWindows(JobFiles &job, const JoinedCommunicators &communicators);

} // namespace laggard::recording
