// SPDX-License-Identifier: GPL-3.0-or-later
// A ring whose messages have another tag in every step and for every item: a receive never has a tag that was seen before.
#include "../program.h"

#include <mpi.h>

enum { ITEMS = 3 };

static struct options opt;
static double state[ITEMS];

HELPER int tag_of(int step, int item) { return step * ITEMS + item; }

static void send_items(int step, int next) {
    for (int item = 0; item < ITEMS; item++) {
        int tag = tag_of(step, item);
        if (item == 1 && fault_strikes(&opt, "skipped-send", step, __func__, next))
            continue; // BUG: the second item has not changed and is left out
        if (item == 1 && fault_strikes(&opt, "wrong-tag", step, __func__, next))
            tag = tag_of(step - 1, item); // BUG: the step was not counted up yet
        MPI_Send(&state[item], 1, MPI_DOUBLE, next, tag, MPI_COMM_WORLD);
    }
}

static void receive_items(int step, int previous, double *items) {
    for (int item = 0; item < ITEMS; item++)
        MPI_Recv(&items[item], 1, MPI_DOUBLE, previous, tag_of(step, item), MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double compute_items(int step) {
    int advance = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: a step width that was rounded down to 0
    double sum = 0.0;
    for (int i = 0; i < opt.size; i += advance)
        sum += start_value(opt.seed, (long)step * opt.size + i) / opt.size;
    return sum;
}

static void ring_step(int step) {
    MPI_Pcontrol(1);
    double change = compute_items(step), items[ITEMS];
    send_items(step, (opt.rank + 1) % opt.ranks);
    receive_items(step, (opt.rank + opt.ranks - 1) % opt.ranks, items);
    for (int item = 0; item < ITEMS; item++)
        state[item] = 0.5 * (state[item] + items[item]) + 0.01 * change;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "changing-tags", 300, 20000, "spin skipped-send wrong-tag");
    if (opt.ranks < 2)
        refuse(&opt, "needs two ranks or more.");
    for (int item = 0; item < ITEMS; item++)
        state[item] = start_value(opt.seed, opt.rank * ITEMS + item);
    for (int step = 1; step <= opt.steps; step++)
        ring_step(step);
    MPI_Pcontrol(0);
    double mine = (state[0] + 2.0 * state[1] + 3.0 * state[2]) * (1.0 + opt.rank), all = 0.0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    print_checksum(&opt, all);
    MPI_Finalize();
    return 0;
}
