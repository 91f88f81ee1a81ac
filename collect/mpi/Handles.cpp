// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/mpi/Handles.h"

#include <dlfcn.h>

#include <iterator>

// Fortran's special addresses are variables of the MPI libraries, most without a declaration in mpi.h.
extern "C" {
#ifdef OPEN_MPI
// As the compilers write a common block's name.
extern int mpi_fortran_in_place __attribute__((weak));
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_bottom __attribute__((weak));
extern int mpi_fortran_bottom_ __attribute__((weak));
extern int mpi_fortran_status_ignore __attribute__((weak));
extern int mpi_fortran_status_ignore_ __attribute__((weak));
extern int mpi_fortran_statuses_ignore __attribute__((weak));
extern int mpi_fortran_statuses_ignore_ __attribute__((weak));
#else
extern void *MPIR_F_MPI_IN_PLACE __attribute__((weak));
extern void *MPIR_F_MPI_BOTTOM __attribute__((weak));
#pragma weak MPIR_F08_MPI_STATUS_IGNORE_OBJ
#pragma weak MPIR_F08_MPI_STATUSES_IGNORE_OBJ
#endif
}

namespace laggard::collect::mpi {

#ifdef OPEN_MPI
namespace {
constexpr const char *predefinedNames[] = {
    "ompi_mpi_comm_world",  "ompi_mpi_comm_self",     "ompi_mpi_comm_null", "ompi_request_null", "ompi_message_null",
    "ompi_message_no_proc", "ompi_mpi_datatype_null", "ompi_mpi_byte",      "ompi_mpi_packed",   "ompi_mpi_errors_return"};
void *s_predefined[std::size(predefinedNames)]; // as the library's own are for the whole process
} // namespace

void *predefinedObject(Predefined which) { return s_predefined[static_cast<unsigned>(which)]; }

bool findPredefined() {
    bool hasAll = true;
    for (std::size_t i = 0; i < std::size(predefinedNames); ++i) {
        s_predefined[i] = dlsym(RTLD_DEFAULT, predefinedNames[i]);
        hasAll = hasAll && s_predefined[i] != nullptr;
    }
    return hasAll;
}

bool isFortranInPlace(const void *buffer) { return buffer == &mpi_fortran_in_place || buffer == &mpi_fortran_in_place_; }
bool isFortranBottom(const void *buffer) { return buffer == &mpi_fortran_bottom || buffer == &mpi_fortran_bottom_; }
bool isFortranStatusIgnored(const void *status) {
    return status == &mpi_fortran_status_ignore || status == &mpi_fortran_status_ignore_ ||
           status == &mpi_fortran_statuses_ignore || status == &mpi_fortran_statuses_ignore_;
}
#else
bool findPredefined() { return true; }

bool isFortranInPlace(const void *buffer) { return &MPIR_F_MPI_IN_PLACE != nullptr && buffer == MPIR_F_MPI_IN_PLACE; }
bool isFortranBottom(const void *buffer) { return &MPIR_F_MPI_BOTTOM != nullptr && buffer == MPIR_F_MPI_BOTTOM; }
bool isFortranStatusIgnored(const void *status) {
    return status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE || status == &MPIR_F08_MPI_STATUS_IGNORE_OBJ ||
           status == MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
}
#endif

} // namespace laggard::collect::mpi
