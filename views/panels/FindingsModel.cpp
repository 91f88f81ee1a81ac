// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/FindingsModel.h"

#include "analysis/verdict/Describe.h"

#include "analysis/stacks/Hosts.h"
#include "views/kit/TableText.h"
#include "views/kit/Text.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

// Internal ids: 0 is the top level, 1 + n the rows of group n.
constexpr quintptr topLevel = 0;

/// Rounded down, as confidences are everywhere: 0.999 is not certainty.
QString scoreText(double score) { return QString::number(confidencePercent(score) / 100.0, 'f', 2); }

QString whyToolTip(const Finding &finding, const RankSet &ranks, const QString &reasons) {
    return toolTipText(rankPhrase(ranks) + "\n" + reasons + "\n" +
                       FindingsModel::tr("Score %1 of 1, comparable within a method").arg(scoreText(finding.score)));
}

} // namespace

void FindingsModel::setFindings(TracePtr trace, std::shared_ptr<const Verdict> verdict) {
    beginResetModel();
    m_trace = std::move(trace);
    m_verdict = std::move(verdict);
    rebuild();
    endResetModel();
}

void FindingsModel::setGroupedByHost(bool grouped) {
    beginResetModel();
    m_grouped = grouped;
    rebuild();
    endResetModel();
}

std::vector<std::size_t> FindingsModel::order() const {
    const std::vector<Finding> &findings = m_verdict->findings;
    // Scores are comparable within a method only; the verdict has its methods in order of what it rests on.
    std::map<std::string_view, std::size_t> places;
    for (const Finding &finding : findings)
        places.try_emplace(finding.method, places.size());
    std::vector<std::size_t> sorted(findings.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{0});
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::size_t a, std::size_t b) {
        return std::pair(places[findings[a].method], -findings[a].score) <
               std::pair(places[findings[b].method], -findings[b].score);
    });
    return sorted;
}

void FindingsModel::rebuild() {
    m_groups.clear();
    if (!m_verdict)
        return;
    if (!m_grouped || !m_trace) {
        m_groups.emplace_back();
        std::vector<Row> &rows = m_groups[0].rows;
        const std::vector<Finding> &findings = m_verdict->findings;
        const auto placeOf = [](const Finding &finding) {
            return std::tie(finding.method, finding.ranks, finding.function, finding.file, finding.line);
        };
        std::map<decltype(placeOf(findings[0])), std::size_t> rowOf;
        for (const std::size_t i : order()) {
            const auto [row, isNew] = rowOf.try_emplace(placeOf(findings[i]), rows.size());
            if (isNew)
                rows.push_back({i, findings[i].ranks, {}});
            else
                rows[row->second].like.push_back(i);
        }
        return;
    }
    std::map<std::string, std::size_t> positions;
    for (const std::size_t i : order()) {
        for (HostRanks &part : ranksByHost(*m_trace, m_verdict->findings[i].ranks)) {
            const auto [position, isNew] = positions.try_emplace(part.host, m_groups.size());
            if (isNew)
                m_groups.push_back({part.host, {}, {}});
            Group &group = m_groups[position->second];
            RankSet united;
            std::set_union(group.ranks.begin(), group.ranks.end(), part.ranks.begin(), part.ranks.end(),
                           std::back_inserter(united));
            group.ranks = std::move(united);
            group.rows.push_back({i, std::move(part.ranks), {}});
        }
    }
}

const FindingsModel::Group *FindingsModel::group(const QModelIndex &index) const {
    return m_grouped && index.isValid() && index.internalId() == topLevel ? &m_groups[static_cast<std::size_t>(index.row())]
                                                                          : nullptr;
}

const FindingsModel::Row *FindingsModel::row(const QModelIndex &index) const {
    if (!index.isValid() || group(index) != nullptr)
        return nullptr;
    const std::size_t group = m_grouped ? index.internalId() - 1 : 0;
    return &m_groups[group].rows[static_cast<std::size_t>(index.row())];
}

const Finding *FindingsModel::finding(const QModelIndex &index) const {
    const Row *found = row(index);
    return found == nullptr ? nullptr : &m_verdict->findings[found->finding];
}

