// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/analyze/Pictures.h"

#include "app/report/HtmlReport.h"
#include "app/report/ReportPictures.h"
#include "app/report/SemiMarkovPictures.h"
#include "app/report/WriteFile.h"
#include "trace/Printable.h"
#include "views/picture/PictureFile.h"

#include <QApplication>

#include <clocale>
#include <iostream>
#include <sstream>

namespace laggard {

std::string whyNoPicture(const std::string &file) {
    return isPictureFile(file) ? std::string() : "\"" + file + "\" must end in .svg, .png, .pdf or .dot";
}

void drawPictures(const AnalyzeOptions &options, const Report &report, const ReportSlice *slice, const Work &work, int &argc,
                  char **argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen"); // pictures need fonts, not a display
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext &, const QString &text) {
        if (type == QtCriticalMsg || type == QtFatalMsg) // the rest is about desktops that a login node does not have
            std::cerr << "laggard-analyze: " + printable(text.toStdString()) + '\n';
    });
    const QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // Qt has set the user's; numbers look alike in all outputs
    const LayoutLimits limits{work.stop, options.layoutTime};
    if (!options.pdg.empty())
        drawProgressGraph(report, options.pdg, options.pdgFull, limits);
    throwIfCancelled(work);
    if (!options.smm.empty())
        drawSemiMarkovModel(report, options.smm, limits);
    throwIfCancelled(work);
    if (!options.html.empty()) {
        std::ostringstream page;
        writeHtml(page, report, drawReportPictures(report, limits, work), slice);
        throwIfCancelled(work);
        writeFile(options.html, page.str());
    }
}

} // namespace laggard
