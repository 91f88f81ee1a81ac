// SPDX-License-Identifier: GPL-3.0-or-later
// Persistent and partitioned requests that are not started, not marked ready, or not waited for.
#include "faults.h"

#define FAILS(j) ((j)->actor == 0 && (j)->faulty)

// The same requests for several rounds; in the last one a start is left out.
static void send_not_started_again(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0)
        FAULT(MPI_Send_init(j->out, j->count, MPI_CHAR, actor_rank(j, 1), 1, j->comm, &request));
    if (j->actor == 1)
        FAULT(MPI_Recv_init(j->in, j->count, MPI_CHAR, actor_rank(j, 0), 1, j->comm, &request));
    for (int i = 0; i < 6 && j->actor < 2; ++i) {
        if (!(FAILS(j) && i == 5))
            FAULT(MPI_Start(&request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->comm);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
}

static void receive_not_started_again(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0)
        FAULT(MPI_Recv_init(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 1, j->comm, &request));
    if (j->actor == 1)
        FAULT(MPI_Ssend_init(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 1, j->comm, &request));
    for (int i = 0; i < 6 && j->actor < 2; ++i) {
        if (!(FAILS(j) && i == 5))
            FAULT(MPI_Start(&request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->comm);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
}

// Of two requests only one is started.
static void startall_of_one(struct job *j) {
    MPI_Request requests[2];
    const int to = actor_rank(j, j->actor + 1), from = actor_rank(j, j->actor - 1);
    FAULT(MPI_Recv_init(j->in, j->count, MPI_CHAR, from, 2, j->comm, &requests[0]));
    FAULT(MPI_Send_init(j->out, j->count, MPI_CHAR, to, 2, j->comm, &requests[1]));
    for (int i = 0; i < 5; ++i) {
        FAULT(MPI_Startall(FAILS(j) && i == 4 ? 1 : 2, requests));
        FAULT(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

#if MPI_VERSION >= 4
static void partition_not_ready_again(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0)
        FAULT(MPI_Psend_init(j->out, 4, j->count / 4, MPI_CHAR, actor_rank(j, 1), 3, j->comm, MPI_INFO_NULL, &request));
    if (j->actor == 1)
        FAULT(MPI_Precv_init(j->in, 4, j->count / 4, MPI_CHAR, actor_rank(j, 0), 3, j->comm, MPI_INFO_NULL, &request));
    for (int i = 0; i < 4 && j->actor < 2; ++i) {
        MPI_Start(&request);
        for (int part = 0; part < 4 && j->actor == 0; ++part)
            if (!(FAILS(j) && i == 3 && part == 2))
                FAULT(MPI_Pready(part, request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->comm);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
}

static void partitioned_receive_not_started(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 1)
        FAULT(MPI_Psend_init(j->out, 4, j->count / 4, MPI_CHAR, actor_rank(j, 0), 3, j->comm, MPI_INFO_NULL, &request));
    if (j->actor == 0)
        FAULT(MPI_Precv_init(j->in, 4, j->count / 4, MPI_CHAR, actor_rank(j, 1), 3, j->comm, MPI_INFO_NULL, &request));
    for (int i = 0; i < 4 && j->actor < 2; ++i) {
        if (!(FAILS(j) && i == 3))
            FAULT(MPI_Start(&request));
        if (j->actor == 1)
            MPI_Pready_range(0, 3, request);
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->comm);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
}

// Who receives asks for the parts one by one, of which one is never marked; whoever marks goes on.
static void part_never_arrives(struct job *j, int waits) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0)
        MPI_Psend_init(j->out, 4, j->count / 4, MPI_CHAR, actor_rank(j, 1), 3, j->comm, MPI_INFO_NULL, &request);
    if (j->actor == 1)
        MPI_Precv_init(j->in, 4, j->count / 4, MPI_CHAR, actor_rank(j, 0), 3, j->comm, MPI_INFO_NULL, &request);
    for (int i = 0; i < 4 && j->actor < 2; ++i) {
        MPI_Start(&request);
        for (int part = 0; part < 4 && j->actor == 0; ++part)
            if (!(FAILS(j) && i == 3 && part == 2))
                FAULT(MPI_Pready(part, request));
        for (int part = 0, arrived = 0; part < 4 && j->actor == 1; part += arrived)
            FAULT(MPI_Parrived(request, part, &arrived));
        if (j->actor == 1 || waits || !(FAILS(j) && i == 3))
            FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->comm);
    if (request != MPI_REQUEST_NULL)
        MPI_Request_free(&request);
}

static void part_asked_for_never_arrives(struct job *j) { part_never_arrives(j, 0); }
static void both_wait_for_a_part(struct job *j) { part_never_arrives(j, 1); }

// A persistent collective that one member does not start.
static void collective_not_started(struct job *j) {
    static double values[4], results[4];
    MPI_Request request;
    FAULT(MPI_Allreduce_init(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm, MPI_INFO_NULL, &request));
    for (int i = 0; i < 5; ++i) {
        if (!(FAILS(j) && i == 4))
            FAULT(MPI_Start(&request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->other);
    MPI_Request_free(&request);
}

#endif

// In no round.
static void send_never_started(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0) {
        FAULT(MPI_Send_init(j->out, j->count, MPI_CHAR, actor_rank(j, 1), 1, j->comm, &request));
        if (!FAILS(j))
            FAULT(MPI_Start(&request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MPI_Request_free(&request);
    }
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 1));
    MPI_Barrier(j->comm);
}

// A receive is posted a second time into the same request: the first one takes the message, and nothing waits for that one.
static void request_overwritten(struct job *j) {
    MPI_Request request;
    for (int i = 0; i < 12 && j->actor < 2; ++i) {
        if (j->actor == 1) {
            MPI_Send(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 4, j->comm);
            continue;
        }
        FAULT(MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 4, j->comm, &request));
        if (FAILS(j) && i == 11)
            FAULT(MPI_Irecv(j->in2, j->count, MPI_CHAR, actor_rank(j, 1), 4, j->comm, &request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    MPI_Barrier(j->comm);
}

static const struct fault_case CASES[] = {
    CASE(send_not_started_again, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(receive_not_started_again, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(startall_of_one, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
#if MPI_VERSION >= 4
    CASE(partition_not_ready_again, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(partitioned_receive_not_started, "hung", "not-started", "0,1", "", 2, USUAL | LONG),
    CASE_WITH(part_never_arrives, part_asked_for_never_arrives, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE_WITH(part_never_arrives, both_wait_for_a_part, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(collective_not_started, "hung", "not-started", "0", "", 2, ON_ANY_COMM),
#endif
    CASE(request_overwritten, "hung", "taken", "0", "", 3, USUAL | ANY_SIZE),
    CASE(send_never_started, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
};

MAIN(CASES)
