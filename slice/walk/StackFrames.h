// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/walk/Walk.h"

#include <span>

namespace laggard::slice {

/// A function in which a stack ends, and the instructions that it may stand at; none where only the function is known.
struct Standing {
    Walk::Entered where = none;
    std::vector<Node> nodes;
};

/// A function on a stack and its call of the next inner one.
struct StackedCall {
    std::uint32_t depth = 0; ///< frames outside of it that are known
    Walk::Entered where = none;
    Node call = none;
};

/// Keys of stacks: those that the caller of the slicer has given come first, then those of messages' senders.
inline constexpr std::uint32_t firstMessageKey = 1 << 16;

/// Enters the functions of a stack, the outermost known one first, along the calls at the lines that the frames name. Functions
/// that the program has no code of are passed over, with a sentence where `warnings` are wanted (not for MPI's own).
/// @param calls where it is not null: the calls on the way, outermost first
[[nodiscard]] std::vector<Standing> enterStack(Analysis &analysis, Walk &walk, const TaskStack &stack, std::uint32_t key,
                                               std::vector<std::string> *warnings, std::vector<StackedCall> *calls = nullptr);

/// The calls in a function (which may be a copy) that lead to one of `next` (which are none), and what of it they call: those at
/// the line of the frame if there are such, else all.
[[nodiscard]] std::vector<std::pair<Node, std::uint32_t>>
callsTo(const Analysis &analysis, std::uint32_t instance, const SourcePlace &place, const std::vector<std::uint32_t> &next);

/// Whether a function (which may be a copy) can have been called along the frames that are outside of it, innermost first.
/// @param callers calls that it was come to by; null: any
[[nodiscard]] bool comesAlong(const Analysis &analysis, std::uint32_t instance, std::span<const SourcePlace> outside,
                              const std::vector<Node> *callers = nullptr);

/// The MPI function that the stack ends in, as its innermost frames tell; empty if they do not.
[[nodiscard]] std::string mpiCallOf(const TaskStack &stack);

} // namespace laggard::slice
