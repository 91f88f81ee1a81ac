// SPDX-License-Identifier: GPL-3.0-or-later
// How many messages are to come is told by an all-to-all; the receive that waits is one too many.
// stack: MPI_Recv collect main
// ranks: 0
// collective: 0-7 announce@A main@AN -> 0-7 announce@A main@AN
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int size, rank;
static int share(int to) {
    int part = to + rank; // IN
    return part % 3;      // IN
}
static void announce(int *expected, double *weights) {
    int mine[64];
    double heavy[64];
    for (int to = 0; to < size; to++) { // IN
        mine[to] = share(to);           // IN
        heavy[to] = to * 0.1;           // OUT
    }
    MPI_Alltoall(mine, 1, MPI_INT, expected, 1, MPI_INT, MPI_COMM_WORLD);       // IN @A
    MPI_Alltoall(heavy, 1, MPI_DOUBLE, weights, 1, MPI_DOUBLE, MPI_COMM_WORLD); // OUT
}
static void distribute(double x) {
    for (int to = 0; to < size; to++)                           // OUT
        for (int i = 0; i < share(to); i++)                     // OUT
            MPI_Send(&x, 1, MPI_DOUBLE, to, 4, MPI_COMM_WORLD); // OUT
}
static double collect(const int *expected, const double *weights) {
    double total = 0, x;                                                             // OUT
    for (int from = 0; from < size; from++)                                          // IN
        for (int i = 0; i <= expected[from]; i++) {                                  // IN
            MPI_Recv(&x, 1, MPI_DOUBLE, from, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @1
            total += x * weights[from];                                              // OUT
        }
    return total; // OUT
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size); // IN
    int expected[64];
    double weights[64];
    announce(expected, weights);               // IN @AN
    distribute(1.5);                           // OUT
    double total = collect(expected, weights); // IN @2
    printf("%g\n", total);                     // OUT
    MPI_Finalize();                            // OUT
    return 0;                                  // OUT
}
