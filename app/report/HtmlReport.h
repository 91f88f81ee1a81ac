// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/DrawnPictures.h"
#include "app/report/Report.h"

namespace laggard {

/// The report as one HTML page that needs no other file: verdict, findings, progress-dependence graph, timeline, who
/// waits for whom, the slice (unless nullptr), warnings, and facts about the trace.
void writeHtml(std::ostream &out, const Report &report, const ReportPictures &pictures, const ReportSlice *slice = nullptr);

} // namespace laggard
