// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"

#include <cstdint>
#include <vector>

namespace laggard {

/// Whether a walk from one state ever visits another.
enum class Reach : std::uint8_t {
    Never,    ///< P = 0
    Possible, ///< 0 < P < 1
    Certain,  ///< P = 1
    Unseen,   ///< the history breaks off before it could tell
};

/// Probabilities that a walk through a model from state i ever visits state j (PDI §3.2), classified exactly by
/// reachability. Paths are never summed up: simple paths are exponentially many and leave out what loops add.
///
/// `last` is the state in which the rank's history breaks off, `none` if it finished. If nothing ever followed that state, it
/// is an unseen continuation and not an end of the program: it is no proof that a walk can miss j, and from it nothing is
/// known. Nothing is known either of states that the model does not have.
class ReachingProbability {
  public:
    ReachingProbability(const MarkovModel &model, std::uint32_t last);

    /// The states that the model has, sorted.
    [[nodiscard]] const std::vector<std::uint32_t> &states() const { return m_states; }

    /// P(i,j). Linear in the number of transitions. P(i,i) = 1.
    [[nodiscard]] Reach reach(std::uint32_t from, std::uint32_t to) const;

    /// P(i,j) for each i of `states()`, in their order: one linear pass for all. `to` must be one of `states()`.
    [[nodiscard]] std::vector<Reach> reachFromAll(std::uint32_t to) const;

    /// The numbers for each i of `states()`, to be shown: from the linear system of the absorbing chain, with the counts as
    /// probabilities. A state that was not left yet counts all its transitions alike. NaN where nothing is known. Where the class
    /// is Never or Certain it decides: the value is 0 or 1 exactly. `to` must be one of `states()`.
    [[nodiscard]] std::vector<double> valuesFromAll(std::uint32_t to) const;

    /// One number of `valuesFromAll`; NaN for states that the model does not have.
    [[nodiscard]] double value(std::uint32_t from, std::uint32_t to) const;

  private:
    using Local = std::uint32_t; ///< position in m_states

    struct Adjacency {
        std::vector<std::uint32_t> first; ///< per state its first neighbour, and one past the end
        std::vector<Local> neighbour;
        std::vector<double> weight; ///< the transition's weight
    };

    [[nodiscard]] Local find(std::uint32_t state) const;
    [[nodiscard]] static Adjacency adjacency(std::size_t states, const std::vector<Transition> &transitions, bool backward);
    /// States from which one of `targets` is reached without entering `without` or `ignored`, the targets themselves included.
    /// With `takenOnly` over transitions with a probability above 0.
    [[nodiscard]] std::vector<bool> leadingTo(std::vector<Local> targets, Local without, Local ignored, bool takenOnly) const;
    [[nodiscard]] Local ignoredOnTheWayTo(Local to) const { return to == m_unseen ? none : m_unseen; }
    [[nodiscard]] std::vector<double> solve(Local to) const;

    std::vector<std::uint32_t> m_states;
    Adjacency m_forward;
    Adjacency m_backward;
    Local m_unseen = none; ///< the state after which the history breaks off, if nothing followed it
};

} // namespace laggard
