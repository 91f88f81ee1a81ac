// SPDX-License-Identifier: GPL-3.0-or-later
// Every tenth step rank 0 gathers the state and writes it to a slow file system, while the others wait in a barrier. Nothing
// about that is a fault.
#include "../program.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EVERY = 10, CELLS = 4096, FILE_SYSTEM_MICROSECONDS = 150000 };

static struct options opt;
static double state[CELLS];

static double compute(int step) {
    int points = opt.size;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        points *= 5; // BUG: a table is searched from the start each time
    double sum = 0.0;
    for (int i = 0; i < points; i++)
        sum += i < opt.size ? start_value(opt.seed, (long)step * opt.size + i) / opt.size : 1e-30 * start_value(1, i);
    return sum;
}

static void exchange(double change) {
    double sum = 0.0;
    MPI_Allreduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < CELLS; i++)
        state[i] = 0.9 * state[i] + 0.1 * sum / opt.ranks;
}

static void write_file(const double *all) {
    FILE *file = tmpfile();
    if (!file)
        return;
    fwrite(all, sizeof *all, (size_t)CELLS * (size_t)opt.ranks, file);
    fflush(file);
    usleep(FILE_SYSTEM_MICROSECONDS);
    fclose(file);
}

static void checkpoint(void) {
    double *all = opt.rank == 0 ? malloc(sizeof *all * CELLS * (size_t)opt.ranks) : NULL;
    MPI_Gather(state, CELLS, MPI_DOUBLE, all, CELLS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (opt.rank == 0)
        write_file(all);
    free(all);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void time_step(int step) {
    exchange(compute(step));
    if (step % EVERY == 0)
        checkpoint();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "checkpoints", 50, 1000000, "slow");
    for (int i = 0; i < CELLS; i++)
        state[i] = start_value(opt.seed, (long)opt.rank * CELLS + i);
    for (int step = 1; step <= opt.steps; step++)
        time_step(step);
    double mine = state[1] * (1.0 + opt.rank), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    MPI_Finalize();
    return 0;
}
