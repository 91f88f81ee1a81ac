// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace laggard {

/// A function of a state's call path, with the place it is called from. Names, not numbers: traces share them.
struct StateFrame {
    std::string function;
    std::string site;          ///< "file.c:12", where in its caller it is called; empty where unknown (OTF2)
    std::string datatype = {}; ///< argument of an MPI call; empty where unknown (OTF2), and of other functions
    auto operator<=>(const StateFrame &) const = default;
};

/// A state of a semi-Markov model (AutomaDeD §2.1): inside an MPI call, or the code after one.
struct SmmState {
    enum class Kind : std::uint8_t {
        Start,         ///< before the first MPI call
        Communication, ///< `path` ends in the outermost MPI call
        Computation,   ///< the code after the MPI call at the end of `path`
        Finished,      ///< the rank left its program: a target only
        NotReturned,   ///< the source state was still open at the end: a target only; its time is the time elapsed (censored)
    };
    Kind kind = Kind::Start;
    std::vector<StateFrame> path; ///< outermost first; empty for Start, Finished and NotReturned
    bool tellDatatype = false;    ///< another state of the table differs in the datatype alone; no part of what a state is

    [[nodiscard]] bool isComputation() const { return kind == Kind::Computation || kind == Kind::Start; }
    bool operator==(const SmmState &other) const { return kind == other.kind && path == other.path; }
    auto operator<=>(const SmmState &other) const { return std::tie(kind, path) <=> std::tie(other.kind, other.path); }
};

/// "MPI_Send in exchange (halo.c:67)", "after MPI_Waitall in exchange", "start", "finished", "not returned"; if it is to be told,
/// "MPI_Bcast of MPI_INT in setup".
[[nodiscard]] std::string describe(const SmmState &state);

struct SmmTransition {
    std::uint32_t from = 0; ///< state
    std::uint32_t to = 0;   ///< state; may be StateTable::finished or StateTable::notReturned
    auto operator<=>(const SmmTransition &) const = default;
};

/// All states and transitions of a run and its references. Numbers depend on names alone: states are in the order of their paths,
/// transitions in the order of (from, to), so that the transitions out of a state stand together. If any rank did not return,
/// each state has a transition to NotReturned, taken or not, because phases are compared with equally cut ones.
struct StateTable {
    std::vector<SmmState> states;
    std::vector<SmmTransition> transitions;
    std::uint32_t finished = none;    ///< the state of kind Finished, always there
    std::uint32_t notReturned = none; ///< the state of kind NotReturned, always there

    [[nodiscard]] const SmmState &from(std::uint32_t transition) const { return states[transitions[transition].from]; }
    [[nodiscard]] const SmmState &to(std::uint32_t transition) const { return states[transitions[transition].to]; }
    [[nodiscard]] bool isComputation(std::uint32_t transition) const { return from(transition).isComputation(); }
    [[nodiscard]] bool isCensored(std::uint32_t transition) const { return transitions[transition].to == notReturned; }
    /// The transition, or `none`.
    [[nodiscard]] std::uint32_t find(std::uint32_t from, std::uint32_t to) const;
};

/// "after MPI_Recv in run_worker → MPI_Send in run_worker".
[[nodiscard]] std::string describeTransition(const StateTable &table, std::uint32_t transition);

} // namespace laggard
