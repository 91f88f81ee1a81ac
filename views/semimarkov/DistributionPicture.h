// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "views/graph/GraphPicture.h"
#include "views/picture/FramedPicture.h"

#include <optional>
#include <vector>

namespace laggard {

/// An abnormal occurrence, or one that had not returned.
struct DistributionMark {
    double seconds = 0;
    Rank rank = 0;
    bool open = false;
};

/// How long the state before a transition lasted in one cluster.
struct DistributionRow {
    std::uint32_t cluster = 0;
    QString name; ///< "B: rank 7, unusual"
    TimeMoments times;
    std::vector<double> shares;   ///< by bin: share of the occurrences, 0..1
    std::vector<double> gaussian; ///< by bin: what the Gaussian of the model says, 0..1
    std::vector<DistributionMark> marks;
};

/// Time distributions of one transition by cluster, over common bins. No window is needed.
struct DistributionPicture {
    QString title;
    QString subject;
    QString loss;
    QStringList remarks;
    std::vector<double> edges; ///< edges of the bins in seconds, one more than bins
    bool logarithmic = false;  ///< bins grow by a factor: times differ by orders of magnitude
    std::vector<DistributionRow> rows;
    QString emptyText; ///< if there are no rows
};

/// At most `mostRows` clusters: the faulty one, then the largest. Shares are from the model's histogram, whose buckets are spread
/// as far as the middles to their neighbours.
[[nodiscard]] DistributionPicture makeDistributions(const Trace &trace, const SemiMarkovReport &report, const ClusterCut &cut,
                                                    std::uint32_t transition, std::size_t mostRows = 6);

void paintDistributions(QPainter &painter, const QRectF &area, const DistributionPicture &picture, const ClusterCut &cut,
                        const Theme &theme);

/// Pixels that so many strips need with legend and axis.
[[nodiscard]] int distributionHeight(std::size_t rows, int rowHeight);

/// The strip at a height of `area`.
[[nodiscard]] std::optional<std::size_t> distributionRowAt(const QRectF &area, const DistributionPicture &picture, double y);

/// Where a strip is in `area`.
[[nodiscard]] QRectF distributionRowRect(const QRectF &area, const DistributionPicture &picture, std::size_t row);

/// The picture with its frame, to be written to a file.
[[nodiscard]] FramedPicture framed(const DistributionPicture &picture, const ClusterCut &cut);

} // namespace laggard
