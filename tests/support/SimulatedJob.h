// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace laggard::test {

/// A step of one rank of a simulated job.
struct SimulatedStep {
    enum class Kind : std::uint8_t {
        Compute,  ///< `ticks`
        Send,     ///< to `peer`, buffered
        Receive,  ///< from `peer`
        Post,     ///< a receive, that is completed by the next Complete
        Complete, ///< all posted receives
        Barrier,
        Bcast, ///< `peer` is the root
        Reduce,
    };
    Kind kind = Kind::Compute;
    Rank peer = none;
    std::uint32_t tag = 0;
    Tick ticks = 0;
};

/// How the machine of a simulated job is.
struct SimulatedMachine {
    Tick call = 40;      ///< that each MPI call takes, apart from waiting
    Tick latency = 2000; ///< latency of messages
    Tick entryCost = 0;  ///< cost of the recorder on entering each call
    Tick exitCost = 0;
    /// What the clock of a rank shows at a true time; empty: the true time.
    std::function<Tick(Rank, Tick)> clock;
};

/// A job whose true times are known: what it does is given, when it does it follows.
class SimulatedJob {
  public:
    explicit SimulatedJob(std::vector<std::vector<SimulatedStep>> steps) : m_steps(std::move(steps)) {}
    /// A program of `ranks` ranks that always ends, of about `length` steps; the same for the same seed.
    [[nodiscard]] static SimulatedJob random(std::uint32_t seed, Rank ranks, std::size_t length);

    /// Its trace on a machine. Fails (assertion) if the job does not come to its end.
    [[nodiscard]] std::shared_ptr<Trace> trace(const SimulatedMachine &machine) const;

  private:
    std::vector<std::vector<SimulatedStep>> m_steps;
};

} // namespace laggard::test
