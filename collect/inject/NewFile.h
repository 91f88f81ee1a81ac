// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace laggard::collect {

/// Writes a file for its owner only, in one step: whoever reads it never sees half of it. What has the name already, even a
/// link that somebody else made to another file, makes way. False if it cannot be written.
[[nodiscard]] bool writeNewFile(const std::string &path, const std::string &text);

} // namespace laggard::collect
