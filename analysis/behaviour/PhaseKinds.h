// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Phases.h"

namespace laggard {

/// Divides sets of phases so that only like is compared with like (ours): a function that serves all levels of a grid, or is
/// called with other sizes after a refinement, is the same function, and its calls are no comparable phases.
///
/// Phases are of one kind if the messages of all ranks together are about as many, as large and between as many pairs, and
/// collectives move as much: ordered by each of these, kinds are apart where one is 1.5 times the one before. A size that grows
/// step by step has no such gap. A kind has five phases or more; the others, and those that were cut off, take the kind of the
/// phase that followed when the two before were last of the same kinds. Nothing is divided where fewer than two kinds are left,
/// nor in model dumps. The judged run decides; a phase that it did not have is judged by the first reference that has it.
void separateKinds(PhaseTable &phases, std::span<const Trace *const> traces, const Work &work);

} // namespace laggard
