// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/SliceCommand.h"

#include "app/slice/TraceSlice.h"

#include <QCoreApplication>

#include <clocale>

namespace laggard {

std::optional<ReportSlice> askedSlice(const Report &report, const AnalyzeOptions &options, const Work &work, int &argc,
                                      char **argv) {
    if (!options.slice.steps)
        return std::nullopt;
    const QCoreApplication application(argc, argv); // knows where this program lies, and so the slicer
    std::setlocale(LC_NUMERIC, "C");                // Qt has set the user's; numbers look alike in all outputs
    PathMap paths;
    paths.setTraceFolder(folderOfTrace(QString::fromStdString(report.trace->path)));
    for (const auto &[from, to] : options.slice.pathMap)
        paths.addRule({QString::fromStdString(from), QString::fromStdString(to)});
    SliceSettings settings;
    settings.depth = options.slice.depth;
    settings.thin = options.slice.thin;
    settings.time = options.slice.time;
    settings.compileCommands = QString::fromStdString(options.slice.compileCommands);
    for (const std::string &binary : options.slice.binaries)
        settings.binaries << QString::fromStdString(binary);
    ReportSlice slice = makeSlice(report, paths, settings, {}, work).report;
    slice.steps = *options.slice.steps;
    return slice;
}

} // namespace laggard
