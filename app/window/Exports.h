// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/TimelineExportDialog.h"
#include "app/window/Workspace.h"

#include <string>

namespace laggard {

/// The whole progress-dependence graph, in the format of the file's ending: SVG, PNG, PDF or DOT. Throws PictureError, also while
/// the graph has not been laid out.
void exportGraph(Workspace &workspace, const std::string &file);

/// All rows of the timeline in the time that was chosen, in the format of the file's ending: SVG, PNG or PDF. Throws
/// PictureError.
void exportTimelineRows(Workspace &workspace, const std::string &file, const TimelineFileChoice &choice = {});

/// Verdict, findings, pictures as they are shown, and warnings as one HTML page. Throws WriteError and PictureError.
void exportHtmlReport(Workspace &workspace, const std::string &file);

/// The steps of the slice, by the file's ending as CSV, JSON (schema "laggard.slice/1") or, for any other, as text. Throws
/// WriteError, also where there is no slice.
void exportSlice(Workspace &workspace, const std::string &file);

} // namespace laggard
