// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/program/Modules.h"
#include "slice/program/Program.h"

namespace laggard::slice {

/// Makes a program of the modules: one table of functions and global variables, joined by linkage name as a linker does.
[[nodiscard]] Program lower(Modules &modules, std::vector<std::string> &warnings);

} // namespace laggard::slice
