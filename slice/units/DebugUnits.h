// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/CompileUnit.h"
#include "slice/units/SourceFiles.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// What the debug information of a program or library says about how it was compiled (DWARF 5, §3.1.1; versions 2 to 5).
struct DebugUnits {
    std::vector<CompileUnit> units; ///< in C and C++, one for each source
    std::vector<std::string> warnings;
    std::size_t fortran = 0;   ///< units left out for their language
    std::int64_t modified = 0; ///< when the binary was written last: nanoseconds since 1970
};

/// Folder and name of each unit; the switches that GCC (and Clang with -grecord-command-line) leaves in DW_AT_producer; include
/// folders from the line table; macros of the command line from .debug_macro (GCC with -g3). Debug information that lies
/// beside the binary is found (.gnu_debuglink, /usr/lib/debug); no server is asked. Stops at `until`, and says so. Throws
/// ReadError if the file is no binary that can be read.
[[nodiscard]] DebugUnits readDebugUnits(const std::string &binary, const PathMap &paths,
                                        std::chrono::steady_clock::time_point until);

} // namespace laggard
