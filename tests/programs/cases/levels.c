// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles over grid levels in which one function serves them all: its calls differ in work and in the size of messages by powers
// of two, and the coarsest level is on one rank. Nothing about that is a fault.
#include "../program.h"

#include <mpi.h>
#include <stdlib.h>

enum { LEVELS = 6, SWEEPS = 4 };

static struct options opt;
static double *grid, *edge;

static double relax(int step, int level) {
    int points = opt.size >> level, sweeps = SWEEPS;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        sweeps *= 5; // BUG: an iteration that does not see that it has converged
    double sum = 0.0;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        sum = 0.0;
        for (int i = 1; i < points; i++) {
            double next = 0.5 * (grid[i - 1] + grid[i]) + 1e-3 * start_value(opt.seed, i);
            if (sweep < SWEEPS)
                grid[i] = next;
            sum += grid[i];
        }
    }
    return sum / points;
}

static void exchange(int level) {
    int count = (opt.size >> level) / 16 + 1;
    MPI_Sendrecv(grid, count, MPI_DOUBLE, (opt.rank + 1) % opt.ranks, level, edge, count, MPI_DOUBLE,
                 (opt.rank + opt.ranks - 1) % opt.ranks, level, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; i++)
        grid[i] = 0.5 * (grid[i] + edge[i]);
}

static void level_step(int step, int level) {
    relax(step, level);
    exchange(level);
}

static void solve_coarsest(double *value) {
    double sum = 0.0;
    MPI_Reduce(value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (opt.rank == 0)
        for (int i = 0; i < opt.size >> (LEVELS - 1); i++)
            sum += 1e-6 * start_value(opt.seed, i);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *value = sum;
}

HELPER void cycle(int step) {
    for (int level = 0; level < LEVELS; level++)
        level_step(step, level);
    solve_coarsest(&grid[0]);
    grid[0] /= opt.ranks;
    for (int level = LEVELS; level-- > 0;)
        level_step(step, level);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "levels", 20, 150000, "slow");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    grid = malloc((size_t)opt.size * sizeof *grid);
    edge = malloc((size_t)opt.size * sizeof *edge);
    for (int i = 0; i < opt.size; i++)
        grid[i] = start_value(opt.seed, (long)opt.rank * opt.size + i);
    for (int step = 1; step <= opt.steps; step++)
        cycle(step);
    double mine = grid[1] * (1.0 + opt.rank), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    free(grid);
    free(edge);
    MPI_Finalize();
    return 0;
}
