// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Handles.h"

// Fortran's special addresses are variables of the MPI libraries without a declaration in mpi.h.
#ifdef OPEN_MPI
extern "C" {
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));
}
#else
extern "C" {
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak));
extern void *MPIR_F_MPI_BOTTOM __attribute__((weak));
}
#endif

namespace laggard::collect::mpi {

#ifdef OPEN_MPI
bool isFortranInPlace(const void *buffer) { return buffer == &mpi_fortran_in_place_; }
bool isFortranBottom(const void *buffer) { return buffer == &mpi_fortran_bottom_; }
#else
bool isFortranInPlace(const void *buffer) { return &MPIR_F_MPI_IN_PLACE != nullptr && buffer == MPIR_F_MPI_IN_PLACE; }
bool isFortranBottom(const void *buffer) { return &MPIR_F_MPI_BOTTOM != nullptr && buffer == MPIR_F_MPI_BOTTOM; }
#endif

} // namespace laggard::collect::mpi
