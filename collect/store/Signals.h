// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/store/Process.h"

namespace laggard::collect {

/// Takes the fatal signals that have their default action, to record the state of the thread and then let the default happen. Of
/// those that crashes raise, a handler that is there already is called afterwards (libraries print stacks in them). May be called
/// again, when others have set theirs.
void takeFatalSignals();

/// A real-time signal by which the monitor thread has the main thread copy its registers and stack; 0 if all are in use.
[[nodiscard]] int takeCaptureSignal();

/// Has the main thread copy itself into the hang chunk. If the thread is in a system call that a signal would cut short, it is
/// left alone, and only its stack pointer and program counter are known. False if neither was possible.
bool captureMainThread(Process &process, int captureSignal);

} // namespace laggard::collect
