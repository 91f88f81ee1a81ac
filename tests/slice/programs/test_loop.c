// SPDX-License-Identifier: GPL-3.0-or-later
// A loop of MPI_Test over a request that a wrapper has made; the buffer of the request is used afterwards.
// stack: MPI_Test poll main
#include <mpi.h>
#include <stdio.h>
struct channel {
    MPI_Request request;
    int peer, tag, open;
    double data[8];
};
static void listen(struct channel *c, int peer, int tag) {
    c->peer = peer;                                                                  // IN
    c->tag = tag;                                                                    // IN
    c->open = 1;                                                                     // OUT
    MPI_Irecv(c->data, 8, MPI_DOUBLE, c->peer, c->tag, MPI_COMM_WORLD, &c->request); // IN
}
static int poll(struct channel *c) {
    int done = 0, asked = 0;                             // IN
    while (!done) {                                      // IN
        MPI_Test(&c->request, &done, MPI_STATUS_IGNORE); // IN @1
        asked++;                                         // OUT
    }
    c->open = 0;  // OUT
    return asked; // OUT
}
static double total(const struct channel *c) {
    double sum = 0;             // OUT
    for (int i = 0; i < 8; i++) // OUT
        sum += c->data[i];      // OUT
    return sum;                 // OUT
}
int main(int argc, char **argv) {
    int rank;
    struct channel left, right;
    MPI_Init(&argc, &argv);                 // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);   // IN
    int other = rank ^ 1;                   // IN
    int far = rank + 2;                     // OUT
    listen(&left, other, 30);               // IN
    listen(&right, far, 31);                // OUT
    int asked = poll(&left);                // IN @2
    asked += poll(&right);                  // OUT
    printf("%d %g\n", asked, total(&left)); // OUT
    MPI_Finalize();                         // OUT
    return 0;                               // OUT
}
