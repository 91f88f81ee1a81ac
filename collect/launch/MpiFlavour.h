// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/launch/ElfProgram.h"

#include <string>

namespace laggard::collect {

enum class MpiFlavour { None, Mpich, OpenMpi };

/// Which MPI a library is of, by its name ("libmpich.so.12"); None for others. MPICH's common interface (Intel MPI, MVAPICH2,
/// ParaStation) is libmpi.so.12.
[[nodiscard]] MpiFlavour flavourOfLibrary(const std::string &name);
[[nodiscard]] MpiFlavour flavourOf(const std::vector<LoadedLibrary> &libraries);
/// By what Open MPI's launcher puts into the environment: for programs that do not name an MPI (interpreters, scripts). MPICH if
/// nothing says otherwise.
[[nodiscard]] MpiFlavour flavourOfEnvironment();

} // namespace laggard::collect
