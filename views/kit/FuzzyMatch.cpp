// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/FuzzyMatch.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr int mostStarts = 32; // a name of a thousand letters is not searched a thousand times

bool beginsWord(const QString &text, qsizetype at) {
    if (at == 0)
        return true;
    const QChar before = text[at - 1];
    return !before.isLetterOrNumber() || (before.isLower() && text[at].isUpper());
}

/// A match whose letters are taken greedily, the first one at or after `from`.
std::optional<FuzzyMatch> matchFrom(const QString &letters, const QString &text, qsizetype from) {
    FuzzyMatch match;
    qsizetype at = from;
    for (const QChar letter : letters) {
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0)
            return {};
        const bool follows = !match.positions.isEmpty() && match.positions.last() == at - 1;
        match.score += 1 + (follows ? 10 : 0) + (beginsWord(text, at) ? 6 : 0);
        match.positions << static_cast<int>(at++);
    }
    if (!match.positions.isEmpty())
        match.score -= std::min(match.positions.first(), 10);
    match.score -= static_cast<int>(std::min<qsizetype>(text.size() / 8, 10));
    return match;
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString &pattern, const QString &text) {
    QString letters = pattern;
    letters.remove(' ');
    if (letters.isEmpty())
        return FuzzyMatch();
    std::optional<FuzzyMatch> best;
    int starts = 0;
    for (qsizetype from = text.indexOf(letters[0], 0, Qt::CaseInsensitive); from >= 0 && starts < mostStarts;
         ++starts, from = text.indexOf(letters[0], from + 1, Qt::CaseInsensitive)) {
        std::optional<FuzzyMatch> match = matchFrom(letters, text, from);
        if (!match)
            break;
        if (!best || match->score > best->score)
            best = std::move(match);
    }
    return best;
}

} // namespace laggard
