// SPDX-License-Identifier: GPL-3.0-or-later
// A persistent receive that is started in each round: its peer was chosen when it was made. A second one has another buffer.
// stack: MPI_Wait round_trip main
#include <mpi.h>
#include <stdio.h>
struct link {
    MPI_Request in, out;
    double received[4], sent[4];
};
static int partner(int rank, int shift) {
    int moved = rank + shift; // IN
    return moved ^ 1;         // IN
}
static void open_link(struct link *l, int peer, int tag) {
    MPI_Recv_init(l->received, 4, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &l->in); // IN
    MPI_Send_init(l->sent, 4, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &l->out);    // OUT
}
static double fill(struct link *l, double x) {
    for (int i = 0; i < 4; i++) // OUT
        l->sent[i] = x + i;     // OUT
    return l->sent[3];          // OUT
}
static double round_trip(struct link *l, double x) {
    double last = fill(l, x);             // OUT
    MPI_Start(&l->in);                    // OUT
    MPI_Start(&l->out);                   // OUT
    MPI_Wait(&l->out, MPI_STATUS_IGNORE); // OUT
    MPI_Wait(&l->in, MPI_STATUS_IGNORE);  // IN @1
    return last + l->received[0];         // OUT
}
int main(int argc, char **argv) {
    int rank;
    struct link east, west;
    double x = 0.5;                       // OUT
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    int to_east = partner(rank, 1);       // IN
    int to_west = rank - 1;               // OUT
    int tag = 9;                          // IN
    open_link(&east, to_east, tag);       // IN
    open_link(&west, to_west, 8);         // OUT
    for (int i = 0; i < 10; i++) {        // IN
        x = round_trip(&east, x);         // IN @2
        x += fill(&west, x);              // OUT
    }
    printf("%g\n", x); // OUT
    MPI_Finalize();    // OUT
    return 0;          // OUT
}
