// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/RowModel.h"

#include "analysis/detail/LaneSample.h"
#include "trace/Quantity.h"
#include "views/picture/PictureText.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace laggard {
namespace {

/// Height of the row of a closed group, in lanes.
constexpr double groupLanes = 1.25;
constexpr double mostGroupHeight = 64; ///< pixels

/// Nothing is known of ranks that were not read: they come last.
Tick lastEventOf(const Trace &trace, Rank rank) {
    if (!trace.isRead(rank))
        return openEnd;
    Tick last = 0;
    for (const LocationIndex location : trace.processes[rank].locations)
        if (trace.locations[location].eventCount > 0)
            last = std::max(last, trace.locations[location].lastEvent);
    return last;
}

/// Lanes of all rows together.
double lanesOf(const std::vector<TimelineRow> &rows) {
    double lanes = 0;
    for (const TimelineRow &row : rows)
        lanes += row.kind == TimelineRow::Kind::Group ? groupLanes : static_cast<double>(row.lanes.size());
    return lanes;
}

QString ranksLabel(const RankSet &ranks) {
    RankSet sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    return showable(describeRanges(sorted, 2));
}

const TimelineRow *rowIn(const std::vector<TimelineRow> &rows, double y) {
    auto after = std::upper_bound(rows.begin(), rows.end(), y, [](double at, const TimelineRow &row) { return at < row.y; });
    if (after == rows.begin())
        return nullptr;
    --after;
    return y < after->y + after->height + RowModel::rowGap ? &*after : nullptr;
}

} // namespace

RowModel::RowModel(TracePtr trace, TracePyramidPtr pyramid) : m_trace(std::move(trace)), m_pyramid(std::move(pyramid)) {
    if (m_trace && m_trace->processes.size() == 1)
        m_threadsShown.insert(0); // one process alone is looked at for what its threads do
    rebuild();
}

void RowModel::setOrder(RowOrder order) {
    m_order = order;
    m_expandedGroups.clear();
    rebuild();
}

void RowModel::setGraphNodes(std::vector<std::uint32_t> nodeOfRank) {
    m_graphNodes = std::move(nodeOfRank);
    rebuild();
}

void RowModel::setClasses(std::vector<RankClass> classes) {
    if (classes == m_classes)
        return;
    m_classes = std::move(classes);
    if (m_order == RowOrder::Rank)
        m_expandedGroups.clear(); // their numbers are those of other groups
    rebuild();
}

void RowModel::setDepthsInView(std::map<Rank, std::uint32_t> depths) {
    if (depths == m_depthsInView)
        return;
    m_depthsInView = std::move(depths);
    rebuild();
}

void RowModel::setFilter(const std::optional<RankSet> &ranks) {
    m_filter = ranks;
    rebuild();
}

void RowModel::setNested(bool nested) {
    m_nested = nested;
    m_mayCompact = false;
    m_compact = false;
    m_compactPinned = false;
    m_otherWay.clear();
    rebuild();
}

void RowModel::setNestedByRoom() {
    setNested(true);
    m_mayCompact = true;
}

void RowModel::toggleNested(Rank rank) {
    if (m_otherWay.erase(rank) == 0)
        m_otherWay.insert(rank);
    rebuild();
}

void RowModel::setLaneHeight(double height) {
    m_laneHeight = std::clamp(height, 2.0, 48.0);
    m_pinnedLaneHeight = 0;
    m_groupHeight = 0;
    m_pinnedHeight = place(m_pinnedRows);
    m_height = place(m_rows);
}

void RowModel::fit(double height) {
    m_compact = false;
    m_compactPinned = false;
    rebuild();
    const auto roomFor = [](double room, const std::vector<TimelineRow> &rows) {
        return room - rowGap * static_cast<double>(rows.size());
    };
    if (m_mayCompact && m_nested) {
        const double needed = readableLane * (lanesOf(m_pinnedRows) + lanesOf(m_rows));
        m_compact = roomFor(roomFor(height, m_pinnedRows), m_rows) < needed;
        m_compactPinned = roomFor(height / 2, m_pinnedRows) < leastPinnedLane * lanesOf(m_pinnedRows);
        if (m_compact)
            rebuild();
    }
    const double pinnedLanes = std::max(1.0, lanesOf(m_pinnedRows));
    m_pinnedLaneHeight = std::clamp(std::floor(roomFor(height / 2, m_pinnedRows) / pinnedLanes), leastPinnedLane, 16.0);
    m_pinnedHeight = place(m_pinnedRows);
    m_laneHeight = std::max(readableLane, laneHeightFor(height - m_pinnedHeight));
    m_groupHeight = 0;
    m_height = place(m_rows);
    // A few groups take the room that there is: each is the picture of many ranks.
    const auto closed = static_cast<double>(std::count_if(m_rows.begin(), m_rows.end(), [](const TimelineRow &row) {
        return row.kind == TimelineRow::Kind::Group && !row.expanded;
    }));
    if (const double left = height - m_pinnedHeight - m_height; closed > 0 && left > 0) {
        m_groupHeight = std::min(mostGroupHeight, std::max(14.0, groupLanes * m_laneHeight) + std::floor(left / closed));
        m_height = place(m_rows);
    }
}

