// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/LatenessSections.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/LatenessWords.h"
#include "app/report/HtmlText.h"
#include "app/report/TextLines.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <ostream>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

constexpr double leastShare =
    0.02; // share of the ranks' time, as for delays that stand out: what is less is noise that nobody would mend
constexpr std::size_t mostTextRanks = 5;
constexpr std::size_t mostPageRanks = 10;

/// Ranks that came last, those first that others waited for longest; at most `most`.
std::vector<Rank> longestWaitedFor(const Lateness &lateness, std::size_t most) {
    std::vector<Rank> ranks;
    for (Rank rank = 0; rank < lateness.ranks.size(); ++rank)
        if (lateness.ranks[rank].last > 0)
            ranks.push_back(rank);
    std::ranges::stable_sort(ranks, std::greater<>(), [&](Rank rank) { return lateness.ranks[rank].seconds; });
    ranks.resize(std::min(ranks.size(), most));
    return ranks;
}

std::string countText(const LateCount &count) {
    return "last in " + describeShare(count.share()) + " of " + describeCount(count.occasions) + " (" +
           describeShare(count.occasions == 0 ? 0 : count.expected / static_cast<double>(count.occasions)) +
           " would be chance); the others waited " + describeDuration(count.seconds);
}

std::string hostText(const LateHost &host) {
    return (host.host.empty() ? std::string("a host without a name") : "host " + host.host) + " (" + describeRankSet(host.ranks) +
           ")";
}

Json countOf(const LateCount &count) {
    return {{"occasions", count.occasions}, {"last", count.last},      {"share", count.share()},
            {"expected", count.expected},   {"wait_s", count.seconds}, {"recurs", count.recurs}};
}

void writeRow(std::ostream &out, const std::string &who, const LateCount &count) {
    out << "<tr" << (count.recurs ? " class=\"lp\"" : "") << "><td>" << escaped(who) << "</td><td>"
        << describeCount(count.occasions) << "</td><td>" << describeShare(count.share()) << "</td><td>"
        << describeShare(count.occasions == 0 ? 0 : count.expected / static_cast<double>(count.occasions)) << "</td><td>"
        << describeDuration(count.seconds) << "</td><td>" << (count.recurs ? "recurs" : "") << "</td></tr>\n";
}

} // namespace

void writeAlwaysLast(std::ostream &out, const std::vector<Lateness> &kinds, double ofTime) {
    const auto matters = [ofTime](const Lateness &lateness) { return lateness.seconds >= leastShare * ofTime; };
    if (std::ranges::none_of(kinds, matters))
        return;
    out << "Who is always last\n";
    for (const Lateness &lateness : kinds) {
        if (!matters(lateness))
            continue;
        writeWrapped(out, "  ", capitalised(std::string(noun(lateness.kind))) + "s: " + describe(lateness));
        if (lateness.pattern != Lateness::Pattern::Recurring)
            continue;
        for (const Rank rank : longestWaitedFor(lateness, mostTextRanks))
            writeWrapped(out, "    ", "rank " + std::to_string(rank) + ": " + countText(lateness.ranks[rank]));
        for (const LateHost &host : lateness.hosts)
            if (host.count.recurs)
                writeWrapped(out, "    ", hostText(host) + ": " + countText(host.count));
    }
    out << '\n';
}

void writeHtmlAlwaysLast(std::ostream &out, const std::vector<Lateness> &kinds) {
    if (kinds.empty())
        return;
    out << "<h2>Who is always last</h2>\n";
    for (const Lateness &lateness : kinds) {
        out << "<h3>" << capitalised(std::string(noun(lateness.kind))) << "s</h3>\n<p>" << escaped(describe(lateness))
            << "</p>\n<table><tr><th>Who</th><th>Took part in</th><th>Last</th><th>By chance</th><th>The others waited</th>"
               "<th></th></tr>\n";
        for (const Rank rank : longestWaitedFor(lateness, mostPageRanks))
            writeRow(out, "rank " + std::to_string(rank), lateness.ranks[rank]);
        for (const LateHost &host : lateness.hosts)
            if (host.count.last > 0)
                writeRow(out, hostText(host), host.count);
        out << "</table>\n";
    }
}

void addAlwaysLastSection(Json &report, const std::vector<Lateness> &kinds) {
    Json section = Json::object();
    for (const Lateness &lateness : kinds) {
        Json ranks = Json::array();
        for (Rank rank = 0; rank < lateness.ranks.size(); ++rank)
            if (lateness.ranks[rank].occasions > 0) {
                Json entry{{"rank", rank}};
                entry.update(countOf(lateness.ranks[rank]));
                ranks.push_back(std::move(entry));
            }
        Json hosts = Json::array();
        for (const LateHost &host : lateness.hosts) {
            Json entry{{"host", host.host}, {"ranks", formatRanges(host.ranks)}};
            entry.update(countOf(host.count));
            hosts.push_back(std::move(entry));
        }
        section[name(lateness.kind)] = {{"occasions", lateness.occasions},
                                        {"undecided", lateness.undecided},
                                        {"wait_s", lateness.seconds},
                                        {"pattern", name(lateness.pattern)},
                                        {"recurring", formatRanges(lateness.recurring)},
                                        {"why", describe(lateness)},
                                        {"ranks", std::move(ranks)},
                                        {"hosts", std::move(hosts)}};
    }
    report["always_last"] = std::move(section);
}

} // namespace laggard
