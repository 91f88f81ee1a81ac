// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// Why a line belongs to a slice.
enum class SliceReason : std::uint8_t {
    Criterion, ///< it decides itself what the stopped rank does
    Data,      ///< it gives `variable` its value
    Control,   ///< its condition decides whether a line before is reached
    Call,      ///< it calls what a line before is in
    Message,   ///< it sent the value to another rank, or gave it to a collective
};

/// "data" for SliceReason::Data.
[[nodiscard]] std::string_view name(SliceReason reason);

/// A line of source that a line before it depends on.
struct SliceLine {
    std::string file; ///< as the compiler names it
    std::uint32_t line = 0;
    std::uint32_t distance = 0; ///< number of dependences from the criterion
    SliceReason reason = SliceReason::Criterion;
    std::string variable; ///< may be empty
    std::string function; ///< that the line is in; may be empty
    std::string detail;   ///< the reason in words; may be empty
    std::string code;     ///< the line itself; may be empty
    RankRanges ranks;     ///< whose code it is; another's from a message on. Empty: not told
    bool operator==(const SliceLine &) const = default;
};

/// A program slice (PDI §4.4): the lines that made a rank stop where it did, nearest first. Made by the program laggard-slice.
struct Slice {
    std::vector<SliceLine> lines;      ///< in the order in which to look at them: step n is lines[n - 1]
    bool truncated = false;            ///< there was no time for more
    std::vector<std::string> warnings; ///< sentences: what could not be compiled, sources that are newer than the program …
    bool operator==(const Slice &) const = default;
};

using SlicePtr = std::shared_ptr<const Slice>;

} // namespace laggard
