// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/walk/Walk.h"

namespace laggard::slice {

/// The matches that the run has seen of what a call (a receive, the completion of one, a collective) received, by index; those to
/// other ranks than `ranks` left out. A call that completes requests has those of the calls that made them.
[[nodiscard]] std::vector<std::size_t> matchesOf(const Analysis &analysis, Node call, const std::string &ranks);

/// The ranks that sent what some matches received from the place where one of them was sent: groups of receivers may have senders
/// in common. Empty if they are not known.
[[nodiscard]] std::string sendersOf(const Analysis &analysis, const std::vector<std::size_t> &matches, const MatchedMessage &of);

/// "`v` was received at stencil.c:31 from rank 2, which sent it at stencil.c:27."
[[nodiscard]] std::string describeMessage(const Analysis &analysis, const Steps &steps, const Names &names,
                                          const MatchedMessage &message, const std::string &senders, Node call, Node value);

/// Whether lists of ranks ("0-2,4-15") have one in common; an empty one has all.
[[nodiscard]] bool ranksMeet(const std::string &a, const std::string &b);

} // namespace laggard::slice
