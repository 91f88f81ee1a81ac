// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace laggard {

/// The words of a command line, with quotes and backslashes as in a POSIX shell (Shell Command Language, 2.2). Nothing is
/// expanded and nothing is run: "$(…)", variables and patterns stay as they are. An open quote ends with the line.
[[nodiscard]] std::vector<std::string> wordsOf(std::string_view commandLine);

} // namespace laggard
