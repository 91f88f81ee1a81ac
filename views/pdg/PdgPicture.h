// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/ProgressGraph.h"
#include "views/graph/GraphPicture.h"

#include <map>
#include <optional>

namespace laggard {

/// What the picture of a progress graph says about where it comes from. All of it may be absent (model dumps have no time).
struct PictureContext {
    QString source;                         ///< name of the trace
    std::optional<double> atSeconds;        ///< the moment that was asked about, from the trace's start
    std::optional<double> durationSeconds;  ///< the trace's duration
    QString dataLoss;                       ///< a sentence; empty if nothing was lost
    std::map<std::uint32_t, QString> notes; ///< by node, typed by the user
    RankSet lost;                           ///< ranks of which events were lost: those in no node get one, which says so
    bool allEdges = false;                  ///< also the waits that follow from others
    bool sideways = false;                  ///< from left to right, the least progressed at the right
    /// Nodes that stand for several (analysis/progress/CollapsedGraph.h): for how many, and the ranks that these wait for.
    struct Group {
        std::size_t nodes = 0;
        RankSet waitFor;
    };
    std::map<std::uint32_t, Group> groups;
};

[[nodiscard]] PictureContext contextOf(const Trace &trace, Tick at);

/// Of the ranks of which events were lost, those that are in no node of the graph, as nothing is known of them.
[[nodiscard]] RankSet lostRanks(const ProgressGraph &graph, const PictureContext &context);

/// The progress-dependence graph as a picture: nodes as in the graph, and behind them one for `lostRanks`, if there are any.
/// Needs a QGuiApplication: text is measured with the fonts it is painted in.
[[nodiscard]] GraphPicture makePdgPicture(const ProgressGraph &graph, const PictureContext &context);

} // namespace laggard
