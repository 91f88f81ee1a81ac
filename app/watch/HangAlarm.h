// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace laggard::watch {

/// Notices that a job may hang, from the share of its processes that are outside MPI, looked at now and then (ParaStack, SC 2017:
/// Li et al., "ParaStack: Efficient Hang Detection for MPI Programs at Large Scale", section 3). In a job that works, shares
/// fluctuate; in one that hangs, they stay low. From the samples so far follows how likely a share of at most t is; the alarm is
/// raised when so many in a row were at most t that a job that works would show it with a chance below 0.1 %. That needs samples
/// that do not depend on each other: as long as the runs test tells that they do, they are taken half as often.
class HangAlarm {
  public:
    /// One sample: 0 to 1.
    void add(double share);
    /// The samples to come do not follow those so far without a gap: the row begins anew.
    void interrupt() { m_row = 0; }
    [[nodiscard]] bool isRaised() const { return m_isRaised; }
    /// Mean seconds between two samples; each is to be taken at random between half and three halves of it.
    [[nodiscard]] double interval() const { return m_interval; }
    [[nodiscard]] std::size_t samples() const { return m_samples.size(); }

    static constexpr double firstInterval = 0.4; ///< seconds: ParaStack's
    /// Seconds. Ten samples at least are a minute and a half then, later than a recorder by itself notices that nothing moves.
    static constexpr double longestInterval = 12.8;
    static constexpr double chance = 0.001;   ///< ParaStack's
    static constexpr std::size_t fewest = 20; ///< samples before the row: with fewer, the bounds below say nothing
    static constexpr std::size_t most = 1024; ///< samples kept: in a long job, the last ten minutes count and more

  private:
    [[nodiscard]] bool isUnlikely() const;
    void checkInterval();

    std::vector<double> m_samples;
    std::size_t m_row = 0; ///< samples at the end without a gap between them
    double m_interval = firstInterval;
    std::size_t m_nextCheck = fewest;
    bool m_isRaised = false;
};

/// True if the values change between above and not above their mean as often as in a random order: the runs test (Wald and
/// Wolfowitz), at 5 %. True also where all are alike, which tells nothing.
[[nodiscard]] bool looksRandom(const std::vector<double> &values);

} // namespace laggard::watch
