// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace laggard::calltrace {

/// A function of a program.
struct Symbol {
    std::uint64_t address = 0;
    std::uint64_t size = 0;    ///< bytes; 0 where not known
    std::string name;          ///< demangled
    std::string canonicalName; ///< as the linker knows it, if the file says so
    std::string file;          ///< empty where not known
    std::uint32_t line = 0;
    std::uint32_t copy = 0; ///< which of several functions of this name and place, in order of address
};

/// The functions of a program as `nm` prints them (its default format, also with -C, -S and -l).
class SymbolTable {
  public:
    SymbolTable() = default;
    explicit SymbolTable(std::string_view text);

    /// The function that begins at `address` or, where sizes are known, contains it; nullptr if there is none.
    [[nodiscard]] const Symbol *find(std::uint64_t address) const;

    [[nodiscard]] std::size_t size() const { return m_symbols.size(); }
    [[nodiscard]] std::uint64_t unreadableLines() const { return m_unreadable; }

  private:
    std::vector<Symbol> m_symbols; ///< by address, one for each
    std::uint64_t m_unreadable = 0;
};

} // namespace laggard::calltrace
