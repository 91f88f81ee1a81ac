// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "ingest/recording/Symbols.h"

#include <vector>

namespace laggard::recording {

/// The frames of a stack that was copied at a signal, innermost first, frames of the recorder left out. Ends where a binary that
/// is needed is gone, or the copy ends. Empty if nothing is known.
[[nodiscard]] std::vector<CodePlace> unwind(const CrashRecord &crash, const FileDefinitions &definitions, Symbols &symbols);

} // namespace laggard::recording
