// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives that do not fit together: a different operation, a different root, and two communicators in a different order.
#include "../program.h"

#include <mpi.h>

static struct options opt;
static MPI_Comm one, other; // both have all ranks

static double settle(int step, double part) {
    double all = 0.0;
    if (fault_strikes(&opt, "mismatch", step, __func__, NOBODY))
        MPI_Barrier(MPI_COMM_WORLD); // BUG: only synchronizes, while the others reduce
    else
        MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static double gather_at_root(int step, double part) {
    double all = 0.0;
    int root = 0;
    if (fault_strikes(&opt, "mismatch-root", step, __func__, 0))
        root = opt.rank; // BUG: takes itself for the root
    MPI_Reduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD);
    MPI_Bcast(&all, 1, MPI_DOUBLE, root, MPI_COMM_WORLD);
    return all;
}

static double settle_on_both(int step, double part) {
    double a = 0.0, b = 0.0;
    MPI_Comm first = one, second = other;
    if (fault_strikes(&opt, "mismatch-order", step, __func__, NOBODY))
        first = other, second = one; // BUG: takes the two communicators in the order of their creation, not of their use
    MPI_Allreduce(&part, &a, 1, MPI_DOUBLE, MPI_SUM, first);
    MPI_Allreduce(&part, &b, 1, MPI_DOUBLE, MPI_MAX, second);
    return a + b;
}

static double compute_part(int step) {
    double part = 0.0;
    for (int i = 0; i < opt.size; i++)
        part += start_value(opt.seed, (long)step * opt.size + i) / opt.size;
    return part * (1.0 + opt.rank);
}

static double collective_step(int step) {
    MPI_Pcontrol(1);
    double part = compute_part(step);
    return settle(step, part) + gather_at_root(step, part) + settle_on_both(step, part);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "mismatched-collectives", 100, 50000, "mismatch mismatch-root mismatch-order");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    if (opt.fault_rank == 0)
        refuse(&opt, "rank 0 is the right root; choose another for the fault.");
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    double sum = 0.0;
    for (int step = 1; step <= opt.steps; step++)
        sum += collective_step(step);
    MPI_Pcontrol(0);
    print_checksum(&opt, sum);
    MPI_Comm_free(&other);
    MPI_Comm_free(&one);
    MPI_Finalize();
    return 0;
}
