// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Exports.h"

#include "app/report/HtmlReport.h"
#include "app/report/ReportPictures.h"
#include "app/report/SemiMarkovPictures.h"
#include "app/report/SliceSections.h"
#include "app/report/WriteFile.h"
#include "views/graph/ExportPicture.h"
#include "views/graph/LayoutProcess.h"
#include "views/kit/ItemView.h"
#include "views/pdg/PdgView.h"
#include "views/semimarkov/SmmGraphView.h"
#include "views/semimarkov/SmmPanel.h"
#include "views/timeline/TimelineExport.h"
#include "views/timeline/TimelineWidget.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>
#include <sstream>

namespace laggard {
namespace {

/// The graph as it is on the screen, or all of it where the screen shows several nodes as one. Throws PictureError.
GraphScene wholeScene(const PdgView &view) {
    if (!view.isCollapsed())
        return *view.scene();
    GraphPicture picture = view.wholePicture();
    try {
        const GraphLayout layout = layOut(layoutRequest(picture));
        return makeScene(std::move(picture), layout);
    } catch (const LayoutError &error) {
        throw PictureError(error.what());
    }
}

} // namespace

void exportGraph(Workspace &workspace, const std::string &file) {
    const GraphScene *scene = workspace.graph().scene();
    if (scene == nullptr)
        throw PictureError(QCoreApplication::translate("Exports", "The graph has not been laid out yet.").toStdString());
    exportPicture(wholeScene(workspace.graph()), file);
}

void exportTimelineRows(Workspace &workspace, const std::string &file) {
    if (workspace.report()->dump)
        throw PictureError(QCoreApplication::translate("Exports", "A model dump has no timeline.").toStdString());
    exportTimeline(workspace.timeline().view(), file);
}

void exportHtmlReport(Workspace &workspace, const std::string &file) {
    ReportPictures pictures;
    if (workspace.graph().scene() != nullptr)
        pictures.progressGraph = renderPicture(wholeScene(workspace.graph()), PictureFormat::Svg).toStdString();
    const ReportPtr report = workspace.report();
    if (!report->dump)
        pictures.timeline = renderTimeline(workspace.timeline().view(), PictureFormat::Svg).toStdString();
    pictures.phases = phaseChartSvg(*report);
    if (const GraphScene *scene = report->models ? workspace.stateModel().graph()->scene() : nullptr)
        pictures.semiMarkovModel = renderPicture(*scene, PictureFormat::Svg).toStdString();
    std::ostringstream page;
    writeHtml(page, *report, pictures, workspace.sliceReport() ? &*workspace.sliceReport() : nullptr);
    writeFile(file, page.str());
}

void exportSlice(Workspace &workspace, const std::string &file) {
    std::optional<ReportSlice> slice = workspace.sliceReport();
    if (!slice || !slice->slice)
        throw WriteError(QCoreApplication::translate("Exports", "There is no slice; its panel says why.").toStdString());
    const Trace &trace = *workspace.report()->trace;
    std::ostringstream text;
    if (file.ends_with(".csv"))
        text << workspace.slice().view()->csv().toStdString();
    else if (file.ends_with(".json"))
        text << sliceJson(trace, *slice->slice).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
    else {
        slice->steps = slice->slice->lines.size();
        writeSlice(text, trace, *slice);
    }
    writeFile(file, text.str());
}

} // namespace laggard
