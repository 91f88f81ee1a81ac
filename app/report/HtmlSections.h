// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"
#include "analysis/outliers/Outliers.h"

#include <iosfwd>

namespace laggard {

/// Fail-stop: the decision with its numbers; when ranks stopped, and their last calls.
void writeHtmlFailStop(std::ostream &out, const Trace &trace, const FailStop &failStop);

/// The highest suspect scores of both rankings with their largest contributions.
void writeHtmlOutliers(std::ostream &out, const OutlierReport &outliers);

/// What is unusual in phases, clusters and transitions, and what each method named. Nothing without phases.
void writeHtmlSemiMarkov(std::ostream &out, const Trace &trace, const SemiMarkovReport &models, const Verdict &verdict);

} // namespace laggard
