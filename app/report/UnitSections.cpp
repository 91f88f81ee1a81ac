// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/UnitSections.h"

#include "analysis/words/UnitWords.h"
#include "app/report/HtmlText.h"
#include "app/report/TextLines.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

namespace laggard {
namespace {

constexpr std::size_t mostUnits = 5; ///< for people; programs get all that the report has
constexpr std::size_t mostDifferences = 3;

std::span<const JudgedUnit> firstOf(const UnitReport &report) {
    return std::span(report.units).first(std::min(mostUnits, report.units.size()));
}

std::string_view nameOf(JudgedUnit::Reason reason) {
    switch (reason) {
    case JudgedUnit::Reason::Calls:
        return "calls";
    case JudgedUnit::Reason::UnknownConnection:
        return "unknown connection";
    case JudgedUnit::Reason::UnknownProcess:
        return "unknown process";
    }
    return "calls";
}

std::string_view nameOf(CallDifference::Kind kind) {
    switch (kind) {
    case CallDifference::Kind::Unknown:
        return "unknown";
    case CallDifference::Kind::Missing:
        return "missing";
    case CallDifference::Kind::Rare:
        return "rare";
    }
    return "unknown";
}

/// "server.c:41"; what a model file has in its place may be anything.
void addSite(nlohmann::ordered_json &call, const std::string &site) {
    if (!site.empty())
        call["site"] = site;
}

nlohmann::ordered_json jsonOf(const UnitDifference &difference) {
    nlohmann::ordered_json call{{"kind", nameOf(difference.kind)}, {"function", difference.function}};
    if (!difference.file.empty()) {
        call["file"] = difference.file;
        call["line"] = difference.line;
    }
    if (!difference.caller.empty())
        call["caller"] = difference.caller;
    addSite(call, difference.site);
    call["probability"] = difference.probability;
    call["score"] = difference.score;
    return call;
}

} // namespace

void writeUnits(std::ostream &out, const Trace &trace, const UnitReport &report) {
    out << "What is not as in the model\n";
    writeWrapped(out, "  ", summary(report));
    for (const JudgedUnit &unit : firstOf(report)) {
        writeWrapped(out, "  ",
                     formatted(unit.score) + "  rank " + std::to_string(unit.rank) + ", at " +
                         describeDuration(trace.seconds(unit.start)) + ": " + describeKind(trace, unit) + ". " + why(unit));
        for (std::size_t i = 1; i < std::min(mostDifferences, unit.differences.size()); ++i)
            writeWrapped(out, "        ", describe(unit.differences[i]) + '.');
    }
    out << '\n';
}

nlohmann::ordered_json unitJson(const Trace &trace, const JudgedUnit &unit) {
    nlohmann::ordered_json entry{{"rank", unit.rank},
                                 {"kind", nameOf(unit.kind)},
                                 {"start_s", trace.seconds(unit.start)},
                                 {"end_s", trace.seconds(unit.finish)},
                                 {"score", unit.score},
                                 {"reason", nameOf(unit.reason)},
                                 {"complete", unit.isComplete}};
    if (unit.descriptor >= 0)
        entry["descriptor"] = unit.descriptor;
    if (!unit.peer.empty())
        entry["peer"] = unit.peer;
    auto &calls = entry["calls"] = nlohmann::ordered_json::array();
    for (const UnitDifference &difference : unit.differences)
        calls.push_back(jsonOf(difference));
    return entry;
}

void addUnitSections(nlohmann::ordered_json &document, const Trace &trace, const UnitReport &report) {
    auto &units = document["units"] = nlohmann::ordered_json::array();
    for (const JudgedUnit &unit : report.units)
        units.push_back(unitJson(trace, unit));
    document["units_judged"] = {
        {"summary", summary(report)},          {"units", report.judged},        {"differing", report.suspicious},
        {"incomplete", report.incomplete},     {"not_judged", report.unplaced}, {"processes", report.processes},
        {"unknown_processes", report.unknown}, {"undecided", report.undecided}, {"without_loop", report.withoutLoop}};
}

void writeHtmlUnits(std::ostream &out, const Trace &trace, const UnitReport &report) {
    out << "<h2>What is not as in the model</h2>\n<p>" << escaped(summary(report)) << "</p>\n";
    if (report.units.empty())
        return;
    out << "<table><tr><th>Score</th><th>Rank</th><th>At</th><th>What</th><th>Why</th></tr>\n";
    for (const JudgedUnit &unit : firstOf(report))
        out << "<tr><td>" << formatted(unit.score) << "</td><td>" << unit.rank << "</td><td>"
            << describeDuration(trace.seconds(unit.start)) << "</td><td>" << escaped(describeKind(trace, unit)) << "</td><td>"
            << escaped(why(unit)) << "</td></tr>\n";
    out << "</table>\n";
}

} // namespace laggard
