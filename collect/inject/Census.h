// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/inject/Symbols.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace laggard::collect {

/// How often a rank has executed what: what faults are drawn from. A file per rank, DIR/census-RANK.txt, with lines
///   call MPI_Send 120
///   message MPI_Send 80                   sends that are not to MPI_PROC_NULL
///   function COUNT OFFSET MODULE          a module's path may contain spaces
struct Census {
    struct Function {
        std::string module;
        std::uint64_t offset = 0;
        std::uint64_t count = 0;
    };
    std::map<std::string, std::uint64_t> calls;
    std::map<std::string, std::uint64_t> messages;
    std::vector<Function> functions;
};

[[nodiscard]] std::string censusPath(const std::string &folder, std::int32_t rank);
[[nodiscard]] bool readCensus(const std::string &path, Census &census);
[[nodiscard]] bool writeCensus(const std::string &path, const Census &census);

} // namespace laggard::collect
