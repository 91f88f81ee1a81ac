// SPDX-License-Identifier: GPL-3.0-or-later
// A flag in a window that another rank is to put, and a value that is got: the one decides about the loop.
// stack: await main
#include <mpi.h>
#include <stdio.h>
static int board[4];
static double shared[4];
static MPI_Win flags, values;
static int slot_of(int rank) {
    int half = rank / 2; // IN
    return half + 1;     // IN
}
static void expose(void) {
    MPI_Win_create(board, sizeof board, sizeof board[0], MPI_INFO_NULL, MPI_COMM_WORLD, &flags);     // IN
    MPI_Win_create(shared, sizeof shared, sizeof shared[0], MPI_INFO_NULL, MPI_COMM_WORLD, &values); // OUT
}
static void announce(int to, int slot) {
    int one = 1;                                            // OUT
    MPI_Put(&one, 1, MPI_INT, to, slot, 1, MPI_INT, flags); // OUT
}
static double fetch(int from) {
    double got = 0;                                               // OUT
    MPI_Get(&got, 1, MPI_DOUBLE, from, 0, 1, MPI_DOUBLE, values); // OUT
    MPI_Win_fence(0, values);                                     // OUT
    return got;                                                   // OUT
}
static int await(int slot) {
    int rounds = 0;              // OUT
    while (board[slot] == 0) {   // IN @0
        MPI_Win_fence(0, flags); // IN
        rounds++;                // OUT
    }
    return rounds; // OUT
}
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);                // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);  // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size);  // OUT
    expose();                              // IN
    board[slot_of(rank)] = 0;              // IN
    shared[0] = rank * 1.5;                // OUT
    double got = fetch((rank + 1) % size); // OUT
    announce((rank + 1) % size, 2);        // OUT
    int rounds = await(slot_of(rank));     // IN @1
    printf("%d %g\n", rounds, got);        // OUT
    MPI_Finalize();                        // OUT
    return 0;                              // OUT
}
