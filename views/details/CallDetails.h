// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/detail/TrackPyramid.h"
#include "analysis/waitfor/WaitForGraph.h"
#include "views/selection/Selection.h"

#include <QString>

#include <optional>
#include <vector>

namespace laggard {

/// A line of what is known of a selection.
struct Detail {
    QString name;                  ///< "Length"
    QString value;                 ///< "2.47 s, not returned"
    QString tip;                   ///< the same in full, for a tooltip; may be empty
    std::optional<Selection> goes; ///< what the line is about, where that can be selected: a caller, a partner
    bool isHead = false;           ///< begins a part: messages, collective, who waited
};

/// The call that is selected: on the main thread of its rank, at the selected time, or, without a time, the one at its call path
/// that is open at `at`, else its last one.
struct SelectedCall {
    Rank rank = none;
    LocationIndex location = none;
    std::uint32_t row = none; ///< in the track; `none`: no call is selected
};
[[nodiscard]] SelectedCall selectedCall(const Trace &trace, const Selection &selection, Tick at);

/// Everything that is known of the selection. If a call is selected: its times, caller, messages and collective with their
/// partners, and who waited for it. If only ranks are: where they are and who waits for them. `waits` may be null. Costs a search
/// for each partner; if there are many, only the first are told.
[[nodiscard]] std::vector<Detail> detailsOf(const Trace &trace, const TracePyramid &pyramid, const WaitForGraph *waits,
                                            const Selection &selection);

} // namespace laggard
