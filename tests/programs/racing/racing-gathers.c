// SPDX-License-Identifier: GPL-3.0-or-later
// Two collectives made by hand, whose data messages race: rank 0 gathers one number of each rank, and then another one, from
// anybody who sends, with one tag. The second ones come later; one that overtakes the first one of another rank goes into the
// wrong sum.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { TAG_GATHER = 1 }; // BUG: one for both

static int gather(int value) {
    int rank, ranks, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank != 0)
        MPI_Send(&value, 1, MPI_INT, 0, TAG_GATHER, MPI_COMM_WORLD);
    for (int other = 1; rank == 0 && other < ranks; other++) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, TAG_GATHER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += value;
    }
    return sum;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    int first = gather(1);
    if (rank != 0)
        usleep(50000);
    int second = gather(100);
    if (rank == 0)
        printf("first %d second %d\n", first, second);
    MPI_Finalize();
    return 0;
}
