// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace laggard::collect {

enum class OwnStack { Small, OfProgram }; ///< a few frames of ours, or as large as the program's threads have it

/// Runs `work(argument)` in a thread of the recorder's own: the program's signals are not for it, nothing that it calls is
/// recorded, and nobody waits for it. False if the system makes none.
bool startOwnThread(void (*work)(void *), void *argument, OwnStack stack = OwnStack::Small);

/// Gives the calling thread a table of descriptors of its own, with nothing in it. False if it stays as it is. Not where system
/// calls are filtered.
bool takeOwnDescriptors();
/// The calling thread has one.
[[nodiscard]] bool hasOwnDescriptors();

/// As it is shown by the system; up to 15 bytes.
void setOwnThreadName(const char *name);

} // namespace laggard::collect
