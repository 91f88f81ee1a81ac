// SPDX-License-Identifier: GPL-3.0-or-later
// MPI_Waitany says which request is done; its index chooses the buffer whose content says how many more are to come.
// stack: drain main
#include <mpi.h>
#include <stdio.h>
struct inbox {
    MPI_Request requests[3];
    int remaining[3];
    double payload[3];
};
static int from_of(int i, int rank) {
    return (rank + i + 1) % 4; // IN
}
static void post(struct inbox *box, int rank) {
    for (int i = 0; i < 3; i++)                                                                            // IN
        MPI_Irecv(&box->remaining[i], 1, MPI_INT, from_of(i, rank), 5, MPI_COMM_WORLD, &box->requests[i]); // IN
}
static void settle(struct inbox *box) {
    for (int i = 0; i < 3; i++) // OUT
        box->payload[i] *= 0.5; // OUT
}
static double drain(struct inbox *box) {
    int left = 3;      // IN
    double taken = 0;  // OUT
    while (left > 0) { // IN @0
        int which;
        MPI_Waitany(3, box->requests, &which, MPI_STATUS_IGNORE); // IN
        left = box->remaining[which];                             // IN
        taken += box->payload[which];                             // OUT
        printf("%d\n", which);                                    // OUT
    }
    return taken; // OUT
}
int main(int argc, char **argv) {
    int rank;
    struct inbox box = {0};               // OUT
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    box.payload[0] = 1.5;                 // OUT
    post(&box, rank);                     // IN
    settle(&box);                         // OUT
    double taken = drain(&box);           // IN @1
    printf("%g\n", taken);                // OUT
    MPI_Finalize();                       // OUT
    return 0;                             // OUT
}
