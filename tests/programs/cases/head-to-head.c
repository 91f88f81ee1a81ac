// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of ranks exchange messages of size numbers, too long to be buffered: a Send returns only when the receiver is there.
// The lower rank of a pair sends first, the upper one receives first. In the fault "deadlock" both send first.
#include "../program.h"

#include <mpi.h>
#include <stdlib.h>

static struct options opt;
static double *mine, *theirs;

static void send_block(int peer) { MPI_Send(mine, opt.size, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD); }
static void receive_block(int peer) { MPI_Recv(theirs, opt.size, MPI_DOUBLE, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void exchange_blocks(int step) {
    int peer = opt.rank ^ 1, sends_first = opt.rank < peer;
    if (fault_strikes_pair(&opt, "deadlock", step, __func__, opt.fault_rank ^ 1))
        sends_first = 1; // BUG: works with short messages only, which are buffered
    if (fault_strikes(&opt, "skipped-receive", step, __func__, peer))
        return; // BUG: takes the exchange for done
    if (sends_first)
        send_block(peer);
    receive_block(peer);
    if (!sends_first)
        send_block(peer);
}

static void exchange_step(int step) {
    MPI_Pcontrol(1);
    exchange_blocks(step);
    for (int i = 0; i < opt.size; i++)
        mine[i] = 0.5 * (mine[i] + theirs[i]) + 0.001;
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "head-to-head", 20, 300000, "deadlock skipped-receive");
    if (opt.ranks % 2)
        refuse(&opt, "needs an even number of ranks.");
    mine = malloc((size_t)opt.size * sizeof *mine), theirs = calloc((size_t)opt.size, sizeof *theirs);
    for (int i = 0; i < opt.size; i++)
        mine[i] = start_value(opt.seed, (long)opt.rank * opt.size + i);
    for (int step = 1; step <= opt.steps; step++)
        exchange_step(step);
    MPI_Pcontrol(0);
    double sum = 0.0, all = 0.0;
    for (int i = 0; i < opt.size; i++)
        sum += mine[i];
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    free(mine), free(theirs);
    MPI_Finalize();
    return 0;
}
