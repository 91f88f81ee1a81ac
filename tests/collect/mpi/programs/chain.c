// SPDX-License-Identifier: GPL-3.0-or-later
// A message goes from rank to rank and back, again and again, for about a second: whose clock is wrong receives before it was
// sent.
#include <mpi.h>
#include <unistd.h>

enum { ROUNDS = 100 };

int main(int argc, char **argv) {
    int rank, ranks, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 0) {
            usleep(10000);
            MPI_Send(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&value, 1, MPI_INT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&value, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
