// SPDX-License-Identifier: GPL-3.0-or-later
// The root gathers parts of different lengths and waits for their sum: lengths and places are the root's, values come from all.
// stack: judge@0 main@J
// ranks: 0
// collective: 1-3 main@C -> 0 main@C
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
static int share(int rank) {
    return rank + 1; // IN
}
static double valueOf(int rank, int i) {
    return rank == 2 ? 0.0 : 1.0 + i; // IN
}
static void judge(const double *all, int n) {
    double sum = 0;                 // IN
    int rounds = 0;                 // OUT
    while (sum < 1000) {            // IN @0
        for (int i = 0; i < n; i++) // IN
            sum += all[i] - 1.0;    // IN
        rounds++;                   // OUT
    }
    printf("%d\n", rounds); // OUT
}
int main(int argc, char **argv) {
    int rank, size, total = 0; // IN
    int counts[16], places[16];
    double mine[16], all[160];
    double other[16];
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size); // IN
    int own = share(rank);                // IN
    for (int i = 0; i < own; i++) {       // IN
        mine[i] = valueOf(rank, i);       // IN
        other[i] = i;                     // OUT
    }
    for (int i = 0; i < size; i++) { // IN
        counts[i] = share(i);        // IN
        places[i] = total;           // IN
        total += counts[i];          // IN
    }
    MPI_Gatherv(mine, own, MPI_DOUBLE, all, counts, places, MPI_DOUBLE, 0, MPI_COMM_WORLD); // IN @C
    if (rank == 0)                                                                          // IN
        judge(all, total);                                                                  // IN @J
    printf("%g\n", other[0]);                                                               // OUT
    MPI_Finalize();                                                                         // OUT
    return 0;                                                                               // OUT
}
