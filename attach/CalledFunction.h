// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/Memory.h"
#include "attach/StackWalk.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace laggard::attach {

/// Where the call goes that ends just before `returnAddress` (x86-64), through an entry of a procedure linkage table if it goes
/// by one. `code`: so many bytes at an address, fewer at its end; `memory`: the word that lies at an address now. Nothing for
/// another kind of call (by a register), and on other processors.
[[nodiscard]] std::optional<std::uint64_t>
calledAddress(std::uint64_t returnAddress, const std::function<std::span<const unsigned char>(std::uint64_t, std::size_t)> &code,
              const std::function<std::optional<std::uint64_t>(std::uint64_t)> &memory);

/// Names of the functions of MPI that callers have called: a library's function that goes on by a tail call is on no stack, and
/// one with several names is told by any of them.
class CalledFunctions {
  public:
    /// Both live as long.
    CalledFunctions(const StackWalk &walk, const Memory &memory) : m_walk(walk), m_memory(memory) {}

    /// The name that the linker knows; empty if it is not known, or none of MPI's.
    [[nodiscard]] const std::string &mpiNameOf(std::uint64_t returnAddress);

  private:
    [[nodiscard]] std::string mpiNameAt(std::uint64_t function) const;

    const StackWalk &m_walk;
    const Memory &m_memory;
    std::map<std::uint64_t, std::string> m_names; ///< by return address
};

} // namespace laggard::attach
