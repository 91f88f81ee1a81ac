// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/TraceBuilder.h"

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace laggard::test {

/// A job with marked phases, in each of which a rank computes four times: for 100,000, 400,000, 200,000 and 2,000 ticks, before
/// MPI_Sendrecv, MPI_Allreduce, MPI_Barrier and the next mark. Computations of a rank are counted over the run, from 0.
struct SharedProcessorJob {
    static constexpr Tick lengths[4] = {100'000, 400'000, 200'000, 2'000};

    Rank ranks = 2;
    int phases = 12;
    double noise = 0.02; ///< relative spread of computations
    unsigned seed = 1;
    Tick unit = 1;                                    ///< all times are this much longer
    Tick shift = 0;                                   ///< added to all times
    Rank rotate = 0;                                  ///< rank r of the trace does what rank r + rotate does
    std::function<double(Rank, int)> burden;          ///< how many times longer a computation of a rank takes
    std::function<Tick(Rank, int)> heldUp;            ///< ticks added to it
    std::vector<std::vector<Tick>> *starts = nullptr; ///< takes the starts of the computations, by rank

    [[nodiscard]] TracePtr build() const {
        static constexpr const char *calls[3] = {"MPI_Sendrecv", "MPI_Allreduce", "MPI_Barrier"};
        std::mt19937 random(seed);
        std::normal_distribution<double> spread(1, noise);
        std::vector<std::vector<Tick>> times(ranks);
        for (int number = 0; number < 4 * phases; ++number)
            for (Rank role = 0; role < ranks; ++role) {
                const double longer = (burden ? burden(role, number) : 1) * spread(random);
                const auto length = static_cast<Tick>(static_cast<double>(lengths[number % 4]) * longer);
                times[role].push_back(length + (heldUp ? heldUp(role, number) : 0));
            }
        if (starts)
            starts->assign(ranks, {});
        TraceBuilder builder(ranks);
        Tick last = 0;
        for (Rank r = 0; r < ranks; ++r) {
            Tick now = 1000;
            const auto at = [&] { return shift + unit * now; };
            builder.enter(r, at(), "main");
            for (int number = 0; number < 4 * phases; ++number) {
                const auto call = static_cast<std::size_t>(number % 4);
                if (call == 0)
                    builder.phase(r, at());
                if (starts)
                    (*starts)[r].push_back(at());
                now += times[(r + rotate) % ranks][static_cast<std::size_t>(number)];
                if (call == 3)
                    continue;
                const Tick entered = at();
                now += 50;
                builder.call(r, entered, at(), calls[call]);
            }
            builder.phase(r, at(), 0);
            now += 100;
            builder.leave(r, at(), "main");
            last = std::max(last, at());
        }
        return builder.finish(last + unit);
    }
};

/// The judged run, then as many references without a fault.
inline std::vector<TracePtr> withReferences(const SharedProcessorJob &judged, unsigned references) {
    std::vector<TracePtr> traces{judged.build()};
    for (unsigned i = 0; i < references; ++i) {
        SharedProcessorJob reference = judged;
        reference.seed = judged.seed + 100 + i;
        reference.burden = {};
        reference.heldUp = {};
        reference.starts = nullptr;
        traces.push_back(reference.build());
    }
    return traces;
}

inline std::vector<const Trace *> plain(const std::vector<TracePtr> &traces) {
    std::vector<const Trace *> result;
    for (const TracePtr &trace : traces)
        result.push_back(trace.get());
    return result;
}

} // namespace laggard::test
