// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Slice.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// "function file:line", "function file" or "function"; blanks in names of functions (C++) are allowed, as the place is the last
/// word that ends in a colon and a number. What GCC appends to names of the parts it makes of a function (".constprop.0",
/// "._omp_fn.1") is taken off. Nothing if there is no function.
[[nodiscard]] std::optional<SourcePlace> parseFrame(std::string_view line);

struct StackFile {
    TaskStack stack;
    std::vector<std::string> warnings;
};

/// One frame a line, innermost first; "# ranks 0-2,4-15" names the ranks, other lines with "#" and empty ones are passed over.
/// Throws ReadError if the file cannot be read or has no frame.
[[nodiscard]] StackFile readStackFile(const std::string &file);

} // namespace laggard
