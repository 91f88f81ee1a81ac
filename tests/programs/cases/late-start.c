// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that are started one after the other, and a rank that reads the input before all go on together. Nothing about that
// is a fault.
#include "../program.h"

#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

enum { SKEW_MICROSECONDS = 60000, INPUT_MICROSECONDS = 400000 };

static struct options opt;
static double value;

// As a launcher does that starts them in turn: MPICH's tells each its rank.
static void start_in_turn(void) {
    const char *rank = getenv("PMI_RANK");
    usleep(SKEW_MICROSECONDS * (rank ? (unsigned)atoi(rank) : 0));
}

static void read_input(void) {
    if (opt.rank == opt.ranks - 1)
        usleep(INPUT_MICROSECONDS);
    value = start_value(opt.seed, 1);
    MPI_Bcast(&value, 1, MPI_DOUBLE, opt.ranks - 1, MPI_COMM_WORLD);
}

static double compute(int step) {
    int points = opt.size;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        points *= 5; // BUG: a table is searched from the start each time
    double sum = 0.0;
    for (int i = 0; i < points; i++)
        sum += i < opt.size ? start_value(opt.seed, (long)step * opt.size + i) / opt.size : 1e-30 * start_value(1, i);
    return sum;
}

static void time_step(int step) {
    double mine = compute(step), sum = 0.0;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    value += sum / opt.ranks;
}

int main(int argc, char **argv) {
    start_in_turn();
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "late-start", 40, 500000, "slow");
    read_input();
    for (int step = 1; step <= opt.steps; step++)
        time_step(step);
    print_checksum(&opt, value);
    MPI_Finalize();
    return 0;
}
