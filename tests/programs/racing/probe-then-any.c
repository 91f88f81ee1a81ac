// SPDX-License-Identifier: GPL-3.0-or-later
// A race between probe and receive: rank 0 asks who has sent, and then receives from anybody, who need not be the same.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 10, TAG_DATA = 1 };

static void collect(int senders) {
    long mixed = 0;
    for (int i = 0; i < senders * ROUNDS; i++) {
        MPI_Status seen, got;
        int count;
        MPI_Probe(MPI_ANY_SOURCE, TAG_DATA, MPI_COMM_WORLD, &seen);
        MPI_Get_count(&seen, MPI_INT, &count);
        int *data = malloc(sizeof *data * (size_t)count);
        // BUG: seen.MPI_SOURCE should stand here
        MPI_Recv(data, count, MPI_INT, MPI_ANY_SOURCE, TAG_DATA, MPI_COMM_WORLD, &got);
        mixed += got.MPI_SOURCE != seen.MPI_SOURCE;
        free(data);
    }
    printf("%ld messages were not those that were seen\n", mixed);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int data[4] = {rank, rank, rank, rank};
    if (rank == 0)
        collect(ranks - 1);
    else
        for (int i = 0; i < ROUNDS; i++)
            MPI_Send(data, 4, MPI_INT, 0, TAG_DATA, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
