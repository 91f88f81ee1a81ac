// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/LoopRounds.h"

#include "analysis/progress/RankStates.h"
#include "trace/Parallel.h"

#include <algorithm>

namespace laggard {
namespace {

/// A round of an outer loop is rarely longer, and many moments of a trace may be asked.
constexpr std::uint32_t mostRows = 1U << 20U;

/// Goes back through the states of a rank.
class WayBack {
  public:
    WayBack(const Trace &trace, Rank rank, Tick at, const std::vector<CallPathId> &outermost,
            const std::vector<std::uint32_t> &stateNumbers)
        : m_track(trace.mainEvents(rank)->track),
          m_outermost(outermost),
          m_numbers(stateNumbers),
          m_at(at),
          m_hasAll(trace.processes[rank].model.empty()),
          m_next(static_cast<std::uint32_t>(std::upper_bound(m_track.start.begin(), m_track.start.end(), at) -
                                            m_track.start.begin())) {}

    /// The state before; `none` where the calls end. The first one is the current state.
    std::uint32_t next() {
        if (m_within != none) {
            const CallPathId path = m_within;
            m_within = none;
            return m_numbers[communicationState(path)];
        }
        for (std::uint32_t passed = 0; m_next > 0 && passed < mostRows; ++passed) {
            const CallPathId path = m_track.callPath[--m_next];
            if (m_outermost[path] != path)
                continue;
            if (m_track.isOpen(m_next) || m_track.end[m_next] > m_at)
                return m_numbers[communicationState(path)];
            m_within = path;
            return m_numbers[computationState(path)];
        }
        return none;
    }
    /// Whether the calls end because the program began there.
    [[nodiscard]] bool isAtStart() const { return m_next == 0 && m_hasAll; }

  private:
    const Track &m_track;
    const std::vector<CallPathId> &m_outermost;
    const std::vector<std::uint32_t> &m_numbers;
    Tick m_at;
    bool m_hasAll; ///< otherwise the recorder has counted calls that it does not have any more
    std::uint32_t m_next;
    CallPathId m_within = none; ///< path of a call of which the state after it was told
};

std::vector<InnerRounds> innerRounds(const LoopNest &nest, WayBack way, std::uint32_t state, std::uint32_t model) {
    std::vector<std::uint32_t> chain = nest.chain(state);
    if (chain.size() < 2)
        return {};
    chain.erase(chain.begin());
    std::vector<InnerRounds> rounds;
    for (const std::uint32_t region : chain)
        rounds.push_back({nest.header(region, model), 0});
    std::size_t inside = chain.size(); // regions that the walk has not left
    std::uint32_t to = way.next();
    if (to != state)
        return {};
    for (std::uint32_t steps = 0; inside > 0 && steps < mostRows; ++steps) {
        const std::uint32_t from = way.next();
        if (from == none)
            return way.isAtStart() ? rounds : std::vector<InnerRounds>{};
        while (inside > 0 && !nest.isWithin(from, chain[inside - 1]))
            --inside;
        for (std::size_t k = 0; k < inside; ++k)
            rounds[k].rounds += rounds[k].header == to ? 1 : 0;
        to = from;
    }
    return inside == 0 ? rounds : std::vector<InnerRounds>{};
}

} // namespace

InnerRoundsOfRank innerRoundsAt(const ModelSet &models, const Trace &trace, Tick at, const std::vector<CallPathId> &outermost,
                                const Work &work) {
    const LoopNest nest(models);
    const bool isNested =
        std::any_of(nest.regions().begin(), nest.regions().end(), [](const LoopRegion &region) { return region.parent != none; });
    InnerRoundsOfRank result;
    if (!isNested)
        return result;
    std::vector<std::uint32_t> numbers(2 * trace.callPaths.size() + 1, none);
    for (std::uint32_t state = 0; state < models.states.size(); ++state) {
        const ModelState &known = models.states[state];
        if (known.kind != ModelState::Kind::Start && known.callPath != none)
            numbers[known.kind == ModelState::Kind::Communication ? communicationState(known.callPath)
                                                                  : computationState(known.callPath)] = state;
    }
    result.resize(models.stateOfRank.size());
    forEachParallel(models.stateOfRank.size(), work, [&](std::size_t i, unsigned) {
        const auto rank = static_cast<Rank>(i);
        const std::uint32_t state = models.stateOfRank[rank];
        if (state != none && models.modelOfRank[rank] != none && trace.mainEvents(rank) != nullptr)
            result[rank] = innerRounds(nest, WayBack(trace, rank, at, outermost, numbers), state, models.modelOfRank[rank]);
    });
    return result;
}

} // namespace laggard
