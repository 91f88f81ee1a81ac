// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/DivergenceSections.h"

#include "analysis/words/DivergenceWords.h"
#include "app/report/HtmlText.h"
#include "app/report/TextLines.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <ostream>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t mostTextDepartures = 8;
constexpr std::size_t mostTextOutcomes = 3;
constexpr std::size_t mostPageDepartures = 50;

Json partOf(const ActPart &part) {
    if (part.kind == ActPart::Kind::Collective) {
        Json entry{{"operation", name(part.operation)}, {"bytes", part.bytes}};
        if (part.peer != none)
            entry["root"] = part.peer;
        return entry;
    }
    Json entry{{part.kind == ActPart::Kind::Send ? "to" : "from", part.peer == none ? Json(nullptr) : Json(part.peer)},
               {"tag", part.tag},
               {"bytes", part.bytes}};
    if (part.anySource || part.anyTag)
        entry["any"] = part.anySource && part.anyTag ? "source and tag" : part.anySource ? "source" : "tag";
    return entry;
}

Json callOf(const Trace &trace, const std::optional<DivergedCall> &call) {
    if (!call)
        return nullptr;
    Json stack = Json::array();
    for (CallPathId path = call->callPath; path != none; path = trace.callPaths[path].parent) {
        Json frame{{"function", trace.region(path).name}};
        if (const CallSite *site = trace.siteOf(path)) {
            frame["called_in"] = site->file;
            frame["line"] = site->line;
        }
        stack.push_back(std::move(frame));
    }
    Json entry{{"function", trace.region(call->callPath).name}, {"start_s", trace.seconds(call->start)}};
    if (call->end != openEnd)
        entry["end_s"] = trace.seconds(call->end);
    if (call->part)
        entry["what"] = partOf(*call->part);
    entry["stack"] = std::move(stack);
    return entry;
}

} // namespace

void writeDivergence(std::ostream &out, const Report &report) {
    if (!report.divergence)
        return;
    const DivergenceReport &divergence = *report.divergence;
    out << "Where it departs from the other run\n";
    writeWrapped(out, "  ", "Compared with " + divergence.otherPath + ".");
    if (divergence.departures.empty())
        writeWrapped(out, "  ", describeDivergence(*report.trace, *report.other, divergence));
    for (std::size_t i = 0; i < std::min(mostTextDepartures, divergence.departures.size()); ++i)
        writeWrapped(out, i == 0 ? "  " : "    ",
                     (i == 0 ? "First: " : "Then: ") + describeDeparture(*report.trace, *report.other, divergence.departures[i]));
    if (divergence.departures.size() > mostTextDepartures)
        out << "    … and " << plural(divergence.departures.size() - mostTextDepartures, "more rank")
            << " (all of them: --json)\n";
    if (!divergence.wildcards.empty())
        writeWrapped(out, "  ",
                     "Receives for any message got other ones on " + plural(divergence.wildcards.size(), "rank") +
                         ", which is no departure:");
    for (std::size_t i = 0; i < std::min(mostTextOutcomes, divergence.wildcards.size()); ++i)
        writeWrapped(out, "    ", describeOutcome(*report.trace, *report.other, divergence.wildcards[i]));
    for (const std::string &note : notesOf(divergence))
        writeWrapped(out, "  ", note);
    out << '\n';
}

void writeHtmlDivergence(std::ostream &out, const Report &report) {
    if (!report.divergence)
        return;
    const DivergenceReport &divergence = *report.divergence;
    out << "<h2>Where it departs from the other run</h2>\n<p>"
        << escaped(describeDivergence(*report.trace, *report.other, divergence)) << "</p>\n<p class=\"soft\">Compared with "
        << escaped(divergence.otherPath) << ".</p>\n";
    if (!divergence.departures.empty()) {
        out << "<table><tr><th>Rank</th><th>Equal calls before</th><th>This run</th><th>The other run</th></tr>\n";
        for (std::size_t i = 0; i < std::min(mostPageDepartures, divergence.departures.size()); ++i) {
            const RankDivergence &departure = divergence.departures[i];
            out << "<tr" << (i == 0 ? " class=\"lp\"" : "") << "><td>" << departure.rank << "</td><td>"
                << describeCount(departure.callsAlike) << "</td><td><code>"
                << escaped(describeCall(*report.trace, departure.here)) << "</code>"
                << (departure.what == Departure::NotReturned ? " did not return" : "") << "</td><td><code>"
                << escaped(describeCall(*report.other, departure.there)) << "</code>"
                << (departure.what == Departure::OnlyReturned ? " did not return" : "") << "</td></tr>\n";
        }
        out << "</table>\n";
    }
    if (divergence.departures.size() > mostPageDepartures)
        out << "<p class=\"soft\">And " << plural(divergence.departures.size() - mostPageDepartures, "more rank") << ".</p>\n";
    for (const WildcardOutcome &outcome : divergence.wildcards)
        out << "<p class=\"soft\">" << escaped(describeOutcome(*report.trace, *report.other, outcome)) << "</p>\n";
    for (const std::string &note : notesOf(divergence))
        out << "<p class=\"soft\">" << escaped(note) << "</p>\n";
}

void addDivergenceSection(Json &document, const Report &report) {
    const DivergenceReport &divergence = *report.divergence;
    Json departures = Json::array();
    for (const RankDivergence &departure : divergence.departures)
        departures.push_back({{"rank", departure.rank},
                              {"what", name(departure.what)},
                              {"calls_alike", departure.callsAlike},
                              {"logical_time", departure.logicalTime},
                              {"after_wildcard", departure.afterWildcard},
                              {"here", callOf(*report.trace, departure.here)},
                              {"there", callOf(*report.other, departure.there)},
                              {"why", describeDeparture(*report.trace, *report.other, departure)}});
    Json wildcards = Json::array();
    for (const WildcardOutcome &outcome : divergence.wildcards)
        wildcards.push_back({{"rank", outcome.rank},
                             {"calls_alike", outcome.callsAlike},
                             {"here", callOf(*report.trace, outcome.here)},
                             {"there", callOf(*report.other, outcome.there)},
                             {"why", describeOutcome(*report.trace, *report.other, outcome)}});
    document["divergence"] = {{"other", divergence.otherPath},
                              {"other_ranks", divergence.otherRanks},
                              {"compared", formatRanges(divergence.compared)},
                              {"compares",
                               {{"paths", divergence.comparesPaths},
                                {"partners", divergence.comparesPartners},
                                {"collective_sizes", divergence.comparesPartners && divergence.comparesSizes}}},
                              {"why", describeDivergence(*report.trace, *report.other, divergence)},
                              {"departures", std::move(departures)},
                              {"wildcards", std::move(wildcards)},
                              {"notes", notesOf(divergence)}};
}

} // namespace laggard
