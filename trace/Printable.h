// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace laggard {

/// Text from outside (names in traces and of files may hold anything) as it may be shown, on a terminal, in a page, a picture or
/// a window: valid UTF-8 on one line, in which nobody's terminal finds an order, no letters change places, and what is there can
/// be seen. White space of every kind is a blank; U+FFFD stands for each control and format character (among them those of
/// bidirectional text, and letters without width), character of private use or that is none, and byte that is not UTF-8. Meant
/// for the reader alone: files are opened, and names compared, by what is in the trace.
[[nodiscard]] std::string printable(std::string_view text);

/// The same with line ends ("\n") left as they are.
[[nodiscard]] std::string printableLines(std::string_view text);

/// JSON (valid, UTF-8) in which each of those characters is an escape ("\\u009b"): a program reads the same texts from it, and a
/// terminal that it is shown on finds no order.
[[nodiscard]] std::string printableJson(std::string_view json);

} // namespace laggard
