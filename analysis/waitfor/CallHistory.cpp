// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CallHistory.h"

#include "analysis/waitfor/TokenHash.h"
#include "analysis/waitfor/ZFunction.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::uint32_t testedCalls = 12;   ///< leave-one-out: so many of the latest calls at a path
constexpr std::size_t testedHistory = 4096; ///< … each from at most so many steps before it
constexpr std::uint32_t shortestRun = 3;    ///< shorter runs claim nothing

/// How often a run of this length was right on real codes (measured, see docs/algorithms.md).
double rateOfRun(std::uint32_t run) {
    if (run < shortestRun)
        return 0;
    if (run < 6)
        return 0.7;
    return run < 64 ? 0.9 : 0.999;
}

struct Match {
    std::uint32_t step = none;
    std::uint32_t run = 0;
};

/// Lengths of the runs of equal steps that end before a step and before the end: `at(step)`.
class Runs {
  public:
    explicit Runs(std::span<const Step> steps) : m_size(steps.size()) {
        std::vector<std::uint64_t> reversed(m_size);
        std::transform(steps.rbegin(), steps.rend(), reversed.begin(), [](const Step &s) { return s.token; });
        m_z = zFunction<std::uint64_t>(reversed);
    }
    [[nodiscard]] std::uint32_t at(std::size_t step) const { return step == 0 ? 0 : m_z[m_size - step]; }

  private:
    std::size_t m_size;
    std::vector<std::uint32_t> m_z;
};

Match bestMatch(std::span<const Step> steps, const Runs &runs, CallPathId path) {
    Match best;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps[i].isCall && steps[i].path == path && (best.step == none || runs.at(i) >= best.run))
            best = {static_cast<std::uint32_t>(i), runs.at(i)};
    return best;
}

/// Chance that a loop goes round once more. A run longer than its own distance means a loop; as long as nobody has seen it end,
/// the rule of succession applies. 1 outside loops and for loops whose end was seen in equal surroundings.
double chanceToStayInLoop(std::span<const Step> steps, const Runs &runs, const Match &match) {
    const auto turn = static_cast<std::uint32_t>(steps.size() - match.step);
    if (match.run < turn)
        return 1;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (runs.at(i) >= turn && steps[i].token != steps[match.step].token)
            return 1;
    const double turns = match.run / turn;
    return 1 - 1 / (turns + 2);
}

} // namespace

CallHistory::CallHistory(const Trace &trace, const MpiCallTable &calls, const LocationEvents &events, Tick at,
                         std::uint32_t openRow, std::uint32_t firstRow)
    : m_events(events) {
    const Track &track = events.track;
    std::uint32_t call = none;   // row of the latest MPI call that no other MPI call made
    std::uint32_t within = none; // the last row that it or its callees made
    for (std::uint32_t row = firstRow; row < track.size() && track.start[row] <= at; ++row) {
        const std::uint32_t parent = track.parent[row];
        if (call != none && row == within + 1 && parent != none && parent >= call) {
            within = row;
            continue;
        }
        const CallPathId path = track.callPath[row];
        if (!trace.region(path).isMpi()) {
            m_steps.push_back({mixedWith(path, 1), path, row, false, {}});
            continue;
        }
        call = within = row;
        if (row == openRow) {
            m_open = consume(track.start[row], at, false);
            continue;
        }
        const bool nextFollowsAtOnce =
            row + 1 < track.size() && track.start[row + 1] == track.end[row] && track.start[row] < track.end[row];
        const CallRecords records = consume(track.start[row], std::min(track.end[row], at), nextFollowsAtOnce);
        if (!calls[path].isPoll() || !records.empty())
            m_steps.push_back({tokenOf(path, records), path, row, true, records});
    }
}

/// The records between two times, which no earlier call has made. With calls that follow each other at once, a send at the common
/// time belongs to the second (sends are recorded on entry, receives before the return).
CallRecords CallHistory::consume(Tick start, Tick end, bool leaveSendsAtEnd) {
    const auto take = [](const Column<Tick> &times, RecordRange &next, Tick from, Tick to, bool excludeEnd) {
        std::uint32_t i = next.begin;
        while (i < times.size() && times[i] < from)
            ++i;
        RecordRange taken{i, i};
        while (taken.end < times.size() && (excludeEnd ? times[taken.end] < to : times[taken.end] <= to))
            ++taken.end;
        next.begin = taken.end;
        return taken;
    };
    CallRecords records;
    records.sends = take(m_events.sends.time, m_next.sends, start, end, leaveSendsAtEnd);
    records.receives = take(m_events.receives.time, m_next.receives, start, end, false);
    records.collectives = take(m_events.collectives.end, m_next.collectives, start, end, false);
    return records;
}

