// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/MpiError.h"

#include <algorithm>
#include <cctype>

namespace laggard {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && isSpace(text.back()))
        text.remove_suffix(1);
    while (!text.empty() && isSpace(text.front()))
        text.remove_prefix(1);
    return text;
}

/// What follows the place in MPICH's "internal_Send(78).: Invalid rank …"; nothing if the line is not of this kind.
std::string_view afterPlace(std::string_view line) {
    const std::size_t open = line.find('(');
    const std::size_t end = line.find(": ");
    if (open == std::string_view::npos || end == std::string_view::npos || open > end || line.find(' ') < end)
        return {};
    return trimmed(line.substr(end + 2));
}

} // namespace

CallPathId callOfMpiError(const Trace &trace, Rank rank) {
    const Process &process = trace.processes[rank];
    const Track *track = nullptr;
    for (const LocationIndex number : process.locations) {
        const Location &location = trace.locations[number];
        const std::uint32_t row = location.events.track.innermostOpen();
        if (row != none && location.lastEvent <= process.end.mpiErrorTime &&
            trace.region(location.events.track.callPath[row]).isMpi() &&
            (track == nullptr || track->start[track->innermostOpen()] < location.events.track.start[row]))
            track = &location.events.track;
    }
    return track == nullptr ? none : track->callPath[track->innermostOpen()];
}

std::string reasonOf(std::string_view mpiError) {
    const std::string_view text = trimmed(mpiError);
    const std::string_view kind = text.substr(0, text.find('\n'));
    const std::size_t lastLine = text.rfind('\n');
    std::string_view reason = lastLine == std::string_view::npos ? std::string_view() : afterPlace(text.substr(lastLine + 1));
    // The last line is the call itself where MPICH says no more.
    if (reason.empty() || reason.ends_with(") failed"))
        reason = trimmed(kind.substr(0, kind.find(", error stack:")));
    std::string line(reason);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, ' ');
    return line;
}

} // namespace laggard
