// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/Switches.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

/// Where MPI's headers are and what macros they want, as the compiler wrapper on the user's path says (`mpicc -show`, which
/// MPICH, Open MPI and Intel MPI understand): words for a compiler, empty if there is none or it says nothing within `patience`.
[[nodiscard]] std::vector<std::string> mpiSwitches(Language language, const std::string &searchPath,
                                                   std::chrono::milliseconds patience, const std::stop_token &stop);

} // namespace laggard
