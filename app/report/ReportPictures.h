// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/DrawnPictures.h"
#include "app/report/LayoutLimits.h"
#include "app/report/Report.h"
#include "trace/Work.h"

#include <string>

namespace laggard {

/// Draws the progress-dependence graph into `path` (.svg, .png, .pdf, .dot), with `allEdges` also waits that follow from others.
/// Needs a QGuiApplication. Throws WriteError and Cancelled.
void drawProgressGraph(const Report &report, const std::string &path, bool allEdges, const LayoutLimits &limits);

/// Draws the pictures of an HTML report: graphs, the timeline of the last stretch of activity, phases. Needs a QApplication.
/// Throws WriteError and Cancelled.
[[nodiscard]] ReportPictures drawReportPictures(const Report &report, const LayoutLimits &limits, const Work &work);

} // namespace laggard
