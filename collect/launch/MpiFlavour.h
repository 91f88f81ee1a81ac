// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/launch/ElfProgram.h"
#include "collect/mpi/Flavour.h"

#include <string>

namespace laggard::collect {

[[nodiscard]] MpiFlavour flavourOf(const std::vector<LoadedLibrary> &libraries);
/// Which MPI's launcher it is that has loaded these: what it starts is recorded as it inherits the environment.
[[nodiscard]] MpiFlavour flavourOfLauncher(const std::vector<LoadedLibrary> &libraries);
/// By what Open MPI's launcher puts into the environment: for programs that do not name an MPI (interpreters, scripts). MPICH if
/// nothing says otherwise.
[[nodiscard]] MpiFlavour flavourOfEnvironment();

} // namespace laggard::collect
