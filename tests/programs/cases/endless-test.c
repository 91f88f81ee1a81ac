// SPDX-License-Identifier: GPL-3.0-or-later
// A ring in which every rank polls for its neighbour's message with Test in a loop of its own, with a little work between two
// polls, and never waits in MPI for it. When the message does not come, the rank looks busy for ever.
#include "../program.h"

#include <mpi.h>

static struct options opt;
static double state, side_work;

static void work_a_little(int step) {
    int advance = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: a step width that was rounded down to 0
    double sum = 0.0;
    for (int i = 0; i < opt.size; i += advance)
        sum += start_value(opt.seed, i);
    side_work = sum;
}

static void poll_until_here(int step, MPI_Request *request) {
    int here = 0;
    do {
        work_a_little(step);
        MPI_Test(request, &here, MPI_STATUS_IGNORE);
    } while (!here);
}

static void ring_step(int step) {
    MPI_Pcontrol(1);
    int next = (opt.rank + 1) % opt.ranks, previous = (opt.rank + opt.ranks - 1) % opt.ranks;
    double received = 0.0;
    MPI_Request request;
    MPI_Irecv(&received, 1, MPI_DOUBLE, previous, 1, MPI_COMM_WORLD, &request);
    if (!fault_strikes(&opt, "skipped-send", step, __func__, next)) // BUG: nothing has changed, it believes, so nothing is sent
        MPI_Send(&state, 1, MPI_DOUBLE, next, 1, MPI_COMM_WORLD);
    poll_until_here(step, &request);
    state = 0.5 * state + 0.5 * received + 0.001 * side_work / opt.size;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "endless-test", 200, 5000, "spin skipped-send");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    state = start_value(opt.seed, opt.rank);
    for (int step = 1; step <= opt.steps; step++)
        ring_step(step);
    MPI_Pcontrol(0);
    double mine = state * (1.0 + opt.rank), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    MPI_Finalize();
    return 0;
}
