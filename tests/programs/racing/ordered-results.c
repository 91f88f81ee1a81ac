// SPDX-License-Identifier: GPL-3.0-or-later
// A master and its workers; the result depends on the order in which theirs come: results are added up with weights by order.
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 24, TAG_TASK = 1, TAG_RESULT, STOP = -1 };

static double work_on(int task) {
    double sum = 0.0;
    for (int i = 1; i < 2000 * (1 + task % 5); i++)
        sum += 1.0 / ((double)i * (task + 1));
    return sum;
}

static void work(void) {
    for (;;) {
        int task;
        MPI_Recv(&task, 1, MPI_INT, 0, TAG_TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == STOP)
            return;
        double result = work_on(task);
        MPI_Send(&result, 1, MPI_DOUBLE, 0, TAG_RESULT, MPI_COMM_WORLD);
    }
}

static void hand_out(int ranks) {
    int next = 0;
    double total = 0.0;
    for (int worker = 1; worker < ranks; worker++, next++)
        MPI_Send(&next, 1, MPI_INT, worker, TAG_TASK, MPI_COMM_WORLD);
    for (int done = 0; done < TASKS; done++) {
        double result;
        MPI_Status status;
        MPI_Recv(&result, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_RESULT, MPI_COMM_WORLD, &status);
        total = 0.5 * total + result; // BUG: a weight by the order of arrival
        int task = next < TASKS ? next++ : STOP;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, TAG_TASK, MPI_COMM_WORLD);
    }
    printf("total %.12f\n", total);
}

int main(int argc, char **argv) {
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        hand_out(ranks);
    else
        work();
    MPI_Finalize();
    return 0;
}
