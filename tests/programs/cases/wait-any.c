// SPDX-License-Identifier: GPL-3.0-or-later
// Rank 0 has a receive open for each other rank and takes what is there: with Waitany in odd steps, Waitsome in even ones. The
// others wait with Waitall for their answer. A wait for any of several requests.
#include "../program.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_PART = 1, TAG_ANSWER };

static struct options opt;
static double state, *parts;
static MPI_Request *requests;
static int *which;

static double compute_part(int step) {
    int advance = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: a step width that was rounded down to 0
    double part = 0.0;
    for (int i = 0; i < opt.size; i += advance)
        part += start_value(opt.seed, (long)step * opt.ranks + opt.rank) * state;
    return part / opt.size;
}

static void take_one_by_one(void) {
    for (int left = opt.ranks - 1; left > 0; left--) {
        int index;
        MPI_Waitany(opt.ranks - 1, requests, &index, MPI_STATUS_IGNORE);
    }
}

static void take_some(void) {
    for (int left = opt.ranks - 1; left > 0;) {
        int some;
        MPI_Waitsome(opt.ranks - 1, requests, &some, which, MPI_STATUSES_IGNORE);
        left -= some;
    }
}

static void gather_parts(int step) {
    for (int i = 1; i < opt.ranks; i++)
        MPI_Irecv(&parts[i], 1, MPI_DOUBLE, i, TAG_PART, MPI_COMM_WORLD, &requests[i - 1]);
    if (step % 2)
        take_one_by_one();
    else
        take_some();
    double sum = 0.0;
    for (int i = 1; i < opt.ranks; i++)
        sum += parts[i] * (1.0 + 0.1 * i);
    state = 0.1 + 0.5 * (state + sum / opt.ranks);
    for (int i = 1; i < opt.ranks; i++)
        MPI_Send(&state, 1, MPI_DOUBLE, i, TAG_ANSWER, MPI_COMM_WORLD);
}

static void hand_in_part(int step, double part) {
    MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Irecv(&state, 1, MPI_DOUBLE, 0, TAG_ANSWER, MPI_COMM_WORLD, &both[0]);
    if (!fault_strikes(&opt, "skipped-send", step, __func__, 0)) // BUG: takes its part for already handed in
        MPI_Isend(&part, 1, MPI_DOUBLE, 0, TAG_PART, MPI_COMM_WORLD, &both[1]);
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
}

static void gather_step(int step) {
    MPI_Pcontrol(1);
    double part = compute_part(step);
    if (opt.rank == 0)
        gather_parts(step);
    else
        hand_in_part(step, part);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "wait-any", 200, 20000, "spin skipped-send");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    if (opt.fault_rank == 0 && !strcmp(opt.fault, "skipped-send"))
        refuse(&opt, "rank 0 hands in no part: choose another rank for a skipped one.");
    state = 1.0;
    parts = calloc((size_t)opt.ranks, sizeof *parts), requests = calloc((size_t)opt.ranks, sizeof *requests);
    which = calloc((size_t)opt.ranks, sizeof *which);
    for (int step = 1; step <= opt.steps; step++)
        gather_step(step);
    MPI_Pcontrol(0);
    print_checksum(&opt, state);
    free(which), free(requests), free(parts);
    MPI_Finalize();
    return 0;
}
