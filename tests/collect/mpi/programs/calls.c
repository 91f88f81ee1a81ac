// SPDX-License-Identifier: GPL-3.0-or-later
// calls CASE: one family of MPI calls each, for the tests of the recorder. What ranks compute is printed.
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, left, right;

static void say(const char *what, long value) { printf("%d %s %ld\n", rank, what, value); }

static void blocking(void) {
    int mine = rank, other = -1;
    MPI_Status status;
    char space[4096];
    MPI_Buffer_attach(space, sizeof space);
    MPI_Sendrecv(&mine, 1, MPI_INT, right, 7, &other, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    say("source", status.MPI_SOURCE);
    MPI_Sendrecv_replace(&mine, 1, MPI_INT, right, 8, left, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say("replaced", mine);
    if (rank == 0) {
        double four[4] = {1, 2, 3, 4};
        MPI_Send(four, 4, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
        MPI_Ssend(four, 3, MPI_DOUBLE, 1, 2, MPI_COMM_WORLD);
        MPI_Bsend(four, 2, MPI_DOUBLE, 1, 3, MPI_COMM_WORLD);
        MPI_Rsend(four, 1, MPI_DOUBLE, 1, 4, MPI_COMM_WORLD);
    } else if (rank == 1) {
        double four[4] = {0};
        for (int i = 0; i < 4; ++i) {
            MPI_Recv(four, 4, MPI_DOUBLE, i % 2 ? MPI_ANY_SOURCE : 0, i < 2 ? MPI_ANY_TAG : i + 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
            say("first", (long)four[0]);
        }
    }
    MPI_Send(&mine, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
    MPI_Recv(&mine, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    void *old;
    int length;
    MPI_Buffer_detach(&old, &length);
}

static void nonblocking(void) {
    static int in[6], out[6];
    MPI_Request receives[6], sends[6];
    for (int i = 0; i < 6; ++i) {
        out[i] = rank * 10 + i;
        MPI_Irecv(&in[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &receives[i]);
        if (i % 3 == 0)
            MPI_Isend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &sends[i]);
        else if (i % 3 == 1)
            MPI_Issend(&out[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &sends[i]);
        else
            MPI_Isend(&out[i], 1, MPI_INT, MPI_PROC_NULL, i, MPI_COMM_WORLD, &sends[i]);
    }
    MPI_Request all[6];
    for (int i = 0; i < 6; ++i)
        all[i] = i % 3 == 2 ? MPI_REQUEST_NULL : receives[i];
    MPI_Wait(&all[4], MPI_STATUS_IGNORE);
    MPI_Waitall(6, all, MPI_STATUSES_IGNORE);
    MPI_Waitall(6, sends, MPI_STATUSES_IGNORE);
    for (int i = 2; i < 6; i += 3) { // never sent
        MPI_Status status;
        int is_cancelled = 0;
        MPI_Cancel(&receives[i]);
        MPI_Wait(&receives[i], &status);
        MPI_Test_cancelled(&status, &is_cancelled);
        say("cancelled", is_cancelled);
    }
    MPI_Request nothing = MPI_REQUEST_NULL;
    MPI_Wait(&nothing, MPI_STATUS_IGNORE);
    say("received", in[0] + in[1] + in[3] + in[4]);
    MPI_Isend(&out[0], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &nothing);
    MPI_Request_free(&nothing);
    MPI_Irecv(&in[0], 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &nothing);
    MPI_Waitall(1, &nothing, MPI_STATUSES_IGNORE);
}

static void persistent(void) {
    static double in[4], out[4];
    MPI_Request requests[2];
    MPI_Send_init(out, 4, MPI_DOUBLE, right, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(in, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; ++i) {
        out[0] = rank + i;
        if (i == 0) {
            MPI_Startall(2, requests);
        } else {
            MPI_Start(&requests[1]);
            MPI_Start(&requests[0]);
        }
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        say("in", (long)in[0]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); // not active
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static void completion(void) {
    static int in[4], out[4];
    MPI_Request requests[4];
    MPI_Status status, statuses[4];
    int index, indices[4], number, flag;
    // Rank 1 sends when rank 0 asks: who is complete when is certain.
    if (rank == 0) {
        for (int i = 0; i < 4; ++i)
            MPI_Irecv(&in[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
        MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
        MPI_Testany(4, requests, &index, &flag, &status);
        MPI_Testsome(4, requests, &number, indices, statuses);
        say("none", flag + number);
        MPI_Send(out, 0, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Waitany(4, requests, &index, &status);
        say("any", index);
        MPI_Send(out, 0, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Waitsome(4, requests, &number, indices, MPI_STATUSES_IGNORE);
        say("some", number * 10 + indices[0]);
        MPI_Send(out, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        do
            MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        while (!flag);
        MPI_Test(&requests[0], &flag, &status);
        say("test", flag);
        MPI_Send(out, 0, MPI_INT, 1, 1, MPI_COMM_WORLD);
        do
            MPI_Testall(4, requests, &flag, MPI_STATUSES_IGNORE);
        while (!flag);
        MPI_Waitany(4, requests, &index, &status);
        say("none is left", index == MPI_UNDEFINED);
    } else if (rank == 1) {
        for (int i = 0; i < 4; ++i) {
            MPI_Recv(out, 0, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            MPI_Send(&out[i], 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD);
        }
    }
}

static void probes(void) {
    int value = 5, flag = 0;
    MPI_Status status;
    MPI_Message message;
    if (rank == 0) {
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, &status);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        do
            MPI_Improbe(1, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &message, &status);
        while (!flag);
        MPI_Request request;
        MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_PROC_NULL, 2, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        say("value", value);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1)
            for (int tag = 1; tag < 4; ++tag)
                MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
}

static void collectives(void) {
    int one = rank + 1, in[64] = {0}, out[64], counts[8], displs[8];
    for (int i = 0; i < 64; ++i)
        out[i] = rank * 100 + i;
    for (int i = 0; i < size; ++i) {
        counts[i] = i + 1;
        displs[i] = i * 4;
    }
    const MPI_Datatype garbage = (MPI_Datatype)0x12345678; // where MPI does not look
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Bcast(out, 2, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Gather(out, 2, MPI_INT, rank == 0 ? in : NULL, 2, rank == 0 ? MPI_INT : garbage, 0, MPI_COMM_WORLD);
    MPI_Gatherv(out, rank + 1, MPI_INT, in, rank == 1 ? counts : NULL, displs, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Scatter(out, 2, MPI_INT, rank == 0 ? MPI_IN_PLACE : in, 2, rank == 0 ? garbage : MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(out, counts, displs, MPI_INT, in, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, garbage, in, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(out, 2, MPI_INT, in, 2, MPI_INT, MPI_COMM_WORLD);
    int same[8];
    MPI_Datatype types[8];
    for (int i = 0; i < size; ++i) {
        same[i] = rank + i;
        types[i] = i % 2 ? MPI_INT : MPI_FLOAT;
        displs[i] = i * 8;
    }
    MPI_Alltoallv(out, same, displs, MPI_INT, in, same, displs, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size; ++i) {
        displs[i] = i * 16;
        types[i] = MPI_INT;
    }
    MPI_Alltoallw(out, same, displs, types, in, same, displs, types, MPI_COMM_WORLD);
    MPI_Reduce(rank == 2 ? MPI_IN_PLACE : out, rank == 2 ? in : NULL, 3, MPI_INT, MPI_SUM, 2, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &one, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    say("sum", one);
}

static void icollectives(void) {
    int in[16] = {0}, out[16] = {0}, one = rank;
    MPI_Request requests[3];
    MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
    MPI_Ibcast(out, 2, MPI_INT, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Iallreduce(&one, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    say("sum", in[0]);
#if MPI_VERSION >= 4
    MPI_Request persistent;
    MPI_Allreduce_init(&one, in, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent);
    MPI_Start(&persistent);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    MPI_Request both;
    MPI_Isendrecv(&one, 1, MPI_INT, right, 1, in, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &both);
    MPI_Wait(&both, MPI_STATUS_IGNORE);
    MPI_Bcast_c(out, 3, MPI_INT, 0, MPI_COMM_WORLD);
    say("max", in[0]);
#endif
}

static void neighbours(void) {
    int dims[1] = {size}, periods[1] = {1}, in[8] = {0}, out[8] = {1, 2, 3, 4};
    MPI_Comm ring, graph;
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    MPI_Comm_set_name(ring, "ring");
    MPI_Neighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, ring);
    // Everybody gets something from rank 0 only.
    int sources[1] = {0}, destinations[8];
    for (int i = 0; i < size; ++i)
        destinations[i] = i;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, sources, MPI_UNWEIGHTED, rank == 0 ? size : 0, destinations, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Comm_set_name(graph, "star");
    MPI_Request request;
    MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    say("in", in[0]);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&graph);
}

/// Named by what they are, so that the test can compare keys between ranks.
static void communicators(void) {
    MPI_Comm copy, icopy, parts, typed, ofgroup, created, again, sub, cart;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_set_name(copy, "copy");
    MPI_Request request;
    MPI_Comm_idup(copy, &icopy, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_set_name(icopy, "icopy");
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &parts);
    MPI_Comm_set_name(parts, rank % 2 ? "odd" : "even");
    int number;
    MPI_Comm_rank(parts, &number);
    say("rank in part", number);
    MPI_Comm_split_type(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &typed);
    if (typed != MPI_COMM_NULL)
        MPI_Comm_set_name(typed, "typed");
    MPI_Group world, first;
    int members[2] = {0, 2};
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, members, &first);
    // Not all of the parent take part: later communicators must agree nevertheless.
    if (rank % 2 == 0 && rank < 3) {
        MPI_Comm_create_group(MPI_COMM_WORLD, first, 4, &ofgroup);
        MPI_Comm_set_name(ofgroup, "of group");
        MPI_Comm_create_group(MPI_COMM_WORLD, first, 4, &again);
        MPI_Comm_set_name(again, "of group again");
    }
    MPI_Comm_create(MPI_COMM_WORLD, first, &created);
    if (created != MPI_COMM_NULL)
        MPI_Comm_set_name(created, "created");
    int dims[2] = {2, 2}, periods[2] = {0, 0}, remain[2] = {0, 1};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart);
    MPI_Comm_set_name(cart, "cart");
    MPI_Cart_sub(cart, remain, &sub);
    MPI_Comm_set_name(sub, rank < 2 ? "upper row" : "lower row");
    MPI_Comm inter, merged, minter;
    MPI_Intercomm_create(parts, 0, MPI_COMM_WORLD, rank % 2 ? 2 : 3, 11, &inter);
    MPI_Comm_set_name(inter, "inter");
    MPI_Comm_dup(inter, &minter);
    MPI_Comm_set_name(minter, "inter copy");
    MPI_Intercomm_merge(inter, rank % 2, &merged);
    MPI_Comm_set_name(merged, "merged");
    int value = rank;
    if (rank == 0)
        MPI_Send(&value, 1, MPI_INT, 1, 5, inter); // rank 1 of the odd ones, in reverse order: 1
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, inter, MPI_STATUS_IGNORE);
    MPI_Bcast(&value, 1, MPI_INT, rank == 2 ? MPI_ROOT : rank % 2 ? 0 : MPI_PROC_NULL, inter);
    say("value", value);
    // The handle is used again.
    for (int i = 0; i < 3; ++i) {
        MPI_Comm shortly;
        MPI_Comm_dup(parts, &shortly);
        MPI_Barrier(shortly);
        MPI_Comm_free(&shortly);
    }
    MPI_Comm_disconnect(&copy);
}

static void errors(void) {
    int value = 0, class;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(MPI_Send(&value, 1, MPI_INT, 77, 1, MPI_COMM_WORLD), &class);
    say("bad rank", class == MPI_ERR_RANK);
    MPI_Error_class(MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_NULL), &class);
    say("no communicator", class == MPI_ERR_COMM);
    MPI_Error_class(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD), &class);
    say("no datatype", class == MPI_ERR_TYPE);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Error_class(MPI_Irecv(&value, -1, MPI_INT, 0, 1, MPI_COMM_SELF, &request), &class);
    say("bad count", class == MPI_ERR_COUNT);
    int two[2] = {1, 2};
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Irecv(&value, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(two, 2, MPI_INT, 0, 3, MPI_COMM_SELF, &requests[1]);
    int result = MPI_Waitall(2, requests, statuses);
    say("in status", result == MPI_ERR_IN_STATUS);
    MPI_Error_class(statuses[0].MPI_ERROR, &class);
    say("truncated", class == MPI_ERR_TRUNCATE);
    say("sent", statuses[1].MPI_ERROR == MPI_SUCCESS);
}

static void datatypes(void) {
    double values[12] = {0};
    for (int i = 0; i < 3; ++i) { // made anew each time, used once
        MPI_Datatype column, named;
        MPI_Type_vector(3, 1, 4, MPI_DOUBLE, &column);
        MPI_Type_commit(&column);
        MPI_Sendrecv_replace(values, 1, column, right, 1, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&column);
        MPI_Type_contiguous(i + 1, MPI_INT, &named);
        MPI_Type_set_name(named, "numbers");
        MPI_Type_commit(&named);
        MPI_Bcast(values, 1, named, 0, MPI_COMM_WORLD);
        MPI_Type_free(&named);
    }
}

static void onesided(void) {
    int window[4] = {0}, value = rank + 1;
    MPI_Win win;
    MPI_Win_create(window, sizeof window, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    say("put", window[0]);
    MPI_Win_free(&win);
    MPI_File file;
    char text[8] = "1234567";
    if (MPI_File_open(MPI_COMM_SELF,
                      rank == 0   ? "file0"
                      : rank == 1 ? "file1"
                                  : "file2",
                      MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) == MPI_SUCCESS) {
        MPI_File_write_at(file, 0, text, 8, MPI_CHAR, MPI_STATUS_IGNORE);
        MPI_File_close(&file);
    }
}

static void phases(void) {
    for (int i = 0; i < 3; ++i) {
        MPI_Pcontrol(i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/// A library of the program that calls MPI from within MPI.
static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    (void)comm, (void)keyval, (void)value, (void)extra;
    int number = 1, sum;
    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    return MPI_SUCCESS;
}

static void nested(void) {
    MPI_Comm copy;
    int key;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    MPI_Comm_set_attr(copy, key, NULL);
    MPI_Comm_free(&copy);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void *exchange(void *argument) {
    const int tag = *(int *)argument;
    for (int i = 0; i < 300; ++i) {
        int out = rank * 1000 + i, in = -1;
        MPI_Request requests[2];
        MPI_Irecv(&in, 1, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(&out, 1, MPI_INT, right, tag, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        if (in != left * 1000 + i)
            say("wrong", in);
    }
    return NULL;
}

static void threads(void) {
    pthread_t others[2];
    int tags[2] = {100, 200};
    for (int i = 0; i < 2; ++i)
        pthread_create(&others[i], NULL, exchange, &tags[i]);
    for (int i = 0; i < 2; ++i)
        pthread_join(others[i], NULL);
    say("tag", tags[0]);
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"blocking", blocking},
                 {"nonblocking", nonblocking},
                 {"persistent", persistent},
                 {"completion", completion},
                 {"probes", probes},
                 {"collectives", collectives},
                 {"icollectives", icollectives},
                 {"neighbours", neighbours},
                 {"communicators", communicators},
                 {"errors", errors},
                 {"datatypes", datatypes},
                 {"onesided", onesided},
                 {"phases", phases},
                 {"nested", nested},
                 {"threads", threads}};
    int provided;
    if (argc == 2 && strcmp(argv[1], "threads") == 0)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    right = (rank + 1) % size;
    left = (rank + size - 1) % size;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        if (argc == 2 && strcmp(argv[1], cases[i].name) == 0)
            cases[i].run();
    MPI_Finalize();
    return rank == 0 ? 5 : 0;
}
