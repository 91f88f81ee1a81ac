// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/analyze/Options.h"
#include "trace/Work.h"

#include <string>

namespace laggard {

/// Why no picture can be written to a file of this name, by its ending: a sentence's end; empty if one can. A build without Qt
/// knows fewer endings.
[[nodiscard]] std::string whyNoPicture(const std::string &file);

/// Writes the pictures and the page that the options ask for. There are two of these functions: Pictures.cpp paints with Qt;
/// PlainPictures.cpp, of a build without it, writes the progress graph as DOT and SVG, and throws std::invalid_argument where
/// another picture is asked for. Throws WriteError and Cancelled.
void drawPictures(const AnalyzeOptions &options, const Report &report, const ReportSlice *slice, const Work &work, int &argc,
                  char **argv);

} // namespace laggard