std::uint64_t CallHistory::tokenOf(CallPathId path, const CallRecords &records) {
    const auto pack = [](Rank peer, CommunicatorId communicator) { return std::uint64_t{peer} << 32U | communicator; };
    m_scratch.clear();
    for (std::uint32_t i = records.sends.begin; i < records.sends.end; ++i) {
        const Envelope &envelope = m_events.envelopes[m_events.sends.envelope[i]];
        m_scratch.push_back({1, pack(envelope.peer, envelope.communicator)});
    }
    for (std::uint32_t i = records.receives.begin; i < records.receives.end; ++i) {
        const Envelope &envelope = m_events.envelopes[m_events.receives.envelope[i]];
        m_scratch.push_back({2, pack(envelope.peer, envelope.communicator)});
    }
    for (std::uint32_t i = records.collectives.begin; i < records.collectives.end; ++i) {
        const CollectiveKind &kind = m_events.collectiveKinds[m_events.collectives.kind[i]];
        m_scratch.push_back({3 + static_cast<std::uint64_t>(kind.operation), pack(kind.root, kind.communicator)});
    }
    std::sort(m_scratch.begin(), m_scratch.end());
    m_scratch.erase(std::unique(m_scratch.begin(), m_scratch.end()), m_scratch.end());
    std::uint64_t token = mixedWith(path, 2);
    for (const auto &[kind, peer] : m_scratch)
        token = mixedWith(mixedWith(token, kind), peer);
    return token;
}

RecordRange CallHistory::receivesOf(std::size_t step, bool isProbe) const {
    constexpr std::size_t nearest = 8; // steps: a message that was probed for is received soon
    RecordRange receives = m_steps[step].records.receives;
    for (std::size_t i = step + 1; isProbe && receives.empty() && i < std::min(step + nearest, m_steps.size()); ++i)
        receives = m_steps[i].records.receives;
    return receives;
}

Precedent CallHistory::next() const { return nextOf(m_steps); }

Precedent CallHistory::nextBefore(std::size_t step) const {
    const std::size_t first = step - std::min(step, testedHistory);
    Precedent next = nextOf(std::span<const Step>(m_steps).subspan(first, step - first));
    if (next.step != none)
        next.step += static_cast<std::uint32_t>(first);
    return next;
}

Precedent CallHistory::nextOf(std::span<const Step> steps) {
    const Runs runs(steps);
    Precedent next;
    for (std::size_t i = 1; i < steps.size(); ++i)
        if (runs.at(i) >= next.run)
            next = {.step = static_cast<std::uint32_t>(i), .run = runs.at(i)};
    if (next.run < shortestRun)
        return {};
    for (std::size_t i = 1; i < steps.size(); ++i) {
        if (runs.at(i) < shortestRun)
            continue;
        ++next.tested;
        next.right += steps[i].path == steps[next.step].path ? 1 : 0;
    }
    next.confidence = rateOfRun(next.run) * next.right / next.tested;
    return next;
}

Precedent CallHistory::precedent(CallPathId path, bool isProbe) const {
    const std::span<const Step> steps(m_steps);
    const Runs runs(steps);
    const Match match = bestMatch(steps, runs, path);
    Precedent precedent{.step = match.step, .run = match.run};
    if (match.step == none || match.run < shortestRun)
        return precedent;
    for (std::size_t i = steps.size(); i-- > 0 && precedent.tested < testedCalls;) {
        if (!steps[i].isCall || steps[i].path != path)
            continue;
        const std::span<const Step> before = steps.subspan(i - std::min(i, testedHistory), std::min(i, testedHistory));
        const Match guess = bestMatch(before, Runs(before), path);
        if (guess.step == none || guess.run < shortestRun)
            continue;
        ++precedent.tested;
        const std::size_t guessed = i - before.size() + guess.step;
        if (isProbe) {
            const RecordRange one = receivesOf(i, true);
            const RecordRange other = receivesOf(guessed, true);
            const auto sender = [&](const RecordRange &range) {
                return m_events.envelopes[m_events.receives.envelope[range.begin]].peer;
            };
            precedent.right += !one.empty() && !other.empty() && sender(one) == sender(other) ? 1 : 0;
        } else {
            precedent.right += steps[guessed].token == steps[i].token ? 1 : 0;
        }
    }
    constexpr double weightOfRun = 8; // the run's rate counts as much as so many tests
    precedent.confidence = (weightOfRun * rateOfRun(match.run) + precedent.right) / (weightOfRun + precedent.tested) *
                           chanceToStayInLoop(steps, runs, match);
    return precedent;
}

} // namespace laggard
