// SPDX-License-Identifier: GPL-3.0-or-later
// Work of random size for each rank and step, most of it small and some of it large. Nothing about that is a fault.
#include "../program.h"

#include <mpi.h>

static struct options opt;
static double value;

// From a quarter of the usual size to four times, drawn anew for each step.
HELPER int size_of_task(int step) {
    double draw = start_value(opt.seed + 1, (long)step * opt.ranks + opt.rank);
    return (int)(opt.size * (0.25 + 4.0 * draw * draw * draw));
}

static double compute_task(int step) {
    int points = size_of_task(step), wanted = points;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        points *= 5; // BUG: a table is searched from the start each time
    double sum = 0.0;
    for (int i = 0; i < points; i++)
        sum += i < wanted ? start_value(opt.seed, (long)step * opt.size + i) / wanted : 1e-30 * start_value(1, i);
    return sum;
}

static void batch(int step) {
    double mine = compute_task(step), sum = 0.0;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    value += sum / opt.ranks;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "task-sizes", 60, 500000, "slow");
    for (int step = 1; step <= opt.steps; step++)
        batch(step);
    print_checksum(&opt, value);
    MPI_Finalize();
    return 0;
}
