// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline: each rank is a stage that takes blocks from the one before and hands them on, and stages are not equally long.
// Nothing about that is a fault.
#include "../program.h"

#include <mpi.h>

enum { CELLS = 512 };

static struct options opt;
static double block[CELLS];

// Stages in the middle have up to half as much again to do.
HELPER int size_of_stage(void) { return opt.size + opt.size / 2 * (opt.rank % 3) / 2; }

static void read_block(int step) {
    for (int i = 0; i < CELLS; i++)
        block[i] = start_value(opt.seed, (long)step * CELLS + i);
}

static void work_on(int step) {
    int points = size_of_stage(), wanted = points;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        points *= 5; // BUG: a table is searched from the start each time
    double sum = 0.0;
    for (int i = 0; i < points; i++)
        sum += i < wanted ? start_value(opt.seed, (long)step * opt.size + i) / wanted : 1e-30 * start_value(1, i);
    for (int i = 0; i < CELLS; i++)
        block[i] = 0.9 * block[i] + 0.1 * sum;
}

static void pass_block(int step) {
    if (opt.rank == 0)
        read_block(step);
    else
        MPI_Recv(block, CELLS, MPI_DOUBLE, opt.rank - 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work_on(step);
    if (opt.rank + 1 < opt.ranks)
        MPI_Send(block, CELLS, MPI_DOUBLE, opt.rank + 1, 1, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "stages", 50, 500000, "slow");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    for (int step = 1; step <= opt.steps; step++)
        pass_block(step);
    double all = 0.0;
    MPI_Reduce(&block[1], &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    MPI_Finalize();
    return 0;
}
