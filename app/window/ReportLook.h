// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"
#include "views/timeline/RowModel.h"

#include <QString>

#include <optional>
#include <vector>

namespace laggard {

/// A moment in the whole of the trace, and what to say of it.
struct VerdictMoment {
    std::optional<Tick> time;
    QString text;
};

/// The moment that the verdict is about: when the hang began, the last record of who crashed, the time of the best finding.
[[nodiscard]] VerdictMoment momentOf(const Report &report);

/// What ranks do, for rows of the timeline where there are too many ranks for one each. In a job that hangs: the least
/// progressed, those that wait for them directly, and the others by the function they are in. Else the clusters of the shown
/// phase, those of few ranks together. Empty where all do the same.
[[nodiscard]] std::vector<RankClass> classesOf(const Report &report);

} // namespace laggard
