// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of all kinds from rank 0 to rank 1, each kind with a tag of its own, for the tests of their fingerprints.
#include <mpi.h>
#include <string.h>

enum { many = 900, rows = 40, columns = 6 };

static int rank;
static double out[many], in[many];

static void fill(double first) {
    for (int i = 0; i < many; ++i)
        out[i] = first + i * 0.5;
}

/// From rank 0 to rank 1; the types may differ.
static void pass(const void *from, int sent, MPI_Datatype of, void *to, int received, MPI_Datatype as, int tag) {
    if (rank == 0)
        MPI_Send(from, sent, of, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(to, received, as, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void datatypes(void) {
    MPI_Datatype column, narrow, bytes, pair, block, structure;
    MPI_Type_vector(rows, 2, columns, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Type_create_resized(column, 0, 2 * sizeof(double), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Type_create_hvector(rows, 2 * sizeof(double), columns * sizeof(double), MPI_BYTE, &bytes);
    MPI_Type_commit(&bytes);
    MPI_Type_contiguous(3, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    pass(out, 1, column, in, 2 * rows, MPI_DOUBLE, 10);
    pass(out, 6 * rows, MPI_DOUBLE, in, 3, narrow, 11); // the columns of a matrix
    pass(out, 1, bytes, in, 1, column, 12);
    pass(out, 20, block, in, 60, MPI_DOUBLE, 13);
    MPI_Type_contiguous(2, narrow, &pair);
    MPI_Type_commit(&pair);
    pass(out, 1, pair, in, 4 * rows, MPI_DOUBLE, 20); // not a pattern that is known
    const int lengths[2] = {1, 1};
    const MPI_Aint places[2] = {8, 0};
    const MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Type_create_struct(2, lengths, places, types, &structure);
    MPI_Type_commit(&structure);
    pass(out, 2, structure, in, 4, MPI_DOUBLE, 21);
    pass(out, 3, MPI_DOUBLE_INT, in, 3, MPI_DOUBLE_INT, 22);
    MPI_Datatype real, reals; // MPI's own, which nobody may free
    MPI_Type_create_f90_real(10, 30, &real);
    MPI_Type_contiguous(2, real, &reals);
    MPI_Type_commit(&reals);
    pass(out, 1, reals, in, 1, reals, 26);
    MPI_Type_free(&reals);
    MPI_Datatype all[6] = {column, narrow, bytes, block, pair, structure};
    for (int i = 0; i < 6; ++i)
        MPI_Type_free(&all[i]);
#if MPI_VERSION >= 4
    MPI_Datatype large;
    MPI_Type_vector_c(rows, 2, columns, MPI_DOUBLE, &large);
    MPI_Type_commit(&large);
    pass(out, 1, large, in, 2 * rows, MPI_DOUBLE, 23);
    MPI_Type_free(&large);
#endif
}

static void requests(void) {
    MPI_Request request;
    for (int i = 0; i < 3; ++i) { // differs in each
        fill(100 * i);
        if (rank == 0)
            MPI_Isend(out, many, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD, &request);
        else
            MPI_Irecv(in, many, MPI_DOUBLE, 0, 3, MPI_COMM_WORLD, &request);
        MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
    }
    if (rank == 0)
        MPI_Send_init(out, 9, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(in, 9, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; ++i) {
        fill(50 + i);
        MPI_Start(&request);
        int done = 0;
        while (!done)
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void exchanges(void) {
    const int other = 1 - rank;
#if MPI_VERSION >= 4
    MPI_Request request;
    MPI_Isendrecv(out, 1, MPI_INT, other, 25, in, 1, MPI_INT, other, 25, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); // MPICH's status is that of an earlier, larger message
#endif
    MPI_Sendrecv(out, 5, MPI_DOUBLE, other, 5, in, 5, MPI_DOUBLE, other, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    in[0] = rank;
    MPI_Sendrecv_replace(in, 5, MPI_DOUBLE, other, 6, other, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Send(out, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Message message;
        MPI_Mprobe(0, 7, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(in, many, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill(1);
    if (rank < 2) {
        pass("abc", 3, MPI_CHAR, in, many, MPI_CHAR, 1);
        pass(out, many, MPI_DOUBLE, in, many, MPI_DOUBLE, 2); // more than is looked at
        requests();
        exchanges();
        datatypes();
        pass(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 24);
        // Equal contents, and equal in all but the length.
        memset(out, 0, sizeof out);
        pass(out, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, 8);
        pass(out, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, 8);
        pass(out, 5, MPI_DOUBLE, in, 5, MPI_DOUBLE, 8);
    }
    MPI_Finalize();
    return 0;
}
