// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/CountedTimes.h"
#include "analysis/semimarkov/ModelDifference.h"

#include <functional>
#include <span>
#include <vector>

namespace laggard {

/// What share of the times of a transition is left out at either end, rounded up (AutomaDeD §4.4).
inline constexpr double trimmedShare = 0.01;

/// The usual times of each transition over all ranks, and what is beyond them (AutomaDeD §4.4). All in seconds.
class UsualTimes {
  public:
    /// From all occurrences in the phases for which `uses(run, phase)` is true. `leftOut`: by transition a phase that does not
    /// count for it (longestPhases); may be empty.
    UsualTimes(const Histories &histories, const PhaseTable &phases,
               const std::function<bool(std::size_t run, std::size_t phase)> &uses, bool histograms, const Work &work,
               std::span<const std::uint32_t> leftOut = {});

    /// The largest time once the longest ⌈1 %⌉ are left out. If the transition was seen less than twice, all times in its source
    /// state count instead; 0 if the state was seen less than twice, too.
    [[nodiscard]] double largest(std::uint32_t transition) const { return m_largest[transition]; }
    /// False if the source state was seen less than twice: no time can be called unusual by comparison.
    [[nodiscard]] bool isKnown(std::uint32_t transition) const { return m_known[transition] != 0; }
    /// A phase of the set was looked at, and the source state of the transition was seen nowhere.
    [[nodiscard]] bool isNew(std::uint32_t set, std::uint32_t transition) const { return m_hasSet[set] && !m_seen[transition]; }
    /// Standard deviation of the times without the ⌈1 %⌉ longest and shortest ones, seconds.
    [[nodiscard]] double spread(std::uint32_t transition) const { return m_trimmed[transition].sigma(); }
    /// Natural logarithm of the density of a time, in units of `scale`, by the distribution without the ⌈1 %⌉ longest and
    /// shortest ones. 0 where nothing is known.
    [[nodiscard]] double logDensity(std::uint32_t transition, double seconds, const ModelScale &scale) const;

  private:
    void fill(std::uint32_t transition, std::vector<CountedTime> &times);
    /// Fills in the transitions [begin, end), which lead out of one state. Transition t has the times [begins[t], begins[t + 1]).
    void fillCounted(const std::vector<CountedTime> &all, const std::vector<std::size_t> &begins, std::uint32_t begin,
                     std::uint32_t end);
    /// The same for times that are there one by one, without histograms; reorders them.
    void fillSingle(std::vector<double> &all, const std::vector<std::size_t> &begins, std::uint32_t begin, std::uint32_t end);

    std::vector<double> m_largest;
    std::vector<char> m_known; ///< states are looked at in parallel
    std::vector<bool> m_seen;  ///< the source state
    std::vector<bool> m_hasSet;
    std::vector<TimeMoments> m_trimmed;
    std::vector<Histogram> m_histograms; ///< only if asked for
};

/// By transition the phase of the judged run in which it took longest; `none` if it was not taken.
[[nodiscard]] std::vector<std::uint32_t> longestPhases(const Histories &histories, const PhaseTable &phases, const Work &work);

/// A state occurrence that took unusually long (or, for log densities, was unusual).
struct Occurrence {
    Rank rank = 0;
    std::uint32_t row = 0;        ///< in the rank's history
    std::uint32_t transition = 0; ///< in StateTable::transitions
    std::uint32_t phase = 0;      ///< in PhaseTable::phases
    TimeRange time;               ///< ticks of the judged trace
    double seconds = 0;           ///< how long the state lasted
    double count = 1;             ///< for a model dump: how many occurrences lasted about as long; `time` is that of the longest
    double usual = 0;             ///< seconds: UsualTimes::largest
    double excess = 0;            ///< seconds − usual
    double logDensity = 0;
    bool open = false; ///< it had not returned: `seconds` is the time elapsed
    /// Where most of the time went: the call path with the largest exclusive time within it. `none` if no call was recorded
    /// there.
    CallPathId callPath = none;
    std::string function; ///< its region; the MPI function for communication states

    /// When it began to be unusual: start + usual, in seconds. A fault that spreads shows first where this is smallest.
    [[nodiscard]] double correctedStart(const RunHistory &run) const {
        return run.seconds(time.begin - run.begin) + (excess > 0 ? usual : 0);
    }
};

/// The occurrence at a row of the judged run; `callPath` and `function` are left empty.
[[nodiscard]] Occurrence occurrenceAt(const Histories &histories, std::size_t run, const UsualTimes &usual, Rank rank,
                                      std::uint32_t row, std::uint32_t phase);

/// Fills in `callPath` and `function` from the trace.
void attribute(const Trace &trace, const RankHistory &history, Occurrence &occurrence);

/// The call path outside MPI with the largest exclusive time in [begin, end) on the rank's main thread; `none` if no call was
/// open. In an empty stretch the innermost call open at `begin`.
[[nodiscard]] CallPathId busiestCallPath(const Trace &trace, Rank rank, TimeRange time);

/// All occurrences of a transition in a phase on some ranks, for display: by rank and time. What is usual is not filled in.
[[nodiscard]] std::vector<Occurrence> occurrencesOf(const Histories &histories, const PhaseTable &phases,
                                                    std::uint32_t transition, std::uint32_t phase, const RankSet &ranks);

} // namespace laggard
