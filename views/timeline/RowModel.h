// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/TrackPyramid.h"
#include "trace/RankSet.h"

#include <QString>

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace laggard {

/// By what rows are sorted.
enum class RowOrder {
    Rank,
    Node,      ///< the machine it ran on, then rank
    GraphNode, ///< its node of the progress-dependence graph, then rank
    LastEvent  ///< whoever was quiet first
};

/// A row of the timeline: a rank, a further thread of one, or a group of ranks.
struct TimelineRow {
    enum class Kind { Rank, Thread, Group };
    Kind kind = Kind::Rank;
    RankSet ranks;                    ///< the rank; a group has its members, in order of rows
    LocationIndex location = none;    ///< whose calls are drawn; `none` for groups and for ranks the trace does not have
    std::vector<std::uint32_t> lanes; ///< depths from the top, or only `innermostLane`
    std::uint32_t deeper = 0;         ///< levels of nesting for which there is no room
    QString label;
    QString detail; ///< host, number of ranks; may be empty
    bool pinned = false;
    bool damaged = false;    ///< some of its events could not be read
    bool read = true;        ///< false: its events were left out at the user's wish; in a group those of all members
    bool expandable = false; ///< rank: has threads; group: its members can be shown
    bool expanded = false;
    std::uint32_t indent = 0;
    std::uint32_t group = none; ///< for a group: its number
    double y = 0;               ///< from the top of the rows, in pixels; pinned rows have a top of their own
    double height = 0;
};

/// Ranks that are told together where there are too many for a row each: by what they do, not by their numbers.
struct RankClass {
    QString label; ///< "least progressed", "in MPI_Allreduce"
    RankSet ranks; ///< sorted; if several classes have a rank, the first takes it
    bool operator==(const RankClass &) const = default;
};

/// Which rows there are, in which order and how high: all that decides where a rank is, and nothing about painting or time.
class RowModel {
  public:
    RowModel() = default;
    RowModel(TracePtr trace, TracePyramidPtr pyramid);

    void setOrder(RowOrder order);
    [[nodiscard]] RowOrder order() const { return m_order; }
    /// Node of the progress-dependence graph by rank, `none` where there is none; for `RowOrder::GraphNode`.
    void setGraphNodes(std::vector<std::uint32_t> nodeOfRank);
    /// What ranks are grouped by where they are in order of rank, and too many; those in no class are one more. Without classes,
    /// or with one, by runs of numbers.
    void setClasses(std::vector<RankClass> classes);
    /// Levels of nesting that the calls in view have, by rank: a pinned row is no deeper. Ranks that are not in it have all.
    void setDepthsInView(std::map<Rank, std::uint32_t> depths);
    [[nodiscard]] const std::map<Rank, std::uint32_t> &depthsInView() const { return m_depthsInView; }
    /// Only these ranks; all without a value.
    void setFilter(const std::optional<RankSet> &ranks);
    /// Nested: a lane for each depth. Else one lane a rank, with the innermost calls.
    void setNested(bool nested);
    /// As if `setNested` had never been called: `fit` decides.
    void setNestedByRoom();
    [[nodiscard]] bool isNested() const { return m_nested && !m_compact; }
    /// Chooses heights for this much room, pinned rows included, so that names can be read. Unless `setNested` was called, rows
    /// get one lane each if lanes for all depths would be too low; pinned rows stay nested as long as they take half the room.
    void fit(double height);
    /// One rank's rows the other way than the rest.
    void toggleNested(Rank rank);
    /// Height of all lanes in pixels, 2..48.
    void setLaneHeight(double height);
    [[nodiscard]] double laneHeight() const { return m_laneHeight; }
    /// The lane height, between 5 and 18 pixels, at which all rows come closest to fitting `height`.
    [[nodiscard]] double laneHeightFor(double height) const;
    /// Pinned ranks stand above all others and do not scroll.
    void setPinned(const RankSet &ranks);
    [[nodiscard]] const RankSet &pinned() const { return m_pinned; }
    void setThreadsShown(Rank rank, bool shown);
    void setGroupExpanded(std::uint32_t group, bool expanded);
    /// Opens the group that a rank is in, if it is in a closed one.
    void reveal(Rank rank);
    /// Ranks are grouped where there are more of them than this.
    void setGroupsAbove(std::size_t ranks);

    [[nodiscard]] const std::vector<TimelineRow> &rows() const { return m_rows; } ///< those that scroll
    [[nodiscard]] const std::vector<TimelineRow> &pinnedRows() const { return m_pinnedRows; }
    [[nodiscard]] double height() const { return m_height; }
    [[nodiscard]] double pinnedHeight() const { return m_pinnedHeight; }

    /// The scrolling row at `y`; nullptr outside.
    [[nodiscard]] const TimelineRow *rowAt(double y) const;
    [[nodiscard]] const TimelineRow *pinnedRowAt(double y) const;
    /// The scrolling row that shows this rank, be it the row of its group; nullptr if it is filtered out or pinned.
    [[nodiscard]] const TimelineRow *rowOf(Rank rank) const;
    [[nodiscard]] const TimelineRow *pinnedRowOf(Rank rank) const;
    [[nodiscard]] const TimelineRow *rowOfLocation(LocationIndex location) const;

    static constexpr std::uint32_t mostLanes = 32; ///< lanes in one row
    static constexpr double rowGap = 3;            ///< pixels between rows
    static constexpr double readableLane = 12;     ///< pixels; `fit` chooses no less
    static constexpr double leastPinnedLane = 9;   ///< pixels, at which names can just be read
    static constexpr double pinnedLaneHeight = 13; ///< pixels at least, with room for a name, while few ranks are pinned
    static constexpr std::size_t mostReadable = 2; ///< pinned ranks with lanes of that height

  private:
    struct Group {
        QString label;
        RankSet ranks;
        bool isClass = false; ///< its label says what its ranks do
    };

    void rebuild();
    [[nodiscard]] RankSet sortedRanks() const;
    [[nodiscard]] std::vector<Group> groupsOf(const RankSet &sorted) const;
    [[nodiscard]] std::vector<Group> classGroups(const RankSet &sorted) const;
    [[nodiscard]] std::vector<Group> keyGroups(const RankSet &sorted) const;
    [[nodiscard]] TimelineRow groupRow(const Group &group, std::uint32_t number) const;
    void addRank(std::vector<TimelineRow> &rows, Rank rank, std::uint32_t indent) const;
    void addThreads(std::vector<TimelineRow> &rows, Rank rank, std::uint32_t indent) const;
    void setLanes(TimelineRow &row, bool nested) const;
    [[nodiscard]] double laneHeightOf(const TimelineRow &row) const;
    double place(std::vector<TimelineRow> &rows) const;

    TracePtr m_trace;
    TracePyramidPtr m_pyramid;
    RowOrder m_order = RowOrder::Rank;
    std::vector<std::uint32_t> m_graphNodes;
    std::vector<RankClass> m_classes;
    std::map<Rank, std::uint32_t> m_depthsInView;
    std::optional<RankSet> m_filter;
    bool m_nested = true;
    std::set<Rank> m_otherWay;    ///< nested where the rest is not, and the other way round
    bool m_mayCompact = true;     ///< nobody asked for nested or for single lanes
    bool m_compact = false;       ///< one lane for rows that are not pinned
    bool m_compactPinned = false; ///< and for those that are
    double m_laneHeight = 14;
    double m_pinnedLaneHeight = 0; ///< as `fit` chose it; 0: as `laneHeightOf` says
    double m_groupHeight = 0;      ///< least height of closed groups; as `fit` chose it
    RankSet m_pinned;
    std::set<Rank> m_threadsShown;
    std::set<std::uint32_t> m_expandedGroups;
    std::size_t m_groupsAbove = 256;

    std::vector<TimelineRow> m_rows;
    std::vector<TimelineRow> m_pinnedRows;
    std::vector<std::uint32_t> m_rowOfRank; ///< in `m_rows`, or `none`
    double m_height = 0;
    double m_pinnedHeight = 0;
};

} // namespace laggard
