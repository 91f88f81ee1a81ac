// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/Outliers.h"

#include <string>

namespace laggard {

/// Whether some ranks stopped before the others, in a sentence with its numbers.
[[nodiscard]] std::string describe(const FailStop &failStop);

/// Who stopped first, or who spends its time differently: a sentence or two.
[[nodiscard]] std::string describe(const OutlierReport &report);

/// For some ranks only, who spends its time differently; empty if there is nothing to say of them.
[[nodiscard]] std::string summariseOutliers(const OutlierReport &report, const RankSet &only);

/// Why the report has this finding, in a sentence or some. `finding` is one of the report's.
[[nodiscard]] std::string describe(const Trace &trace, const OutlierReport &report, const Finding &finding);

} // namespace laggard
