// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing here depends on what comes first: a ring with non-blocking messages and a sum, often.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TAG = 3 };

int main(int argc, char **argv) {
    int rank, ranks, rounds = argc > 1 ? atoi(argv[1]) : 50;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    double own = rank, left = 0, sum = 0;
    for (int round = 0; round < rounds; round++) {
        MPI_Request requests[2];
        MPI_Irecv(&left, 1, MPI_DOUBLE, (rank + ranks - 1) % ranks, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&own, 1, MPI_DOUBLE, (rank + 1) % ranks, TAG, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (int i = 1; i < 20000; i++)
            left += 1.0 / ((double)i * i * (round + 1));
        own = 0.5 * (own + left);
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.12f\n", sum);
    MPI_Finalize();
    return 0;
}
