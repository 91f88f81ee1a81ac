// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/lateness/AlwaysLast.h"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <vector>

namespace laggard {

/// Who is always last, by kind of occasion: a sentence each, and who others waited for longest. Nothing where there were none, or
/// where waiting for the last one takes hardly any of the ranks' time (`ofTime`, rank-seconds).
void writeAlwaysLast(std::ostream &out, const std::vector<Lateness> &kinds, double ofTime);

/// The same as a part of a page.
void writeHtmlAlwaysLast(std::ostream &out, const std::vector<Lateness> &kinds);

/// Adds "always_last" (docs/json-report.md).
void addAlwaysLastSection(nlohmann::ordered_json &report, const std::vector<Lateness> &kinds);

} // namespace laggard
