// SPDX-License-Identifier: GPL-3.0-or-later
// One function receives for two epochs of the program, and one sends for both: only what was sent in the later one matters. The
// requests are made in one function and completed in another.
// stack: main@0
// ranks: 1
// message: 0 give@S main@G1 -> 1 take@R main@A
// message 2: 0 give@S main@G2 -> 1 take@R main@B
// message 3: 0 give@S main@G3 -> 1 post@P main@C
// message 4: 0 give@S main@G4 -> 1 post@P main@D
#include "mpi.h"
#include <stdio.h>
static void give(const double *v, int to) {
    MPI_Send(v, 1, MPI_DOUBLE, to, 0, MPI_COMM_WORLD); // IN @S
}
static void take(double *v) {
    MPI_Recv(v, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @R
}
static void post(double *v, MPI_Request *request) {
    MPI_Irecv(v, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, request); // IN @P
}
int main(int argc, char **argv) {
    int rank = 0;
    double first = 1.0;  // OUT
    double second = 2.0; // IN
    double third = 3.0;  // OUT
    double fourth = 4.0; // IN
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    if (rank == 0) {                      // IN
        give(&first, 1);                  // OUT @G1
        give(&second, 1);                 // IN @G2
        give(&third, 1);                  // OUT @G3
        give(&fourth, 1);                 // IN @G4
    } else {
        double a = 0, b = 0, c = 0, d = 0;
        MPI_Request early, late;
        take(&a);                            // OUT @A
        take(&b);                            // IN @B
        post(&c, &early);                    // OUT @C
        post(&d, &late);                     // IN @D
        MPI_Wait(&early, MPI_STATUS_IGNORE); // OUT
        MPI_Wait(&late, MPI_STATUS_IGNORE);  // IN
        printf("%g %g\n", a, c);             // OUT
        while (b + d > 0)                    // IN @0
            ;
    }
    MPI_Finalize(); // OUT
    return 0;       // OUT
}
