// SPDX-License-Identifier: GPL-3.0-or-later
// A job in which rank 1 ends over an index that rank 0 has computed: tst_crashslice knows the lines by their marks.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { cells = 64 };

static long positionOf(int rank) {
    return rank * 4096L * 1024 * 1024; // @wrong
}

static double valueAt(const double *table, long at) {
    return table[at]; // @fault
}

static double divided(int of, int by) {
    return of / by; // @divided
}

static double look(const double *table, const char *how, int rank) {
    long at = 3;
    int by = 0; // @zero
    double unused = 2.5;
    if (rank == 0) {
        long next = positionOf(rank + 1);                   // @computed
        MPI_Send(&next, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD); // @sent
    }
    if (rank == 1)
        MPI_Recv(&at, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // @received
    if (rank == 1 && strcmp(how, "divide") == 0)
        return divided((int)unused, by);                      // @divides
    if (rank == 1 && strcmp(how, "abort") == 0 && at > cells) // @check
        abort();                                              // @abort
    return unused + valueAt(table, at);                       // @looks
}

int main(int argc, char **argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *table = calloc(cells, sizeof *table);
    const double found = look(table, argc > 1 ? argv[1] : "", rank);
    printf("%g\n", found);
    MPI_Barrier(MPI_COMM_WORLD);
    free(table);
    MPI_Finalize();
    return 0;
}
