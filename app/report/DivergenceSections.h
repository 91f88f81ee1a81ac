// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <nlohmann/json.hpp>

#include <iosfwd>

namespace laggard {

/// Where the run departs from the other one; nothing if it was compared with none.
void writeDivergence(std::ostream &out, const Report &report);

/// The same as a part of a page.
void writeHtmlDivergence(std::ostream &out, const Report &report);

/// Adds "divergence" (docs/json-report.md). The report must have one.
void addDivergenceSection(nlohmann::ordered_json &document, const Report &report);

} // namespace laggard
