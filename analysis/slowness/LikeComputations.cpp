// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slowness/LikeComputations.h"

#include "analysis/behaviour/ComputationTimes.h"
#include "analysis/semimarkov/MedianStep.h"
#include "trace/MpiCall.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr double fewestEntries = 5;     // as many entries make phases (PhaseMarker): fewer show no habit
constexpr std::size_t fewestOthers = 2; // with two ranks, nobody can tell which one is unlike the other
constexpr double leastCompared = 0.5;   // share of a rank's computation, as in ComputationSlowness
constexpr double fewestBefore = 3;      // for a median that one odd time does not move

struct Times {
    std::vector<double> seconds;
    double count = 0;
    double total = 0; ///< seconds
};

/// Seconds of each of one rank's entries.
struct Typical {
    double low = 0; ///< the lower quartile
    double median = 0;
    double high = 0; ///< the upper quartile
};

Typical typicalOf(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const std::size_t last = seconds.size() - 1;
    return {seconds[last / 4], medianOf(seconds), seconds[last - last / 4]};
}

/// The times of the ranks that were in a state often enough.
struct OfRanks {
    SortedTimes medians;
    SortedTimes high;
};

using TimesOf = std::map<std::uint32_t, Times>; ///< by transition

/// What a rank computes in [begin, end).
TimesOf timesOf(const Histories &histories, std::size_t rank, Tick begin, Tick end) {
    const RunHistory &run = histories.runs[0];
    const RankHistory &history = run.ranks[rank];
    TimesOf result;
    for (std::uint32_t row = history.rowAt(begin); row < history.size() && history.start[row] < end; ++row) {
        const std::uint32_t t = history.transition[row];
        if (histories.table.from(t).kind != SmmState::Kind::Computation || histories.table.isCensored(t))
            continue;
        Times &times = result[t];
        times.seconds.push_back(run.seconds(history.duration(row)));
        times.count += history.countOf(row);
        times.total += times.seconds.back() * history.countOf(row);
    }
    return result;
}

/// Whether a state follows a collective that brings its result to this rank.
class RootStates {
  public:
    explicit RootStates(const Trace &trace) : m_rootOf(trace.processes.size()) {
        for (Rank rank = 0; rank < m_rootOf.size(); ++rank)
            if (const LocationEvents *events = trace.mainEvents(rank))
                for (const CollectiveKind &kind : events->collectiveKinds)
                    if (kind.root == rank)
                        m_rootOf[rank].push_back(kind.operation);
    }
    [[nodiscard]] bool isRootState(std::size_t rank, const SmmState &state) const {
        const CollectiveOperation operation = classifyMpiCall(state.path.back().function).operation;
        return (operation == CollectiveOperation::Gather || operation == CollectiveOperation::Gatherv ||
                operation == CollectiveOperation::Reduce) &&
               std::find(m_rootOf[rank].begin(), m_rootOf[rank].end(), operation) != m_rootOf[rank].end();
    }

  private:
    std::vector<std::vector<CollectiveOperation>> m_rootOf; ///< by rank
};

/// One rank with the others.
LikeComputation compareOne(const TimesOf &times, const std::map<std::uint32_t, Typical> &typical,
                           const std::map<std::uint32_t, OfRanks> &all) {
    double computed = 0;
    double own = 0;
    double ownLow = 0;
    double usual = 0;
    double usualHigh = 0;
    double total = 0;
    for (const auto &[t, of] : times) {
        const auto found = typical.find(t);
        const double median = found != typical.end() ? found->second.median : medianOf(of.seconds);
        computed += of.count * median;
        if (found == typical.end() || all.at(t).medians.seconds.size() <= fewestOthers)
            continue;
        const double others = all.at(t).medians.medianWithout(median);
        usual += of.count * others;
        usualHigh += of.count * all.at(t).high.medianWithout(found->second.high);
        own += others > 0 ? of.count * median : 0;
        ownLow += others > 0 ? of.count * found->second.low : 0;
        total += others > 0 ? of.total : 0;
    }
    if (usual <= 0 || own < leastCompared * computed)
        return {};
    return {own / usual, total * std::max(0.0, 1 - usual / own), ownLow > usualHigh};
}

} // namespace

std::vector<LikeComputation> compareLike(const Trace &trace, const Histories &histories, Tick since, const Work &work) {
    const std::size_t ranks = histories.runs[0].ranks.size();
    const RootStates roots(trace);
    std::vector<TimesOf> times(ranks);
    std::vector<std::map<std::uint32_t, Typical>> typical(ranks);
    forEachParallel(ranks, work, [&](std::size_t rank, unsigned) {
        times[rank] = timesOf(histories, rank, since, openEnd);
        for (const auto &[t, of] : times[rank])
            if (of.count >= fewestEntries && !roots.isRootState(rank, histories.table.from(t)))
                typical[rank][t] = typicalOf(of.seconds);
    });
    std::map<std::uint32_t, OfRanks> all;
    for (const auto &ofRank : typical)
        for (const auto &[t, one] : ofRank) {
            all[t].medians.seconds.push_back(one.median);
            all[t].high.seconds.push_back(one.high);
        }
    for (auto &[t, of] : all) {
        std::sort(of.medians.seconds.begin(), of.medians.seconds.end());
        std::sort(of.high.seconds.begin(), of.high.seconds.end());
    }
    std::vector<LikeComputation> result(ranks);
    forEachParallel(ranks, work, [&](std::size_t rank, unsigned) { result[rank] = compareOne(times[rank], typical[rank], all); });
    return result;
}

double lostSince(const Histories &histories, Rank rank, Tick since) {
    const TimesOf before = timesOf(histories, rank, 0, since);
    double lost = 0;
    for (const auto &[t, after] : timesOf(histories, rank, since, openEnd))
        if (const auto found = before.find(t);
            found != before.end() && found->second.count >= fewestBefore && after.count >= fewestBefore)
            if (const double median = medianOf(after.seconds); median > 0)
                lost += after.total * (1 - medianOf(found->second.seconds) / median);
    return std::max(0.0, lost);
}

} // namespace laggard
