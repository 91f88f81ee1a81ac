// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::collect {

/// A place in the code of this process.
struct CodePlace {
    std::string module;       ///< path; empty if the address is in none
    std::uint64_t offset = 0; ///< in the module
    std::string function;     ///< as in the symbol table, demangled; empty if it does not say
};

/// What is at an address, by the symbol tables of the files that are loaded. Reads files; not for hot paths.
[[nodiscard]] CodePlace codePlaceOf(const void *address);

/// Addresses of the functions of that name, mangled or not ("compute", "Grid::relax", "main"), in the program itself, or, where
/// that has none, in its libraries.
[[nodiscard]] std::vector<const void *> functionsNamed(std::string_view name);

/// The address of an offset in a loaded module; nullptr if it is not loaded.
[[nodiscard]] const void *addressIn(std::string_view module, std::uint64_t offset);

} // namespace laggard::collect
