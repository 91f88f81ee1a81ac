// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/behaviour/SemiMarkov.h"

namespace laggard {

/// How the state of an occurrence that was not left had been left before, most often first, at most two ways: by the same rank,
/// in the judged run and in the references; if it never was, by all. Transitions that nobody took are not there.
[[nodiscard]] std::vector<RelatedTransition> expectedTransitions(const Histories &histories, const Occurrence &open);

/// The calls that sent the awaited messages: the transitions out of them, then those into them; equal ones of several ranks are
/// one. At most SemiMarkovVerdict::mostRelated. Nothing from model dumps, which do not tell single calls.
[[nodiscard]] std::vector<RelatedTransition> sendingTransitions(const Histories &histories, const PhaseTable &phases,
                                                                const std::vector<AwaitedMessage> &messages);

} // namespace laggard
