// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ComputationSlowness.h"

#include "analysis/semimarkov/MedianStep.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace laggard {
namespace {

constexpr double leastCompared = 0.5; ///< share of a rank's computation in a phase that must be compared

using Places = std::vector<std::vector<ComputationTime>>; ///< by place in ComputationSlowness::phases

Places timesOf(const Histories &histories, const PhaseTable &phases, const std::vector<std::uint32_t> &set, std::size_t run,
               std::size_t rank) {
    Places result;
    for (const std::uint32_t p : set)
        result.push_back(computationTimes(histories, phases, run, p, rank));
    return result;
}

double logSlowness(const std::vector<ComparedComputation> &computations) {
    double seconds = 0;
    double usual = 0;
    double all = 0;
    for (const ComparedComputation &one : computations) {
        all += one.count * one.seconds;
        if (!(one.usual > 0))
            continue;
        seconds += one.count * one.seconds;
        usual += one.count * one.usual;
    }
    return seconds > 0 && seconds >= leastCompared * all ? std::log(seconds / usual) : std::numeric_limits<double>::quiet_NaN();
}

/// What the computations of one rank take in the references.
class UsualOfRank {
  public:
    explicit UsualOfRank(const std::vector<Places> &references) {
        std::map<std::pair<std::size_t, std::uint32_t>, std::vector<double>> atPlace;
        std::map<std::uint32_t, std::vector<double>> anywhere;
        for (const Places &reference : references)
            for (std::size_t place = 0; place < reference.size(); ++place)
                for (const ComputationTime &time : reference[place]) {
                    atPlace[{place, time.transition}].push_back(time.median);
                    anywhere[time.transition].push_back(time.median);
                }
        for (auto &[key, values] : atPlace)
            m_atPlace[key] = medianOf(std::move(values));
        for (auto &[key, values] : anywhere)
            m_anywhere[key] = medianOf(std::move(values));
    }
    [[nodiscard]] std::vector<ComparedComputation> compare(const std::vector<ComputationTime> &times, std::size_t place) const {
        std::vector<ComparedComputation> result;
        for (const ComputationTime &time : times)
            result.push_back({time.transition, time.median, usual(place, time.transition), time.count});
        return result;
    }

  private:
    [[nodiscard]] double usual(std::size_t place, std::uint32_t transition) const {
        if (const auto found = m_atPlace.find({place, transition}); found != m_atPlace.end())
            return found->second;
        const auto found = m_anywhere.find(transition);
        return found == m_anywhere.end() ? 0 : found->second;
    }

    std::map<std::pair<std::size_t, std::uint32_t>, double> m_atPlace;
    std::map<std::uint32_t, double> m_anywhere;
};

void compareRuns(ComputationSlowness &result, const Histories &histories, const PhaseTable &phases, const Work &work) {
    result.references.assign(histories.references(), std::vector<std::vector<double>>(phases.ranks()));
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned) {
        std::vector<Places> references;
        for (std::size_t run = 1; run < histories.runs.size(); ++run)
            references.push_back(timesOf(histories, phases, result.phases, run, rank));
        const UsualOfRank usual(references);
        for (std::size_t i = 0; i < references.size(); ++i)
            for (std::size_t place = 0; place < result.phases.size(); ++place)
                result.references[i][rank].push_back(logSlowness(usual.compare(references[i][place], place)));
        const Places own = timesOf(histories, phases, result.phases, 0, rank);
        for (std::size_t place = 0; place < own.size(); ++place)
            result.compared[rank].push_back(usual.compare(own[place], place));
    });
}

void compareRanks(ComputationSlowness &result, const Histories &histories, const PhaseTable &phases, const Work &work) {
    forEachParallel(phases.ranks(), work, [&](std::size_t rank, unsigned) {
        for (const std::uint32_t p : result.phases) {
            std::vector<ComparedComputation> &here = result.compared[rank].emplace_back();
            const std::vector<ComputationTime> times = computationTimes(histories, phases, 0, p, rank);
            here.reserve(times.size());
            for (const ComputationTime &time : times)
                here.push_back({time.transition, time.median, 0, time.count});
        }
    });
    forEachParallel(result.phases.size(), work, [&](std::size_t place, unsigned) {
        std::map<std::uint32_t, SortedTimes> all;
        for (const auto &ofRank : result.compared)
            for (const ComparedComputation &one : ofRank[place])
                all[one.transition].seconds.push_back(one.seconds);
        for (auto &[transition, one] : all)
            std::sort(one.seconds.begin(), one.seconds.end());
        for (auto &ofRank : result.compared)
            for (ComparedComputation &one : ofRank[place])
                one.usual = all[one.transition].medianWithout(one.seconds);
    });
}

} // namespace

ComputationSlowness computationSlowness(const Histories &histories, const PhaseTable &phases, std::uint32_t set,
                                        const Work &work) {
    ComputationSlowness result;
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        if (phases.phases[p].set == set)
            result.phases.push_back(p);
    result.compared.resize(phases.ranks());
    if (histories.references() > 0)
        compareRuns(result, histories, phases, work);
    else
        compareRanks(result, histories, phases, work);
    for (const auto &ofRank : result.compared) {
        std::vector<double> &row = result.judged.emplace_back();
        for (const std::vector<ComparedComputation> &here : ofRank)
            row.push_back(logSlowness(here));
    }
    return result;
}

} // namespace laggard
