// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"

#include <QString>

#include <string_view>

namespace laggard {

struct Frame;

/// UTF-8 as traces have it, as it may be shown (trace/Printable.h), with its lines. Not for files that are to be opened.
[[nodiscard]] QString toText(std::string_view utf8);

/// The same on one line: names in traces may hold anything.
[[nodiscard]] QString toLine(std::string_view utf8);

/// `text`, or its beginning and end with "…" between them where it has more than `most` characters. Traces have names of any
/// length; what is measured, wrapped or drawn must not.
[[nodiscard]] QString shortened(const QString &text, qsizetype most);

/// "0-2, 4-15"; beyond a few ranges "… and N more".
[[nodiscard]] QString rankText(const RankSet &ranks);

/// "rank 3", "ranks 0-2, 4-15", as `rankText`.
[[nodiscard]] QString rankPhrase(const RankSet &ranks);

/// "1 rank", "15 ranks".
[[nodiscard]] QString countText(std::uint64_t count, std::string_view singular);

/// "stencil.c:41" from a path and a line (0: unknown); empty without a file.
[[nodiscard]] QString placeText(std::string_view file, std::uint32_t line);

/// The same, with "defined at" before a line where a function begins: it must not be read as the line that a call had come to.
[[nodiscard]] QString placeText(std::string_view file, std::uint32_t line, bool isDefinition);
[[nodiscard]] QString placeText(const Frame &frame);

/// A tooltip that shows `plain` as it is, wrapped, each of its lines shortened to what can be read: Qt would take
/// "std::vector<int>" for markup.
[[nodiscard]] QString toolTipText(const QString &plain);

} // namespace laggard
