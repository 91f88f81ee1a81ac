// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/ExportPicture.h"
#include "views/timeline/TimelineView.h"

namespace laggard {

/// A timeline as a file's content: all rows of the view in its time window, whatever part of them is on the screen, with title,
/// trace, axis, legend of the functions shown and a note where data were lost. `view.area` gives the width. SVG, PNG at twice the
/// size, PDF with one page. Light, whatever the window is. Needs a QGuiApplication. Throws PictureError, also for DOT, which is
/// for graphs.
[[nodiscard]] QByteArray renderTimeline(const TimelineView &view, PictureFormat format);

/// Writes the picture to a file, in the format of its ending. The file is written whole or not at all. Throws PictureError.
void exportTimeline(const TimelineView &view, const std::string &path);

} // namespace laggard
