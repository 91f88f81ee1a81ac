// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/verdict/Headline.h"

#include <string>
#include <vector>

namespace laggard {

/// The answer in at most `mostHeadlineWords` words: "Rank 5 delayed 15 ranks by 1.0 s in copy_faces".
[[nodiscard]] std::string headlineOf(const HeadlineFacts &facts);
inline constexpr std::size_t mostHeadlineWords = 12;

/// How it ended, in a few words: "segmentation fault (SIGSEGV)"; empty where that is not known.
[[nodiscard]] std::string endingOf(const HeadlineFacts &facts);

/// A number that stands beside a headline, and what it is: "1.76 s", "longest wait".
struct Figure {
    std::string value;
    std::string label;
    bool operator==(const Figure &) const = default;
};

/// When, how long, and whose time: at most three, fewer where facts are missing.
[[nodiscard]] std::vector<Figure> figuresOf(const HeadlineFacts &facts);

} // namespace laggard
