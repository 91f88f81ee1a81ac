// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/JudgeUnits.h"

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>

namespace laggard {

/// What processes did that the model does not have: the most suspicious units, and the calls in which they differ.
void writeUnits(std::ostream &out, const Trace &trace, const UnitReport &report);

/// A unit as in "units" of a report.
[[nodiscard]] nlohmann::ordered_json unitJson(const Trace &trace, const JudgedUnit &unit);

/// Adds "units" and "units_judged" to a report (docs/json-report.md).
void addUnitSections(nlohmann::ordered_json &document, const Trace &trace, const UnitReport &report);

/// The same as writeUnits, for a page.
void writeHtmlUnits(std::ostream &out, const Trace &trace, const UnitReport &report);

} // namespace laggard
