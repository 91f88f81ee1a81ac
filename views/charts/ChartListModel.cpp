// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/ChartListModel.h"

#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace laggard {

void ChartListModel::setChart(std::shared_ptr<const Chart> chart) {
    beginResetModel();
    m_chart = std::move(chart);
    m_order.resize(m_chart ? m_chart->items.size() : 0);
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    m_rowOf.resize(m_order.size());
    std::iota(m_rowOf.begin(), m_rowOf.end(), 0);
    endResetModel();
}

void ChartListModel::sortBySeries(std::size_t series) {
    if (!m_chart || series >= m_chart->series.size())
        return;
    beginResetModel();
    const std::vector<double> &values = m_chart->series[series].values;
    const auto key = [&](std::size_t item) { return std::isnan(values[item]) ? HUGE_VAL : -values[item]; };
    std::iota(m_order.begin(), m_order.end(), std::size_t{0});
    std::stable_sort(m_order.begin(), m_order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t row = 0; row < m_order.size(); ++row)
        m_rowOf[m_order[row]] = static_cast<int>(row);
    endResetModel();
}

QModelIndex ChartListModel::indexOf(std::size_t item) const {
    return item < m_rowOf.size() ? index(m_rowOf[item], 0) : QModelIndex();
}

int ChartListModel::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_order.size()); }

int ChartListModel::columnCount(const QModelIndex &parent) const {
    return parent.isValid() || !m_chart ? 0 : 1 + static_cast<int>(m_chart->series.size());
}

QVariant ChartListModel::data(const QModelIndex &index, int role) const {
    if (!index.isValid() || !m_chart)
        return {};
    const std::size_t item = itemOf(index);
    if (role == Qt::ToolTipRole)
        return toolTipText(itemText(*m_chart, item));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ExportRole && role != SortRole)
        return {};
    if (index.column() == 0)
        return m_chart->items[item].name;
    const double value = m_chart->series[static_cast<std::size_t>(index.column() - 1)].values[item];
    if (role == Qt::DisplayRole)
        return valueText(*m_chart, value);
    return std::isnan(value) ? QVariant() : QVariant(value);
}

QVariant ChartListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !m_chart || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == ExportRole && section > 0 && !m_chart->unit.isEmpty())
        return QStringLiteral("%1 (%2)").arg(m_chart->series[static_cast<std::size_t>(section - 1)].name, m_chart->unit);
    if (role != Qt::DisplayRole && role != ExportRole && role != Qt::ToolTipRole)
        return {};
    QString text = section == 0 ? m_chart->itemAxis : m_chart->series[static_cast<std::size_t>(section - 1)].name;
    if (role == Qt::DisplayRole && !text.isEmpty())
        text.front() = text.front().toUpper(); // as in other lists; axes and files have it small
    return text;
}

} // namespace laggard
