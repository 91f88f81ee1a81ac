// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace laggard::collect {

/// MPI libraries whose handles are of the same kind, so that one recorder serves them.
enum class MpiFlavour { None, Mpich, OpenMpi };

/// Which MPI a library is of, by its name ("libmpich.so.12"); None for others. MPICH's common interface (Intel MPI, MVAPICH2,
/// ParaStation) is libmpi.so.12.
[[nodiscard]] MpiFlavour flavourOfLibrary(std::string_view name);

} // namespace laggard::collect
