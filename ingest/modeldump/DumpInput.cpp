// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/modeldump/DumpInput.h"

#include <charconv>

namespace laggard::modeldump {

RankRanges DumpInput::ranks(Value value) {
    const std::string text = string(value);
    RankRanges ranges;
    const char *at = text.data();
    const char *last = at + text.size();
    const auto number = [&] {
        Rank rank = 0;
        const auto [end, error] = std::from_chars(at, last, rank);
        if (error != std::errc() || end == at)
            fail('"' + text.substr(0, 40) + "\" is not a list of ranks");
        at = end;
        return rank;
    };
    while (at != last) {
        const Rank first = number();
        Rank end = first;
        if (at != last && *at == '-') {
            ++at;
            end = number();
        }
        if (end < first || (!ranges.empty() && first <= ranges.back().second))
            fail('"' + text.substr(0, 40) + "\" does not name ranks in rising order");
        ranges.emplace_back(first, end);
        if (at != last && *at++ != ',')
            fail('"' + text.substr(0, 40) + "\" is not a list of ranks");
    }
    return ranges;
}

std::int32_t DumpInput::signed32(Value value) {
    const std::int64_t wide = signedNumber(value);
    if (wide < std::numeric_limits<std::int32_t>::min() || wide > std::numeric_limits<std::int32_t>::max())
        fail("the number " + std::to_string(wide) + " is too large");
    return static_cast<std::int32_t>(wide);
}

std::vector<std::uint32_t> DumpInput::numbers32(Value value, std::size_t count) {
    std::vector<std::uint32_t> result;
    for (const std::uint64_t number : numbers(value, count, count)) {
        if (number >= none)
            fail("the number " + std::to_string(number) + " is too large");
        result.push_back(static_cast<std::uint32_t>(number));
    }
    return result;
}

} // namespace laggard::modeldump
