// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"
#include "slice/units/SourceFiles.h"

#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// What the user asked laggard-slice to do.
struct SliceCommand {
    std::vector<std::string> stacks;   ///< files, the least progressed tasks first
    std::string messages;              ///< file, empty for none
    std::string compileCommands;       ///< file, empty: looked for
    std::vector<std::string> binaries; ///< the program and its libraries
    std::vector<std::string> sources;
    std::vector<std::string> bitcode;
    PathMap paths;
    std::string cache; ///< folder
    std::string json;  ///< file, "-" for standard output, empty for none
    SliceOptions slice;
};

/// Exit statuses of the command line (docs/man/laggard-slice.1).
enum SliceStatus : int { sliceDone = 0, sliceUnreadable = 1, sliceUsage = 2 };

/// Options, or the exit status with which to leave at once (after --help or a mistake, which has been explained).
struct ParsedSliceCommand {
    std::optional<SliceCommand> command;
    int status = sliceDone;
};

[[nodiscard]] ParsedSliceCommand parseSliceCommand(int argc, char **argv);

} // namespace laggard
