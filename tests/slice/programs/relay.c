// SPDX-License-Identifier: GPL-3.0-or-later
// Two messages over three ranks: rank 0 computes, rank 1 hands on, rank 2 never has enough.
// stack: last main
// ranks: 2
// message: 0 first@S0 main@F -> 1 middle@R1 main@M
// message 2: 1 middle@S1 main@M -> 2 last@R2 main@1
#include <mpi.h>
#include <stdio.h>
static int wrong(int n) {
    return n - 12; // IN
}
static int right(int n) {
    return n + 12; // OUT
}
static void first(int n) {
    int amount = wrong(n);                               // IN
    int other = right(n);                                // OUT
    MPI_Send(&other, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);  // OUT
    MPI_Send(&amount, 1, MPI_INT, 1, 2, MPI_COMM_WORLD); // IN @S0
}
static void middle(void) {
    int in, out, noise;
    MPI_Recv(&in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @R1
    noise = in * 7;                                                     // OUT
    out = in / 2;                                                       // IN
    MPI_Send(&out, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);                   // IN @S1
    MPI_Send(&noise, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);                 // OUT
}
static void last(void) {
    int a, b, c;
    int left = 5;                                                      // IN
    MPI_Recv(&a, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // OUT
    MPI_Recv(&b, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @R2
    MPI_Recv(&c, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // OUT
    printf("%d %d\n", a, c);                                           // OUT
    do {
        left -= b;        // IN
    } while (left > 0);   // IN @0
    printf("%d\n", left); // OUT
}
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    int n = 10;                           // IN
    if (rank == 0)                        // IN
        first(n);                         // IN @F
    else if (rank == 1)                   // IN
        middle();                         // IN @M
    else
        last();     // IN @1
    MPI_Finalize(); // OUT
    return 0;       // OUT
}
