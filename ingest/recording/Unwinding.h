// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "ingest/recording/Symbols.h"

#include <vector>

namespace laggard::recording {

/// A stack that was copied at a signal.
struct UnwoundStack {
    std::vector<CodeFrames> frames; ///< innermost first, those of the recorder left out
    bool isInRecorder = false;      ///< the innermost frame was the recorder's: inside an MPI call, but not in the MPI library
    std::size_t withinCall = 0; ///< so many frames were called from the recorder's innermost: inside an MPI call, if one is open
};

/// Ends where a binary that is needed is gone, or the copy ends. Empty if nothing is known.
[[nodiscard]] UnwoundStack unwind(const CrashRecord &crash, const FileDefinitions &definitions, Symbols &symbols);

} // namespace laggard::recording
