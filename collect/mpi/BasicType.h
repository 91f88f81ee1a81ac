// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <mpi.h>

namespace laggard::collect::mpi {

/// The predefined datatype that all elements of a datatype are of; it must exist. MPI_DATATYPE_NULL where they differ, or where
/// there are too many parts to look at.
[[nodiscard]] MPI_Datatype basicTypeOf(MPI_Datatype type);

} // namespace laggard::collect::mpi
