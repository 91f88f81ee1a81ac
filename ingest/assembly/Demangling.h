// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace laggard {

/// A C++ name as people write it, with types; the same text if it is not mangled.
[[nodiscard]] std::string demangled(const std::string &name);

/// "sample::outer<3>" for "int sample::outer<3>(int, char) [clone .cold]": lists say who is who, and names with all types are
/// hard to read.
[[nodiscard]] std::string withoutTypes(const std::string &signature);

/// "sample::outer" for "_ZN6sample5outerEPFvPvES0_". What is not mangled stays as it is.
[[nodiscard]] std::string demangledWithoutTypes(const std::string &name);

} // namespace laggard
