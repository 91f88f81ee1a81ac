// SPDX-License-Identifier: GPL-3.0-or-later
// The least recording there is, to be preloaded: how long each rank was between MPI_Init and MPI_Finalize, in nanoseconds, into
// the file that MARKS names.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long begun;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int MPI_Init(int *argc, char ***argv) {
    const int result = PMPI_Init(argc, argv);
    begun = now();
    return result;
}

int MPI_Finalize(void) {
    const long long length = now() - begun;
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    FILE *file = getenv("MARKS") ? fopen(getenv("MARKS"), "a") : NULL;
    if (file) {
        fprintf(file, "%d %lld\n", rank, length);
        fclose(file);
    }
    return PMPI_Finalize();
}
