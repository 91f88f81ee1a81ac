// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace laggard {

/// How often a rank has gone round a loop since it last came into it.
struct InnerRounds {
    std::uint32_t header = none; ///< state with which each round begins
    std::uint64_t rounds = 0;    ///< times that it went back there
    bool operator==(const InnerRounds &) const = default;
};

/// By rank: of the loops within loops around its state, the outermost of these first; empty where that is not known, for counts
/// over the whole history do not tell it.
using InnerRoundsOfRank = std::vector<std::vector<InnerRounds>>;

/// A loop of the merged model of all tasks: a natural loop, if one of its states dominates the others, else an irreducible region
/// (a strongly connected component that is entered at several states).
struct LoopRegion {
    std::uint32_t parent = none; ///< the loop around it; `none`: it is an outermost one
    std::uint32_t depth = 0;     ///< 0: outermost
    /// State with which a round begins for all tasks: of a natural loop the one that dominates the others, of an irreducible
    /// region one that all go through equally often. `none`: each task has its own.
    std::uint32_t header = none;
    bool isNatural = true;
    double unevenness = 0; ///< 0..1: how far apart the tasks are in rounds, as a share of the most. Near 1 they do not go in step
    std::vector<std::uint32_t> states; ///< sorted, those of inner loops included
    /// Transitions within it that do not begin a new round of it, sorted.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> forward;
};

/// The loops of a job's merged model and how they lie in each other (Muchnick, "Advanced Compiler Design", §7.4: natural loops by
/// dominators). A merged model often has irreducible regions only because the first call of a round is not the same for all
/// tasks, or not in each round. A loop may be cut anywhere: the rounds of such a region begin at a state that all its tasks go
/// through equally often; where there is none, each task's begin where that task comes in.
class LoopNest {
  public:
    /// O(loop depth · transitions of models with different sets of transitions).
    explicit LoopNest(const ModelSet &models);

    [[nodiscard]] const std::vector<LoopRegion> &regions() const { return m_regions; }

    /// The innermost loop that a state is in; `none` outside all.
    [[nodiscard]] std::uint32_t innermost(std::uint32_t state) const {
        return state < m_innermost.size() ? m_innermost[state] : none;
    }
    [[nodiscard]] bool isWithin(std::uint32_t state, std::uint32_t region) const;
    /// The innermost loop that both states are in; `none`: there is none.
    [[nodiscard]] std::uint32_t common(std::uint32_t a, std::uint32_t b) const;
    /// The loops that a state is in, the outermost first.
    [[nodiscard]] std::vector<std::uint32_t> chain(std::uint32_t state) const;

    /// The state with which a round of the region begins for the tasks of `model`; `none` if they never came into it.
    [[nodiscard]] std::uint32_t header(std::uint32_t region, std::uint32_t model) const;
    /// How often the tasks of `model` have gone back to their header, over all the times that they came into the region.
    [[nodiscard]] std::optional<std::uint64_t> rounds(std::uint32_t region, std::uint32_t model) const;

    /// Whether, within one round of the region, `later` comes after `earlier`, and never before it.
    [[nodiscard]] bool isBefore(std::uint32_t earlier, std::uint32_t later, std::uint32_t region) const;

  private:
    /// A transition of the models with one set of transitions, with the counts of these models added up.
    struct Step {
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        std::uint32_t structure = 0;
        std::uint64_t count = 0;
    };
    using Steps = std::vector<Step>;

    void addStructures(std::uint32_t states);
    void findDominators(std::uint32_t states);
    void divide(const Steps &steps, std::uint32_t parent);
    void addRegion(std::vector<std::uint32_t> states, const Steps &within, std::uint32_t parent);
    [[nodiscard]] std::uint32_t dominating(const std::vector<std::uint32_t> &states) const;
    [[nodiscard]] std::uint32_t inStep(const std::vector<std::uint32_t> &states, const Steps &within) const;
    [[nodiscard]] std::vector<std::uint32_t> ownHeaders(const std::vector<std::uint32_t> &states) const;
    [[nodiscard]] double unevenness(std::uint32_t region) const;
    [[nodiscard]] bool reaches(std::uint32_t from, std::uint32_t to, const LoopRegion &region) const;

    const ModelSet &m_models;
    std::vector<std::uint32_t> m_structureOfModel;
    std::uint32_t m_structures = 0;
    Steps m_steps;                                        ///< by target
    std::vector<std::vector<std::uint32_t>> m_starts;     ///< by structure: where its tasks begin
    std::vector<std::uint32_t> m_dominator;               ///< immediate one by state; `none`: the program's start
    std::vector<std::uint32_t> m_level;                   ///< by state: dominators above it
    std::vector<LoopRegion> m_regions;                    ///< outer ones before inner ones
    std::vector<std::vector<std::uint32_t>> m_ownHeaders; ///< by region without a header, by structure
    std::vector<std::uint32_t> m_innermost;               ///< by state
};

/// For each model the number of its set of transitions: equal for models that differ in their counts alone. Numbers rise in the
/// order in which the sets first come.
[[nodiscard]] std::vector<std::uint32_t> structuresOf(const std::vector<MarkovModel> &models);

} // namespace laggard
