// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Analyse.h"
#include "analysis/answer/Report.h"
#include "trace/Slice.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace laggard {

/// The slice that was asked for beside the analyses.
struct ReportSlice {
    SlicePtr slice;        ///< nullptr where there is none
    std::string problem;   ///< why there is none: a sentence
    RankSet ranks;         ///< whose stop it explains
    std::vector<Frame> at; ///< where they stand: the stack that it began at, innermost first
    std::size_t steps = 8; ///< so many are for people to read; programs get all
};

/// The answer in words, as a colleague would give it: what happened, who, where, why, what is uncertain, what was damaged.
/// `slice` is nullptr where none was asked for, here and below.
void writeText(std::ostream &out, const Report &report, const ReportSlice *slice = nullptr);

/// The report as JSON, schema "laggard.report/1" (docs/json-report.md).
void writeJson(std::ostream &out, const Report &report, const ReportSlice *slice = nullptr);

} // namespace laggard
