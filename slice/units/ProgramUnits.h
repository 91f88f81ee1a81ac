// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"
#include "slice/units/CompileUnit.h"
#include "slice/units/MemoryFile.h"
#include "slice/units/SourceFiles.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

/// What there is of a program, and what is asked about it.
struct UnitRequest {
    std::vector<TaskStack> stacks;
    std::string compileCommands;       ///< file; empty: looked for beside and above the sources
    std::vector<std::string> binaries; ///< the program and libraries of its own
    std::vector<std::string> sources;  ///< given by hand
    std::vector<std::string> bitcode;  ///< given by hand
    PathMap paths;
    std::string cache;      ///< folder; empty: nothing is kept
    std::string compiler;   ///< Clang 14; empty: there is none
    std::string searchPath; ///< where MPI's compiler wrappers are
    std::chrono::steady_clock::time_point until;
    unsigned threads = 0; ///< compilers at once; 0: as many as the machine has processors
};

/// Bitcode of a program.
struct ProgramUnits {
    std::vector<std::string> bitcode;  ///< files, those of the stacks first
    std::vector<MemoryFile> held;      ///< what is behind names among them that are in no folder
    std::vector<std::string> sources;  ///< sources of the units that there are, absolute
    std::vector<std::string> warnings; ///< sentences
    bool truncated = false;            ///< the time was not enough for all units
    std::size_t compiled = 0;
    std::size_t cached = 0;
};

/// Finds the program's compile units, by the compile database, the debug information of its binaries, and sources by hand, in
/// this order, and makes bitcode of them, in parallel. Without any of these, the sources that the stacks name are taken. Of many
/// units only those are compiled that hold the stacks' functions or what these call. What cannot be found, read or compiled is a
/// sentence in `warnings`.
[[nodiscard]] ProgramUnits prepareUnits(const UnitRequest &request, const std::stop_token &stop);

} // namespace laggard
