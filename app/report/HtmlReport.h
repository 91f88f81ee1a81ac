// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/report/Report.h"

#include <string>

namespace laggard {

/// The pictures of an HTML report, each a whole SVG document; empty ones are left out.
struct ReportPictures {
    std::string progressGraph;
    std::string timeline;
};

/// The report as one HTML page that needs no other file: verdict, findings, progress-dependence graph, timeline, who
/// waits for whom, warnings, and facts about the trace.
void writeHtml(std::ostream &out, const Report &report, const ReportPictures &pictures);

} // namespace laggard
