// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::test {

/// A program or library that this process has loaded.
struct LoadedModule {
    std::string path;
    std::string buildId; ///< bytes
    std::uint64_t bias = 0;
    std::uint64_t begin = 0; ///< where its memory begins
    std::uint64_t end = 0;
};

[[nodiscard]] std::vector<LoadedModule> loadedModules();

} // namespace laggard::test
