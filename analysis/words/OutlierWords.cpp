// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/OutlierWords.h"

#include "analysis/verdict/Describe.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace laggard {
namespace {

std::string percent(double share) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", share * 100);
    return text;
}

std::string hundredths(double score) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f", score);
    return text;
}

std::string neighbourName(const ProfileSet &profiles, std::uint32_t row) {
    const std::string rank = "rank " + std::to_string(profiles.rank[row]);
    return profiles.source[row] == 0 ? rank : rank + " of reference " + std::to_string(profiles.source[row]);
}

/// False for profiles of programs without MPI: leaving out time in MPI leaves everything.
bool hasMpi(const Ranking &withMpi) {
    const std::vector<ProfileComponent> &components = withMpi.profiles->components;
    return std::any_of(components.begin(), components.end(), [](const ProfileComponent &c) { return c.isMpi; });
}

/// The rank's place among the suspects; nullptr if it is none of them.
const SuspectScore *suspectOf(const Ranking &ranking, Rank rank) {
    const auto end = ranking.scores.begin() + static_cast<std::ptrdiff_t>(ranking.suspects);
    const auto found = std::find_if(ranking.scores.begin(), end, [rank](const SuspectScore &each) { return each.rank == rank; });
    return found == end ? nullptr : &*found;
}

std::string describeSuspect(const Ranking &ranking, const SuspectScore &suspect, bool computingOnly) {
    const ProfileSet &profiles = *ranking.profiles;
    std::string text = std::string(computingOnly ? "Its computing time is spent" : "Its time is spent") +
                       " differently: suspect score " + hundredths(suspect.score()) + ", threshold " +
                       hundredths(ranking.threshold) + ".";
    if (suspect.contributions.empty())
        return text;
    const ProfileDifference &first = suspect.contributions.front();
    const ProfileComponent &component = profiles.components[first.component];
    const std::string noun = first.difference > 0 ? " of its time is spent in " : " only of its time is spent in ";
    const std::string caller = component.stack.size() > 1 ? ", called from " + component.stack[1] : "";
    text += " " + percent(profiles.share(suspect.row, first.component)) + noun + component.stack.front() + caller + ", against " +
            percent(profiles.share(suspect.neighbour, first.component)) + " of " + neighbourName(profiles, suspect.neighbour) +
            ".";
    if (ranking.options.withMpi && component.isMpi)
        text += " That is time in MPI: it may wait for others rather than hold them up.";
    return text;
}

std::string describeStopped(const Trace &trace, const FailStop &failStop, const StoppedRank &stopped) {
    std::string text = "It stopped recording " + describeDuration(stopped.secondsEarly) + " before the others";
    if (stopped.lastCall != none)
        text += "; its last record is of " + describeCall(trace, stopped.lastCall);
    return text + ". " + describe(failStop);
}

std::string summariseStopped(const OutlierReport &report) {
    RankSet ranks;
    for (const StoppedRank &stopped : report.failStop.stopped)
        ranks.push_back(stopped.rank);
    std::sort(ranks.begin(), ranks.end());
    return std::string(ranks.size() == 1 ? "Rank " : "Ranks ") + describeRanges(ranks) + " stopped recording " +
           describeDuration(report.failStop.gapSeconds) + " before all others.";
}

/// The ranks of the suspects for whom `accept` holds.
template <typename Accept> std::string summariseSuspects(const OutlierReport &report, Accept accept) {
    const auto ranksOf = [&accept](const Ranking &ranking) {
        RankSet ranks;
        for (std::size_t i = 0; i < ranking.suspects; ++i)
            if (const Rank rank = ranking.scores[i].rank; accept(rank))
                ranks.push_back(rank);
        std::sort(ranks.begin(), ranks.end());
        return ranks;
    };
    const RankSet computing = ranksOf(report.withoutMpi);
    const RankSet all = ranksOf(report.withMpi);
    const auto sentence = [](const RankSet &ranks, const char *one, const char *several, const char *rest) {
        return capitalised(describeRankSet(ranks)) + (ranks.size() == 1 ? one : several) + rest;
    };
    std::string text;
    if (!computing.empty())
        text = hasMpi(report.withMpi) ? sentence(computing, " computes", " compute", " differently from the rest.")
                                      : sentence(computing, " spends its", " spend their", " time differently from the rest.");
    RankSet waiting;
    std::set_difference(all.begin(), all.end(), computing.begin(), computing.end(), std::back_inserter(waiting));
    if (!waiting.empty())
        text += (text.empty() ? "" : " ") + sentence(waiting, " differs", " differ", " only in time spent in MPI.");
    return text;
}

} // namespace

std::string describe(const FailStop &failStop) {
    switch (failStop.basis) {
    case FailStop::Basis::TooFew:
        return "Fewer than three ranks have records: there is nothing to compare.";
    case FailStop::Basis::AllReturned:
        return "All ranks have left their outermost calls: none stopped in the middle of something.";
    case FailStop::Basis::Gap:
        break;
    }
    RankSet early;
    for (std::size_t i = 0; i < failStop.before; ++i)
        early.push_back(failStop.records[i].rank);
    std::sort(early.begin(), early.end());
    const std::string text = "The last records of " + describeRankSet(early) + " come " + describeDuration(failStop.gapSeconds) +
                             " before those of the other " + plural(failStop.compared - failStop.before, "rank") +
                             ", which lie within a deviation of " + describeDuration(failStop.deviationSeconds) + "; " +
                             describeDuration(failStop.neededSeconds) + " or more tell of a rank that stopped before the others";
    if (!failStop.stopped.empty())
        return text + ".";
    return text + (failStop.areTooMany ? ", but they are no small minority, so that is not a fail-stop problem."
                                       : ", so that is not a fail-stop problem.");
}

std::string describe(const OutlierReport &report) {
    if (!report.failStop.stopped.empty())
        return summariseStopped(report);
    const std::string text = summariseSuspects(report, [](Rank) { return true; });
    return text.empty() ? "No rank spends its time differently from the rest." : text;
}

std::string summariseOutliers(const OutlierReport &report, const RankSet &only) {
    return summariseSuspects(report, [&only](Rank rank) { return contains(only, rank); });
}

std::string describe(const Trace &trace, const OutlierReport &report, const Finding &finding) {
    const Rank rank = finding.ranks.front();
    for (const StoppedRank &stopped : report.failStop.stopped)
        if (stopped.rank == rank)
            return describeStopped(trace, report.failStop, stopped);
    if (const SuspectScore *suspect = suspectOf(report.withoutMpi, rank))
        return describeSuspect(report.withoutMpi, *suspect, hasMpi(report.withMpi));
    const SuspectScore *suspect = suspectOf(report.withMpi, rank);
    return suspect == nullptr ? std::string() : describeSuspect(report.withMpi, *suspect, false);
}

} // namespace laggard
