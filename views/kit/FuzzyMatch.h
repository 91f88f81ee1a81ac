// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace laggard {

/// Where the letters of a pattern are found in a text, and how well they fit.
struct FuzzyMatch {
    int score = 0;        ///< higher is better; comparable for one pattern
    QList<int> positions; ///< in the text, rising, one for every letter of the pattern that is not a space
};

/// Matches if all letters of `pattern` occur in `text` in this order, whatever their case; spaces of the pattern do not count.
/// Letters that follow each other or begin a word fit better, and so do short texts. An empty pattern matches everything.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString &pattern, const QString &text);

} // namespace laggard
