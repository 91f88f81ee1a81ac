// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/HangSearch.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

double lengthening(const Occurrence &o) { return o.usual > 0 ? o.seconds / o.usual : 0; }

/// How far the rank had come: phases that it had begun; odd outside of them, so that the time before a phase is less than it.
std::size_t stageOf(const PhaseTable &phases, const Occurrence &o) {
    std::size_t begun = 0;
    for (std::size_t p = 0; p < phases.size(); ++p)
        if (const PhaseSpan &span = phases.span(0, p, o.rank); span.isKnown() && span.begin <= o.time.begin)
            begun = p + 1;
    return 2 * begun + (o.phase == none ? 1 : 0);
}

void sortStuck(std::vector<Occurrence> &stuck, const RunHistory &run, const PhaseTable &phases, const RankSet &blamed) {
    double most = 0;
    for (const Occurrence &o : stuck)
        most = std::max(most, lengthening(o));
    const auto key = [&](const Occurrence &o) {
        return std::tuple(stageOf(phases, o), !std::binary_search(blamed.begin(), blamed.end(), o.rank),
                          lengthening(o) * farLonger < most, run.seconds(o.time.begin - run.begin) + o.usual, o.rank);
    };
    std::vector<std::pair<decltype(key(stuck.front())), std::size_t>> order;
    for (const Occurrence &o : stuck)
        order.emplace_back(key(o), order.size());
    std::sort(order.begin(), order.end());
    std::vector<Occurrence> sorted;
    for (const auto &[of, index] : order)
        sorted.push_back(std::move(stuck[index]));
    stuck = std::move(sorted);
}

} // namespace

HangSearch searchHang(const Trace &trace, const Histories &histories, const PhaseTable &phases, const UsualTimes &usual,
                      const RankSet &blamed) {
    HangSearch result;
    const RunHistory &run = histories.runs[0];
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
        const RankHistory &history = run.ranks[rank];
        if (history.size() == 0)
            continue;
        ++result.known;
        if (!history.open)
            continue;
        const auto row = static_cast<std::uint32_t>(history.size() - 1);
        if (!histories.table.isComputation(history.transition[row])) {
            result.waiting.push_back(static_cast<Rank>(rank));
            result.stuck.push_back(
                occurrenceAt(histories, 0, usual, static_cast<Rank>(rank), row, phaseOfRow(phases, rank, row)));
            continue;
        }
        result.computing.push_back(static_cast<Rank>(rank));
        Occurrence occurrence = occurrenceAt(histories, 0, usual, static_cast<Rank>(rank), row, phaseOfRow(phases, rank, row));
        attribute(trace, history, occurrence);
        result.suspects.push_back(occurrence);
    }
    if (result.computing.empty())
        sortStuck(result.stuck, run, phases, blamed);
    else
        result.stuck.clear();
    if (result.waiting.empty() || result.computing.size() > result.waiting.size()) {
        result.suspects.clear();
        return result;
    }
    const auto isVisible = [](const Occurrence &o) { return o.usual > 0 && o.seconds >= clearlyLonger * o.usual; };
    // Those that are seen to hang go first; of several the one that should have been done first.
    std::stable_sort(result.suspects.begin(), result.suspects.end(), [&](const Occurrence &a, const Occurrence &b) {
        const auto due = [&](const Occurrence &o) { return run.seconds(o.time.begin - run.begin) + o.usual; };
        return std::tuple(!isVisible(a), due(a), a.rank) < std::tuple(!isVisible(b), due(b), b.rank);
    });
    result.visible = !result.suspects.empty() && isVisible(result.suspects.front());
    return result;
}

} // namespace laggard
