// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <string>

namespace laggard {

/// "rank 3", "ranks 9 and 10", "ranks 0-2, 4-15"; "no rank" of none.
[[nodiscard]] std::string describeRankSet(const RankSet &ranks);

/// "solve.c:12", the file without its folder; "solve.c" where the line is 0; empty without a file.
[[nodiscard]] std::string sourcePlace(const std::string &file, std::uint32_t line);

/// Where a function begins, which must not be read as the line that it had come to: "defined at solve.c:12"; "solve.c" where the
/// line is not known; empty without a file.
[[nodiscard]] std::string definitionPlace(const std::string &file, std::uint32_t line);

/// Either of both, as `isDefinition` tells.
[[nodiscard]] std::string sourcePlace(const std::string &file, std::uint32_t line, bool isDefinition);
[[nodiscard]] std::string sourcePlace(const Frame &frame);

/// The line that makes this call: "solve.c:12". Empty where it is not known, and for `none`.
[[nodiscard]] std::string callPlace(const Trace &trace, CallPathId call);

/// The same to follow a name: " (solve.c:12)", or empty.
[[nodiscard]] std::string callPlaceInBrackets(const Trace &trace, CallPathId call);

/// "MPI_Waitall (solve.c:12)", or the name alone.
[[nodiscard]] std::string nameWithPlace(const Trace &trace, CallPathId call);

} // namespace laggard
