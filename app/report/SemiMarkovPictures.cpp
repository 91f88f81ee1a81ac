// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/SemiMarkovPictures.h"

#include "app/report/WriteFile.h"
#include "views/charts/ChartExport.h"
#include "views/graph/ExportPicture.h"
#include "views/semimarkov/PhaseChart.h"
#include "views/semimarkov/SmmPicture.h"

namespace laggard {
namespace {

bool hasModel(const Report &report) { return report.models && !report.models->empty() && !report.models->clusters.empty(); }

QByteArray render(const Report &report, PictureFormat format, const LayoutLimits &limits) {
    SmmPicture smm = makeSmmPicture(*report.trace, *report.models, openingCut(*report.models), {});
    const GraphLayout layout = layOutWithin(limits, layoutRequest(smm.picture));
    return renderPicture(makeScene(std::move(smm.picture), layout), format);
}

} // namespace

void drawSemiMarkovModel(const Report &report, const std::string &path, const LayoutLimits &limits) {
    const std::optional<PictureFormat> format = pictureFormat(path);
    if (!format)
        throw WriteError("the picture \"" + path + "\" must end in .svg, .png, .pdf or .dot");
    if (!hasModel(report))
        throw WriteError(
            "there is no semi-Markov model to draw in \"" + path +
            (report.models ? "\": too little was recorded" : "\": phases, clusters and transitions were not asked for"));
    try {
        const QByteArray picture = render(report, *format, limits);
        writeFile(path, {picture.data(), static_cast<std::size_t>(picture.size())});
    } catch (const LayoutError &error) {
        throw WriteError(error.what());
    } catch (const PictureError &error) {
        throw WriteError(error.what());
    }
}

std::string semiMarkovModelSvg(const Report &report, const LayoutLimits &limits) {
    return hasModel(report) ? render(report, PictureFormat::Svg, limits).toStdString() : std::string();
}

std::string phaseChartSvg(const Report &report) {
    if (!hasModel(report) || report.models->phases.size() < 2)
        return {};
    const Chart chart = phaseChart(*report.trace, *report.models, phaseMetrics(*report.models).front());
    return renderChart(chart, PictureFormat::Svg).toStdString();
}

} // namespace laggard
