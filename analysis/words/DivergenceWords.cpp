// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/DivergenceWords.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

namespace laggard {
namespace {

std::string partText(const ActPart &part) {
    const std::string bytes = plural(part.bytes, "byte");
    if (part.kind == ActPart::Kind::Collective)
        return (part.peer == none ? "" : " with root " + std::to_string(part.peer)) + ", " + bytes;
    return (part.kind == ActPart::Kind::Send ? " to rank " : " from rank ") +
           (part.peer == none ? std::string("?") : std::to_string(part.peer)) + " with tag " + std::to_string(part.tag) + ", " +
           bytes;
}

/// "MPI_Send at 1.2 s", for sentences that say the rest themselves.
std::string atTime(const Trace &trace, const DivergedCall &call) { return " at " + describeDuration(trace.seconds(call.start)); }

std::string differenceText(Departure what) {
    switch (what) {
    case Departure::OtherCall:
        return "calls another function";
    case Departure::OtherPath:
        return "calls it from another place";
    case Departure::Operation:
        return "does another collective operation";
    case Departure::Partner:
        return "has another partner";
    case Departure::Tag:
        return "uses another tag";
    case Departure::Communicator:
        return "uses another communicator";
    case Departure::Size:
        return "has another number of bytes";
    case Departure::Messages:
        return "has another number of messages";
    default:
        return "departs";
    }
}

} // namespace

std::string describeCall(const Trace &trace, const std::optional<DivergedCall> &call) {
    if (!call)
        return "no further MPI call";
    return trace.region(call->callPath).name + (call->part ? partText(*call->part) : std::string()) +
           callPlaceInBrackets(trace, call->callPath);
}

std::string describeDeparture(const Trace &here, const Trace &there, const RankDivergence &departure) {
    const std::string rank = "Rank " + std::to_string(departure.rank);
    const std::string after = ", after " + plural(departure.callsAlike, "equal call");
    const std::string wildcard =
        departure.afterWildcard ? " A receive from any source had got another message before: it may follow from that." : "";
    const std::string now = describeCall(here, departure.here);
    const std::string other = describeCall(there, departure.there);
    switch (departure.what) {
    case Departure::NotReturned:
        return rank + " does not return from " + now + atTime(here, *departure.here) + after + "; in the other run it did." +
               wildcard;
    case Departure::OnlyReturned:
        return rank + " returns from " + now + atTime(here, *departure.here) + after + "; in the other run it did not." +
               wildcard;
    case Departure::NoMoreCalls:
        return rank + " makes no further MPI call" + after + "; in the other run it calls " + other + "." + wildcard;
    case Departure::MoreCalls:
        return rank + " calls " + now + atTime(here, *departure.here) + after +
               "; in the other run it makes no further MPI call." + wildcard;
    default:
        return rank + " " + differenceText(departure.what) + atTime(here, *departure.here) + after + ": " + now +
               "; in the other run " + other + "." + wildcard;
    }
}

std::string describeOutcome(const Trace &here, const Trace &there, const WildcardOutcome &outcome) {
    return "Rank " + std::to_string(outcome.rank) + atTime(here, outcome.here) + ", after " +
           plural(outcome.callsAlike, "equal call") + ": " + describeCall(here, outcome.here) +
           " for any message, or for one that a probe found; in the other run " + describeCall(there, outcome.there) +
           ". MPI leaves that open.";
}

std::string describeDivergence(const Trace &here, const Trace &there, const DivergenceReport &report) {
    if (report.compared.empty())
        return "No rank can be compared.";
    const std::string ranks = report.compared.size() == report.ranks ? "All " + plural(report.ranks, "rank")
                                                                     : capitalised(describeRankSet(report.compared));
    if (report.departures.empty())
        return ranks + (report.compared.size() == 1 ? " does" : " do") + " the same in both runs" +
               (report.wildcards.empty() ? "." : ", but for the outcomes of receives from any source.");
    std::string text = describeDeparture(here, there, report.departures.front());
    if (report.departures.size() > 1)
        text += " " + plural(report.departures.size() - 1, "other rank") +
                (report.departures.size() == 2 ? " departs" : " depart") + " later in logical time, or at the same.";
    return text;
}

std::vector<std::string> notesOf(const DivergenceReport &report) {
    std::vector<std::string> notes;
    if (report.ranks != report.otherRanks)
        notes.push_back("This run has " + plural(report.ranks, "rank") + ", the other " + describeCount(report.otherRanks) +
                        ": those that both have are compared, by calls, operations and tags, and neither by partners nor by "
                        "sizes, which depend on that.");
    if (!report.notCompared.empty())
        notes.push_back("Not compared: " + describeRankSet(report.notCompared) +
                        ". Its first calls are not in both traces, so that there is nothing to begin with.");
    if (!report.damaged.empty())
        notes.push_back("Events were lost of " + describeRankSet(report.damaged) +
                        ": what it seems to leave out may be among them.");
    if (!report.comparesPaths)
        notes.emplace_back("Most places that MPI is called from are in one of the traces only: functions are compared without "
                           "their callers.");
    if (!report.comparesSizes)
        notes.push_back("The traces are of different formats (" + report.format + ", " + report.otherFormat +
                        "), which count the bytes of collectives differently: these are not compared.");
    return notes;
}

} // namespace laggard
