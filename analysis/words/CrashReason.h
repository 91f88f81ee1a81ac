// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Location.h"

#include <string>
#include <string_view>

namespace laggard {

/// What the stack of a crash tells of its reason: functions of the C and C++ libraries that end a process for one, and a stack
/// that is full of one function. `called`: the function of a library that the program's own code had called, where it is known.
/// Empty if nothing tells.
[[nodiscard]] std::string reasonOfCrash(const ProcessEnd &end, std::string_view called);

} // namespace laggard
