// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "views/picture/FramedPicture.h"

#include <optional>
#include <vector>

namespace laggard {

/// The hierarchy of the shown phase (AutomaDeD §3.4), as rows of ranks on the left that join towards the right. No window is
/// needed.
struct Dendrogram;
struct DendrogramRow {
    RankSet ranks;
    std::uint32_t cluster = none; ///< at the cut; `none`: several
    std::size_t models = 1;       ///< different ones that are folded into it
    double folded = 0;            ///< difference up to which they join among themselves
};
struct DendrogramJoin {
    double height = 0;            ///< Diff at which both sides join
    double top = 0;               ///< rows, from 0 in the middle of the first one
    double bottom = 0;            ///< rows
    double topHeight = 0;         ///< where the upper side comes from
    double bottomHeight = 0;      ///< where the lower side comes from
    std::uint32_t cluster = none; ///< the cluster of both sides, if it is the same
    std::uint32_t topCluster = none;
    std::uint32_t bottomCluster = none;
    bool natural = false; ///< between natural groups: never made by a threshold
};
struct DendrogramPicture {
    QString title;
    QString subject;
    QString loss;
    QString judgement; ///< clusterJudgement
    QStringList remarks;
    std::vector<DendrogramRow> rows;
    std::vector<DendrogramJoin> joins; ///< those between natural groups are not to scale
    double largest = 0;                ///< Diff at the right end of the axis
    double trained = 0;                ///< the threshold that the analysis chose
    double threshold = 0;              ///< the one in force
    std::size_t clusters = 0;
};

/// At most `mostRows` rows: what joins first is folded. `report` must not be empty.
[[nodiscard]] DendrogramPicture makeDendrogram(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut,
                                               std::size_t mostRows);

/// The threshold that gives the next number of clusters, fewer (`step` > 0: a larger threshold) or more (< 0); `threshold` itself
/// where there is none.
[[nodiscard]] double nextThreshold(const Dendrogram &dendrogram, double threshold, int step);

/// Where what lies in an area.
struct DendrogramGeometry {
    QRectF plot; ///< from Diff 0 to the largest, rows from top to bottom
    double rowHeight = 0;
    double largest = 1;

    [[nodiscard]] double x(double height) const { return plot.left() + plot.width() * height / largest; }
    [[nodiscard]] double height(double x) const;
    [[nodiscard]] double y(double row) const { return plot.top() + (row + 0.5) * rowHeight; }
    [[nodiscard]] std::optional<std::size_t> rowAt(double y, std::size_t rows) const;
};
[[nodiscard]] DendrogramGeometry dendrogramGeometry(const DendrogramPicture &picture, const QRectF &area);

/// `marked`: rows that are selected. `current`: the one that the keyboard stands on.
void paintDendrogram(QPainter &painter, const QRectF &area, const DendrogramPicture &picture, const ClusterCut &cut,
                     const Theme &theme, const std::vector<bool> &marked = {}, std::optional<std::size_t> current = {});

/// The picture with its frame, to be written to a file.
[[nodiscard]] FramedPicture framed(const DendrogramPicture &picture, const ClusterCut &cut);

} // namespace laggard
