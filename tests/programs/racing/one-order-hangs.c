// SPDX-License-Identifier: GPL-3.0-or-later
// A deadlock that one order alone reaches: rank 0 takes the first report from anybody, and the second one from rank 2, whose
// report comes later, but for once in a while.
// With an argument, rank 1 sends no report.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { TAG_REPORT = 1, TAG_GO };

static int collect_reports(void) {
    int first, second;
    MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, TAG_REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, 2, TAG_REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // BUG: it may have come first
    return first * 10 + second;
}

int main(int argc, char **argv) {
    int rank, go = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        go = collect_reports();
        for (int other = 1; other <= 2; other++)
            MPI_Send(&go, 1, MPI_INT, other, TAG_GO, MPI_COMM_WORLD);
        printf("reports %d\n", go);
    } else if (rank <= 2) {
        if (rank == 2)
            usleep(30000);
        if (rank == 2 || argc == 1)
            MPI_Send(&rank, 1, MPI_INT, 0, TAG_REPORT, MPI_COMM_WORLD);
        MPI_Recv(&go, 1, MPI_INT, 0, TAG_GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
