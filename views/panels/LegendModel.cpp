// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/LegendModel.h"

#include "analysis/verdict/Describe.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"
#include "views/theme/RegionColours.h"

#include <QIcon>
#include <QPainter>
#include <QPixmap>

#include <algorithm>
#include <iterator>

namespace laggard {
namespace {

/// A swatch of a function that is drawn in the suspect's colour on some ranks.
QIcon twoColours(const QColor &own) {
    constexpr int side = 32; // pixels: twice what a row shows, for screens that are finer
    QPixmap swatch(side, side);
    swatch.fill(own);
    QPainter painter(&swatch);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(RegionColours::suspectRgb));
    painter.drawPolygon(QPolygonF({{0, side}, {side, 0}, {side, side}}));
    return QIcon(swatch);
}

} // namespace

LegendModel::LegendModel(ZoomFilterStack &filter, QObject *parent) : QAbstractTableModel(parent), m_filter(filter) {
    connect(&m_filter, &ZoomFilterStack::filterChanged, this, [this] {
        if (!m_regions.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
    });
}

void LegendModel::setStatistics(TracePtr trace, std::vector<RegionStatistics> statistics) {
    beginResetModel();
    m_trace = std::move(trace);
    m_statistics = std::move(statistics);
    m_regions.clear();
    m_totalExclusive = 0;
    const std::size_t count = m_trace ? m_trace->regions.size() : 0;
    if (!m_statistics.empty())
        m_statistics.resize(count);
    for (RegionId region = 0; region < count; ++region) {
        if (m_statistics.empty() || m_statistics[region].count > 0)
            m_regions.push_back(region);
        if (!m_statistics.empty())
            m_totalExclusive += static_cast<double>(m_statistics[region].exclusive);
    }
    endResetModel();
}

void LegendModel::setColours(std::function<QColor(RegionId)> colourOf) {
    m_colourOf = std::move(colourOf);
    coloursChanged();
}

void LegendModel::setSuspect(RegionId region) {
    m_suspect = region;
    coloursChanged();
}

void LegendModel::coloursChanged() {
    if (!m_regions.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1), {Qt::DecorationRole});
}

QModelIndex LegendModel::find(RegionId region) const {
    const auto found = std::lower_bound(m_regions.begin(), m_regions.end(), region);
    return found != m_regions.end() && *found == region ? index(static_cast<int>(found - m_regions.begin()), 0) : QModelIndex();
}

QColor LegendModel::colour(RegionId region) const { return m_colourOf ? m_colourOf(region) : QColor(); }

void LegendModel::setShown(const std::vector<RegionId> &regions, bool shown) {
    std::vector<RegionId> sorted = regions;
    std::sort(sorted.begin(), sorted.end());
    const auto without = [&](const std::vector<RegionId> &from) {
        std::vector<RegionId> rest;
        std::set_difference(from.begin(), from.end(), sorted.begin(), sorted.end(), std::back_inserter(rest));
        return rest;
    };
    const auto with = [&](const std::vector<RegionId> &to) {
        std::vector<RegionId> all;
        std::set_union(to.begin(), to.end(), sorted.begin(), sorted.end(), std::back_inserter(all));
        return all;
    };
    Filter filter = m_filter.filter();
    filter.hiddenRegions = shown ? without(filter.hiddenRegions) : with(filter.hiddenRegions);
    // "Only these" hides the rest: a function that is checked joins them.
    if (shown && !filter.onlyRegions.empty())
        filter.onlyRegions = with(filter.onlyRegions);
    m_filter.setFilter(filter);
}

int LegendModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_regions.size()); }

int LegendModel::columnCount(const QModelIndex &) const { return ColumnCount; }

double LegendModel::seconds(Tick ticks) const {
    return static_cast<double>(ticks) / static_cast<double>(m_trace->clock.ticksPerSecond);
}

