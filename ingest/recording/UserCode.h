// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "ingest/recording/Symbols.h"

#include <set>
#include <span>
#include <string>
#include <vector>

namespace laggard::recording {

/// Tells the user's code from libraries: it lies in the program itself, or in a module whose functions announce their calls, or
/// has source lines and is neither MPI nor a library of the system.
class UserCode {
  public:
    UserCode(std::string program, const FileDefinitions &definitions);
    [[nodiscard]] bool contains(const CodeFrames &place) const;

  private:
    std::set<std::string> m_modules; ///< paths
};

/// What runs of the program inside an MPI call: a signal handler, an operator of a reduction, an error handler. `frames` is a
/// stack, innermost first, whose first `count` frames lie inside the call. Returned are those of them from the user's innermost
/// frame on, and in front of it the function that this has called, without its inside. Empty if MPI itself is at work there.
[[nodiscard]] std::vector<CodeFrames> calledBack(std::span<const CodeFrames> frames, std::size_t count, const UserCode &userCode);

/// A stack in which something of an MPI library, or of what it brings along, is at work, and nothing of the user's.
[[nodiscard]] bool isMpisOwn(std::span<const CodeFrames> frames, const UserCode &userCode);

/// Takes the insides of libraries off a stack, innermost frame first: of what the user's innermost frame has called, one frame is
/// left (abort, write), without what was inlined in it and without its lines. A stack without a frame of the user stays whole.
/// Returns the number of frames left before the user's innermost: 0 or 1, and 0 if there is none of the user's.
std::size_t cutLibraryInsides(std::vector<CodeFrames> &frames, const UserCode &userCode);

} // namespace laggard::recording
