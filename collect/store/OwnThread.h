// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard::collect {

/// Runs `work(argument)` in a thread of the recorder's own: the program's signals are not for it, nothing that it calls is
/// recorded, and nobody waits for it. False if the system makes none.
bool startOwnThread(void (*work)(void *), void *argument);

} // namespace laggard::collect
