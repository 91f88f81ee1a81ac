// SPDX-License-Identifier: GPL-3.0-or-later
// Three ranks. What the recorder knows of calls beside messages: epochs of windows, operators and types of collectives, how
// receives were posted. Cases "lock" and "wait" never end.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

/// Post, start, complete and wait between ranks 0 and 1; then a lock that rank 0 never gives back.
static void lock_case(void) {
    int memory[4] = {0}, value = rank;
    MPI_Win other, win;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &other);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, win);
    MPI_Group world, pair;
    const int peers[2][1] = {{1}, {0}};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (rank < 2)
        MPI_Group_incl(world, 1, peers[rank], &pair);
    if (rank == 0) {
        MPI_Win_post(pair, 0, win);
        MPI_Win_wait(win);
    } else if (rank == 1) {
        MPI_Win_start(pair, 0, win);
        for (int i = 0; i < 3; ++i)
            MPI_Put(&value, 1, MPI_INT, 0, i, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Get(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
    }
    for (;;) {
        int flag;
        MPI_Status status;
        MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &flag, &status);
        // Many records, so that a small ring turns.
        for (int i = 0; i < 2000 && rank == 0; ++i)
            MPI_Sendrecv(&value, 1, MPI_INT, 0, 1, memory, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
        usleep(2000);
    }
}

static void collectives_case(void) {
    int in[6] = {rank}, out[18];
    MPI_Datatype pairs;
    MPI_Type_contiguous(2, MPI_INT, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(in, 1, pairs, 0, MPI_COMM_WORLD);
    MPI_Gather(in, 2, MPI_INT, out, 1, pairs, 0, MPI_COMM_WORLD);
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm copy, half;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_File file;
    if (MPI_File_open(copy, "shared", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS) {
        MPI_File_write_at_all(file, rank * 4, in, 1, MPI_INT, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
    MPI_Type_free(&pairs);
    MPI_Comm_free(&half);
    MPI_Comm_free(&copy);
}

/// Rank 0 waits for a persistent receive, and a collective, that never come.
static void wait_case(void) {
    int value = rank, message[3];
    if (rank == 0) {
        MPI_Request requests[3];
        MPI_Message taken;
        MPI_Recv_init(message, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(message + 1, 1, MPI_INT, MPI_ANY_SOURCE, 6, MPI_COMM_WORLD, &requests[1]);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &taken, MPI_STATUS_IGNORE);
        MPI_Mrecv(message + 1, 1, MPI_INT, &taken, MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &taken, MPI_STATUS_IGNORE);
        MPI_Start(&requests[0]);
        MPI_Ireduce(&value, message + 2, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD, &requests[1]);
#if MPI_VERSION >= 4
        MPI_Precv_init(message + 1, 1, 1, MPI_INT, 2, 9, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[2]);
        MPI_Start(&requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
#else
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
#endif
    }
    for (int tag = 6; rank == 1 && tag <= 8; ++tag)
        MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_SELF);
    pause();
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 2 && strcmp(argv[1], "lock") == 0)
        lock_case();
    if (argc == 2 && strcmp(argv[1], "collectives") == 0)
        collectives_case();
    if (argc == 2 && strcmp(argv[1], "wait") == 0)
        wait_case();
    MPI_Finalize();
    return 0;
}