double RowModel::laneHeightFor(double height) const {
    const double lanes = lanesOf(m_rows);
    const double room = height - rowGap * static_cast<double>(m_rows.size());
    return lanes > 0 ? std::clamp(std::floor(room / lanes), 5.0, 18.0) : 18.0;
}

void RowModel::setPinned(const RankSet &ranks) {
    m_pinned.clear();
    for (const Rank rank : ranks)
        if (m_trace && rank < m_trace->processes.size())
            m_pinned.push_back(rank);
    rebuild();
}

void RowModel::setThreadsShown(Rank rank, bool shown) {
    if (shown)
        m_threadsShown.insert(rank);
    else
        m_threadsShown.erase(rank);
    rebuild();
}

void RowModel::setGroupExpanded(std::uint32_t group, bool expanded) {
    if (expanded)
        m_expandedGroups.insert(group);
    else
        m_expandedGroups.erase(group);
    rebuild();
}

void RowModel::reveal(Rank rank) {
    const TimelineRow *row = rowOf(rank);
    if (row != nullptr && row->kind == TimelineRow::Kind::Group)
        setGroupExpanded(row->group, true);
}

void RowModel::setGroupsAbove(std::size_t ranks) {
    m_groupsAbove = std::max<std::size_t>(1, ranks);
    rebuild();
}

RankSet RowModel::sortedRanks() const {
    RankSet ranks;
    for (Rank rank = 0; rank < m_trace->processes.size(); ++rank) {
        const bool shown = !m_filter || std::binary_search(m_filter->begin(), m_filter->end(), rank);
        if (shown && !std::binary_search(m_pinned.begin(), m_pinned.end(), rank))
            ranks.push_back(rank);
    }
    const auto by = [&ranks](auto key) {
        std::stable_sort(ranks.begin(), ranks.end(), [&key](Rank a, Rank b) { return key(a) < key(b); });
    };
    switch (m_order) {
    case RowOrder::Rank:
        break;
    case RowOrder::Node: {
        std::vector<std::string> hosts;
        for (Rank rank = 0; rank < m_trace->processes.size(); ++rank)
            hosts.push_back(m_trace->hostOf(rank));
        by([&hosts](Rank rank) -> const std::string & { return hosts[rank]; });
        break;
    }
    case RowOrder::GraphNode:
        by([this](Rank rank) { return rank < m_graphNodes.size() ? m_graphNodes[rank] : none; });
        break;
    case RowOrder::LastEvent:
        by([this](Rank rank) { return lastEventOf(*m_trace, rank); });
        break;
    }
    return ranks;
}

std::vector<RowModel::Group> RowModel::keyGroups(const RankSet &sorted) const {
    std::vector<Group> groups;
    QString last;
    for (const Rank rank : sorted) {
        const std::uint32_t node = rank < m_graphNodes.size() ? m_graphNodes[rank] : none;
        QString key;
        if (m_order == RowOrder::Node)
            key = showable(m_trace->hostOf(rank));
        else
            key = node == none ? QStringLiteral("no state") : QStringLiteral("state %1").arg(node);
        if (groups.empty() || key != last)
            groups.push_back({key.isEmpty() ? QStringLiteral("unknown host") : key, {}});
        groups.back().ranks.push_back(rank);
        last = key;
    }
    return groups;
}

