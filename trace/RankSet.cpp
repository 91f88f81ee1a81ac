// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/RankSet.h"

#include "trace/Quantity.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace laggard {
namespace {

/// Calls `visit(first, last)` for each run of consecutive ranks, until it returns false.
template <typename Visit> void forEachRange(const RankSet &ranks, Visit visit) {
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (!visit(ranks[i], ranks[last]))
            return;
        i = last + 1;
    }
}

void append(std::string &text, Rank first, Rank last, std::string_view separator) {
    if (!text.empty())
        text += separator;
    text += std::to_string(first);
    if (last > first)
        text += '-' + std::to_string(last);
}

Rank parseRank(std::string_view text) {
    Rank value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        throw std::invalid_argument("not a rank: \"" + std::string(text) + "\"");
    return value;
}

} // namespace

RankSet spelledOut(const RankRanges &ranges, std::size_t count) {
    RankSet ranks;
    for (const auto &[first, last] : ranges)
        for (std::size_t rank = first; rank <= last && rank < count; ++rank)
            ranks.push_back(static_cast<Rank>(rank));
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

std::string formatRanges(const RankSet &ranks, std::string_view separator) {
    std::string text;
    forEachRange(ranks, [&](Rank first, Rank last) {
        append(text, first, last, separator);
        return true;
    });
    return text;
}

std::string describeRanges(const RankSet &ranks, std::size_t most) {
    std::string text;
    std::size_t ranges = 0;
    std::size_t shown = 0;
    forEachRange(ranks, [&](Rank first, Rank last) {
        if (ranges == most)
            return false;
        append(text, first, last, ", ");
        ++ranges;
        shown += last - first + 1;
        return true;
    });
    if (shown < ranks.size())
        text += " and " + describeCount(ranks.size() - shown) + " more";
    return text;
}

RankSet parseRanges(std::string_view text) {
    std::string compact;
    std::copy_if(text.begin(), text.end(), std::back_inserter(compact), [](char c) { return c != ' '; });
    constexpr std::size_t mostRanks = std::size_t{1} << 26U; // no machine has more; "0-4294967295" is a slip of the pen
    RankSet ranks;
    for (std::size_t begin = 0; begin < compact.size();) {
        const std::size_t end = std::min(compact.find(',', begin), compact.size());
        const std::string_view range = std::string_view(compact).substr(begin, end - begin);
        const std::size_t dash = range.find('-');
        const Rank first = parseRank(range.substr(0, dash));
        const Rank last = dash == std::string_view::npos ? first : parseRank(range.substr(dash + 1));
        if (last < first || ranks.size() + (last - first) >= mostRanks)
            throw std::invalid_argument("not a range of ranks: \"" + std::string(range) + "\"");
        for (Rank rank = first;; ++rank) {
            ranks.push_back(rank);
            if (rank == last)
                break;
        }
        begin = end + 1;
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return ranks;
}

} // namespace laggard
