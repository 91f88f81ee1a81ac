// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::test {

inline constexpr std::uint64_t stackBegin = 0x7ffe0000;
inline constexpr std::size_t stackSize = 8192;
inline constexpr std::uint64_t stackPointer = stackBegin + 4096;

/// A process, of which there is a core file.
struct CoreSample {
    bool hasMappedFiles = true;
    int threads = 1; ///< all with the same stack
    int signal = 0, code = 0;
    std::vector<std::string> environment = {"HOME=/root", "PMI_RANK=3", "PMI_SIZE=8"};
};

/// The core of a process of this machine's kind (core(5)).
[[nodiscard]] std::string coreOf(const CoreSample &sample);

} // namespace laggard::test
