// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Phrases.h"

namespace laggard {

std::string describeRankSet(const RankSet &ranks) {
    if (ranks.empty())
        return "no rank";
    if (ranks.size() == 1)
        return "rank " + std::to_string(ranks.front());
    if (ranks.size() == 2)
        return "ranks " + std::to_string(ranks[0]) + " and " + std::to_string(ranks[1]);
    return "ranks " + describeRanges(ranks);
}

std::string sourcePlace(const std::string &file, std::uint32_t line) {
    if (file.empty())
        return {};
    const std::string name = file.substr(file.find_last_of('/') + 1);
    return line == 0 ? name : name + ':' + std::to_string(line);
}

std::string definitionPlace(const std::string &file, std::uint32_t line) {
    const std::string place = sourcePlace(file, line);
    return place.empty() || line == 0 ? place : "defined at " + place;
}

std::string sourcePlace(const std::string &file, std::uint32_t line, bool isDefinition) {
    return isDefinition ? definitionPlace(file, line) : sourcePlace(file, line);
}

std::string sourcePlace(const Frame &frame) { return sourcePlace(frame.file, frame.line, frame.isDefinition); }

std::string sourcePlace(const Region &region) { return sourcePlace(region.file, region.line); }

std::string callPlace(const Trace &trace, CallPathId call) {
    const CallSite *site = call == none ? nullptr : trace.siteOf(call);
    return site == nullptr ? std::string() : sourcePlace(site->file, site->line);
}

std::string callPlaceInBrackets(const Trace &trace, CallPathId call) {
    const std::string place = callPlace(trace, call);
    return place.empty() ? std::string() : " (" + place + ")";
}

std::string nameWithPlace(const Trace &trace, CallPathId call) {
    return trace.region(call).name + callPlaceInBrackets(trace, call);
}

} // namespace laggard
