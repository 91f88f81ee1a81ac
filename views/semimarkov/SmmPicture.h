// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "analysis/behaviour/Separation.h"
#include "analysis/behaviour/StatePlaces.h"
#include "views/graph/GraphPicture.h"
#include "views/semimarkov/SmmStates.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace laggard {

/// More states than this are not drawn at once unless they are asked for.
inline constexpr std::size_t mostStatesAtOnce = 300;

/// What of the model is drawn.
struct SmmFilter {
    std::optional<std::uint32_t> cluster; ///< what this one does alone
    double minimum = 0;                   ///< probability; characteristic transitions are drawn all the same
    bool allStates = false;               ///< however many there are
    std::vector<std::uint32_t> centres;   ///< transitions whose neighbourhood is wanted beside that of the characteristic ones
    bool operator==(const SmmFilter &) const = default;
};

/// Where time runs in the picture.
enum class SmmFlow { Downwards, Rightwards };

/// The clustered model of the shown phase as a picture (AutomaDeD §4.5, Figure 5).
struct SmmPicture {
    GraphPicture picture;
    std::vector<std::uint32_t>
        states; ///< by node, in StateTable::states; several nodes: its parts, or ends where ranks did not return
    std::vector<RegionId> functions;        ///< by node: its function if it is a part of a state that is split, else `none`
    std::vector<std::uint32_t> transitions; ///< by edge, in StateTable::transitions; `none` from part to part of a state
    std::size_t allStates = 0;              ///< that pass the filter; more than are drawn where only a neighbourhood is

    /// The node of a state, or of its first part.
    [[nodiscard]] std::optional<std::uint32_t> nodeOf(std::uint32_t state) const;
    [[nodiscard]] std::optional<std::uint32_t> edgeOf(std::uint32_t transition) const;
    [[nodiscard]] bool isNeighbourhood() const { return drawnStates < allStates; }
    std::size_t drawnStates = 0;
};

/// Needs a QGuiApplication: text is measured with the fonts it is painted in. `report` must not be empty.
[[nodiscard]] SmmPicture makeSmmPicture(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut,
                                        const SmmFilter &filter, SmmFlow flow = SmmFlow::Downwards);

/// "11.8 ms, others 2.22 ms": in what the unusual ranks differ. Means, of several clusters the one nearest to them.
[[nodiscard]] QString separationText(const ClusterCut &cut, const Separation &separation);

/// The clusters that take a transition, with probabilities: a line for each probability, "A, B 100 %".
[[nodiscard]] QString usesText(const ClusterCut &cut, const TransitionUse &use, std::optional<std::uint32_t> onlyCluster);

/// "98 %", "< 1 %".
[[nodiscard]] QString probabilityText(double probability);

} // namespace laggard
