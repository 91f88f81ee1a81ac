// SPDX-License-Identifier: GPL-3.0-or-later
// Results that are taken as they come, in all ways that MPI has to ask for them: the order goes into a number. An argument says
// with which of them it begins.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 8, MOST = 16, TAG = 1 };

static unsigned long order = 17;
static void came(int source) { order = order * 31 + (unsigned long)source; }

static void post(int *values, MPI_Request *requests, int senders) {
    for (int i = 0; i < senders; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, i + 1, TAG, MPI_COMM_WORLD, &requests[i]);
}

static void take_one_by_one(int senders, int tests) {
    int values[MOST], index, flag;
    MPI_Request requests[MOST];
    post(values, requests, senders);
    for (int done = 0; done < senders;) {
        flag = 1;
        if (tests)
            MPI_Testany(senders, requests, &index, &flag, MPI_STATUS_IGNORE);
        else
            MPI_Waitany(senders, requests, &index, MPI_STATUS_IGNORE);
        if (flag) {
            came(index + 1);
            done++;
        }
    }
}

static void take_some(int senders, int tests) {
    int values[MOST], indices[MOST], count;
    MPI_Request requests[MOST];
    post(values, requests, senders);
    for (int done = 0; done < senders; done += count) {
        if (tests)
            MPI_Testsome(senders, requests, &count, indices, MPI_STATUSES_IGNORE);
        else
            MPI_Waitsome(senders, requests, &count, indices, MPI_STATUSES_IGNORE);
        order += (unsigned long)(count * 1000);
        for (int k = 0; k < count; k++)
            came(indices[k] + 1);
    }
}

static void test_in_turns(int senders) {
    int values[MOST], flag;
    MPI_Request requests[MOST];
    post(values, requests, senders);
    for (int done = 0; done < senders;)
        for (int i = 0; i < senders; i++)
            if (requests[i] != MPI_REQUEST_NULL) {
                MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
                if (flag) {
                    came(i + 1);
                    done++;
                }
            }
}

static void probe(int senders, int matched) {
    int value, flag;
    MPI_Status status;
    MPI_Message message;
    for (int done = 0; done < senders;) {
        if (matched)
            MPI_Improbe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &message, &status);
        else
            MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &status);
        if (!flag)
            continue;
        if (matched)
            MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
        else
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, TAG, MPI_COMM_WORLD, &status);
        came(status.MPI_SOURCE);
        done++;
    }
}

static void receive_posted(int senders) {
    int values[MOST];
    MPI_Request requests[MOST];
    MPI_Status statuses[MOST];
    for (int i = 0; i < senders; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(senders, requests, statuses);
    for (int i = 0; i < senders; i++)
        came(statuses[i].MPI_SOURCE);
}

int main(int argc, char **argv) {
    int rank, ranks, first = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < ROUNDS * 8; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank != 0) {
            MPI_Send(&round, 1, MPI_INT, 0, TAG, MPI_COMM_WORLD);
            continue;
        }
        int way = (round + first) % 8;
        switch (way) {
        case 0:
        case 1:
            take_one_by_one(ranks - 1, way == 0);
            break;
        case 2:
        case 3:
            take_some(ranks - 1, way == 2);
            break;
        case 4:
            test_in_turns(ranks - 1);
            break;
        case 5:
        case 6:
            probe(ranks - 1, way == 5);
            break;
        default:
            receive_posted(ranks - 1);
        }
    }
    if (rank == 0)
        printf("order %lx\n", order);
    MPI_Finalize();
    return 0;
}
