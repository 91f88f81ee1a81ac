// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace laggard {

/// How functions are called that OpenMP's libraries keep to themselves, and that have no names without debug information.
inline constexpr std::string_view openMpLibrary = "OpenMP's library";

/// The name by which a program calls a function of the C library, which has others inside it: "fcntl" of "__libc_fcntl64",
/// "fgets" of "_IO_fgets", "OpenMP's library (libgomp.so.1)" of "libgomp.so.1+0x1e2d0".
/// Ask only for functions that are known to be in the libraries of C, C++ and OpenMP (isRuntimeLibrary).
[[nodiscard]] std::string plainNameInLibrary(std::string_view function);

/// The same where the function's library is not known: names that programs may give as well stay as they are.
[[nodiscard]] std::string plainFunctionName(const std::string &function);

/// True for the libraries that come with the compiler and the system: those of C, C++, Fortran and OpenMP. Their lines may be
/// known, if their debug information is installed, but are not where a program's authors look. `name`: the file's, without its
/// folder.
[[nodiscard]] bool isRuntimeLibrary(std::string_view name);

} // namespace laggard
