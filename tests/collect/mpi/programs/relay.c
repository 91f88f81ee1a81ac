/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relay ROUNDS: in each round a thread of its own receives the message of the rank before, and ends. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

struct task {
    int from, value;
};

static void *receive(void *argument) {
    struct task *task = argument;
    MPI_Recv(&task->value, 1, MPI_INT, task->from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 10;
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct task task = {(rank + size - 1) % size, 0};
    for (int round = 0; round < rounds; ++round) {
        pthread_t thread;
        pthread_create(&thread, NULL, receive, &task);
        MPI_Send(&round, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
