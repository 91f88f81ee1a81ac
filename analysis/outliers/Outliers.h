// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/outliers/FailStop.h"
#include "analysis/outliers/Profiles.h"
#include "analysis/verdict/Verdict.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace laggard {

/// How much a component adds to the distance that is a rank's suspect score (thesis equation 5.9).
struct ProfileDifference {
    std::uint32_t component = none; ///< in Ranking::profiles
    double difference = 0;          ///< share of the rank minus share of its neighbour: its sign says who spent more there
};

/// A rank's place in a ranking.
struct SuspectScore {
    Rank rank = none;
    double unsupervised = 0; ///< distance to the k-th nearest other rank (equation 5.6), 0..2 for time profiles
    std::optional<double>
        oneClass; ///< the smaller of that and the distance to the nearest reference (equation 5.8); with references only
    std::uint32_t row = none;                     ///< the rank's row in Ranking::profiles
    std::uint32_t neighbour = none;               ///< row of the neighbour that gave the score
    std::vector<ProfileDifference> contributions; ///< largest first; those that are not 0, at most 20

    [[nodiscard]] double score() const { return oneClass.value_or(unsupervised); }
};

/// Ranks in falling order of suspect score (thesis §5.1.2), from one kind of profile.
struct Ranking {
    ProfileOptions options;
    std::shared_ptr<const ProfileSet> profiles; ///< ranks of the trace first, then references
    std::uint32_t k = 0;                        ///< which neighbour: a quarter of the ranks, at least 4, at most all others
    std::vector<SuspectScore> scores;           ///< falling score(), then rank
    double threshold = 0;                       ///< scores above it are outliers: docs/algorithms/outliers.md, "Suspect scores"
    std::size_t suspects = 0;                   ///< how many of `scores` are above the threshold
    std::size_t leftOut = 0;                    ///< references that are model dumps: without events there is nothing to compare
};

struct OutlierOptions {
    ProfileOptions::By by = ProfileOptions::By::CallPath;
    ProfileOptions::Measure measure = ProfileOptions::Measure::Time;
    std::optional<double> clockResolution = {}; ///< seconds, for fail-stop
};

/// What the outlier analyses say about a trace.
struct OutlierReport {
    FailStop failStop;
    Ranking withoutMpi; ///< who computes differently: a rank that computes longer makes all others wait
    Ranking withMpi;    ///< who spends its time differently, waiting included
    /// Fail-stop first; if there is none, outliers without MPI time, then those that only show with it.
    std::vector<Finding> findings;
};

/// The call path of `trace` that a component stands for; by function, one that ends in it. `none` if only a reference has it.
[[nodiscard]] CallPathId callPathOf(const Trace &trace, const ProfileComponent &component, ProfileOptions::By by);

/// Ranks `profiles` (rows of source 0), each against the others and the references. Throws Cancelled.
[[nodiscard]] Ranking rankProfiles(std::shared_ptr<const ProfileSet> profiles, const ProfileOptions &options, const Work &work);

/// Fail-stop test, then both rankings. References without events (model dumps) are left out. Throws Cancelled.
[[nodiscard]] OutlierReport findOutliers(const Trace &trace, std::span<const TracePtr> references, const OutlierOptions &options,
                                         const Work &work);

} // namespace laggard
