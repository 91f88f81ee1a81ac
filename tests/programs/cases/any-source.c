// SPDX-License-Identifier: GPL-3.0-or-later
// Rank 0 receives one vote of every other rank, in any order, from ANY_SOURCE, and answers each at the end of the step: a wait
// for any of several ranks, of which those that wait for their answer cannot be the one that is missing.
#include "../program.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_VOTE = 1, TAG_ANSWER };

static struct options opt;
static double state;

static double compute_vote(int step) {
    int advance = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: a step width that was rounded down to 0
    double vote = 0.0;
    for (int i = 0; i < opt.size; i += advance)
        vote += start_value(opt.seed, (long)step * opt.ranks + opt.rank) * state;
    return vote / opt.size;
}

static double collect_votes(void) {
    double *votes = calloc((size_t)opt.ranks, sizeof *votes), sum = 0.0;
    for (int i = 1; i < opt.ranks; i++) {
        MPI_Status status;
        double vote;
        MPI_Recv(&vote, 1, MPI_DOUBLE, MPI_ANY_SOURCE, TAG_VOTE, MPI_COMM_WORLD, &status);
        votes[status.MPI_SOURCE] = vote;
    }
    for (int i = 1; i < opt.ranks; i++)
        sum += votes[i] * (1.0 + 0.1 * i);
    free(votes);
    return sum;
}

static void vote_step(int step) {
    MPI_Pcontrol(1);
    double vote = compute_vote(step);
    if (opt.rank == 0) {
        double sum = collect_votes();
        state = 0.1 + 0.5 * (state + sum / opt.ranks);
        for (int i = 1; i < opt.ranks; i++)
            MPI_Send(&state, 1, MPI_DOUBLE, i, TAG_ANSWER, MPI_COMM_WORLD);
        return;
    }
    if (!fault_strikes(&opt, "skipped-send", step, __func__, 0)) // BUG: takes its vote for already given
        MPI_Send(&vote, 1, MPI_DOUBLE, 0, TAG_VOTE, MPI_COMM_WORLD);
    MPI_Recv(&state, 1, MPI_DOUBLE, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "any-source", 200, 20000, "spin skipped-send");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    if (opt.fault_rank == 0 && !strcmp(opt.fault, "skipped-send"))
        refuse(&opt, "rank 0 gives no vote: choose another rank for a skipped one.");
    state = 1.0;
    for (int step = 1; step <= opt.steps; step++)
        vote_step(step);
    MPI_Pcontrol(0);
    print_checksum(&opt, state);
    MPI_Finalize();
    return 0;
}
