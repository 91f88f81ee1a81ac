// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/walk/Walk.h"

namespace laggard::slice {

/// The matches that the run has seen of what a call (a receive, the completion of one, a collective) received, by index; those to
/// other ranks than `ranks` left out, and those where the call was come to another way, in another part of the run. A call that
/// completes requests has those of the calls that made them.
/// @param callers calls that the function of `call` was come to by; null: any
[[nodiscard]] std::vector<std::size_t> matchesOf(const Analysis &analysis, Node call, const std::string &ranks,
                                                 const std::vector<Node> *callers);

/// Those that have sent from one stack.
struct Sender {
    std::size_t first = 0; ///< the first of the matches: its stack is the sender's
    std::string ranks;     ///< all that have sent from this stack; empty: not known
    std::string ofPlace;   ///< all that have sent from this line, along whatever stack
};

/// The senders of some matches, those of one stack joined: groups of receivers may have senders in common.
[[nodiscard]] std::vector<Sender> sendersOf(const Analysis &analysis, const std::vector<std::size_t> &matches);

/// "`v` was received at stencil.c:31 from rank 2, which sent it at stencil.c:27."
[[nodiscard]] std::string describeMessage(const Analysis &analysis, const Steps &steps, const Names &names, const Sender &sender,
                                          Node call, Node value);

/// Whether lists of ranks ("0-2,4-15") have one in common; an empty one has all.
[[nodiscard]] bool ranksMeet(const std::string &a, const std::string &b);

} // namespace laggard::slice
