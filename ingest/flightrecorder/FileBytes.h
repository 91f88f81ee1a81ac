// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace laggard::flightrecorder {

/// A ring of 100,000 entries with stacks takes some 100 MB.
inline constexpr std::size_t mostFileBytes = std::size_t{1} << 30U;

/// The bytes of a file. Throws ReadError with one sentence that begins with `subject`.
[[nodiscard]] std::string wholeFile(const std::string &file, const std::string &subject);

/// Up to so many bytes from its beginning; nothing of what cannot be read.
[[nodiscard]] std::string beginningOf(const std::string &file, std::size_t most);

} // namespace laggard::flightrecorder