std::vector<RowModel::Group> RowModel::classGroups(const RankSet &sorted) const {
    std::vector<std::uint32_t> classOf(m_trace->processes.size(), none);
    for (std::uint32_t i = 0; i < m_classes.size(); ++i)
        for (const Rank rank : m_classes[i].ranks)
            if (rank < classOf.size() && classOf[rank] == none)
                classOf[rank] = i;
    std::vector<Group> groups(m_classes.size() + 1);
    for (std::size_t i = 0; i < m_classes.size(); ++i)
        groups[i].label = m_classes[i].label;
    for (Group &group : groups)
        group.isClass = true;
    groups.back().label = QStringLiteral("others");
    for (const Rank rank : sorted)
        groups[std::min<std::size_t>(classOf[rank], m_classes.size())].ranks.push_back(rank);
    std::erase_if(groups, [](const Group &group) { return group.ranks.empty(); });
    return groups;
}

std::vector<RowModel::Group> RowModel::groupsOf(const RankSet &sorted) const {
    std::vector<Group> groups;
    if (m_order == RowOrder::Node || m_order == RowOrder::GraphNode)
        groups = keyGroups(sorted);
    else if (m_order == RowOrder::Rank && m_classes.size() > 1)
        groups = classGroups(sorted);
    // Pinned ranks have rows of their own: the rest may all do the same, and that is worth its name.
    if (groups.size() > 1 || (groups.size() == 1 && m_order == RowOrder::Rank))
        return groups;
    groups.clear();
    // Runs of equal length, a power of two, at most 64 of them.
    std::size_t length = 2;
    while (length * 64 < sorted.size())
        length *= 2;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i % length == 0)
            groups.emplace_back();
        groups.back().ranks.push_back(sorted[i]);
    }
    return groups;
}

TimelineRow RowModel::groupRow(const Group &group, std::uint32_t number) const {
    TimelineRow row;
    row.kind = TimelineRow::Kind::Group;
    row.group = number;
    const QString ranks = ranksLabel(group.ranks);
    const QString count = showable(plural(group.ranks.size(), "rank"));
    row.label = group.label.isEmpty() ? QStringLiteral("ranks ") + ranks : group.label;
    if (group.isClass && group.ranks.size() > 1)
        row.label = showable(describeCount(group.ranks.size())) + QLatin1Char(' ') + row.label;
    row.detail = group.label.isEmpty() ? count
                 : !group.isClass      ? count + QStringLiteral(": ") + ranks
                                       : (group.ranks.size() == 1 ? QStringLiteral("rank ") : QStringLiteral("ranks ")) + ranks;
    row.damaged = std::any_of(group.ranks.begin(), group.ranks.end(), [this](Rank r) { return m_trace->isDamaged(r); });
    const auto read = static_cast<std::size_t>(
        std::count_if(group.ranks.begin(), group.ranks.end(), [this](Rank r) { return m_trace->isRead(r); }));
    row.read = read > 0;
    if (read > 0 && read < group.ranks.size())
        row.detail += QStringLiteral(", %1 read").arg(read);
    row.expandable = true;
    row.expanded = m_expandedGroups.contains(row.group);
    row.ranks = group.ranks;
    return row;
}

void RowModel::setLanes(TimelineRow &row, bool nested) const {
    std::uint32_t depths = row.location == none ? 0 : m_pyramid->tracks[row.location].depthCount();
    if (row.pinned && row.kind == TimelineRow::Kind::Rank)
        if (const auto inView = m_depthsInView.find(row.ranks.front()); inView != m_depthsInView.end())
            depths = std::clamp(inView->second, std::min(depths, 1U), depths);
    if (!nested || depths == 0) {
        row.lanes = {innermostLane};
        return;
    }
    row.lanes.resize(std::min(depths, mostLanes));
    std::iota(row.lanes.begin(), row.lanes.end(), 0);
    row.deeper = depths - static_cast<std::uint32_t>(row.lanes.size());
}

void RowModel::addRank(std::vector<TimelineRow> &rows, Rank rank, std::uint32_t indent) const {
    const Process &process = m_trace->processes[rank];
    TimelineRow row;
    row.ranks = {rank};
    row.location = process.mainLocation;
    row.label = QStringLiteral("rank %1").arg(rank);
    row.detail = showable(m_trace->hostOf(rank));
    row.pinned = std::binary_search(m_pinned.begin(), m_pinned.end(), rank);
    row.damaged = m_trace->isDamaged(rank);
    row.read = m_trace->isRead(rank);
    row.expandable = process.locations.size() > 1;
    row.expanded = row.expandable && m_threadsShown.contains(rank);
    row.indent = indent;
    const bool nested = m_nested && !(row.pinned ? m_compactPinned : m_compact);
    setLanes(row, nested != m_otherWay.contains(rank));
    const bool expanded = row.expanded;
    rows.push_back(std::move(row));
    if (expanded)
        addThreads(rows, rank, indent + 1);
}

