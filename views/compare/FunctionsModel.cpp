// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare/FunctionsModel.h"

#include "trace/Quantity.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace laggard {

std::vector<FunctionTimes> compareFunctions(const Trace &here, const std::vector<RegionStatistics> &statisticsHere,
                                            const Trace &there, const std::vector<RegionStatistics> &statisticsThere) {
    std::map<std::string, FunctionTimes> byName;
    const auto add = [&byName](const Trace &trace, const std::vector<RegionStatistics> &statistics, std::size_t run) {
        for (RegionId region = 0; region < std::min(trace.regions.size(), statistics.size()); ++region) {
            if (statistics[region].count == 0)
                continue;
            FunctionTimes &times = byName[trace.regions[region].name];
            (run == 0 ? times.here : times.there) = region;
            times.seconds[run] +=
                static_cast<double>(statistics[region].exclusive) / static_cast<double>(trace.clock.ticksPerSecond);
            times.calls[run] += statistics[region].count;
        }
    };
    add(here, statisticsHere, 0);
    add(there, statisticsThere, 1);
    std::vector<FunctionTimes> all;
    for (const auto &[name, times] : byName)
        all.push_back(times);
    std::ranges::stable_sort(all, std::greater<>(), [](const FunctionTimes &t) { return std::abs(t.seconds[0] - t.seconds[1]); });
    return all;
}

void FunctionsModel::setTimes(TracePtr here, TracePtr there, std::vector<FunctionTimes> times) {
    beginResetModel();
    m_here = std::move(here);
    m_there = std::move(there);
    m_times = std::move(times);
    endResetModel();
}

int FunctionsModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_times.size()); }

int FunctionsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QString FunctionsModel::nameOf(const FunctionTimes &times) const {
    return toLine(times.here != none ? m_here->regions[times.here].name : m_there->regions[times.there].name);
}

QVariant FunctionsModel::number(const FunctionTimes &times, int column) {
    switch (column) {
    case Here:
        return times.seconds[0];
    case There:
        return times.seconds[1];
    case Ratio:
        return times.ratio().value_or(times.seconds[0] > 0 ? HUGE_VAL : 1);
    case CallsHere:
        return static_cast<qulonglong>(times.calls[0]);
    default:
        return static_cast<qulonglong>(times.calls[1]);
    }
}

QVariant FunctionsModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const FunctionTimes &shown = times(index.row());
    const int column = index.column();
    if (role == Qt::DecorationRole && column == Function && m_colourOf)
        return m_colourOf(shown);
    if (role == Qt::TextAlignmentRole && column != Function)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == SortRole || role == ExportRole)
        return column == Function ? QVariant(nameOf(shown)) : number(shown, column);
    if (role != Qt::DisplayRole)
        return {};
    const auto calls = [&shown](std::size_t run) { return toText(describeCount(shown.calls[run])); };
    const auto seconds = [&](std::size_t run) {
        return shown.calls[run] == 0 ? QStringLiteral("–") : toText(describeDuration(shown.seconds[run]));
    };
    switch (column) {
    case Function:
        return nameOf(shown);
    case Here:
        return seconds(0);
    case There:
        return seconds(1);
    case Ratio:
        return shown.calls[0] == 0   ? tr("other run only")
               : shown.calls[1] == 0 ? tr("this run only")
               : shown.ratio()       ? QStringLiteral("× %1").arg(*shown.ratio(), 0, 'g', 3)
                                     : QStringLiteral("–");
    case CallsHere:
        return calls(0);
    case CallsThere:
        return calls(1);
    default:
        return {};
    }
}

QVariant FunctionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Function")},
        {QT_TR_NOOP("This run"), QT_TR_NOOP("Time in it, summed over all ranks, callees apart"), QT_TR_NOOP("This run, s"), true},
        {QT_TR_NOOP("The other"), QT_TR_NOOP("The same in the other run"), QT_TR_NOOP("The other, s"), true},
        {QT_TR_NOOP("Ratio"), QT_TR_NOOP("How many times as long as in the other run"), nullptr, true},
        {QT_TR_NOOP("Calls"), QT_TR_NOOP("Calls in this run"), QT_TR_NOOP("Calls, this run"), true},
        {QT_TR_NOOP("Calls, other"), QT_TR_NOOP("Calls in the other run"), nullptr, true},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
