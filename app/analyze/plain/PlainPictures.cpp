// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/Pictures.h"
#include "app/analyze/plain/Programs.h"
#include "app/report/HtmlReport.h"
#include "app/report/PlainGraph.h"
#include "app/report/WriteFile.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace laggard {
namespace {

std::string svg(const PlainGraph &graph, const AnalyzeOptions &options, const Work &work) {
    const std::string program = findProgram("laggard-layout", "LAGGARD_LAYOUT", "layout");
    if (program.empty())
        throw WriteError(
            "laggard-layout, which places the nodes of a picture, is not there: a picture that ends in .dot needs no places");
    const ProgramEnd end = runProgram({program}, layoutQuestion(graph), options.layoutTime, work.stop);
    if (end.isOverdue)
        throw WriteError("the graph was not laid out in time (--layout-timeout)");
    if (end.status != 0)
        throw WriteError("the graph could not be laid out: " + end.errors.substr(0, end.errors.find('\n')));
    try {
        return svgOf(graph, end.output);
    } catch (const std::runtime_error &error) {
        throw WriteError(error.what());
    }
}

PlainGraph graphOf(const Report &report, bool allEdges) {
    return plainGraph(report.progress, allEdges, report.trace->seconds(std::min(report.progress.at, report.trace->range.end)));
}

} // namespace

void drawPictures(const AnalyzeOptions &options, const Report &report, const ReportSlice *slice, const Work &work, int &,
                  char **) {
    if (!options.pdg.empty()) {
        const PlainGraph graph = graphOf(report, options.pdgFull);
        if (options.pdg.ends_with(".dot"))
            writeFile(options.pdg, dotOf(graph));
        else if (options.pdg.ends_with(".svg"))
            writeFile(options.pdg, svg(graph, options, work));
        else
            throw std::invalid_argument("this laggard-analyze was built without Qt: the picture \"" + options.pdg +
                                        "\" must end in .dot or .svg");
    }
    if (!options.smm.empty())
        throw std::invalid_argument("--smm: this laggard-analyze was built without Qt, and draws no state models");
    if (!options.html.empty()) {
        ReportPictures pictures;
        if (!report.progress.nodes.empty() && !findProgram("laggard-layout", "LAGGARD_LAYOUT", "layout").empty())
            pictures.progressGraph = svg(graphOf(report, false), options, work);
        std::ostringstream page;
        writeHtml(page, report, pictures, slice);
        throwIfCancelled(work);
        writeFile(options.html, page.str());
    }
}

} // namespace laggard
