// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/Pictures.h"
#include "app/analyze/plain/Programs.h"
#include "app/report/HtmlReport.h"
#include "app/report/PlainGraph.h"
#include "app/report/WriteFile.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>
#include <string_view>

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

/// Whether the name ends so, whatever its case.
bool endsIn(const std::string &file, std::string_view ending) {
    return file.size() >= ending.size() && std::equal(ending.rbegin(), ending.rend(), file.rbegin(), [](char a, char b) {
               return a == std::tolower(static_cast<unsigned char>(b));
           });
}

} // namespace

std::string whyNoPicture(const std::string &file) {
    if (endsIn(file, ".dot") || endsIn(file, ".svg"))
        return {};
    return "\"" + file + "\" must end in .dot or .svg: this laggard-analyze was built without Qt";
}

void drawPictures(const AnalyzeOptions &options, const Report &report, const ReportSlice *slice, const Work &work, int &,
                  char **) {
    if (!options.pdg.empty()) {
        const PlainGraph graph = graphOf(report, options.pdgFull);
        writeFile(options.pdg, endsIn(options.pdg, ".dot") ? dotOf(graph) : svg(graph, options, work));
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
