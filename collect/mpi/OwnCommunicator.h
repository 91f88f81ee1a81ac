// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Handles.h"

namespace laggard::collect::mpi {

/// A new communicator with the members of another one, for messages of the recorder. Nothing that the program has attached to
/// that one is copied, as MPI_Comm_dup would: that may call functions of the program. Errors are returned. All members call it.
/// MPI_COMM_NULL if there is none to be had.
inline MPI_Comm ownCommunicator(MPI_Comm other) {
    MPI_Group members = MPI_GROUP_NULL;
    if (PMPI_Comm_group(other, &members) != MPI_SUCCESS)
        return MPI_COMM_NULL;
    MPI_Comm made = MPI_COMM_NULL;
    if (PMPI_Comm_create(other, members, &made) != MPI_SUCCESS)
        made = MPI_COMM_NULL;
    PMPI_Group_free(&members);
    if (made != MPI_COMM_NULL)
        PMPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
    return made;
}

} // namespace laggard::collect::mpi
