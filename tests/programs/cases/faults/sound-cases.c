// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are right, and use what is rarely used. Nothing is to be said about them.
#include "faults.h"

#include <string.h>
#include <unistd.h>

static double values[64], results[1024], room[64];

static void farm(struct job *j) {
    MPI_Status status;
    const int tasks = 3 * j->size;
    if (j->actor == 0) {
        for (int i = 0; i < tasks + j->size - 1; ++i) {
            MPI_Recv(j->in, j->count, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, j->comm, &status);
            MPI_Send(j->out, 1, MPI_CHAR, status.MPI_SOURCE, i < tasks ? 1 : 2, j->comm);
        }
        return;
    }
    do {
        work_for(0.3 * j->actor);
        MPI_Send(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 3, j->comm);
        MPI_Recv(j->in, 1, MPI_CHAR, actor_rank(j, 0), MPI_ANY_TAG, j->comm, &status);
    } while (status.MPI_TAG == 1);
}

static void matched_probes(struct job *j) {
    MPI_Message message;
    MPI_Status status;
    int length = 0;
    if (j->actor != 0) {
        SEND(j, actor_rank(j, 0), 4);
        return;
    }
    for (int i = 1; i < j->size; ++i) {
        MPI_Mprobe(MPI_ANY_SOURCE, 4, j->comm, &message, &status);
        MPI_Get_count(&status, MPI_CHAR, &length);
        MPI_Mrecv(j->in, length, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    }
}

static void persistent_halo(struct job *j) {
    MPI_Request requests[4];
    const int next = actor_rank(j, j->actor + 1), previous = actor_rank(j, j->actor - 1);
    MPI_Send_init(j->out, j->count, MPI_CHAR, next, 5, j->comm, &requests[0]);
    MPI_Recv_init(j->in, j->count, MPI_CHAR, previous, 5, j->comm, &requests[1]);
    MPI_Ssend_init(j->out, j->count, MPI_CHAR, previous, 6, j->comm, &requests[2]);
    MPI_Recv_init(j->in2, j->count, MPI_CHAR, next, 6, j->comm, &requests[3]);
    for (int i = 0; i < 5; ++i) {
        MPI_Startall(4, requests);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 4; ++i)
        MPI_Request_free(&requests[i]);
}

#if MPI_VERSION >= 4
static void partitions(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0)
        MPI_Psend_init(j->out, 4, j->count / 4, MPI_CHAR, actor_rank(j, 1), 7, j->comm, MPI_INFO_NULL, &request);
    if (j->actor == 1)
        MPI_Precv_init(j->in, 4, j->count / 4, MPI_CHAR, actor_rank(j, 0), 7, j->comm, MPI_INFO_NULL, &request);
    for (int round = 0; j->actor < 2 && round < 3; ++round) {
        MPI_Start(&request);
        for (int i = 3; j->actor == 0 && i >= 0; --i)
            MPI_Pready(i, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (j->actor < 2)
        MPI_Request_free(&request);
}
#endif

static void fences(struct job *j) {
    MPI_Win window;
    MPI_Win_create(room, sizeof room, sizeof(double), MPI_INFO_NULL, j->comm, &window);
    for (int i = 0; i < 5; ++i) {
        MPI_Win_fence(0, window);
        MPI_Accumulate(values, 4, MPI_DOUBLE, actor_rank(j, j->actor + 1), 0, 4, MPI_DOUBLE, MPI_SUM, window);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
}

static void passive_targets(struct job *j) {
    MPI_Win window;
    double *base = NULL, one = 1.0, before = 0.0;
    MPI_Win_allocate(64, sizeof(double), MPI_INFO_NULL, j->comm, &base, &window);
    for (int i = 0; i < 3; ++i) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, actor_rank(j, 0), 0, window);
        MPI_Put(values, 2, MPI_DOUBLE, actor_rank(j, 0), 0, 2, MPI_DOUBLE, window);
        MPI_Win_unlock(actor_rank(j, 0), window);
    }
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &before, MPI_DOUBLE, actor_rank(j, -1), 0, MPI_SUM, window);
    MPI_Win_flush_all(window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

static void exposed_epochs(struct job *j) {
    MPI_Win window;
    MPI_Group all, next, previous;
    const int to = actor_rank(j, j->actor + 1), from = actor_rank(j, j->actor - 1);
    MPI_Win_create(room, sizeof room, sizeof(double), MPI_INFO_NULL, j->comm, &window);
    MPI_Comm_group(j->comm, &all);
    MPI_Group_incl(all, 1, &to, &next);
    MPI_Group_incl(all, 1, &from, &previous);
    for (int i = 0; i < 3; ++i) {
        MPI_Win_post(previous, 0, window);
        MPI_Win_start(next, 0, window);
        MPI_Put(values, 2, MPI_DOUBLE, to, 0, 2, MPI_DOUBLE, window);
        MPI_Win_complete(window);
        MPI_Win_wait(window);
    }
    MPI_Group_free(&all), MPI_Group_free(&next), MPI_Group_free(&previous);
    MPI_Win_free(&window);
}

static void intercommunicator(struct job *j) {
    MPI_Comm mine, between;
    int half = j->actor % 2, remote = 0, rank = 0;
    MPI_Comm_split(j->comm, half, j->actor, &mine);
    MPI_Intercomm_create(mine, 0, j->comm, actor_rank(j, 1 - half), 8, &between);
    MPI_Comm_remote_size(between, &remote);
    MPI_Comm_rank(between, &rank);
    if (rank < remote)
        MPI_Sendrecv(j->out, j->count, MPI_CHAR, rank, 9, j->in, j->count, MPI_CHAR, rank, 9, between, MPI_STATUS_IGNORE);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, between);
    MPI_Comm_free(&between);
    MPI_Comm_free(&mine);
}

static void to_oneself(struct job *j) {
    MPI_Request request;
    MPI_Sendrecv(j->out, j->count, MPI_CHAR, j->me, 10, j->in, j->count, MPI_CHAR, j->me, 10, j->comm, MPI_STATUS_IGNORE);
    MPI_Irecv(j->in, j->count, MPI_CHAR, MPI_ANY_SOURCE, 11, MPI_COMM_SELF, &request);
    MPI_Ssend(j->out, j->count, MPI_CHAR, 0, 11, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(j->out, j->count, MPI_CHAR, MPI_PROC_NULL, 12, j->comm);
    MPI_Recv(j->in, j->count, MPI_CHAR, MPI_PROC_NULL, 12, j->comm, MPI_STATUS_IGNORE);
}

static void cancelled_receive(struct job *j) {
    MPI_Request request;
    MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 13, j->comm, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(j->comm);
}

static void collectives_waited_in_any_order(struct job *j) {
    MPI_Request requests[3];
    MPI_Ibarrier(j->comm, &requests[0]);
    MPI_Iallreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm, &requests[1]);
    MPI_Ibcast(room, 4, MPI_DOUBLE, actor_rank(j, 0), j->comm, &requests[2]);
    for (int i = 0; i < 3; ++i)
        MPI_Wait(&requests[(i + j->actor) % 3], MPI_STATUS_IGNORE);
}

static void small_communicators(struct job *j) {
    MPI_Comm pair, odd;
    MPI_Comm_split(j->comm, j->actor / 2, -j->actor, &pair);
    MPI_Comm_split(j->comm, j->actor % 2 ? 0 : MPI_UNDEFINED, 0, &odd);
    for (int i = 0; i <= j->actor / 2; ++i) // as often as each pair likes
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_MAX, pair);
    if (odd != MPI_COMM_NULL) {
        MPI_Bcast(values, 4, MPI_DOUBLE, 0, odd);
        MPI_Comm_free(&odd);
    }
    MPI_Comm_free(&pair);
}

