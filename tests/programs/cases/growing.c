// SPDX-License-Identifier: GPL-3.0-or-later
// A problem that grows: the last step has four times the points, and messages, of the first one. Nothing about that is a fault.
#include "../program.h"

#include <mpi.h>
#include <stdlib.h>

static struct options opt;
static double *points, *received;

HELPER int points_in(int step) { return opt.size + (int)(3L * opt.size * (step - 1) / opt.steps); }

static double compute(int step) {
    int count = points_in(step), rounds = 1;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        rounds = 5; // BUG: the same is computed again and again
    double sum = 0.0;
    for (int round = 0; round < rounds; round++) {
        sum = 0.0;
        for (int i = 0; i < count; i++)
            sum += start_value(opt.seed, (long)step * opt.size + i) / count;
    }
    for (int i = 0; i < count / 64; i++)
        points[i] = sum;
    return sum;
}

static void exchange(int step) {
    int count = points_in(step) / 64;
    MPI_Request requests[2];
    MPI_Irecv(received, count, MPI_DOUBLE, (opt.rank + opt.ranks - 1) % opt.ranks, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(points, count, MPI_DOUBLE, (opt.rank + 1) % opt.ranks, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static double time_step(int step) {
    double mine = compute(step), sum = 0.0;
    exchange(step);
    mine += 0.1 * received[0];
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum / opt.ranks;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "growing", 40, 400000, "slow");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    points = calloc((size_t)opt.size, sizeof *points);
    received = calloc((size_t)opt.size, sizeof *received);
    double value = 0.0;
    for (int step = 1; step <= opt.steps; step++)
        value += time_step(step);
    print_checksum(&opt, value);
    free(points);
    free(received);
    MPI_Finalize();
    return 0;
}
