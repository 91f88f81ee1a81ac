// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/detail/ActiveWindow.h"

#include "trace/MpiCall.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace laggard {
namespace {

/// MPI_Init is among the first calls of a track, if it is there.
constexpr std::uint32_t initSearch = 1000;

std::optional<Tick> endOfInit(const MpiCallTable &calls, const Track &track) {
    const auto rows = std::min(static_cast<std::uint32_t>(track.size()), initSearch);
    for (std::uint32_t row = 0; row < rows; ++row)
        if (!track.isOpen(row) && calls[track.callPath[row]].function == MpiFunction::Init)
            return track.end[row];
    return {};
}

Tick lastEventOf(const Track &track) {
    Tick last = track.start.back();
    for (auto row = static_cast<std::uint32_t>(track.size() - 1); row != none; row = track.parent[row])
        if (!track.isOpen(row))
            last = std::max(last, track.end[row]);
    return last;
}

Tick median(std::vector<Tick> &values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

} // namespace

TimeRange lastActiveWindow(const Trace &trace, std::uint32_t callsShown) {
    const MpiCallTable calls(trace);
    std::vector<Tick> begins;
    Tick last = trace.range.begin;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        const LocationEvents *events = trace.mainEvents(rank);
        if (events == nullptr || events->track.empty())
            continue;
        const Track &track = events->track;
        const std::size_t first = track.size() > callsShown ? track.size() - callsShown : 0;
        begins.push_back(std::max(track.start[first], endOfInit(calls, track).value_or(0)));
        last = std::max(last, lastEventOf(track));
    }
    if (begins.empty())
        return trace.range;
    const Tick begin = median(begins);
    if (begin >= last)
        return trace.range;
    // A tenth on the left shows where the calls come from, a seventh on the right that those that are open go on.
    const Tick length = last - begin;
    const Tick before = std::min(length / 10, begin - trace.range.begin);
    const Tick after = std::min(length / 7, trace.range.end - last);
    return {begin - before, last + after};
}

} // namespace laggard
