// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks part before a collective: one of them has left the loop early. Inside MPI, and where the paths part.
// stack: MPI_Allreduce residual solve main
// other stack: MPI_Barrier main@B
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_Comm rows;
static int rank, size;
static double norm(const double *v, int n) {
    double s = 0;               // OUT
    for (int i = 0; i < n; i++) // OUT
        s += v[i] * v[i];       // OUT
    return s;                   // OUT
}
static double residual(const double *v, int n) {
    double mine = norm(v, n), all;                            // OUT
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, rows); // IN @1
    return all;                                               // OUT
}
static void solve(double *v, int n, int most) {
    int steps = 0;             // IN
    double scale = 0.5;        // OUT
    while (steps < most) {     // IN
        v[steps % n] *= scale; // OUT
        residual(v, n);        // IN @2
        steps++;               // IN
    }
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);                              // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);                // IN
    MPI_Comm_size(MPI_COMM_WORLD, &size);                // OUT
    int colour = rank % 2;                               // IN
    MPI_Comm_split(MPI_COMM_WORLD, colour, rank, &rows); // IN
    int most = rank == 3 ? 9 : 10;                       // IN
    int n = 16 / size;                                   // OUT
    double *v = malloc(n * sizeof *v);                   // OUT
    if (!v)                                              // OUT
        return 1;                                        // OUT
    for (int i = 0; i < n; i++)                          // OUT
        v[i] = i;                                        // OUT
    solve(v, n, most);                                   // IN @3
    MPI_Barrier(MPI_COMM_WORLD);                         // OUT @B
    printf("%g\n", v[0]);                                // OUT
    free(v);                                             // OUT
    MPI_Finalize();                                      // OUT
    return 0;                                            // OUT
}
