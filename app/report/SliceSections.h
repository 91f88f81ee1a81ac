// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <iosfwd>

#include <nlohmann/json_fwd.hpp>

namespace laggard {

/// The first steps with their code lines; where there is no slice, why.
void writeSlice(std::ostream &out, const Trace &trace, const ReportSlice &slice);

/// A slice as JSON, schema "laggard.slice/1" (docs/json-report.md).
[[nodiscard]] nlohmann::ordered_json sliceJson(const Trace &trace, const Slice &slice);

/// Adds "slice", with whose stop it explains; nothing where there is no slice.
void addSliceSection(nlohmann::ordered_json &report, const Trace &trace, const ReportSlice &slice);

/// The steps as a table; nothing where there are none.
void writeHtmlSlice(std::ostream &out, const Trace &trace, const ReportSlice &slice);

} // namespace laggard
