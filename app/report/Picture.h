// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <string>

namespace laggard {

/// Draws the progress-dependence graph into `path` (.svg, .png, .pdf, .dot). Needs a QGuiApplication. Throws WriteError.
void drawProgressGraph(const Report &report, const std::string &path);

} // namespace laggard
