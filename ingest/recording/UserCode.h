// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "ingest/recording/Symbols.h"

#include <set>
#include <string>
#include <vector>

namespace laggard::recording {

/// Tells the user's code from libraries: it lies in the program itself, or in a module whose functions announce their calls, or
/// has source lines and is neither MPI nor a library of the system.
class UserCode {
  public:
    UserCode(std::string program, const FileDefinitions &definitions);
    [[nodiscard]] bool contains(const CodePlace &place) const;

  private:
    std::set<std::string> m_modules; ///< paths
};

/// Takes the insides of libraries off a stack, innermost frame first: of what the user's innermost frame has called, one frame is
/// left (abort, write), without what was inlined in it and without its lines. A stack without a frame of the user stays whole.
/// Returns the number of frames left before the user's innermost: 0 or 1, and 0 if there is none of the user's.
std::size_t cutLibraryInsides(std::vector<CodePlace> &frames, const UserCode &userCode);

} // namespace laggard::recording
