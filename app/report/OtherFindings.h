// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/Delays.h"
#include "analysis/outliers/Outliers.h"
#include "analysis/semimarkov/SemiMarkov.h"
#include "analysis/verdict/Verdict.h"

#include <optional>

namespace laggard {

/// Puts the findings of the other analyses behind those of progress. Of a job that is not held up, what they found becomes part
/// of the summary: there it is the answer.
void addOtherFindings(Verdict &verdict, const Trace &trace, const std::optional<DelayReport> &delays,
                      const std::optional<SemiMarkovReport> &models, const std::optional<OutlierReport> &outliers);

} // namespace laggard
