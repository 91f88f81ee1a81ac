// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

/// The part of the probe that is compiled with -finstrument-functions.
namespace probe {

/// Calls itself so many times.
void instrumented(int depth);
/// Calls `inner`, then `each` with 1 … `count`, from a function that never gets out of sight.
void within(const std::function<void()> &inner, int count, const std::function<void(int)> &each);
void inside(const std::function<void()> &inner);
/// Calls `inner` from 10 places in turn, so many times in all.
void callFrom(const std::function<void()> &inner, int count);
/// Leaves two functions by longjmp after `inner`.
void jumpOut(const std::function<void()> &inner);
/// Loads the library, has it call `inner`, and unloads it, so many times.
void callFromLibrary(const char *library, int count, const std::function<void()> &inner);

} // namespace probe
