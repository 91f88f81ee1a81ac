// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard::collect {

/// Runs `work(argument)` in a thread of the recorder's own: the program's signals are not for it, nothing that it calls is
/// recorded, and nobody waits for it. False if the system makes none.
bool startOwnThread(void (*work)(void *), void *argument);

/// Gives the calling thread a table of descriptors of its own, with nothing in it: the program may close all descriptors at any
/// time, and the number of a file that this thread is just reading would then be that of one of the program's. It also keeps
/// nothing open that the program closes. Where system calls are filtered, it stays as it is. True if the table is its own now.
bool takeOwnDescriptors();

/// As it is shown by the system; up to 15 bytes.
void setOwnThreadName(const char *name);

} // namespace laggard::collect