static void scans(struct job *j) {
    MPI_Scan(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    MPI_Exscan(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    MPI_Reduce_scatter_block(values, results, 1, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void last_one(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    memcpy(inout, in, (size_t)*count * sizeof(double));
}

static void own_operation_and_type(struct job *j) {
    MPI_Op operation;
    MPI_Datatype column;
    MPI_Op_create(last_one, 0, &operation);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, operation, j->comm);
    MPI_Op_free(&operation);
    MPI_Type_vector(4, 1, 8, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Bcast(values, 1, column, actor_rank(j, 0), j->comm);
    MPI_Type_free(&column);
}

static void handled_errors(struct job *j) {
    MPI_Comm careful;
    MPI_Comm_dup(j->comm, &careful);
    MPI_Comm_set_errhandler(careful, MPI_ERRORS_RETURN);
    if (MPI_Send(values, 1, MPI_DOUBLE, j->size + 1, 1, careful) != MPI_SUCCESS && j->actor == 0)
        MPI_Send(values, 1, MPI_DOUBLE, actor_rank(j, 1), 14, careful);
    if (j->actor == 1)
        MPI_Recv(results, 64, MPI_DOUBLE, actor_rank(j, 0), 14, careful, MPI_STATUS_IGNORE);
    MPI_Comm_free(&careful);
}

static void neighbours_on_a_grid(struct job *j) {
    MPI_Comm grid;
    int dims[2] = {0, 0}, periods[2] = {0, 1}, from = 0, to = 0;
    MPI_Dims_create(j->size, 2, dims);
    MPI_Cart_create(j->comm, 2, dims, periods, 1, &grid);
    MPI_Cart_shift(grid, 0, 1, &from, &to);
    MPI_Sendrecv(j->out, j->count, MPI_CHAR, to, 15, j->in, j->count, MPI_CHAR, from, 15, grid, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(values, 1, MPI_DOUBLE, results, 1, MPI_DOUBLE, grid);
    MPI_Comm_free(&grid);
}

static void buffered_and_ready(struct job *j) {
    static char buffer[4096];
    MPI_Request request;
    int size = 0;
    void *back = NULL;
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Irecv(j->in, 8, MPI_CHAR, actor_rank(j, j->actor - 1), 16, j->comm, &request);
    MPI_Bsend(j->out, 8, MPI_CHAR, actor_rank(j, j->actor + 1), 16, j->comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&back, &size);
    MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, j->actor - 1), 17, j->comm, &request);
    MPI_Barrier(j->comm);
    MPI_Rsend(j->out, j->count, MPI_CHAR, actor_rank(j, j->actor + 1), 17, j->comm);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void tests_and_waits_for_some(struct job *j) {
    MPI_Request requests[8];
    int which[8], done = 0, some = 0, any = 0, is_done = 0;
    if (j->actor != 0) {
        work_for(1.0 * j->actor);
        SEND(j, actor_rank(j, 0), 18);
        return;
    }
    const int count = j->size - 1 < 8 ? j->size - 1 : 8;
    for (int i = 0; i < count; ++i)
        MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, i + 1), 18, j->comm, &requests[i]);
    MPI_Testany(count, requests, &any, &is_done, MPI_STATUS_IGNORE);
    for (done = is_done && any != MPI_UNDEFINED; done < count; done += some)
        MPI_Waitsome(count, requests, &some, which, MPI_STATUSES_IGNORE);
    for (int i = count + 1; i < j->size; ++i)
        RECV(j, actor_rank(j, i), 18);
}

// Steps of uneven length and a checkpoint now and then; nobody is slow.
static void uneven_steps(struct job *j) {
    for (int step = 0; step < 12; ++step) {
        work_for((step * 7 + j->actor * 5) % 4);
        if (step % 5 == 4 && j->actor == 0)
            usleep(30000);
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    }
}

static void late_start(struct job *j) {
    if (j->round == 0)
        usleep((useconds_t)j->actor * 20000);
    for (int step = 0; step < 10; ++step)
        MPI_Sendrecv(j->out, j->count, MPI_CHAR, actor_rank(j, j->actor + 1), 19, j->in, j->count, MPI_CHAR,
                     actor_rank(j, j->actor - 1), 19, j->comm, MPI_STATUS_IGNORE);
}

#define SOUND(name, varies) CASE(name, "finished", "none", "", "", 2, varies)

static const struct fault_case CASES[] = {
    SOUND(farm, USUAL | ANY_SIZE),
    SOUND(matched_probes, USUAL | ANY_SIZE | ANY_STYLE),
    SOUND(persistent_halo, USUAL | ANY_SIZE),
#if MPI_VERSION >= 4
    SOUND(partitions, USUAL | ANY_SIZE),
#endif
    SOUND(fences, USUAL),
    SOUND(passive_targets, USUAL),
    SOUND(exposed_epochs, USUAL),
    SOUND(intercommunicator, USUAL | ANY_SIZE),
    SOUND(to_oneself, USUAL | ANY_SIZE),
    SOUND(cancelled_receive, USUAL | ANY_SIZE),
    SOUND(collectives_waited_in_any_order, USUAL),
    SOUND(small_communicators, USUAL),
    SOUND(scans, USUAL),
    SOUND(own_operation_and_type, USUAL),
    SOUND(handled_errors, USUAL),
    SOUND(neighbours_on_a_grid, USUAL | ANY_SIZE),
    SOUND(buffered_and_ready, USUAL | ANY_SIZE),
    SOUND(tests_and_waits_for_some, USUAL | ANY_SIZE | ANY_STYLE),
    SOUND(uneven_steps, USUAL),
    SOUND(late_start, USUAL | ANY_SIZE),
};

MAIN(CASES)