void RowModel::addThreads(std::vector<TimelineRow> &rows, Rank rank, std::uint32_t indent) const {
    for (const LocationIndex location : m_trace->processes[rank].locations) {
        const Location &thread = m_trace->locations[location];
        if (location == m_trace->processes[rank].mainLocation || thread.kind == LocationKind::Metric)
            continue;
        TimelineRow row;
        row.kind = TimelineRow::Kind::Thread;
        row.ranks = {rank};
        row.location = location;
        row.label = showable(thread.name);
        row.damaged = thread.damaged;
        row.read = m_trace->isRead(rank);
        row.indent = indent;
        setLanes(row, (m_nested && !m_compact) != m_otherWay.contains(rank));
        rows.push_back(std::move(row));
    }
}

double RowModel::laneHeightOf(const TimelineRow &row) const {
    if (row.pinned && m_pinnedLaneHeight > 0)
        return m_pinnedLaneHeight;
    // Few of many are pinned, and because they matter: their calls should be readable.
    return row.pinned && m_pinned.size() <= mostReadable ? std::max(pinnedLaneHeight, m_laneHeight) : m_laneHeight;
}

double RowModel::place(std::vector<TimelineRow> &rows) const {
    double y = 0;
    for (TimelineRow &row : rows) {
        row.y = y;
        if (row.kind == TimelineRow::Kind::Group)
            row.height = row.expanded ? std::max(14.0, m_laneHeight) : std::max({14.0, groupLanes * m_laneHeight, m_groupHeight});
        else
            row.height = laneHeightOf(row) * static_cast<double>(row.lanes.size());
        y += row.height + rowGap;
    }
    return y;
}

void RowModel::rebuild() {
    m_rows.clear();
    m_pinnedRows.clear();
    m_rowOfRank.clear();
    if (!m_trace)
        return;
    std::sort(m_pinned.begin(), m_pinned.end());
    for (const Rank rank : m_pinned)
        addRank(m_pinnedRows, rank, 0);

    const RankSet sorted = sortedRanks();
    if (sorted.size() <= m_groupsAbove) {
        for (const Rank rank : sorted)
            addRank(m_rows, rank, 0);
    } else {
        std::uint32_t number = 0;
        for (const Group &group : groupsOf(sorted)) {
            TimelineRow row = groupRow(group, number++);
            const bool expanded = row.expanded;
            m_rows.push_back(std::move(row));
            if (expanded)
                for (const Rank rank : group.ranks)
                    addRank(m_rows, rank, 1);
        }
    }
    m_rowOfRank.assign(m_trace->processes.size(), none);
    for (std::uint32_t i = 0; i < m_rows.size(); ++i)
        if (m_rows[i].kind != TimelineRow::Kind::Thread)
            for (const Rank rank : m_rows[i].ranks)
                m_rowOfRank[rank] = i; // a rank's own row comes after that of its group
    m_pinnedHeight = place(m_pinnedRows);
    m_height = place(m_rows);
}

const TimelineRow *RowModel::rowAt(double y) const { return rowIn(m_rows, y); }

const TimelineRow *RowModel::pinnedRowAt(double y) const { return rowIn(m_pinnedRows, y); }

const TimelineRow *RowModel::rowOf(Rank rank) const {
    return rank < m_rowOfRank.size() && m_rowOfRank[rank] != none ? &m_rows[m_rowOfRank[rank]] : nullptr;
}

const TimelineRow *RowModel::pinnedRowOf(Rank rank) const {
    for (const TimelineRow &row : m_pinnedRows)
        if (row.kind == TimelineRow::Kind::Rank && row.ranks.front() == rank)
            return &row;
    return nullptr;
}

const TimelineRow *RowModel::rowOfLocation(LocationIndex location) const {
    const Rank rank = m_trace && location < m_trace->locations.size() ? m_trace->locations[location].rank : none;
    const TimelineRow *row = rank == none ? nullptr : rowOf(rank);
    if (row == nullptr || row->kind == TimelineRow::Kind::Group)
        return row;
    for (const TimelineRow *end = m_rows.data() + m_rows.size(), *at = row; at != end && at->ranks == row->ranks; ++at)
        if (at->location == location)
            return at;
    return row;
}

} // namespace laggard
