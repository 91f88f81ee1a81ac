// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/RankSet.h"
#include "trace/Trace.h"

#include <QObject>

#include <optional>
#include <vector>

namespace laggard {

/// Which part of the trace is left out of views. Never the same as what is selected or zoomed to.
struct Filter {
    std::optional<RankSet> ranks;        ///< only these ranks
    std::optional<TimeRange> time;       ///< only calls that overlap this
    std::vector<RegionId> hiddenRegions; ///< sorted; calls of these functions are not drawn
    std::vector<RegionId> onlyRegions;   ///< sorted; if not empty, only calls of these functions are drawn
    Tick minimumDuration = 0;            ///< only calls at least this long

    [[nodiscard]] bool isEmpty() const { return *this == Filter(); }
    [[nodiscard]] bool showsRegion(RegionId region) const;
    bool operator==(const Filter &) const = default;
};

/// Zoom and filter of a window, as a stack with undo and redo. Small zoom steps that follow each other quickly (wheel, held key)
/// can be merged into one step.
class ZoomFilterStack : public QObject {
    Q_OBJECT

  public:
    struct State {
        TimeRange zoom; ///< time shown
        Filter filter;
        bool operator==(const State &) const = default;
    };

    using QObject::QObject;

    /// Starts anew: everything shown, nothing filtered.
    void reset(TimeRange whole);

    [[nodiscard]] const TimeRange &whole() const { return m_whole; }
    [[nodiscard]] const TimeRange &zoom() const { return current().zoom; }
    [[nodiscard]] const Filter &filter() const { return current().filter; }

    /// Clamped to the whole trace, at least `minimumZoom` ticks long. With `merge`, replaces the step before if that was a merged
    /// zoom too.
    void setZoom(TimeRange range, bool merge = false);
    void setFilter(const Filter &filter);

    [[nodiscard]] bool canUndo() const { return m_position > 0; }
    [[nodiscard]] bool canRedo() const { return m_position + 1 < m_states.size(); }
    void undo();
    void redo();

    static constexpr Tick minimumZoom = 16;

  signals:
    void zoomChanged(laggard::TimeRange zoom);
    void filterChanged(const laggard::Filter &filter);

  private:
    [[nodiscard]] const State &current() const { return m_states[m_position].state; }
    void push(State state, bool merge);
    void announce(const State &before);

    struct Step {
        State state;
        bool merged = false;
    };
    TimeRange m_whole;
    std::vector<Step> m_states = {Step()};
    std::size_t m_position = 0;
};

} // namespace laggard
