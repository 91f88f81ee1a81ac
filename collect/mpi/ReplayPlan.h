// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Operations.h"
#include "trace/recording/Format.h"
#include "trace/recording/ReplayPlan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard::collect::mpi {

/// What a call asks for that takes what comes first.
struct Asked {
    Operation operation{};
    std::uint32_t source = recording::nothing; ///< for receives and probes: rank in MPI_COMM_WORLD, or as peers in Format.h
    std::int32_t tag = 0;
    std::uint32_t communicator = recording::nothing;
    std::uint64_t awaited = 0; ///< for completions: replay::keyOf
    bool operator==(const Asked &) const = default;
};

/// The plan of one rank: trace/recording/ReplayPlan.h.
struct ReplayPlan {
    struct Outcome {
        enum class Kind : std::uint8_t { Message, Nothing, Unknown, Completion };
        std::uint64_t call = 0;
        Asked asked;
        Kind kind = Kind::Unknown;
        std::uint32_t source = recording::nothing; ///< for Message
        std::int32_t tag = 0;
        std::vector<std::uint64_t> requests = {}; ///< for Completion
    };
    struct Misses {
        std::uint64_t call = 0; ///< the last one before them
        Asked asked;
        std::uint64_t count = 0;
    };
    std::uint32_t rank = 0;
    std::uint32_t size = 0;
    std::uint64_t waitSeconds = 0;
    std::uint64_t calls = 0;
    bool endsWithExchange = false;
    std::vector<Outcome> outcomes; ///< by call
    std::vector<Misses> misses;    ///< likewise

    /// Reads `path`. False with a sentence in `problem` where it is no plan.
    bool read(const std::string &path, std::string &problem);

  private:
    bool readLine(const char *line);
};

} // namespace laggard::collect::mpi
