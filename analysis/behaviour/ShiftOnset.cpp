// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/ShiftOnset.h"

#include "analysis/automaded/UsualTimes.h"
#include "analysis/behaviour/ShiftConstants.h"
#include "analysis/semimarkov/MedianStep.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace laggard {
namespace {

/// A computation of the rank.
struct Step {
    std::uint32_t phase = 0;
    std::uint32_t row = 0;
    std::uint32_t transition = 0;
    double seconds = 0;
    double usual = 0; ///< seconds; 0: not known
};

/// Times of each transition of a rank in a phase, in the order they were taken.
std::map<std::uint32_t, std::vector<double>> timesInOrder(const Histories &histories, const PhaseTable &phases, std::size_t run,
                                                          std::uint32_t phase, std::size_t rank) {
    std::map<std::uint32_t, std::vector<double>> result;
    const PhaseSpan &span = phases.span(run, phase, rank);
    const RankHistory &history = histories.runs[run].ranks[rank];
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
        if (const std::uint32_t t = history.transition[row]; histories.table.isComputation(t) && !histories.table.isCensored(t))
            result[t].push_back(histories.runs[run].seconds(history.duration(row)));
    return result;
}

/// What each computation of a phase usually takes, by transition and order.
std::map<std::uint32_t, std::vector<double>> usualInOrder(const Histories &histories, const PhaseTable &phases,
                                                          std::uint32_t phase, Rank rank) {
    std::map<std::uint32_t, std::vector<std::vector<double>>> all;
    const auto add = [&](std::size_t run, std::size_t of) {
        for (const auto &[transition, times] : timesInOrder(histories, phases, run, phase, of)) {
            auto &orders = all[transition];
            orders.resize(std::max(orders.size(), times.size()));
            for (std::size_t i = 0; i < times.size(); ++i)
                orders[i].push_back(times[i]);
        }
    };
    if (histories.references() > 0) {
        for (std::size_t run = 1; run < histories.runs.size(); ++run)
            add(run, rank);
    } else {
        for (std::size_t other = 0; other < phases.ranks(); ++other)
            if (other != rank)
                add(0, other);
    }
    std::map<std::uint32_t, std::vector<double>> result;
    for (auto &[transition, orders] : all)
        for (std::vector<double> &times : orders)
            result[transition].push_back(medianOf(std::move(times)));
    return result;
}

std::vector<Step> stepsOf(const Histories &histories, const PhaseTable &phases, std::uint32_t phase, Rank rank) {
    const auto usual = usualInOrder(histories, phases, phase, rank);
    std::map<std::uint32_t, std::size_t> order;
    std::vector<Step> result;
    const PhaseSpan &span = phases.span(0, phase, rank);
    const RankHistory &history = histories.runs[0].ranks[rank];
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
        const std::uint32_t t = history.transition[row];
        if (!histories.table.isComputation(t) || histories.table.isCensored(t))
            continue;
        const std::size_t i = order[t]++;
        const auto found = usual.find(t);
        const bool isKnown = found != usual.end() && i < found->second.size();
        result.push_back({phase, row, t, histories.runs[0].seconds(history.duration(row)), isKnown ? found->second[i] : 0});
    }
    return result;
}

/// By transition the median of the logarithms of its slowness over some places.
std::map<std::uint32_t, double> levels(const std::vector<std::vector<ComparedComputation>> &rank, std::size_t begin,
                                       std::size_t end) {
    std::map<std::uint32_t, std::vector<double>> all;
    for (std::size_t place = begin; place < end; ++place)
        for (const ComparedComputation &one : rank[place])
            if (one.usual > 0 && one.seconds > 0)
                all[one.transition].push_back(std::log(one.seconds / one.usual));
    std::map<std::uint32_t, double> result;
    for (auto &[transition, values] : all)
        result[transition] = medianOf(std::move(values));
    return result;
}

/// By how much the step looks like those afterwards rather than those before, weighted.
double evidence(const Step &step, const std::map<std::uint32_t, double> &before, const std::map<std::uint32_t, double> &after,
                double otherwise) {
    const auto high = after.find(step.transition);
    const auto known = before.find(step.transition);
    const double low = known == before.end() ? otherwise : known->second;
    if (!(step.usual > 0) || !(step.seconds > 0) || high == after.end() || high->second <= low)
        return 0;
    const double value = std::log(step.seconds / step.usual);
    return step.usual * (std::abs(value - low) - std::abs(value - high->second));
}

