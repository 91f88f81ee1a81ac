// SPDX-License-Identifier: GPL-3.0-or-later
// The peer of a receive is taken from a table at an index that another function computes wrongly.
// stack: MPI_Recv exchange main
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int neighbour[4];
static int colour[4];
static int rank, size;
static int opposite(int direction) {
    int shifted = direction + 1; // IN
    return shifted % 4;          // IN
}
static int similar(int direction) {
    int shifted = direction + 2; // OUT
    return shifted % 4;          // OUT
}
static void setup(void) {
    for (int d = 0; d < 4; d++) {         // IN
        neighbour[d] = (rank + d) % size; // IN
        colour[d] = d * 7;                // OUT
    }
}
static double exchange(int direction, double mine) {
    double theirs = 0;                                                            // OUT
    int from = neighbour[opposite(direction)];                                    // IN
    int shade = colour[similar(direction)];                                       // OUT
    double weight = shade * 0.1;                                                  // OUT
    mine *= weight;                                                               // OUT
    MPI_Send(&mine, 1, MPI_DOUBLE, neighbour[direction], 5, MPI_COMM_WORLD);      // OUT
    MPI_Recv(&theirs, 1, MPI_DOUBLE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @1
    return theirs;                                                                // OUT
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size); // IN
    setup();                              // IN
    double value = rank * 1.5;            // OUT
    double total = 0;                     // OUT
    for (int d = 0; d < 4; d++)           // IN
        total += exchange(d, value);      // IN @2
    printf("%g\n", total);                // OUT
    MPI_Finalize();                       // OUT
    return 0;                             // OUT
}
