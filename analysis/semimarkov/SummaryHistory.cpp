// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/SummaryHistory.h"

#include <algorithm>

namespace laggard {
namespace {

struct Row {
    Tick start = 0;
    std::uint32_t transition = 0;
    double ticks = 0;
    double count = 1;
    double squares = 0;
    CallPathId path = none;
};

/// The longest occurrence, then the buckets without it. The rows' counts, times and squares add up to those of the transition.
void addRows(const PhaseTransition &t, Tick start, std::vector<Row> &rows) {
    const std::size_t first = rows.size();
    rows.push_back({start, t.transition, t.longest, 1, 0, t.longestPath});
    for (std::size_t i = 0; i < t.buckets.size(); ++i) {
        Histogram::Bucket bucket = t.buckets[i];
        if (i + 1 == t.buckets.size()) {
            bucket.mean = bucket.count > 1 ? std::max(0.0, (bucket.mean * bucket.count - t.longest) / (bucket.count - 1)) : 0;
            bucket.count -= 1;
        }
        if (bucket.count > 0)
            rows.push_back({start, t.transition, bucket.mean, bucket.count, 0, none});
    }
    if (rows.size() == first + 1)
        return;
    double between = 0;
    for (std::size_t i = first; i < rows.size(); ++i)
        between += rows[i].count * (rows[i].ticks - t.mean) * (rows[i].ticks - t.mean);
    rows.back().squares = std::max(0.0, t.squares - between);
}

CutPhase cutPhaseOf(const RankPhase &phase) {
    CutPhase result;
    result.begin = phase.begin;
    std::vector<Row> rows;
    for (const PhaseTransition &t : phase.asIfCut) {
        addRows(t, phase.begin, rows);
        result.states += static_cast<double>(t.count);
    }
    for (const Row &row : rows) {
        result.transition.push_back(row.transition);
        result.ticks.push_back(row.ticks);
        result.count.push_back(row.count);
        result.squares.push_back(row.squares);
    }
    return result;
}

} // namespace

RankHistory summarisedHistory(const PhaseModels &models, const PhaseModels::Rank &rank) {
    RankHistory history;
    std::vector<Row> rows;
    for (const RankPhase &phase : rank.phases) {
        const Tick latest = std::max(phase.begin, phase.end) - (phase.end > phase.begin ? 1 : 0);
        for (const PhaseTransition &t : phase.transitions)
            addRows(t, std::clamp(t.longestBegin, phase.begin, latest), rows);
        if (!phase.asIfCut.empty())
            history.asIfCut.push_back(cutPhaseOf(phase));
    }
    const auto isOpen = [&](const Row &row) {
        return models.states[models.transitions[row.transition].second].kind == PhaseState::Kind::NotReturned;
    };
    // Among states that began at the same time, the one that was not left is the last.
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Row &a, const Row &b) { return a.start != b.start ? a.start < b.start : isOpen(a) < isOpen(b); });
    for (const Row &row : rows) {
        history.start.push_back(row.start);
        history.transition.push_back(row.transition);
        history.ticks.push_back(row.ticks);
        history.count.push_back(row.count);
        history.squares.push_back(row.squares);
        history.path.push_back(row.path);
    }
    history.end = rank.end;
    if (!rows.empty())
        history.end = std::max(history.end, rows.back().start);
    history.open = rank.open && !rows.empty() && isOpen(rows.back());
    if (history.open)
        history.openPath = rank.openPath;
    return history;
}

} // namespace laggard
