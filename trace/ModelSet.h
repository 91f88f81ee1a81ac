// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// One function of a call stack.
struct Frame {
    std::string function;
    std::string file;          ///< empty where unknown
    std::uint32_t line = 0;    ///< 0 where unknown
    bool isDefinition = false; ///< `line` is where the function begins: where it had come to is not known
    bool operator==(const Frame &) const = default;
};

/// A state of a control-flow model (PDI §2.2): inside an MPI call, or the code between two MPI calls.
struct ModelState {
    enum class Kind : std::uint8_t { Start, Communication, Computation };
    Kind kind = Kind::Start;
    CallPathId callPath = none; ///< Communication: the MPI call; Computation: the MPI call it follows; models from traces only
    std::vector<Frame> stack;   ///< innermost first, as debuggers print it
};

/// How often a task went from one state to another.
struct Transition {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t count = 0;
    auto operator<=>(const Transition &) const = default;
};

/// The control-flow history of a task (PDI §3.1). Transitions are sorted and without repetition.
struct MarkovModel {
    std::vector<Transition> transitions;
    bool operator==(const MarkovModel &) const = default;
};

/// The control-flow models of all tasks of a job, over one table of states. Ranks with the same transitions and
/// counts share a model.
struct ModelSet {
    std::vector<ModelState> states;
    std::vector<MarkovModel> models;
    std::vector<std::uint32_t> modelOfRank; ///< position in `models`; `none` if the rank has no history
    std::vector<std::uint32_t> stateOfRank; ///< the state it is in; `none` if it has finished or nothing is known of it
    /// The state in which the rank's history breaks off: what would have followed was never seen. `none` if the rank
    /// finished. Empty: as `stateOfRank`.
    std::vector<std::uint32_t> lastStateOfRank = {};
};

} // namespace laggard
