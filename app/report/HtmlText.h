// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace laggard {

/// `text` as it may stand in a page, in an element or in an attribute, made printable (trace/Printable.h).
[[nodiscard]] std::string escaped(std::string_view text);

} // namespace laggard
