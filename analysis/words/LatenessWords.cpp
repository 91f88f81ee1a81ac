// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/LatenessWords.h"

#include "analysis/verdict/Describe.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

/// "in 62 % of 120 collectives".
std::string shareText(const Lateness &lateness, const LateCount &count) {
    return "in " + describeShare(count.share()) + " of " + plural(count.occasions, noun(lateness.kind));
}

Rank latestOf(const Lateness &lateness) {
    const auto top = std::ranges::max_element(
        lateness.ranks, {}, [](const LateCount &count) { return std::tuple(count.recurs, count.seconds, count.last); });
    return static_cast<Rank>(top - lateness.ranks.begin());
}

} // namespace

std::string describe(const Lateness &lateness) {
    if (lateness.ranks.empty())
        return {};
    const Rank rank = latestOf(lateness);
    const LateCount &top = lateness.ranks[rank];
    switch (lateness.pattern) {
    case Lateness::Pattern::TooFew:
        return plural(lateness.occasions, noun(lateness.kind)) + (lateness.occasions == 1 ? " is" : " are") +
               " too few to tell whether the same rank always comes last.";
    case Lateness::Pattern::Rotating:
        return "No rank came last significantly more often than by chance: of " +
               plural(lateness.occasions, noun(lateness.kind)) + ", it rotates. Longest waited for was rank " +
               std::to_string(rank) + ", last " + shareText(lateness, top) + " (" + describeDuration(top.seconds) +
               ", summed over the others).";
    case Lateness::Pattern::Recurring:
        break;
    }
    const double expected = top.expected / static_cast<double>(top.occasions);
    std::string text = "Rank " + std::to_string(rank) + " came last " + shareText(lateness, top) + " (chance would have it in " +
                       describeShare(expected) + "), and the others waited " + describeDuration(top.seconds) +
                       " for it, summed over them: it recurs.";
    if (lateness.recurring.size() > 1) {
        RankSet others = lateness.recurring;
        std::erase(others, rank);
        text += " So it does for " + describeRankSet(others) + ".";
    }
    for (const LateHost &host : lateness.hosts)
        if (host.count.recurs && host.ranks.size() > 1 && contains(host.ranks, rank))
            text += " Its host, " + (host.host.empty() ? "which is not named" : host.host) + ", has the last one " +
                    shareText(lateness, host.count) + ".";
    return text;
}

} // namespace laggard
