// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FilterChips.h"

#include "analysis/verdict/Describe.h"
#include "views/kit/Text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t mostSingleFunctions = 3;
constexpr std::size_t mostListedFunctions = 40;

QString translatedChip(const char *text) { return QCoreApplication::translate("FilterChip", text); }

QString functionName(const Trace &trace, RegionId region) {
    return region < trace.regions.size() ? toLine(trace.regions[region].name) : QString::number(region);
}

QString functionList(const Trace &trace, const std::vector<RegionId> &regions) {
    QStringList names;
    for (std::size_t i = 0; i < std::min(regions.size(), mostListedFunctions); ++i)
        names << functionName(trace, regions[i]);
    if (regions.size() > mostListedFunctions)
        names << translatedChip("and %1 more").arg(regions.size() - mostListedFunctions);
    return names.join('\n');
}

/// Chips for a list of functions that `member` points to.
void addFunctionChips(std::vector<FilterChip> &chips, const Filter &filter, const Trace &trace,
                      std::vector<RegionId> Filter::*member, const QString &single, const QString &many) {
    const std::vector<RegionId> &regions = filter.*member;
    if (regions.empty())
        return;
    if (regions.size() > mostSingleFunctions) {
        FilterChip chip{many.arg(regions.size()), functionList(trace, regions), filter};
        (chip.without.*member).clear();
        chips.push_back(std::move(chip));
        return;
    }
    for (const RegionId region : regions) {
        FilterChip chip{single.arg(functionName(trace, region)), functionName(trace, region), filter};
        std::erase(chip.without.*member, region);
        chips.push_back(std::move(chip));
    }
}

QString duration(double seconds) { return toText(describeDuration(seconds)); }

} // namespace

std::vector<FilterChip> filterChips(const Filter &filter, const Trace &trace) {
    std::vector<FilterChip> chips;
    if (filter.ranks) {
        FilterChip chip{
            filter.ranks->empty() ? translatedChip("no ranks") : rankPhrase(*filter.ranks),
            translatedChip("Only %1 of %2").arg(rankPhrase(*filter.ranks), toText(plural(trace.processes.size(), "rank"))),
            filter};
        chip.without.ranks.reset();
        chips.push_back(std::move(chip));
    }
    addFunctionChips(chips, filter, trace, &Filter::onlyRegions, translatedChip("only %1"), translatedChip("only %1 functions"));
    addFunctionChips(chips, filter, trace, &Filter::hiddenRegions, translatedChip("hidden: %1"),
                     translatedChip("%1 functions hidden"));
    if (filter.minimumDuration > 0) {
        const double seconds = static_cast<double>(filter.minimumDuration) / static_cast<double>(trace.clock.ticksPerSecond);
        FilterChip chip{translatedChip("at least %1").arg(duration(seconds)),
                        translatedChip("Only calls that took at least %1 s").arg(seconds, 0, 'g', 12), filter};
        chip.without.minimumDuration = 0;
        chips.push_back(std::move(chip));
    }
    if (filter.time) {
        const double begin = trace.seconds(filter.time->begin);
        const double end = trace.seconds(filter.time->end);
        FilterChip chip{translatedChip("%1 to %2").arg(duration(begin), duration(end)),
                        translatedChip("Only calls between %1 s and %2 s").arg(begin, 0, 'f', 9).arg(end, 0, 'f', 9), filter};
        chip.without.time.reset();
        chips.push_back(std::move(chip));
    }
    return chips;
}

} // namespace laggard
