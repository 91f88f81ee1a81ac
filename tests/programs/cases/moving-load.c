// SPDX-License-Identifier: GPL-3.0-or-later
// A front that passes through the domain: the rank that it is on has three times the work, a few steps long, then the next one.
// Nothing about that is a fault.
#include "../program.h"

#include <mpi.h>

static struct options opt;
static double value;

HELPER int rank_of_front(int step) { return (int)((long)(step - 1) * opt.ranks / opt.steps); }

static double compute(int step) {
    int points = rank_of_front(step) == opt.rank ? 3 * opt.size : opt.size;
    int wanted = points;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        points *= 5; // BUG: a table is searched from the start each time
    double sum = 0.0;
    for (int i = 0; i < points; i++)
        sum += i < wanted ? start_value(opt.seed, (long)step * opt.size + i) / wanted : 1e-30 * start_value(1, i);
    return sum;
}

static void exchange(void) {
    double other = 0.0;
    MPI_Sendrecv(&value, 1, MPI_DOUBLE, (opt.rank + 1) % opt.ranks, 1, &other, 1, MPI_DOUBLE,
                 (opt.rank + opt.ranks - 1) % opt.ranks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    value = 0.75 * value + 0.25 * other;
}

static void time_step(int step) {
    double mine = compute(step), sum = 0.0;
    exchange();
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    value += sum / opt.ranks;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "moving-load", 64, 500000, "slow");
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
