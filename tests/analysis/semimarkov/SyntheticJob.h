// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/TraceBuilder.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace laggard::test {

/// A bulk-synchronous job: in each step a rank computes, computes again, sends around a ring, and meets the others in an
/// all-reduce.
struct SyntheticJob {
    Rank ranks = 8;
    int steps = 12;
    Tick compute = 100'000; ///< ticks of the longer computation
    double noise = 0.02;    ///< relative spread of computations
    unsigned seed = 1;
    Tick shift = 0;                       ///< added to all times
    Rank rotate = 0;                      ///< rank r of the trace does what rank r + rotate does
    std::function<Tick(Rank, int)> extra; ///< further time in `flux` of a rank in a step
    int hangStep = -1;                    ///< rank `hangRank` does not return from `flux` in this step
    Rank hangRank = 0;
    bool hangInSend = false; ///< … but from MPI_Send
    Tick silence = 0;        ///< how much longer the trace goes on after the last event of a hung job

    [[nodiscard]] TracePtr build() const {
        TraceBuilder builder(ranks);
        std::mt19937 random(seed);
        std::normal_distribution<double> spread(1, noise);
        std::vector<std::vector<Tick>> first(static_cast<std::size_t>(steps)), second(first.size());
        for (std::size_t s = 0; s < first.size(); ++s)
            for (Rank r = 0; r < ranks; ++r) {
                first[s].push_back(static_cast<Tick>(static_cast<double>(compute) / 4 * spread(random)));
                second[s].push_back(static_cast<Tick>(static_cast<double>(compute) * spread(random)));
            }
        Tick now = shift + 1000;
        for (Rank r = 0; r < ranks; ++r)
            builder.enter(r, now, "main").call(r, now + 10, now + 500 + r, "MPI_Init");
        now += 1000;
        Tick last = now;
        for (int s = 0; s < steps; ++s) {
            Tick meet = 0;
            for (Rank r = 0; r < ranks; ++r) {
                const Rank role = (r + rotate) % ranks;
                const auto step = static_cast<std::size_t>(s);
                const Tick sent = now + first[step][role];
                const Tick longer = extra ? extra(role, s) : 0;
                const bool hangs = s == hangStep && role == hangRank;
                builder.enter(r, now + 1, "step").call(r, now + 2, sent, "prepare").enter(r, sent + 5, "MPI_Send");
                last = std::max(last, sent + 5);
                if (hangs && hangInSend)
                    continue;
                builder.leave(r, sent + 30, "MPI_Send");
                builder.enter(r, sent + 40, "flux");
                last = std::max(last, sent + 40);
                if (hangs)
                    continue;
                const Tick done = sent + 40 + second[step][role] + longer;
                builder.leave(r, done, "flux").enter(r, done + 10, "MPI_Allreduce");
                meet = std::max(meet, done + 10);
            }
            last = std::max(last, meet);
            if (s == hangStep)
                return builder.finish(last + silence);
            for (Rank r = 0; r < ranks; ++r)
                builder.leave(r, meet + 20 + r, "MPI_Allreduce").leave(r, meet + 50, "step");
            now = meet + 60;
        }
        for (Rank r = 0; r < ranks; ++r)
            builder.call(r, now, now + 100, "MPI_Finalize").leave(r, now + 200, "main");
        return builder.finish(now + 300);
    }
};

/// Rank 4 does not come out of MPI_Send in step 8, and nobody is outside MPI.
[[nodiscard]] inline SyntheticJob hungInSend() {
    SyntheticJob job;
    job.hangStep = 8;
    job.hangRank = 4;
    job.hangInSend = true;
    job.silence = 2'000'000;
    return job;
}

} // namespace laggard::test
