// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/progress/LoopNest.h"

#include <compare>
#include <map>
#include <vector>

namespace laggard {

/// Rounds of a loop that are not known.
inline constexpr std::uint64_t unknownRounds = ~std::uint64_t{0};

/// In regions without a header for all, rounds are counted in these parts of one: a task may come through its own several times
/// in what is one round of the others, and its rounds are divided by that.
inline constexpr std::uint64_t partsOfRound = 60;

/// How far tasks have come in the loops around their state.
struct LoopPlace {
    std::uint32_t state = none;
    /// How often it has gone round each loop around the state, the outermost first; of inner ones since it last came into them.
    std::vector<std::uint64_t> rounds;
    auto operator<=>(const LoopPlace &) const = default;
};

/// What the loops say of two tasks.
struct LoopAnswer {
    enum class Kind : std::uint8_t {
        NoLoop,      ///< no loop has both states
        Open,        ///< a loop has both, and does not tell
        FirstBehind, ///< the first has made less progress
        SecondBehind
    };
    Kind kind = Kind::NoLoop;
    std::uint32_t region = none; ///< the loop that decides; of Open the innermost common one
    bool byRounds = false;       ///< by the number of rounds; otherwise by the place within the round
    std::uint64_t first = 0;     ///< rounds of the two in `region`
    std::uint64_t second = 0;
    [[nodiscard]] bool isDecided() const { return kind == Kind::FirstBehind || kind == Kind::SecondBehind; }
};

/// Which of two tasks in a common loop has made less progress ("loop-aware" progress dependence, Prodometer, PLDI 2014): the one
/// that has gone round fewer times, outer loops before inner ones; of those in the same round the one at an earlier place in it.
class LoopOrder {
  public:
    /// Keeps a reference to `models`. Without `inner`, loops within loops leave the order open.
    explicit LoopOrder(const ModelSet &models, InnerRoundsOfRank inner = {});

    [[nodiscard]] const LoopNest &nest() const { return m_nest; }
    [[nodiscard]] LoopPlace placeOf(Rank rank) const;
    [[nodiscard]] LoopAnswer compare(const LoopPlace &first, const LoopPlace &second) const;

  private:
    [[nodiscard]] std::uint64_t outermostRounds(std::uint32_t region, std::uint32_t model) const;
    [[nodiscard]] bool isBefore(std::uint32_t earlier, std::uint32_t later, std::uint32_t region) const;

    const ModelSet &m_models;
    LoopNest m_nest;
    InnerRoundsOfRank m_inner;
    /// By model and region; many ranks share a model.
    mutable std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> m_rounds;
    std::map<std::uint32_t, std::uint64_t> m_fewest; ///< by region without a header for all: rounds of the task with the fewest
    mutable std::map<std::pair<std::uint32_t, std::uint32_t>, bool> m_before; ///< by states; of their innermost common loop
};

} // namespace laggard
