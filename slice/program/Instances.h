// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/program/Program.h"

namespace laggard::slice {

/// Gives calls a copy of the function that they call, so that what one call is handed does not mix with what another is: the
/// whole tree of calls of a small program, small functions only of a large one. Functions that call themselves, and those
/// called by pointer, are shared.
void makeInstances(Program &program);

} // namespace laggard::slice
