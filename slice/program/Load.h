// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/program/Program.h"

#include <memory>

namespace laggard::slice {

struct Modules;

/// A program, and the bitcode it was made from, which knows the names of variables.
struct LoadedProgram {
    LoadedProgram();
    ~LoadedProgram();
    LoadedProgram(LoadedProgram &&) noexcept;

    Program program;
    std::unique_ptr<Modules> modules;
};

/// Reads bitcode and joins the compile units. A file that cannot be read, is of a later LLVM, or has no debug information, and
/// a second definition of a function or variable: a sentence in `warnings`, and the rest is used.
/// @param doubtful so many of the files, the first ones, are tried out in other processes first (Probe.h)
[[nodiscard]] LoadedProgram loadProgram(const std::vector<std::string> &bitcodeFiles, std::size_t doubtful,
                                        std::vector<std::string> &warnings);

} // namespace laggard::slice
