// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/UnitWords.h"

#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <cmath>

namespace laggard {
namespace {

std::string inBrackets(const std::string &place) { return place.empty() ? std::string() : " (" + place + ")"; }

/// "98 %"; never 0 or 100 of what is between.
std::string shareOf(double probability) {
    const double percent = std::round(probability * 100);
    if (percent >= 100)
        return "more than 99 %";
    return percent < 1 ? "less than 1 %" : std::to_string(static_cast<int>(percent)) + " %";
}

const std::string &functionAt(const Trace &trace, const JudgedUnit &unit) {
    return trace.region(trace.locations[unit.location].events.track.callPath[unit.row]).name;
}

} // namespace

std::string describe(const UnitDifference &difference) {
    std::string text = difference.function + inBrackets(sourcePlace(difference.file, difference.line));
    if (!difference.caller.empty())
        text += ", called by " + difference.caller + inBrackets(difference.site) + ',';
    switch (difference.kind) {
    case CallDifference::Kind::Unknown:
        return text + " is called in no such unit of the model";
    case CallDifference::Kind::Missing:
        return text + " was not called" +
               (difference.probability >= 1 ? std::string(": in the model it always is")
                                            : ": in the model it is in " + shareOf(difference.probability) + " of such cases");
    case CallDifference::Kind::Rare:
        return text + " was called: in the model it is in " + shareOf(difference.probability) + " of such cases";
    }
    return text;
}

std::string describeKind(const Trace &trace, const JudgedUnit &unit) {
    switch (unit.kind) {
    case UnitKind::Initializer:
        return unit.reason == JudgedUnit::Reason::UnknownProcess ? "the whole process" : "the beginning, up to the event loop";
    case UnitKind::Handler:
        return "an event (" + functionAt(trace, unit) +
               (unit.descriptor < 0 ? std::string() : " on descriptor " + std::to_string(unit.descriptor)) +
               (unit.peer.empty() ? std::string() : ", peer " + unit.peer) + ')';
    case UnitKind::Turn:
        return "a turn of the event loop that received nothing";
    case UnitKind::Finalizer:
        return "the end, after the event loop";
    case UnitKind::Thread:
        return "a further thread";
    }
    return "a unit";
}

std::string why(const JudgedUnit &unit) {
    std::string text;
    switch (unit.reason) {
    case JudgedUnit::Reason::UnknownProcess:
        text = "No process of the model sets up its connections as this one does";
        break;
    case JudgedUnit::Reason::UnknownConnection:
        text = "The model has no unit of this kind";
        if (unit.kind == UnitKind::Handler)
            text = "The model has no events of a connection that was set up as this one";
        break;
    case JudgedUnit::Reason::Calls:
        if (unit.differences.empty())
            return "Its calls differ from the model.";
        return describe(unit.differences.front()) + '.';
    }
    if (!unit.differences.empty()) {
        const UnitDifference &call = unit.differences.front();
        text += ": " + call.function + inBrackets(call.site) + " is not among the calls that set up any there";
    }
    return text + '.';
}

std::string summary(const UnitReport &report) {
    const auto processes = [](const RankSet &ranks, const char *one, const char *many) {
        return capitalised(describeRankSet(ranks)) + ' ' + (ranks.size() == 1 ? one : many);
    };
    std::string text = plural(report.judged, "execution unit") + " of " +
                       (report.processes == 1 ? std::string("1 process") : describeCount(report.processes) + " processes") +
                       " compared with the model: " +
                       (report.suspicious == 0 ? std::string("none differs") : describeCount(report.suspicious) + " differ") +
                       '.';
    if (!report.unknown.empty())
        text += ' ' + processes(report.unknown, "sets", "set") + " up connections as no process of the model does.";
    if (!report.undecided.empty())
        text += ' ' + processes(report.undecided, "is", "are") +
                " not judged: the beginning is missing, and several kinds of processes of the model begin so.";
    if (!report.withoutLoop.empty())
        text += ' ' + processes(report.withoutLoop, "has", "have") + " no event loop that could be found, and " +
                (report.withoutLoop.size() == 1 ? "is" : "are") + " one unit each.";
    if (report.incomplete != 0)
        text += ' ' + plural(report.incomplete, "unit") + (report.incomplete == 1 ? " is" : " are") +
                " not there from beginning to end: what is missing of " + (report.incomplete == 1 ? "it" : "them") +
                " counts for nothing.";
    if (report.unplaced != 0)
        text += ' ' + plural(report.unplaced, "further unit") + (report.unplaced == 1 ? " is" : " are") +
                " not judged: how the connection was set up is not there.";
    return text;
}

} // namespace laggard
