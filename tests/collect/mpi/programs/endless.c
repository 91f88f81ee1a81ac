/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds of a halo exchange and a sum that go on until the job is ended. */
#include <mpi.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    double out = rank, in = 0, sum = 0;
    for (;;) {
        MPI_Request requests[2];
        MPI_Irecv(&in, 1, MPI_DOUBLE, previous, 7, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_DOUBLE, next, 7, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        for (volatile int i = 0; i < 20000; ++i)
            out += in * 1e-9;
        MPI_Sendrecv(&out, 1, MPI_DOUBLE, previous, 8, &in, 1, MPI_DOUBLE, next, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Allreduce(&in, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
}
