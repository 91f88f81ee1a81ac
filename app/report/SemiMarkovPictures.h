// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <string>

namespace laggard {

/// Draws the clustered semi-Markov model of the shown phase into `path` (.svg, .png, .pdf, .dot). Needs a QGuiApplication. Throws
/// WriteError, also where there is no model.
void drawSemiMarkovModel(const Report &report, const std::string &path);

/// The same as SVG; empty where there is no model. Throws LayoutError and PictureError.
[[nodiscard]] std::string semiMarkovModelSvg(const Report &report);

/// The deviation scores of phases as SVG; empty with fewer than two phases. Needs a QApplication. Throws PictureError.
[[nodiscard]] std::string phaseChartSvg(const Report &report);

} // namespace laggard
