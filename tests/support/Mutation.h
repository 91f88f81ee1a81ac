// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <random>
#include <string>

namespace laggard::test {

/// What happens to files on disks and networks.
enum class MutationKind {
    Overwrite, ///< a few bytes
    Flip,      ///< one bit
    Zero,      ///< a few words, or a whole page that did not reach the disk
    Insert,
    Erase,
    Swap, ///< two blocks of equal length
    Cut,  ///< the file ends early
};
inline constexpr std::size_t mutationKinds = 7;

/// A way to damage a file, chosen at random; `description` says which, for failing tests.
struct Mutation {
    std::string bytes;
    std::string description;
};

/// Damages `bytes` once, in its first `used` bytes (all for 0). Places with contents are likelier than empty ones.
[[nodiscard]] Mutation mutatedOnce(const std::string &bytes, std::mt19937 &random, std::size_t used = 0);

/// The same up to 20 times.
[[nodiscard]] Mutation mutated(const std::string &bytes, std::mt19937 &random);

} // namespace laggard::test
