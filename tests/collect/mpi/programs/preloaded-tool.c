// SPDX-License-Identifier: GPL-3.0-or-later
// A tool that is preloaded and wraps MPI calls, as profilers do: it says how many it has seen.
#include <mpi.h>
#include <stdio.h>

static int sends, sizes;

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    int size;
    ++sends;
    MPI_Comm_size(comm, &size); // through its own wrapper
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
    ++sizes;
    return PMPI_Comm_size(comm, size);
}

int MPI_Finalize(void) {
    printf("the tool has seen %d sends, %d sizes\n", sends, sizes);
    fflush(stdout);
    return PMPI_Finalize();
}
