// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/answer/Report.h"

#include <nlohmann/json_fwd.hpp>

#include <iosfwd>

namespace laggard {

/// What the times of a report are: whether clocks were wrong, and what became of the recorder's own time; nothing where neither
/// is known.
void writeClocks(std::ostream &out, const Report &report);

/// Calls whose outcome depended on which message came first. Nothing if races were not asked for.
void writeRaces(std::ostream &out, const Report &report);

/// Adds "clocks", "corrected" and "races" to a report (docs/json-report.md), those that there are.
void addTimeSections(nlohmann::ordered_json &document, const Report &report);

} // namespace laggard
