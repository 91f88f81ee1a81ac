// SPDX-License-Identifier: GPL-3.0-or-later
// A ring hands values on with one buffer for both directions; its neighbours come from a table that has a mistake.
// stack: MPI_Sendrecv_replace shift@R main@M
#include "mpi.h"
#include <stdio.h>
#define most 16
static int ring[most], place[most];
static int shifts;
static int mirrored(int i, int n) {
    return n - i; // IN
}
static void makeRing(int n) {
    for (int i = 0; i < n; i++) { // IN
        ring[i] = mirrored(i, n); // IN
        place[i] = i * i;         // OUT
    }
}
static void shift(double *value, int rank, int n) {
    int next = ring[rank];                                                                             // IN
    int before = ring[(rank + n - 1) % n];                                                             // IN
    double old = *value;                                                                               // OUT
    shifts++;                                                                                          // OUT
    MPI_Sendrecv_replace(value, 1, MPI_DOUBLE, next, 5, before, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @R
    printf("%g %g\n", old, *value);                                                                    // OUT
}
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size); // IN
    double value = rank * 2.5;            // OUT
    int rounds = size / 2;                // IN
    makeRing(size);                       // IN
    for (int i = 0; i < rounds; i++)      // IN
        shift(&value, rank, size);        // IN @M
    printf("%d %d\n", shifts, place[1]);  // OUT
    MPI_Finalize();                       // OUT
    return 0;                             // OUT
}
