// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/ReportPictures.h"

#include "analysis/detail/ActiveWindow.h"
#include "app/report/NamedSuspect.h"
#include "app/report/SemiMarkovPictures.h"
#include "app/report/WriteFile.h"
#include "views/graph/ExportPicture.h"
#include "views/pdg/PdgPicture.h"
#include "views/timeline/TimelineExport.h"

#include <QGuiApplication>

namespace laggard {
namespace {

constexpr double pictureWidth = 1400;

GraphScene makeGraphScene(const Report &report, bool allEdges, const LayoutLimits &limits) {
    PictureContext context = contextOf(*report.trace, report.progress.at);
    context.allEdges = allEdges;
    GraphPicture picture = makePdgPicture(report.progress, context);
    const GraphLayout layout = layOutWithin(limits, layoutRequest(picture));
    return makeScene(std::move(picture), layout);
}

QByteArray drawTimeline(const Report &report, const Work &work) {
    const TracePyramidPtr pyramid = buildPyramid(*report.trace, work);
    const RowModel rows(report.trace, pyramid);
    const RegionColours colours(*report.trace);
    TimelineView view;
    view.trace = report.trace;
    view.pyramid = pyramid;
    view.rows = &rows;
    view.colours = &colours;
    view.font = QGuiApplication::font();
    view.window = lastActiveWindow(*report.trace);
    view.suspect = suspectOf(report);
    view.selection.ranks = report.progress.leastProgressed;
    view.area = QRectF(0, 0, pictureWidth, 0);
    return renderTimeline(view, PictureFormat::Svg);
}

} // namespace

void drawProgressGraph(const Report &report, const std::string &path, bool allEdges, const LayoutLimits &limits) {
    try {
        const std::optional<PictureFormat> format = pictureFormat(path);
        if (!format)
            throw WriteError("the picture \"" + path + "\" must end in .svg, .png, .pdf or .dot");
        const QByteArray picture = renderPicture(makeGraphScene(report, allEdges, limits), *format);
        writeFile(path, {picture.data(), static_cast<std::size_t>(picture.size())});
    } catch (const LayoutError &error) {
        throw WriteError(error.what());
    } catch (const PictureError &error) {
        throw WriteError(error.what());
    }
}

ReportPictures drawReportPictures(const Report &report, const LayoutLimits &limits, const Work &work) {
    try {
        ReportPictures pictures;
        if (!report.progress.nodes.empty())
            pictures.progressGraph = renderPicture(makeGraphScene(report, false, limits), PictureFormat::Svg).toStdString();
        if (!report.dump)
            pictures.timeline = drawTimeline(report, work).toStdString();
        throwIfCancelled(work);
        pictures.phases = phaseChartSvg(report);
        pictures.semiMarkovModel = semiMarkovModelSvg(report, limits);
        return pictures;
    } catch (const LayoutError &error) {
        throw WriteError(error.what());
    } catch (const PictureError &error) {
        throw WriteError(error.what());
    }
}

} // namespace laggard
