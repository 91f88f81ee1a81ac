// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <string>

namespace laggard {

/// Draws the progress-dependence graph into `path` (.svg, .png, .pdf, .dot). Needs no display. Throws WriteError.
void drawPicture(const Report &report, const std::string &path, int argc, char **argv);

} // namespace laggard
