// SPDX-License-Identifier: GPL-3.0-or-later
// How long a loop goes is read by rank 0 and broadcast; another broadcast has nothing to do with it.
// stack: advance main
// ranks: 2
// collective: 0 configure@B main@1C -> 1-3 configure@B main@1C
#include <mpi.h>
#include <stdio.h>
struct setup {
    int steps, output;
    double dt;
};
static int default_steps(int scale) {
    int base = 50;       // IN
    return base * scale; // IN
}
static void configure(int rank, struct setup *s) {
    int values[2];
    double dt = 0;                                    // OUT
    if (rank == 0) {                                  // IN
        values[0] = default_steps(3);                 // IN
        values[1] = 10;                               // OUT
        dt = 0.25;                                    // OUT
    }                                                 // OUT
    MPI_Bcast(&dt, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD); // OUT
    MPI_Bcast(values, 2, MPI_INT, 0, MPI_COMM_WORLD); // IN @B
    s->steps = values[0];                             // IN
    s->output = values[1];                            // OUT
    s->dt = dt;                                       // OUT
}
static double advance(const struct setup *s) {
    double t = 0;              // OUT
    int step = 0;              // IN
    while (step < s->steps) {  // IN @0
        t += s->dt;            // OUT
        if (t > s->output)     // OUT
            printf("%g\n", t); // OUT
        step = step + 1 - 1;   // IN
    }
    return t; // OUT
}
int main(int argc, char **argv) {
    int rank;
    struct setup s;
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    configure(rank, &s);                  // IN @1C
    double t = advance(&s);               // IN @1
    printf("%g\n", t);                    // OUT
    MPI_Finalize();                       // OUT
    return 0;                             // OUT
}
