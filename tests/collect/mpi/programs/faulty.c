// SPDX-License-Identifier: GPL-3.0-or-later
// A job to inject faults into: steps of a computation, a ring of messages, a persistent message and a sum. Announces its
// functions.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int rank, size;
static MPI_Request persistent[2];
static double carried, carriedIn;

__attribute__((noinline)) double compute(double value) {
    for (int i = 0; i < 20000; ++i)
        value = value * 0.999 + 0.5;
    return value;
}

__attribute__((noinline)) void ring(double *value, int step) {
    double in = 0;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_DOUBLE, (rank + size - 1) % size, step, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(value, 1, MPI_DOUBLE, (rank + 1) % size, step, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    *value = in;
    MPI_Startall(2, persistent);
    MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE);
}

static double cpu(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const int steps = argc > 1 ? atoi(argv[1]) : 10;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Send_init(&carried, 1, MPI_DOUBLE, (rank + 1) % size, 1000, MPI_COMM_WORLD, &persistent[0]);
    MPI_Recv_init(&carriedIn, 1, MPI_DOUBLE, (rank + size - 1) % size, 1000, MPI_COMM_WORLD, &persistent[1]);
    double value = rank, sum = 0;
    const double begin = cpu();
    for (int step = 0; step < steps; ++step) {
        MPI_Pcontrol(1);
        value = compute(value);
        ring(&value, step);
        MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("sum %.12g\n", sum);
    if (argc > 2) {
        // Of the computation alone, and only for those who ask: it is different in each run.
        double used = cpu();
        for (int i = 0; i < 200; ++i)
            value = compute(value);
        used = cpu() - used;
        printf("%d computed for %.6f\n", rank, used + 0 * begin * value);
    }
    MPI_Finalize();
    return 0;
}