std::size_t FindingsModel::likeCount(const QModelIndex &index) const {
    const Row *found = row(index);
    return found == nullptr ? 0 : 1 + found->like.size();
}

QString FindingsModel::reasons(const QModelIndex &index) const {
    const Row *found = row(index);
    if (found == nullptr)
        return {};
    QStringList lines{toText(m_verdict->findings[found->finding].why)};
    for (const std::size_t like : found->like)
        if (const QString why = toText(m_verdict->findings[like].why); !lines.contains(why))
            lines << why;
    return lines.join('\n');
}

RankSet FindingsModel::ranks(const QModelIndex &index) const {
    if (const Group *host = group(index))
        return host->ranks;
    const Row *found = row(index);
    return found == nullptr ? RankSet() : found->ranks;
}

QModelIndex FindingsModel::index(int row, int column, const QModelIndex &parent) const {
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : topLevel);
}

QModelIndex FindingsModel::parent(const QModelIndex &index) const {
    if (!index.isValid() || index.internalId() == topLevel)
        return {};
    return createIndex(static_cast<int>(index.internalId() - 1), 0, topLevel);
}

int FindingsModel::rowCount(const QModelIndex &parent) const {
    if (m_groups.empty() || parent.column() > 0)
        return 0;
    if (!parent.isValid())
        return static_cast<int>(m_grouped ? m_groups.size() : m_groups[0].rows.size());
    const Group *host = group(parent);
    return host == nullptr ? 0 : static_cast<int>(host->rows.size());
}

int FindingsModel::columnCount(const QModelIndex &) const { return ColumnCount; }

QVariant FindingsModel::groupData(const Group &group, int column, int role) const {
    const QString host = group.host.empty() ? tr("unknown host") : toLine(group.host);
    if (role == Qt::ToolTipRole)
        return toolTipText(tr("All suspects on %1: %2").arg(host, rankPhrase(group.ranks)));
    if (role != Qt::DisplayRole && role != ExportRole)
        return {};
    if (column == Ranks)
        return role == ExportRole ? toText(formatRanges(group.ranks))
                                  : tr("%1: %2, %3").arg(host, rankPhrase(group.ranks), countText(group.rows.size(), "finding"));
    if (column == Method && role == ExportRole)
        return host;
    return {};
}

QVariant FindingsModel::data(const QModelIndex &index, int role) const {
    if (const Group *host = group(index))
        return groupData(*host, index.column(), role);
    const Finding *shown = finding(index);
    if (shown == nullptr)
        return {};
    const RankSet &shownRanks = row(index)->ranks;
    if (role == Qt::ToolTipRole)
        return whyToolTip(*shown, shownRanks, reasons(index));
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == Score ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != ExportRole && role != SortRole)
        return {};
    switch (index.column()) {
    case Ranks:
        return role == ExportRole ? toText(formatRanges(shownRanks)) : rankText(shownRanks);
    case Method:
        return role == Qt::DisplayRole && likeCount(index) > 1
                   ? tr("%1 (%2 times)").arg(toLine(shown->method)).arg(likeCount(index))
                   : toLine(shown->method);
    case Function:
        return toLine(shown->function);
    case Place:
        return role == ExportRole && !shown->file.empty()
                   ? toText(shown->file) + (shown->line == 0 ? QString() : ':' + QString::number(shown->line))
                   : placeText(shown->file, shown->line);
    case Score:
        return role == Qt::DisplayRole ? QVariant(scoreText(shown->score)) : QVariant(shown->score);
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static constexpr ColumnText columns[] = {
        {QT_TR_NOOP("Ranks"), QT_TR_NOOP("Ranks in MPI_COMM_WORLD that the finding is about")},
        {QT_TR_NOOP("Method"), QT_TR_NOOP("The analysis that found it")},
        {QT_TR_NOOP("Function"), QT_TR_NOOP("Innermost function")},
        {QT_TR_NOOP("Source"), QT_TR_NOOP("File and line of the function, or of its nearest caller with a known source")},
        {QT_TR_NOOP("Score"), QT_TR_NOOP("0 to 1, comparable within a method"), nullptr, true},
    };
    return columnHeader(*this, columns, section, orientation, role);
}

} // namespace laggard
