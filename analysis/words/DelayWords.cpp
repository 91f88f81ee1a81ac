// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/DelayWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/Whereabouts.h"

#include <algorithm>
#include <numeric>

namespace laggard {
namespace {

constexpr double worthSaying = 0.1; // share of all waiting; what is less is no sentence: a person would look for more

/// Where the rank was in the worst of it; of functions that do not announce themselves the calls around it tell more.
std::string worstPlaceOf(const Trace &trace, const Delay &delay, const std::optional<TimeRange> &worst) {
    return worst ? describeWhereaboutsAt(trace, delay.rank, delay.callPath, lateIn(*worst)) : describeCall(trace, delay.callPath);
}

} // namespace

std::string describe(const Trace &trace, const DelayReport &delays) {
    if (delays.waiting <= 0 || delays.delays.empty())
        return {};
    const auto top = std::max_element(delays.causedSeconds.begin(), delays.causedSeconds.end());
    const double share = *top / delays.waiting;
    const double once = std::accumulate(delays.onceSeconds.begin(), delays.onceSeconds.end(), 0.0);
    std::string text;
    if (share >= worthSaying)
        text = "Rank " + std::to_string(top - delays.causedSeconds.begin()) +
               " made the others wait most: " + describeShare(share) + " of all waiting (" + describeDuration(*top) + " of " +
               describeDuration(delays.waiting) + ", summed over the waiting ranks)" +
               (delays.leading ? (2 * delays.leading->seconds > *top ? ", most of it while it was in "
                                                                     : ", the most at once while it was in ") +
                                     worstPlaceOf(trace, *delays.leading, delays.delayed.worst)
                               : "") +
               ". ";
    else if (delays.transit + once < 0.9 * delays.waiting)
        text = "Nobody made the others wait for more than " + describeShare(worthSaying) + " of all waiting (" +
               describeDuration(delays.waiting) + ", summed over the waiting ranks). ";
    if (delays.transit >= worthSaying * delays.waiting)
        text += describeShare(delays.transit / delays.waiting) +
                " of all waiting is nobody's doing: data were on their way, or who was to take them had no processor. ";
    if (once >= worthSaying * delays.waiting)
        text += describeShare(once / delays.waiting) +
                " of all waiting was for what ranks do once, before their first step or behind the last one. ";
    return text + "Waiting takes " + describeShare(delays.waiting / delays.total) + " of the ranks' time.";
}

std::string describeOnce(const Trace &trace, const Delay &once) {
    const double others = static_cast<double>(std::max<std::size_t>(trace.processes.size(), 2) - 1);
    return "Rank " + std::to_string(once.rank) + " made each of the others wait for " + describeDuration(once.seconds / others) +
           " on average, before its first step or behind its last one, while it was in " + describeCall(trace, once.callPath) +
           ".";
}

} // namespace laggard
