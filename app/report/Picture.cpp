// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/Picture.h"

#include "app/report/WriteFile.h"
#include "views/graph/ExportPicture.h"
#include "views/graph/LayoutProcess.h"

namespace laggard {

void drawProgressGraph(const Report &report, const std::string &path) {
    try {
        PdgPicture picture = makePicture(report.progress, contextOf(*report.trace, report.progress.at));
        const GraphLayout layout = layOut(layoutRequest(picture));
        exportPicture(makeScene(std::move(picture), layout), path);
    } catch (const std::runtime_error &error) { // LayoutError, PictureError
        throw WriteError(error.what());
    }
}

} // namespace laggard
