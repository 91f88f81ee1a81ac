// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/ModelSet.h"
#include "trace/Trace.h"

#include <unordered_map>
#include <vector>

namespace laggard {

// States are numbered while they are collected: 0 is the program's start, and the MPI call path p has the communication state
// 1 + 2p and the computation state after it, 2 + 2p.
inline constexpr std::uint64_t startState = 0;
constexpr std::uint64_t communicationState(CallPathId path) { return 1 + 2 * std::uint64_t{path}; }
constexpr std::uint64_t computationState(CallPathId path) { return 2 + 2 * std::uint64_t{path}; }

/// A state of a trace with its stack.
[[nodiscard]] ModelState describeState(const Trace &trace, std::uint64_t state);

/// For each call path the outermost MPI call on it, or `none`.
[[nodiscard]] std::vector<CallPathId> outermostMpi(const Trace &trace);

/// True if the rank finished within the trace: it left its last outermost call, or MPI_Finalize, for good, and nothing of it was
/// lost. `lastMpiRow`: its last outermost MPI call, or `none`. Its main thread must have calls.
[[nodiscard]] bool hasEnded(const Trace &trace, Rank rank, std::uint32_t lastMpiRow);

/// Gathers models, equal ones once.
class ModelPool {
  public:
    explicit ModelPool(ModelSet &set) : m_set(set) {}
    /// Position of an equal model in the set, to which it is added if it is new.
    std::uint32_t add(MarkovModel model);

  private:
    struct Hash {
        std::size_t operator()(const MarkovModel &model) const;
    };
    ModelSet &m_set;
    std::unordered_map<MarkovModel, std::uint32_t, Hash> m_known;
};

} // namespace laggard
