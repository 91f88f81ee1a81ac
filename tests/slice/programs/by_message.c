// SPDX-License-Identifier: GPL-3.0-or-later
// The value that keeps rank 1 in its loop was computed wrongly by rank 0, which has sent it.
// stack: worker main
// ranks: 1
// message: 0 master@S main@MR -> 1 worker@R main@1
#include <mpi.h>
#include <stdio.h>
static int rank, size;
static int wrong(int n) {
    int doubled = n * 2; // IN
    return doubled - 20; // IN
}
static void master(void) {
    int n = 10;                                                 // IN
    int amount = wrong(n);                                      // IN
    int greeting = 7;                                           // OUT
    for (int to = 1; to < size; to++) {                         // IN
        MPI_Send(&greeting, 1, MPI_INT, to, 1, MPI_COMM_WORLD); // OUT
        MPI_Send(&amount, 1, MPI_INT, to, 2, MPI_COMM_WORLD);   // IN @S
    }
    printf("sent %d\n", amount); // OUT
}
static void worker(void) {
    int hello, amount;
    int left = 100;                                                         // IN
    MPI_Recv(&hello, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);  // OUT
    MPI_Recv(&amount, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @R
    printf("%d\n", hello);                                                  // OUT
    while (left > 0)                                                        // IN @0
        left -= amount;                                                     // IN
    printf("%d\n", left);                                                   // OUT
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size); // IN
    if (rank == 0)                        // IN
        master();                         // IN @MR
    else
        worker();   // IN @1
    MPI_Finalize(); // OUT
    return 0;       // OUT
}
