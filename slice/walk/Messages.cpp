// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Messages.h"

#include <algorithm>
#include <charconv>

namespace laggard::slice {

namespace {

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
    const auto function = analysis.lookup.find(place);
    return function != none && analysis.program.functions[analysis.program.nodes[call].function].origin == function &&
           (place.line == 0 || analysis.lookup.isAt(call, place.file, place.line));
}

std::string named(const std::string &ranks) {
    if (ranks.empty())
        return "another rank";
    return (ranks.find_first_of(",-") == std::string::npos ? "rank " : "ranks ") + ranks;
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

std::string describeMessage(const Analysis &analysis, const Steps &steps, const Names &names, const MatchedMessage &message,
                            Node call, Node value) {
    auto name = value == none ? std::string() : names.value(value);
    if (name.starts_with('&'))
        name.erase(0, 1);
    const auto place = analysis.program.nodes[call].place;
    const auto *sender = callerOfMpi(message.send);
    auto sentence = (name.empty() ? std::string("A value") : "`" + name + "`") + " was received" +
                    (place == none ? std::string() : " at " + steps.describe(place)) + " from " + named(message.fromRanks);
    if (sender != nullptr && sender->line != 0)
        sentence += ", which sent it at " + sender->file.substr(sender->file.rfind('/') + 1) + ":" + std::to_string(sender->line);
    return sentence + ".";
}

} // namespace laggard::slice