/// The first slow one.
std::size_t firstSlow(const std::vector<Step> &steps, const std::vector<double> &evidences, double tolerance) {
    std::vector<double> before{0}; // sums of what speaks against being before
    for (const double one : evidences)
        before.push_back(before.back() + one);
    const double limit = *std::min_element(before.begin(), before.end() - 1) + tolerance;
    std::size_t last = steps.size() - 1;
    while (before[last] > limit)
        --last;
    return last;
}

/// By transition the longest time of any rank of the judged run in the phases before the given one.
std::vector<double> longestBefore(const Histories &histories, const PhaseTable &phases, std::uint32_t end, const Work &work) {
    std::vector<double> result(histories.table.transitions.size());
    for (std::uint32_t phase = 0; phase < end; ++phase) {
        throwIfCancelled(work);
        for (std::size_t rank = 0; rank < phases.ranks(); ++rank) {
            const PhaseSpan &span = phases.span(0, phase, rank);
            const RankHistory &history = histories.runs[0].ranks[rank];
            for (std::uint32_t row = span.firstRow; row < span.endRow; ++row) {
                double &longest = result[history.transition[row]];
                longest = std::max(longest, histories.runs[0].seconds(history.duration(row)));
            }
        }
    }
    return result;
}

/// The computation directly before in which the processor was taken away, as never before; else the given one.
std::size_t heldUpBefore(const std::vector<Step> &steps, std::size_t first, const UsualTimes &usual,
                         const std::vector<double> &before, double within) {
    std::size_t result = first;
    double most = 0;
    double passed = 0;
    for (std::size_t i = first; i-- > 0 && passed <= within;) {
        const double largest = usual.largest(steps[i].transition);
        if (usual.isKnown(steps[i].transition) && largest > 0 && steps[i].seconds >= shifts::heldUp * largest &&
            steps[i].seconds > before[steps[i].transition]) {
            if (steps[i].seconds - largest > most) {
                most = steps[i].seconds - largest;
                result = i;
            }
        } else {
            passed += steps[i].seconds;
        }
    }
    return result;
}

const Step &longestStep(const std::vector<Step> &steps, std::uint32_t phase) {
    return *std::max_element(steps.begin(), steps.end(), [phase](const Step &a, const Step &b) {
        return std::pair(a.phase == phase, a.seconds) < std::pair(b.phase == phase, b.seconds);
    });
}

} // namespace

ShiftOnset shiftOnset(const Histories &histories, const PhaseTable &phases, const ComputationSlowness &slowness,
                      const SlowRank &slow, const Work &work) {
    const auto &[rank, place, before] = slow;
    const std::size_t begin = place - std::min<std::size_t>(place, 1);
    const std::size_t end = std::min(place + 2, slowness.phases.size());
    std::vector<Step> steps;
    double computation = 0;
    for (std::size_t at = begin; at < end; ++at)
        for (const Step &step : stepsOf(histories, phases, slowness.phases[at], rank)) {
            steps.push_back(step);
            computation += step.usual;
        }
    computation /= static_cast<double>(end - begin);
    const auto isSummary = [&, of = rank](const RunHistory &run) { return run.ranks[of].isSummary(); };
    if (std::any_of(histories.runs.begin(), histories.runs.end(), isSummary)) {
        const Step &step = longestStep(steps, slowness.phases[place]);
        return {step.phase, step.row};
    }
    const auto &compared = slowness.compared[rank];
    const auto low = levels(compared, 0, place >= shifts::fewest ? place - 1 : 0);
    const auto high = levels(compared, std::min(place + 1, compared.size() - 1), compared.size());
    std::vector<double> evidences;
    for (const Step &step : steps)
        evidences.push_back(evidence(step, low, high, before));
    const std::uint32_t firstPhase = slowness.phases[place];
    const UsualTimes usual(
        histories, phases,
        [&](std::size_t run, std::size_t phase) { return histories.references() > 0 ? run > 0 : phase + 1 < firstPhase; }, false,
        work);
    const std::size_t first = firstSlow(steps, evidences, shifts::aboutAsWell * computation);
    const std::vector<double> longest = longestBefore(histories, phases, slowness.phases[begin], work);
    const Step &step = steps[heldUpBefore(steps, first, usual, longest, shifts::directlyBefore * computation)];
    return {step.phase, step.row};
}

} // namespace laggard
