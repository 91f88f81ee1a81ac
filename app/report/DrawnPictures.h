// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace laggard {

/// The pictures of an HTML report, each a whole SVG document; empty ones are left out.
struct ReportPictures {
    std::string progressGraph;
    std::string timeline;
    std::string phases;          ///< deviation score of each phase
    std::string semiMarkovModel; ///< model of the shown phase
};

} // namespace laggard
