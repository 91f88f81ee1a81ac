// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/CallSites.h"

#include <cstdint>
#include <elfutils/libdwfl.h>
#include <functional>
#include <optional>
#include <span>

namespace laggard::attach {

/// What a piece of straight x86-64 code that ends in a call leaves in a register, where its loads can be repeated: as compilers
/// write it without optimisation. `code` begins with an instruction at `address`. `registerOf`: registers (DWARF's numbers) that
/// the code does not change; `memory`: what lies at an address now. Nothing if there is a jump, an instruction that is not known,
/// or a load from where the code has stored since.
[[nodiscard]] std::optional<std::uint64_t>
valueAfter(std::span<const unsigned char> code, std::uint64_t address, unsigned registerNumber,
           const std::function<std::optional<std::uint64_t>(unsigned)> &registerOf,
           const std::function<std::optional<std::uint64_t>(std::uint64_t, std::size_t)> &memory);

/// Code of a module, `begin` and `end` in its file's addresses; empty if not all of it is there.
[[nodiscard]] std::span<const unsigned char> codeOf(Dwfl_Module *module, Dwarf_Addr begin, Dwarf_Addr end);

/// What `valueAfter` says of the code before the call that `frame` has made, beginning with the lines of its source.
[[nodiscard]] std::optional<std::uint64_t> loadedBeforeCall(const CallSites &sites, Dwfl_Module *module, Dwarf_Die *unit,
                                                            Dwarf_Addr bias, const WalkedFrame &frame, unsigned registerNumber);

} // namespace laggard::attach
