// SPDX-License-Identifier: GPL-3.0-or-later
// Two threads of each rank communicate at the same time (MPI_THREAD_MULTIPLE): the main thread reduces over all ranks, a second
// one passes messages around a ring on a communicator of its own. Both go through all steps on their own; main waits for it at
// the end.
#include "../program.h"

#include <mpi.h>
#include <thread>

namespace {

options opt;

double compute_share(int step) {
    int advance = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: a step width that was rounded down to 0
    double sum = 0.0;
    for (int i = 0; i < opt.size; i += advance)
        sum += start_value(opt.seed, static_cast<long>(step) * opt.size + i) / opt.size;
    return sum * (1.0 + opt.rank);
}

double main_step(int step) {
    MPI_Pcontrol(1);
    const double part = compute_share(step);
    double all = 0.0;
    MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

double prepare_token(int step, double token) {
    int advance = 1;
    if (fault_strikes(&opt, "spin-thread", step, __func__, NOBODY))
        advance = 0; // BUG: a step width that was rounded down to 0
    for (int i = 0; i < opt.size; i += advance)
        token += 1e-7 * start_value(opt.seed, static_cast<long>(step) + i);
    return token;
}

double ring_step(int step, double token, MPI_Comm ring) {
    const int next = (opt.rank + 1) % opt.ranks, previous = (opt.rank + opt.ranks - 1) % opt.ranks;
    const double mine = prepare_token(step, token);
    double received = 0.0;
    if (!fault_strikes(&opt, "skipped-send", step, __func__, next)) // BUG: takes the token for passed on
        MPI_Send(&mine, 1, MPI_DOUBLE, next, 1, ring);
    MPI_Recv(&received, 1, MPI_DOUBLE, previous, 1, ring, MPI_STATUS_IGNORE);
    return 0.5 * (mine + received);
}

void run_ring(MPI_Comm ring, double &token) {
    for (int step = 1; step <= opt.steps; ++step)
        token = ring_step(step, token, ring);
}

} // namespace

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    opt = read_options(argc, argv, "threads", 150, 20000, "spin spin-thread skipped-send");
    if (provided < MPI_THREAD_MULTIPLE || opt.ranks < 2)
        refuse(&opt, "needs two ranks or more and an MPI library for several threads.");
    MPI_Comm ring;
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    double token = start_value(opt.seed, opt.rank), sum = 0.0;
    std::thread second(run_ring, ring, std::ref(token));
    for (int step = 1; step <= opt.steps; ++step)
        sum += main_step(step);
    MPI_Pcontrol(0);
    second.join();
    double mine = token * (1.0 + opt.rank), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, sum + all);
    MPI_Comm_free(&ring);
    MPI_Finalize();
}
