// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/BothModels.h"
#include "views/graph/GraphPicture.h"

#include <optional>
#include <vector>

namespace laggard {

/// The models of two runs as one picture.
struct BothModelsPicture {
    GraphPicture picture;
    std::vector<std::uint32_t> states; ///< by node, in the table of states
    std::vector<std::size_t> rows;     ///< by edge, in BothModels::transitions

    [[nodiscard]] std::optional<std::uint32_t> edgeOf(std::size_t row) const;
};

/// Where there are more states than can be taken in at once: those in which the runs differ most, and what links them. Edges
/// that differ are bold and say both values; what one run alone does says which. `trace`: this run's, which tells where functions
/// are; `sideways`: time runs to the right. Needs a QGuiApplication.
[[nodiscard]] BothModelsPicture makeBothModelsPicture(const Trace &trace, const BothModels &models, bool sideways);

/// "11.8 ms, other run 2.22 ms", "this run only, 2.47 s", "30 %, other run 60 %"; empty where they agree.
[[nodiscard]] QString differenceText(const BothTransition &transition);

} // namespace laggard
