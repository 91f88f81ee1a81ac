// SPDX-License-Identifier: GPL-3.0-or-later
// A fallback for a tag that comes too early: the setup of rank 1 is there before the work of the others, but for once in a while.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { TAG_SETUP = 1, TAG_WORK };

static void serve(int clients) {
    int *scale = NULL, value, sum = 0;
    for (int i = 0; i < clients; i++) {
        MPI_Status status;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == TAG_SETUP) {
            scale = malloc(sizeof *scale);
            *scale = value;
        } else {
            sum += value * *scale; // BUG: without a setup there is none
        }
    }
    printf("sum %d\n", sum);
    free(scale);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        serve(ranks - 1);
    } else {
        if (rank > 1)
            usleep(30000);
        MPI_Send(&rank, 1, MPI_INT, 0, rank == 1 ? TAG_SETUP : TAG_WORK, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
