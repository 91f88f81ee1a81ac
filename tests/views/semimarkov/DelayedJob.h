// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/ClusterCut.h"
#include "tests/analysis/semimarkov/SyntheticJob.h"

#include <memory>

namespace laggard::test {

/// A job of eight ranks and twelve steps in which rank 5 took four steps' time longer in step 7, and what the analysis says of
/// it.
struct DelayedJob {
    static constexpr Rank slowRank = 5;
    static constexpr std::uint32_t slowPhase = 7;
    TracePtr trace;
    std::shared_ptr<const SemiMarkovReport> report;
    ClusterCut cut;

    explicit DelayedJob(int references = 0) {
        SyntheticJob job;
        job.extra = [](Rank rank, int step) { return rank == slowRank && step == slowPhase ? Tick{400'000} : Tick{0}; };
        trace = job.build();
        std::vector<TracePtr> samples;
        for (int i = 0; i < references; ++i) {
            SyntheticJob sample;
            sample.seed = 100U + static_cast<unsigned>(i);
            samples.push_back(sample.build());
        }
        report = std::make_shared<const SemiMarkovReport>(analyseSemiMarkov(*trace, samples, {}, {}));
        cut = trainedCut(*report);
    }
};

} // namespace laggard::test
