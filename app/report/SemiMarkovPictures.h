// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/LayoutLimits.h"
#include "app/report/Report.h"

#include <string>

namespace laggard {

/// Draws the clustered semi-Markov model of the shown phase into `path` (.svg, .png, .pdf, .dot). Needs a QGuiApplication. Throws
/// WriteError, also where there is no model, and Cancelled.
void drawSemiMarkovModel(const Report &report, const std::string &path, const LayoutLimits &limits);

/// The same as SVG; empty where there is no model. Throws LayoutError, PictureError and Cancelled.
[[nodiscard]] std::string semiMarkovModelSvg(const Report &report, const LayoutLimits &limits);

/// The deviation scores of phases as SVG; empty with fewer than two phases. Needs a QApplication. Throws PictureError.
[[nodiscard]] std::string phaseChartSvg(const Report &report);

} // namespace laggard