QVariant LegendModel::number(RegionId region, int column, int role) const {
    if (m_statistics.empty())
        return {};
    const RegionStatistics &of = m_statistics[region];
    const bool isShown = role == Qt::DisplayRole;
    if (column == Count)
        return isShown ? QVariant(toText(describeCount(of.count))) : QVariant(qulonglong{of.count});
    if (column == Share) {
        const double share = m_totalExclusive == 0 ? 0 : static_cast<double>(of.exclusive) / m_totalExclusive;
        return isShown ? QVariant(QString::number(share * 100, 'f', 1) + " %") : QVariant(share);
    }
    const Tick ticks = column == Inclusive ? of.inclusive : of.exclusive;
    if (role == SortRole)
        return qulonglong{ticks};
    return isShown ? QVariant(toText(describeDuration(seconds(ticks)))) : QVariant(seconds(ticks));
}

QString LegendModel::toolTip(RegionId region, int column) const {
    const Region &shown = m_trace->regions[region];
    QString text = toText(shown.name);
    if (!shown.file.empty())
        text += '\n' +
                tr("Defined at %1").arg(toText(shown.file) + (shown.line == 0 ? QString() : ':' + QString::number(shown.line)));
    if (region == m_suspect)
        text += '\n' + tr("Vermilion on the ranks that the verdict names");
    if (!m_statistics.empty() && column != Shown) {
        const RegionStatistics &of = m_statistics[region];
        text += '\n' + toText(plural(of.count, "call"));
        if (of.open > 0)
            text += tr(", %1 of them not returned").arg(toText(describeCount(of.open)));
        text += '\n' +
                tr("inclusive %1 s, exclusive %2 s").arg(seconds(of.inclusive), 0, 'f', 9).arg(seconds(of.exclusive), 0, 'f', 9);
    }
    return toolTipText(text);
}

QVariant LegendModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid())
        return {};
    const RegionId shown = region(index.row());
    const bool isVisible = m_filter.filter().showsRegion(shown);
    if (role == Qt::CheckStateRole)
        return index.column() == Shown ? QVariant(isVisible ? Qt::Checked : Qt::Unchecked) : QVariant();
    if (role == Qt::DecorationRole)
        return index.column() != Function ? QVariant()
               : shown == m_suspect       ? QVariant(twoColours(colour(shown)))
                                          : QVariant(colour(shown));
    if (role == Qt::AccessibleTextRole && index.column() == Shown)
        return isVisible ? tr("shown") : tr("hidden");
    if (role == Qt::ToolTipRole)
        return toolTip(shown, index.column());
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() >= Count ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != SortRole && role != ExportRole)
        return {};
    switch (index.column()) {
    case Shown:
        return role == Qt::DisplayRole ? QVariant() : role == SortRole ? QVariant(isVisible) : QVariant(isVisible ? "yes" : "no");
    case Function:
        return role == ExportRole ? toText(m_trace->regions[shown].name) : toLine(m_trace->regions[shown].name);
    default:
        return number(shown, index.column(), role);
    }
}

bool LegendModel::setData(const QModelIndex &index, const QVariant &value, int role) {
    if (role != Qt::CheckStateRole || !index.isValid() || index.column() != Shown)
        return false;
    setShown({region(index.row())}, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags LegendModel::flags(const QModelIndex &index) const {
    if (!index.isValid())
        return {};
    const Qt::ItemFlags flags = QAbstractTableModel::flags(index) | Qt::ItemNeverHasChildren;
    return index.column() == Shown ? flags | Qt::ItemIsUserCheckable : flags;
}

QVariant LegendModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {"", QT_TR_NOOP("Whether calls of the function are drawn"), "shown"},
        {QT_TR_NOOP("Function"), QT_TR_NOOP("Function, with the colour of its calls"), "function"},
        {QT_TR_NOOP("Count"), QT_TR_NOOP("Calls that overlap the window"), "count", true},
        {QT_TR_NOOP("Inclusive"), QT_TR_NOOP("Time in the function and what it calls, over all ranks"), "inclusive_s", true},
        {QT_TR_NOOP("Exclusive"), QT_TR_NOOP("Time in the function itself, over all ranks"), "exclusive_s", true},
        {QT_TR_NOOP("Share"), QT_TR_NOOP("Exclusive time, in percent of all functions"), "exclusive_share", true},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
