// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/HangSearch.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

/// An open state so many times longer than usual was hanging while it was watched.
constexpr double clearlyLonger = 5;

/// Of open calls whose time is over, those that are over by far: the others are long where they wait for somebody.
constexpr double farLonger = 4;

double lengthening(const Occurrence &o) { return o.usual > 0 ? o.seconds / o.usual : 0; }

void sortStuck(std::vector<Occurrence> &stuck, const RunHistory &run, const RankSet &blamed) {
    double most = 0;
    for (const Occurrence &o : stuck)
        most = std::max(most, lengthening(o));
    const auto key = [&](const Occurrence &o) {
        return std::tuple(o.phase, !std::binary_search(blamed.begin(), blamed.end(), o.rank), lengthening(o) * farLonger < most,
                          run.seconds(o.time.begin - run.begin) + o.usual, o.rank);
    };
    std::sort(stuck.begin(), stuck.end(), [&](const Occurrence &a, const Occurrence &b) { return key(a) < key(b); });
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
        sortStuck(result.stuck, run, blamed);
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
