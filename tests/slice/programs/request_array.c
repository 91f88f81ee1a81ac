// SPDX-License-Identifier: GPL-3.0-or-later
// Two requests in an array: the wait is for the second.
// stack: MPI_Wait finish main
#include <mpi.h>
#include <stdio.h>
static MPI_Request requests[4];
static double inbox[4], outbox[4];
static int peer_of(int rank, int size) {
    return (rank + 1) % size; // IN
}
static int tag_of(int step) {
    return 20 + step; // IN
}
static void post(int rank, int size, int step) {
    int up = peer_of(rank, size);                                                // IN
    int down = (rank + size - 1) % size;                                         // OUT
    int tag = tag_of(step);                                                      // IN
    MPI_Irecv(&inbox[0], 1, MPI_DOUBLE, down, 7, MPI_COMM_WORLD, &requests[0]);  // OUT
    MPI_Irecv(&inbox[1], 1, MPI_DOUBLE, up, tag, MPI_COMM_WORLD, &requests[1]);  // IN
    outbox[2] = rank * 2.0;                                                      // OUT
    MPI_Isend(&outbox[2], 1, MPI_DOUBLE, up, 7, MPI_COMM_WORLD, &requests[2]);   // OUT
    MPI_Isend(&outbox[3], 1, MPI_DOUBLE, down, 8, MPI_COMM_WORLD, &requests[3]); // OUT
}
static double compute(int n) {
    double x = 1;               // OUT
    for (int i = 0; i < n; i++) // OUT
        x = x * 1.0001 + i;     // OUT
    return x;                   // OUT
}
static void finish(void) {
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);         // OUT
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);         // IN @1
    MPI_Waitall(2, &requests[2], MPI_STATUSES_IGNORE); // OUT
}
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);                    // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);      // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size);      // IN
    int step = 4;                              // IN
    post(rank, size, step);                    // IN
    double x = compute(1000);                  // OUT
    finish();                                  // IN @2
    printf("%g %g\n", x, inbox[0] + inbox[1]); // OUT
    MPI_Finalize();                            // OUT
    return 0;                                  // OUT
}
