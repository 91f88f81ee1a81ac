// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that end the program, or return because memory is used up, decide about nothing.
// stack: drain main
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void die(const char *why) {
    fprintf(stderr, "%s\n", why); // OUT
    MPI_Abort(MPI_COMM_WORLD, 1); // OUT
}
static int *fill(int n) {
    int *data = malloc(n * sizeof *data); // IN
    if (data == NULL)                     // OUT
        return NULL;                      // OUT
    for (int i = 0; i < n; i++)           // IN
        data[i] = i % 5;                  // IN
    return data;                          // IN
}
static void check(int size) {
    if (size < 1)                      // OUT
        die("nobody");                 // OUT
    if (size > 4096) {                 // OUT
        fprintf(stderr, "too many\n"); // OUT
        exit(2);                       // OUT
    }
}
static int drain(const int *data, int n) {
    int left = n;               // IN
    int seen = 0;               // OUT
    while (left > 0) {          // IN @0
        left -= data[left % n]; // IN
        seen++;                 // OUT
    }
    return seen; // OUT
}
int main(int argc, char **argv) {
    int size;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) // OUT
        die("init");                           // OUT
    MPI_Comm_size(MPI_COMM_WORLD, &size);      // OUT
    check(size);                               // OUT
    int n = 40;                                // IN
    int *data = fill(n);                       // IN
    if (data == NULL)                          // OUT
        die("memory");                         // OUT
    int seen = drain(data, n);                 // IN @1
    printf("%d\n", seen);                      // OUT
    free(data);                                // OUT
    MPI_Finalize();                            // OUT
    return 0;                                  // OUT
}
