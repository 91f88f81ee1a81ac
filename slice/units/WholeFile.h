// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace laggard {

/// Writes a file that has its name only once it is whole; one of that name is replaced. Whoever is killed meanwhile leaves
/// nothing behind, where the file system knows files without names. 0, or the number of the error. `mode`: permissions, of which
/// the user's mask takes some away.
[[nodiscard]] int writeWhole(const std::string &path, std::string_view content, unsigned mode);

} // namespace laggard
