// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/VerdictText.h"

#include "analysis/behaviour/HangSearch.h"
#include "trace/MadeUpName.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <cstdio>

namespace laggard {
namespace {

std::string secondsText(double seconds) {
    char text[32];
    std::snprintf(text, sizeof text,
                  seconds >= 1      ? "%.1f s"
                  : seconds >= 1e-3 ? "%.3g ms"
                                    : "%.3g µs",
                  seconds >= 1      ? seconds
                  : seconds >= 1e-3 ? seconds * 1e3
                                    : seconds * 1e6);
    return text;
}

constexpr double worthComparing = 1.3; // as of RankShift: computations vary by less without a cause

/// Nothing where no time is known to be usual, as of a call that is made once, or this is hardly longer.
std::string usualText(const char *separator, const Occurrence &o, double times = worthComparing) {
    return o.usual > 0 && o.seconds >= times * o.usual ? std::string(separator) + "usual is up to " + secondsText(o.usual)
                                                       : std::string();
}

/// How long a rank had been in the state it did not return from, if that is a sign of anything: it may just have begun.
std::string elapsedText(const Occurrence &o) {
    if (o.seconds < clearlyLonger * o.usual || o.excess <= 0)
        return {};
    return "; it was there for " + secondsText(o.seconds) + usualText(", ", o);
}

std::string placeText(const CombinedInput &in, const Occurrence &o) {
    const std::string state = describe(in.histories.table.from(o.transition));
    if (isMadeUpName(o.function)) // a state, in parentheses of its own
        return o.function.substr(1, o.function.size() - 2) + " (" + state + ")";
    return in.histories.table.isComputation(o.transition) && !o.function.empty() ? o.function + " (" + state + ")" : state;
}

/// Where in the run: outside of all phases the rank is before its first one, or behind its last.
std::string phaseText(const CombinedInput &in, const Occurrence &o) {
    if (o.phase != none)
        return in.phases.describe(o.phase);
    for (std::size_t p = 0; p < in.phases.size(); ++p)
        if (const PhaseSpan &span = in.phases.span(0, p, o.rank); span.isKnown() && span.begin <= o.time.begin)
            return "the end of the run";
    return "the time before the first phase";
}

/// Where the state of a hang leads to when all is well.
std::string expectedText(const CombinedInput &in, const SemiMarkovVerdict &v) {
    if (v.related.empty())
        return {};
    const RelatedTransition &first = v.related.front();
    return " It should have come to " + describe(in.histories.table.to(first.transition)) + ": " + first.why + ".";
}

/// Who sent what is waited for, and in which call.
std::string sendingText(const CombinedInput &in, const SemiMarkovVerdict &v) {
    RankSet senders;
    for (const RelatedTransition &one : v.related)
        senders.insert(senders.end(), one.ranks.begin(), one.ranks.end());
    std::sort(senders.begin(), senders.end());
    senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    if (senders.empty())
        return {};
    const std::string call = describe(in.histories.table.from(v.related.front().transition));
    return senders.size() == 1 ? " It waits for a message that rank " + std::to_string(senders.front()) + " sent in " + call +
                                     ", and that was not received."
                               : " It waits for messages that ranks " + formatRanges(senders, ", ") +
                                     " sent, the first of them in " + call + ", and that were not received.";
}

std::string unusualText(const CombinedInput &in, const Occurrence &o) {
    return "in " + phaseText(in, o) + ", rank " + std::to_string(o.rank) + " spent " + secondsText(o.seconds) + " in " +
           placeText(in, o) + usualText("; ", o) + ".";
}

std::string shiftText(const PermanentShift &shift) {
    char factor[32];
    std::snprintf(factor, sizeof factor, "%.1f", shift.factor);
    return shift.rank == none ? "the phases take " + std::string(factor) + " times as long"
                              : "rank " + std::to_string(shift.rank) + " computes " + factor + " times slower";
}

std::string repeatedText(const CombinedInput &in, const SemiMarkovVerdict &v) {
    const RepeatedMessage &message = in.repeated.front();
    const std::uint32_t behind = in.histories.runs[0].ranks[message.from].rowAt(message.earliest + 1);
    const std::uint32_t first = behind == 0 ? none : phaseOfRow(in.phases, message.from, behind - 1);
    const std::string when = first == none || first == v.phase
                                 ? "In " + phaseText(in, *v.occurrence)
                                 : "Between " + in.phases.describe(first) + " and " + phaseText(in, *v.occurrence);
    std::string what = message.why;
    what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
    return when + ", " + what;
}

} // namespace

std::string explainBriefly(const CombinedInput &in, const SemiMarkovVerdict &v) {
    if (v.kind == SemiMarkovVerdict::Kind::Permanent)
        return "From " + in.phases.describe(v.shift->phase) + " on, " + shiftText(*v.shift) + ".";
    if (v.kind == SemiMarkovVerdict::Kind::Temporary)
        return capitalised(unusualText(in, *v.occurrence));
    return explain(in, v);
}

std::string explain(const CombinedInput &in, const SemiMarkovVerdict &v) {
    const std::string against = in.histories.references() > 0 ? "the references" : "the other ranks and phases";
    switch (v.kind) {
    case SemiMarkovVerdict::Kind::NothingUnusual:
        return v.excess > 0 ? "Nothing unusual: the largest excess of a computation is " + secondsText(v.excess) +
                                  ", and only from " + secondsText(v.alarm) + " on would it stand out against " + against + "."
                            : "Nothing unusual: no computation took longer than is usual in " + against + ".";
    case SemiMarkovVerdict::Kind::Hang:
        return "Rank " + std::to_string(v.occurrence->rank) +
               (isMadeUpName(v.occurrence->function) ? " stayed " : " did not return from ") + placeText(in, *v.occurrence) +
               " in " + phaseText(in, *v.occurrence) + " while the others wait in MPI" + elapsedText(*v.occurrence) + "." +
               expectedText(in, v);
    case SemiMarkovVerdict::Kind::HangInMpi:
        return "All ranks that did not return are inside MPI, the first of them in " + phaseText(in, *v.occurrence) + ". Rank " +
               std::to_string(v.occurrence->rank) + " has been in " + placeText(in, *v.occurrence) + " for " +
               secondsText(v.occurrence->seconds) + usualText("; ", *v.occurrence, clearlyLonger) + '.' + sendingText(in, v) +
               " Who waits for whom is told by the progress analysis." +
               (v.before ? " Before, " + unusualText(in, *v.before) : std::string());
    case SemiMarkovVerdict::Kind::RepeatedMessage:
        return repeatedText(in, v);
    case SemiMarkovVerdict::Kind::Permanent:
        return explainBriefly(in, v) + " Here, " + unusualText(in, *v.occurrence);
    case SemiMarkovVerdict::Kind::Temporary:
        return capitalised(unusualText(in, *v.occurrence)) + " The excess is " + secondsText(v.excess) + ", and from " +
               secondsText(v.alarm) + " on it stands out against " + against + ".";
    }
    return {};
}

} // namespace laggard
