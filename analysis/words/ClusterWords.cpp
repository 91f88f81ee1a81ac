// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/ClusterWords.h"

#include "trace/Quantity.h"

namespace laggard {

std::string remarkOnCut(const SemiMarkovReport &report) {
    if (!report.told)
        return {};
    const std::size_t told = report.told->clusters.size();
    const std::string difference =
        describeDuration(report.told->seconds) + " a rank, in a phase of " + describeDuration(report.told->phaseSeconds) + ".";
    const std::string trained = "The trained threshold tells " + plural(report.clusters.size(), "cluster") + " apart";
    if (told == 1)
        return trained + ", which differ by at most " + difference;
    return trained + "; those that are joined here differ by at most " + difference;
}

} // namespace laggard
