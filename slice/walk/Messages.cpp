// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Messages.h"

#include "slice/walk/StackFrames.h"
#include "trace/RankSet.h"

#include <algorithm>
#include <charconv>
#include <map>

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

/// Whether a stack ends in a call of MPI: at its line, and on a way that comes to it.
bool isHere(const Analysis &analysis, Node call, const std::vector<SourcePlace> &stack, const std::vector<Node> *callers) {
    const auto *place = callerOfMpi(stack);
    if (place == nullptr)
        return false;
    const auto functions = analysis.lookup.find(*place);
    const auto own = analysis.program.nodes[call].function;
    if (std::find(functions.begin(), functions.end(), analysis.program.functions[own].origin) == functions.end() ||
        (place->line != 0 && !analysis.lookup.isAt(call, place->file, place->line)))
        return false;
    const auto outside = static_cast<std::size_t>(place - stack.data()) + 1;
    return comesAlong(analysis, own, std::span(stack).subspan(outside), callers);
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

/// Lists of ranks as one; unknown as soon as one of them is.
class JoinedRanks {
  public:
    void add(const std::string &list) {
        isKnown = isKnown && !list.empty();
        for (const auto &[first, last] : rangesOf(list))
            for (auto rank = first; rank <= last && rank - first < mostRanks; ++rank)
                ranks.push_back(static_cast<Rank>(rank));
    }
    [[nodiscard]] std::string text() {
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        return isKnown ? formatRanges(ranks) : std::string();
    }

  private:
    RankSet ranks;
    bool isKnown = true;
};

std::string textOf(const std::vector<SourcePlace> &stack) {
    std::string text;
    for (const auto &frame : stack)
        text += frame.function + ' ' + frame.file + ':' + std::to_string(frame.line) + '\n';
    return text;
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

std::vector<std::size_t> matchesOf(const Analysis &analysis, Node call, const std::string &ranks,
                                   const std::vector<Node> *callers) {
    const auto &makers = analysis.effects.completedBy(call);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < analysis.messages.size(); ++i) {
        const auto &message = analysis.messages[i];
        if (ranksMeet(message.toRanks, ranks) &&
            (isHere(analysis, call, message.receive, callers) || std::any_of(makers.begin(), makers.end(), [&](Node maker) {
                 return isHere(analysis, maker, message.receive, nullptr);
             })))
            found.push_back(i);
    }
    return found;
}

std::vector<Sender> sendersOf(const Analysis &analysis, const std::vector<std::size_t> &matches) {
    std::vector<Sender> senders;
    std::vector<JoinedRanks> ranks;
    std::map<std::string, std::size_t> byStack;
    std::map<std::string, JoinedRanks> byPlace;
    std::vector<std::string> places;
    for (const auto index : matches) {
        const auto &message = analysis.messages[index];
        const auto *place = callerOfMpi(message.send);
        const auto [known, isNew] = byStack.try_emplace(textOf(message.send), senders.size());
        if (isNew) {
            senders.push_back({index, {}, {}});
            ranks.emplace_back();
            places.push_back(place == nullptr ? std::string() : textOf({*place}));
        }
        ranks[known->second].add(message.fromRanks);
        byPlace[places[known->second]].add(message.fromRanks);
    }
    for (std::size_t i = 0; i < senders.size(); ++i) {
        senders[i].ranks = ranks[i].text();
        senders[i].ofPlace = byPlace[places[i]].text();
    }
    return senders;
}

std::string describeMessage(const Analysis &analysis, const Steps &steps, const Names &names, const Sender &from, Node call,
                            Node value) {
    auto name = value == none ? std::string() : names.value(value);
    if (name.starts_with('&'))
        name.erase(0, 1);
    const auto place = analysis.program.nodes[call].place;
    const auto *sender = callerOfMpi(analysis.messages[from.first].send);
    auto sentence = (name.empty() ? std::string("A value") : "`" + name + "`") + " was received" +
                    (place == none ? std::string() : " at " + steps.describe(place)) + " from " + named(from.ofPlace);
    if (sender != nullptr && sender->line != 0)
        sentence += ", which sent it at " + sender->file.substr(sender->file.rfind('/') + 1) + ":" + std::to_string(sender->line);
    return sentence + ".";
}

} // namespace laggard::slice
