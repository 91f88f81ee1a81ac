// SPDX-License-Identifier: GPL-3.0-or-later
// Time steps of adaptive width: in the second half of the run the solution changes faster, so that a step takes two or three
// substeps in place of one, on all ranks alike. Nothing about that is a fault.
#include "../program.h"

#include <mpi.h>

static struct options opt;
static double value;

HELPER int substeps_of(int step) {
    double part = (double)step / opt.steps;
    return part < 0.5 ? 1 : part < 0.8 ? 3 : 2;
}

static double advance(int step) {
    int points = opt.size;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        points *= 5; // BUG: a table is searched from the start each time
    double sum = 0.0;
    for (int i = 0; i < points; i++)
        sum += i < opt.size ? start_value(opt.seed, (long)step * opt.size + i) / opt.size : 1e-30 * start_value(1, i);
    return sum;
}

static void exchange(void) {
    double other = 0.0;
    MPI_Request requests[2];
    MPI_Irecv(&other, 1, MPI_DOUBLE, (opt.rank + opt.ranks - 1) % opt.ranks, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_DOUBLE, (opt.rank + 1) % opt.ranks, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    value = 0.75 * value + 0.25 * other;
}

static void time_step(int step) {
    for (int part = 0; part < substeps_of(step); part++) {
        value += advance(step);
        exchange();
    }
    double width = 1.0 / substeps_of(step), least = 0.0;
    MPI_Allreduce(&width, &least, 1, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    value *= 0.9 + 0.01 * least;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "adaptive-steps", 40, 1000000, "slow");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    value = start_value(opt.seed, opt.rank);
    for (int step = 1; step <= opt.steps; step++)
        time_step(step);
    double mine = value * (1.0 + opt.rank), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    MPI_Finalize();
    return 0;
}
