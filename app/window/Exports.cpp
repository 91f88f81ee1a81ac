// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/Exports.h"

#include "analysis/words/HeadlineWords.h"
#include "app/report/HtmlReport.h"
#include "app/report/ReportPictures.h"
#include "app/report/SemiMarkovPictures.h"
#include "app/report/SliceSections.h"
#include "app/report/WriteFile.h"
#include "app/window/ReportLook.h"
#include "views/graph/ExportPicture.h"
#include "views/graph/LayoutProcess.h"
#include "views/kit/ItemView.h"
#include "views/kit/Text.h"
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

void exportTimelineRows(Workspace &workspace, const std::string &file, const TimelineFileChoice &choice) {
    if (workspace.report()->dump)
        throw PictureError(QCoreApplication::translate("Exports", "A model dump has no timeline.").toStdString());
    const Report &report = *workspace.report();
    TimelineView view = workspace.timeline().view();
    const std::optional<TimeRange> selected = workspace.selection().current().time;
    if (choice.range == TimelineFileChoice::Range::Whole)
        view.window = report.trace->range;
    else if (choice.range == TimelineFileChoice::Range::Selected && selected && selected->length() > 0)
        view.window = *selected;
    TimelineFileLook look;
    look.isDark = choice.isDark;
    look.pngScale = choice.pngScale;
    if (choice.hasVerdict) {
        look.verdict = toText(headlineOf(report.verdict.facts));
        look.verdictAt = momentOf(report).time;
    }
    exportTimeline(view, file, look);
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
