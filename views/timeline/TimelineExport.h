// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/graph/ExportPicture.h"
#include "views/timeline/TimelineView.h"

#include <optional>
#include <string>

namespace laggard {

/// How a timeline is drawn into a file.
struct TimelineFileLook {
    bool isDark = false;                ///< else light, whatever the window is
    double pngScale = 2;                ///< pixels of a PNG for each of the page
    QString verdict = {};               ///< a line below the title; empty for none
    std::optional<Tick> verdictAt = {}; ///< the moment that it is about, marked where it is in the time that is drawn
};

/// A timeline as a file's content: all rows of the view in its time window, whatever part of them is on the screen, with title,
/// trace, axis, legend of the functions shown and a note where data were lost. `view.area` gives the width. SVG, PNG, PDF with
/// one page. Needs a QGuiApplication. Throws PictureError, also for DOT, which is for graphs.
[[nodiscard]] QByteArray renderTimeline(const TimelineView &view, PictureFormat format, const TimelineFileLook &look = {});

/// Writes the picture to a file, in the format of its ending. The file is written whole or not at all. Throws PictureError.
void exportTimeline(const TimelineView &view, const std::string &path, const TimelineFileLook &look = {});

} // namespace laggard
