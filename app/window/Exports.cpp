// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Exports.h"

#include "app/report/HtmlReport.h"
#include "app/report/ReportPictures.h"
#include "app/report/WriteFile.h"
#include "views/graph/ExportPicture.h"
#include "views/pdg/PdgView.h"
#include "views/timeline/TimelineExport.h"
#include "views/timeline/TimelineWidget.h"

#include <QCoreApplication>

#include <sstream>

namespace laggard {

void exportGraph(Workspace &workspace, const std::string &file) {
    const GraphScene *scene = workspace.graph().scene();
    if (scene == nullptr)
        throw PictureError(QCoreApplication::translate("Exports", "The graph has not been laid out yet.").toStdString());
    exportPicture(*scene, file);
}

void exportTimelineRows(Workspace &workspace, const std::string &file) { exportTimeline(workspace.timeline().view(), file); }

void exportHtmlReport(Workspace &workspace, const std::string &file) {
    ReportPictures pictures;
    if (const GraphScene *scene = workspace.graph().scene())
        pictures.progressGraph = renderPicture(*scene, PictureFormat::Svg).toStdString();
    pictures.timeline = renderTimeline(workspace.timeline().view(), PictureFormat::Svg).toStdString();
    std::ostringstream page;
    writeHtml(page, *workspace.report(), pictures);
    writeFile(file, page.str());
}

} // namespace laggard
