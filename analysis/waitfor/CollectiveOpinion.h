// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <optional>
#include <string>

namespace laggard {

/// In what two members of a communicator disagree about one collective call (MPI 3.1 §5.1: all members call the same operations
/// in the same order, with the same root, operator and type signature).
enum class CollectiveDifference : std::uint8_t { None, Operation, NonBlocking, Root, Reduction, Type, Amount };

/// What `b` has otherwise than `a`, the gravest first. What is not known of one of them is no difference.
[[nodiscard]] CollectiveDifference differenceOf(const CollectiveKind &a, const CollectiveKind &b);

/// Adds to `known` what only `other`, which agrees with it, knows: who agrees with one of them then agrees with both.
void learn(CollectiveKind &known, const CollectiveKind &other);

/// "the root", "the operator" …, of which members may disagree; "the operation" for None.
[[nodiscard]] std::string_view name(CollectiveDifference difference);

/// "MPI_Reduce (root 2, MPI_MAX)": the operation, with what `difference` is about.
[[nodiscard]] std::string describeCollective(const Trace &trace, const CollectiveKind &kind, CollectiveDifference difference);

/// A rank's part in a collective: what it takes it for, and the call that made or posted it.
struct CollectivePart {
    CollectiveKind kind;
    CallPathId callPath = none;
    enum class State : std::uint8_t { Completed, Posted } state = State::Completed;
};

/// What the events of `rank` tell of its collective of this number on a communicator, by `at`, if it has completed it, or posted
/// it and not waited for it yet; nothing if it is in the call itself. `completed`: how many it has completed there by `at`. Looks
/// at the latest records only.
[[nodiscard]] std::optional<CollectivePart> partOf(const Trace &trace, Rank rank, CommunicatorId communicator,
                                                   std::uint32_t number, std::uint32_t completed, Tick at);

} // namespace laggard
