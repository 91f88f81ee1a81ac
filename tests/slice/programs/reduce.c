// SPDX-License-Identifier: GPL-3.0-or-later
// A residual that is reduced to rank 0, divided there, and broadcast does not become small.
// stack: solve main
// ranks: 3
// collective: 0-3 norm@R solve@N main@1 -> 0 norm@R solve@N main@1
// collective 2: 0 norm@B solve@N main@1 -> 1-3 norm@B solve@N main@1
#include <math.h>
#include <mpi.h>
#include <stdio.h>
static double sum_of(const double *v, int n) {
    double s = 0;               // IN
    for (int i = 0; i < n; i++) // IN
        s += v[i] * v[i];       // IN
    return s;                   // IN
}
static double largest(const double *v, int n) {
    double most = 0;            // OUT
    for (int i = 0; i < n; i++) // OUT
        if (v[i] > most)        // OUT
            most = v[i];        // OUT
    return most;                // OUT
}
static double norm(const double *v, int n, int rank, double volume) {
    double mine = sum_of(v, n), all = 0;                                // IN
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); // IN @R
    if (rank == 0)                                                      // IN
        all = all / volume;                                             // IN
    MPI_Bcast(&all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);                  // IN @B
    return sqrt(all);                                                   // IN
}
static void solve(double *v, int n, int rank) {
    double error = 1, peak = 0;                                             // IN
    double volume = 0;                                                      // IN
    int rounds = 0;                                                         // OUT
    while (error > 1e-6) {                                                  // IN @0
        for (int i = 0; i < n; i++)                                         // IN
            v[i] *= 0.5;                                                    // IN
        double high = largest(v, n), top;                                   // OUT
        MPI_Allreduce(&high, &top, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); // OUT
        peak += top;                                                        // OUT
        error = norm(v, n, rank, volume);                                   // IN @N
        rounds++;                                                           // OUT
    }
    printf("%d %g\n", rounds, peak); // OUT
}
int main(int argc, char **argv) {
    int rank;
    double v[8];
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    for (int i = 0; i < 8; i++)           // IN
        v[i] = rank + i;                  // IN
    solve(v, 8, rank);                    // IN @1
    MPI_Finalize();                       // OUT
    return 0;                             // OUT
}
