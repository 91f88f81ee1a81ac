// SPDX-License-Identifier: GPL-3.0-or-later
// A flag that a probe sets in a loop: the loop waits for a message with a tag that nobody sends.
// stack: serve main
#include <mpi.h>
#include <stdio.h>
static int tag_of(int kind) {
    int base = 100;          // IN
    return base + kind * 10; // IN
}
static double busy(int n) {
    double sum = 0;             // OUT
    for (int i = 0; i < n; i++) // OUT
        sum += i * 0.5;         // OUT
    return sum;                 // OUT
}
static void report(int round, double sum) {
    printf("round %d: %g\n", round, sum); // OUT
}
static void serve(int rank, int kind) {
    int flag = 0;                 // IN
    int round = 0;                // OUT
    double sum = 0;               // OUT
    int from = rank == 0 ? 1 : 0; // IN
    MPI_Status status;
    while (!flag) {                                                     // IN @0
        MPI_Iprobe(from, tag_of(kind), MPI_COMM_WORLD, &flag, &status); // IN
        sum += busy(1000);                                              // OUT
        round++;                                                        // OUT
        if (round % 100 == 0)                                           // OUT
            report(round, sum);                                         // OUT
    }
    printf("got one\n"); // OUT
}
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size); // OUT
    int kind = 3;                         // IN
    double unused = size * 2.0;           // OUT
    printf("%g\n", unused);               // OUT
    serve(rank, kind);                    // IN @1
    MPI_Finalize();                       // OUT
    return 0;                             // OUT
}
