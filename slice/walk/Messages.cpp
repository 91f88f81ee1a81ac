// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Messages.h"

#include "trace/RankSet.h"

#include <algorithm>
#include <charconv>

namespace laggard::slice {

namespace {

/// Ranks of a range that are spelled out; jobs have fewer, files may say anything.
constexpr std::uint64_t mostRanks = std::uint64_t{1} << 24;

using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

/// What cannot be read as a list of ranks has no ranges.
Ranges rangesOf(std::string_view list) {
    Ranges ranges;
    const auto *at = list.data(), *end = list.data() + list.size();
    while (at != end) {
        std::uint64_t first = 0, last = 0;
        auto result = std::from_chars(at, end, first);
        if (result.ec != std::errc())
            return {};
        last = first;
        if (result.ptr != end && *result.ptr == '-') {
            result = std::from_chars(result.ptr + 1, end, last);
            if (result.ec != std::errc())
                return {};
        }
        ranges.emplace_back(first, last);
        at = result.ptr == end ? end : result.ptr + 1;
    }
    return ranges;
}

const SourcePlace *callerOfMpi(const std::vector<SourcePlace> &stack) {
    const auto found =
        std::find_if(stack.begin(), stack.end(), [](const SourcePlace &frame) { return !isMpiName(frame.function); });
    return found == stack.end() ? nullptr : &*found;
}

bool isHere(const Analysis &analysis, Node call, const SourcePlace &place) {
    const auto functions = analysis.lookup.find(place);
    const auto own = analysis.program.functions[analysis.program.nodes[call].function].origin;
    return std::find(functions.begin(), functions.end(), own) != functions.end() &&
           (place.line == 0 || analysis.lookup.isAt(call, place.file, place.line));
}

std::string named(const std::string &ranks) {
    if (ranks.empty())
        return "another rank";
    std::string list = ranks;
    if (const auto last = list.rfind(','); last != std::string::npos)
        list.replace(last, 1, " and ");
    for (auto comma = list.find(','); comma != std::string::npos; comma = list.find(',', comma + 2))
        list.replace(comma, 1, ", ");
    return (ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + list;
}

} // namespace

bool ranksMeet(const std::string &a, const std::string &b) {
    const auto left = rangesOf(a), right = rangesOf(b);
    if (left.empty() || right.empty())
        return true;
    return std::any_of(left.begin(), left.end(), [&](const auto &x) {
        return std::any_of(right.begin(), right.end(), [&](const auto &y) { return x.first <= y.second && y.first <= x.second; });
    });
}

std::vector<std::size_t> matchesOf(const Analysis &analysis, Node call, const std::string &ranks) {
    auto calls = analysis.effects.completedBy(call);
    calls.push_back(call);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < analysis.messages.size(); ++i) {
        const auto &message = analysis.messages[i];
        const auto *place = callerOfMpi(message.receive);
        if (place != nullptr && ranksMeet(message.toRanks, ranks) &&
            std::any_of(calls.begin(), calls.end(), [&](Node node) { return isHere(analysis, node, *place); }))
            found.push_back(i);
    }
    return found;
}

std::string sendersOf(const Analysis &analysis, const std::vector<std::size_t> &matches, const MatchedMessage &of) {
    RankSet senders;
    const auto *place = callerOfMpi(of.send);
    for (const auto index : matches) {
        const auto &other = analysis.messages[index];
        const auto *its = callerOfMpi(other.send);
        const bool isSame = place == its || (place != nullptr && its != nullptr && place->line == its->line &&
                                             place->file == its->file && place->function == its->function);
        if (!isSame)
            continue;
        if (other.fromRanks.empty())
            return {};
        for (const auto &[first, last] : rangesOf(other.fromRanks))
            for (auto rank = first; rank <= last && rank - first < mostRanks; ++rank)
                senders.push_back(static_cast<Rank>(rank));
    }
    std::sort(senders.begin(), senders.end());
    senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    return formatRanges(senders);
}

std::string describeMessage(const Analysis &analysis, const Steps &steps, const Names &names, const MatchedMessage &message,
                            const std::string &senders, Node call, Node value) {
    auto name = value == none ? std::string() : names.value(value);
    if (name.starts_with('&'))
        name.erase(0, 1);
    const auto place = analysis.program.nodes[call].place;
    const auto *sender = callerOfMpi(message.send);
    auto sentence = (name.empty() ? std::string("A value") : "`" + name + "`") + " was received" +
                    (place == none ? std::string() : " at " + steps.describe(place)) + " from " + named(senders);
    if (sender != nullptr && sender->line != 0)
        sentence += ", which sent it at " + sender->file.substr(sender->file.rfind('/') + 1) + ":" + std::to_string(sender->line);
    return sentence + ".";
}

} // namespace laggard::slice
