// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/EventLoop.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace laggard {
namespace {

struct Candidate {
    CallPathId wait = none;
    bool isKnown = false;
    std::size_t receives = 0;
    std::uint32_t depth = 0;
    std::vector<std::uint32_t> rows;
    [[nodiscard]] bool isBetterThan(const Candidate &other) const {
        return std::tuple(isKnown, receives, other.depth, other.rows.front()) >
               std::tuple(other.isKnown, other.receives, depth, rows.front());
    }
};

std::size_t receivesBetween(std::span<const std::uint32_t> receives, std::uint32_t first, std::uint32_t last) {
    return static_cast<std::size_t>(std::lower_bound(receives.begin(), receives.end(), last) -
                                    std::lower_bound(receives.begin(), receives.end(), first));
}

std::optional<Candidate> chooseWait(const Trace &trace, const Track &track, const std::vector<CallRole> &roles,
                                    std::span<const std::uint32_t> receives, const std::vector<bool> &known) {
    std::vector<bool> isWait(trace.callPaths.size());
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path)
        isWait[path] = roles[trace.callPaths[path].region] == CallRole::Wait;
    std::map<CallPathId, std::vector<std::uint32_t>> waits;
    for (std::uint32_t row = 0; row < track.size(); ++row)
        if (isWait[track.callPath[row]])
            waits[track.callPath[row]].push_back(row);
    std::optional<Candidate> best;
    for (auto &[path, rows] : waits) {
        Candidate candidate{path, path < known.size() && known[path], receivesBetween(receives, rows.front(), rows.back()),
                            trace.callPaths[path].depth, std::move(rows)};
        if ((candidate.isKnown || candidate.receives != 0) && (!best || candidate.isBetterThan(*best)))
            best = std::move(candidate);
    }
    return best;
}

/// The innermost call that both are in; `none`: there is none.
std::uint32_t commonCaller(const Track &track, std::uint32_t a, std::uint32_t b) {
    while (a != b && a != none && b != none)
        (a > b ? a : b) = track.parent[a > b ? a : b];
    return a == b ? a : none;
}

/// The call made by `frame` itself through which `row` came about.
std::uint32_t calledBy(const Track &track, std::uint32_t frame, std::uint32_t row) {
    while (track.parent[row] != frame && track.parent[row] != none)
        row = track.parent[row];
    return row;
}

/// Behind the last row of the loop: calls that were never seen in an earlier turn, and follow everything that was, are the
/// finalizer's. `frame`: the call that loops.
std::uint32_t endOf(const Track &track, const EventLoop &loop, std::uint32_t lastWait, std::uint32_t frame,
                    std::span<const std::uint32_t> receives) {
    const auto size = static_cast<std::uint32_t>(track.size());
    std::set<CallPathId> body;
    for (std::uint32_t row = loop.turns.front(); row < loop.turns.back(); ++row)
        if (track.parent[row] == frame)
            body.insert(track.callPath[row]);
    std::uint32_t end = lastWait;
    bool isBody = true;
    for (std::uint32_t row = lastWait + 1; row < size; ++row) {
        const std::uint32_t parent = track.parent[row];
        if (frame != none && (parent == none || parent < frame))
            break; // the call that loops has returned
        if (parent == frame)
            isBody = body.contains(track.callPath[row]) || std::binary_search(receives.begin(), receives.end(), row);
        if (isBody)
            end = row;
    }
    return end + 1;
}

} // namespace

std::optional<EventLoop> findEventLoop(const Trace &trace, const Track &track, const std::vector<CallRole> &roles,
                                       std::span<const std::uint32_t> receives, const std::vector<bool> &known, bool hasEnded) {
    const std::optional<Candidate> found = chooseWait(trace, track, roles, receives, known);
    if (!found)
        return std::nullopt;
    EventLoop loop;
    loop.wait = found->wait;
    loop.end = static_cast<std::uint32_t>(track.size());
    if (found->rows.size() == 1) { // known from other runs: whose turn it is tells only the wait itself
        loop.turns = found->rows;
        return loop;
    }
    std::uint32_t frame = found->rows.front();
    for (const std::uint32_t row : found->rows)
        frame = frame == none ? none : commonCaller(track, frame, row);
    for (const std::uint32_t row : found->rows) {
        const std::uint32_t begin = calledBy(track, frame, row);
        loop.turns.push_back(loop.turns.empty() || begin > loop.turns.back() ? begin : row);
    }
    const bool isLeft = frame != none && !track.isOpen(frame);
    if (isLeft || hasEnded)
        loop.end = endOf(track, loop, found->rows.back(), frame, receives);
    return loop;
}

} // namespace laggard
