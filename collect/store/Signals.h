// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Process.h"

#include <csignal>

namespace laggard::collect {

/// Takes the fatal signals that have their default action, to record the state of the thread and then let the default happen. Of
/// those that crashes raise, a handler that is there already is called afterwards (libraries print stacks in them). May be called
/// again, when others have set theirs.
void takeFatalSignals();

/// The system's sigaction(), for a handler of the recorder's own.
int setOwnHandler(int signal, const struct sigaction &action);

} // namespace laggard::collect
