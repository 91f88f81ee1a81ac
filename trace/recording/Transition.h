// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Format.h"

/// The times of a transition of the model, as the recorder keeps them and the reader needs them.
namespace laggard::recording {

/// One more: mean and squared deviations by Welford's recurrence, and the histogram (AutomaDeD §3.1).
void addTime(TransitionSlot &slot, double ticks);
/// Adds all times of `from`.
void mergeTransition(TransitionSlot &to, const TransitionSlot &from);

/// One more; false, and nothing happens, where the slot has no room for it: they are too many, it is too long, or no whole
/// number.
bool addTime(FewTimesSlot &slot, double ticks);
/// The same transition in the other form, without version and check: as if it had had that form from its first time on.
[[nodiscard]] TransitionSlot transitionOf(const FewTimesSlot &slot);

} // namespace laggard::recording
