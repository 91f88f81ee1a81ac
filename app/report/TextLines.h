// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace laggard {

/// Names may be very long (templates of templates): what stands in angle brackets behind a name is left out beyond 120 bytes,
/// words keep both ends beyond 400, and so does the whole text beyond 8,000. "…" stands for what is left out; no character is
/// cut.
[[nodiscard]] std::string shortened(std::string_view text);

/// A number in printf's `format` for one double.
[[nodiscard]] std::string formatted(double value, const char *format = "%.2f");

/// Words of `unsafe`, shortened and made printable (trace/Printable.h), in lines of at most 100 columns, each behind `indent`.
void writeWrapped(std::ostream &out, const std::string &indent, const std::string &unsafe);

} // namespace laggard
