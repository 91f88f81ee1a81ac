// SPDX-License-Identifier: GPL-3.0-or-later
// A message's datatype was made of a wrong displacement: what is sent depends on it as on the buffer.
// stack: main@0
// ranks: 1
// message: 0 give@S main@G -> 1 main@R
#include "mpi.h"
#include <stddef.h>
#include <stdio.h>
typedef struct {
    int kind;
    double amount, weight;
} item_t;
static MPI_Datatype itemType;
static MPI_Aint padded(MPI_Aint at) {
    return at + 8; // IN
}
static void makeType(void) {
    int lengths[2] = {1, 1};                       // IN
    MPI_Datatype parts[2] = {MPI_INT, MPI_DOUBLE}; // IN
    MPI_Aint offsets[2];
    int unused[2] = {0, 0};                                        // OUT
    offsets[0] = offsetof(item_t, kind);                           // IN
    offsets[1] = padded(offsetof(item_t, amount));                 // IN
    unused[0] = lengths[0];                                        // OUT
    MPI_Type_create_struct(2, lengths, offsets, parts, &itemType); // IN
    printf("%d\n", unused[0]);                                     // OUT
}
static void makeOther(MPI_Datatype *row, int n) {
    int stride = n * 3;                          // OUT
    MPI_Type_vector(n, 1, stride, MPI_INT, row); // OUT
    MPI_Type_commit(row);                        // OUT
}
static void give(void) {
    item_t item;
    item.kind = 4;                                          // IN
    item.amount = 1.5;                                      // IN
    int count = 1;                                          // IN
    MPI_Send(&item, count, itemType, 1, 3, MPI_COMM_WORLD); // IN @S
}
int main(int argc, char **argv) {
    int rank;
    item_t got;
    MPI_Datatype row;
    double left = 10;                     // IN
    MPI_Init(&argc, &argv);               // OUT
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); // IN
    makeType();                           // IN
    makeOther(&row, argc);                // OUT
    if (rank == 0) {                      // IN
        give();                           // IN @G
    } else {
        MPI_Recv(&got, 1, itemType, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // IN @R
        while (left > 0)                                                      // IN @0
            left -= got.amount;                                               // IN
    }
    MPI_Type_free(&row); // OUT
    MPI_Finalize();      // OUT
    return 0;            // OUT
}
