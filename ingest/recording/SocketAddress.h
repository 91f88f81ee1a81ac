// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace laggard::recording {

/// A socket address of Linux, as the system has it in memory, as people write it: "127.0.0.1:4711", "[::1]:80", "unix:/run/name",
/// "unix:@name" (abstract), "unix:" (without a name), "family 16". Empty if there is less of it than its family needs.
[[nodiscard]] std::string addressText(std::span<const std::byte> address);

} // namespace laggard::recording
