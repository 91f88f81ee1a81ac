// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/assembly/PartOptions.h"

#include "trace/Quantity.h"
#include "trace/TicksOf.h"
#include "trace/Work.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace laggard {
namespace {

/// `seconds` in ticks, to the nearest.
Tick ticksFor(double seconds, const Clock &clock) {
    return ticksOf(std::round(seconds * static_cast<double>(clock.ticksPerSecond)));
}

/// As the user wrote it: a number of seconds.
std::string asEntered(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", seconds);
    return text;
}

} // namespace

void setPart(const OpenOptions &options, Tick start, Trace &trace) {
    if (options.ranks) {
        RankSet ranks = *options.ranks;
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        const auto beyond = std::lower_bound(ranks.begin(), ranks.end(), static_cast<Rank>(trace.processes.size()));
        const RankSet missing(beyond, ranks.end());
        ranks.erase(beyond, ranks.end());
        const std::string has = "the trace has " + plural(trace.processes.size(), "rank");
        if (ranks.empty())
            throw ReadError("Nothing of \"" + trace.path + "\" was asked for: " + has + ", none of " + describeRanges(missing) +
                            '.');
        if (!missing.empty())
            trace.warnings.push_back({WarningId::RanksNotThere,
                                      Warning::Severity::Note,
                                      std::nullopt,
                                      trace.path,
                                      "Ranks " + describeRanges(missing) + " were asked for, but " + has + '.',
                                      {{"ranks", formatRanges(missing)}}});
        if (ranks.size() != trace.processes.size())
            trace.part.ranks = std::move(ranks);
    }
    if (options.time) {
        const auto at = [&](double seconds) { return start + std::min(ticksFor(seconds, trace.clock), openEnd - 1 - start); };
        trace.part.time = TimeRange{at(options.time->begin), at(options.time->end)};
    }
}

void settlePart(const OpenOptions &options, Trace &trace) {
    if (trace.part.time) {
        TimeRange &time = *trace.part.time;
        if (time.begin > trace.range.end)
            throw ReadError("Nothing of \"" + trace.path + "\" was asked for: it lasts " +
                            describeDuration(trace.durationSeconds()) + ", and is to be read from " +
                            asEntered(options.time->begin) + " s on.");
        time.end = std::min(time.end, trace.range.end);
        if (time == trace.range)
            trace.part.time.reset();
    }
    if (!trace.isPartial())
        return;
    std::string what = "As asked, only";
    if (trace.part.ranks)
        what += (trace.part.ranks->size() == 1 ? " rank " : " ranks ") + describeRanges(*trace.part.ranks) + " of " +
                describeCount(trace.processes.size());
    if (trace.part.time)
        what += (trace.part.ranks ? ", and of them the time from " : " the time from ") +
                describeDuration(trace.seconds(trace.part.time->begin)) + " to " +
                describeDuration(trace.seconds(trace.part.time->end)) + " of " + describeDuration(trace.durationSeconds());
    const bool one = !trace.part.ranks || trace.part.ranks->size() == 1;
    trace.warnings.push_back({WarningId::PartRead, Warning::Severity::Note, std::nullopt, trace.path,
                              what + (one ? " was read" : " were read") + "; nothing is known of the rest."});
}

void noteReversedMessages(Trace &trace) {
    if (trace.reversedMessages != 0)
        trace.warnings.push_back(
            {WarningId::ReversedMessages,
             Warning::Severity::Note,
             std::nullopt,
             trace.path,
             describeCount(trace.reversedMessages) + " of " + plural(trace.messageCount, "message") +
                 (trace.reversedMessages == 1 ? " was received before it was sent, by "
                                              : " were received before they were sent, by ") +
                 describeDuration(static_cast<double>(trace.clock.resolution) / static_cast<double>(trace.clock.ticksPerSecond)) +
                 " at most: the clocks disagree by so much, or messages came twice.",
             {{"messages", trace.reversedMessages}, {"ticks", trace.clock.resolution}}});
}

} // namespace laggard
