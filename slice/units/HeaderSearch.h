// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace laggard {

/// The compiler has said of `source` that an included file was not found ("… 'sub/x.h' file not found"): the folder in which it
/// is, looked for where projects have their headers: the source's folder and those above it, and "include", "inc", "src" and
/// "lib" in each; then in `folders`, where other units of the program have theirs; of omp.h, where GCC has it. Empty if that was
/// not what it said, or the file is in none of them.
[[nodiscard]] std::string folderOfMissingHeader(const std::string &error, const std::string &source,
                                                const std::vector<std::string> &folders);

} // namespace laggard
