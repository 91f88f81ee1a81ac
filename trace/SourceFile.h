// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace laggard {

/// True for a header of the system's or the compiler's (/usr/include, include/c++, …): its inline functions are compiled into a
/// program, and no line of them is where its authors look.
[[nodiscard]] bool isSystemHeader(std::string_view file);

/// Whether a file is Fortran by its name. There, the compiler makes a function `main` that calls the program's.
[[nodiscard]] bool isFortranFile(std::string_view file);

} // namespace laggard
