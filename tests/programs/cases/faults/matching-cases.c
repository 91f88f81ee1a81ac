// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that are not sent, not received, or wait for each other.
#include "faults.h"

static void head_receives(struct job *j) {
    if (j->actor > 1)
        return;
    const int peer = actor_rank(j, 1 - j->actor);
    if (j->actor == 1 && !j->faulty)
        SEND(j, peer, 1);
    FAULT(RECV(j, peer, 1));
    if (j->actor == 0 || j->faulty)
        SEND(j, peer, 1);
}

static void head_sends(struct job *j) {
    if (j->actor > 1)
        return;
    const int peer = actor_rank(j, 1 - j->actor);
    if (j->actor == 1 && !j->faulty)
        RECV(j, peer, 2);
    FAULT(SEND(j, peer, 2));
    if (j->actor == 0 || j->faulty)
        RECV(j, peer, 2);
}

static void ring_of_ssends(struct job *j) {
    const int next = actor_rank(j, j->actor + 1), previous = actor_rank(j, j->actor - 1);
    if (j->actor == 0 && !j->faulty)
        RECV(j, previous, 3);
    FAULT(MPI_Ssend(j->out, j->count, MPI_CHAR, next, 3, j->comm));
    if (j->actor != 0 || j->faulty)
        RECV(j, previous, 3);
}

static void ring_of_receives(struct job *j) {
    const int next = actor_rank(j, j->actor + 1), previous = actor_rank(j, j->actor - 1);
    if (j->actor == 0 && !j->faulty)
        SEND(j, next, 4);
    FAULT(RECV(j, previous, 4));
    if (j->actor != 0 || j->faulty)
        SEND(j, next, 4);
}

// Three ranks in a circle, the others pass by.
static void circle_of_three(struct job *j) {
    if (j->actor > 2)
        return;
    const int next = actor_rank(j, (j->actor + 1) % 3), previous = actor_rank(j, (j->actor + 2) % 3);
    if (j->actor == 0 && !j->faulty)
        SEND(j, next, 5);
    FAULT(RECV(j, previous, 5));
    if (j->actor != 0 || j->faulty)
        SEND(j, next, 5);
}

// Each waits for what it gets before it sends.
static void waits_before_sending(struct job *j) {
    if (j->actor > 1)
        return;
    const int peer = actor_rank(j, 1 - j->actor);
    MPI_Request requests[2];
    MPI_Irecv(j->in, j->count, MPI_CHAR, peer, 6, j->comm, &requests[0]);
    if (j->faulty)
        FAULT(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    MPI_Isend(j->out, j->count, MPI_CHAR, peer, 6, j->comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void missing_send(struct job *j) {
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 7);
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 7));
}

static void one_message_short(struct job *j) {
    for (int i = 0; i < 5; ++i) {
        if (j->actor == 0 && !(j->faulty && i == 4))
            SEND(j, actor_rank(j, 1), 8);
        if (j->actor == 1)
            FAULT(RECV(j, actor_rank(j, 0), 8));
    }
}

static void missing_receive(struct job *j) {
    if (j->actor == 1)
        FAULT(SEND(j, actor_rank(j, 0), 9));
    if (j->actor == 0 && !j->faulty)
        RECV(j, actor_rank(j, 1), 9);
}

static void missing_receive_of_ssend(struct job *j) {
    if (j->actor == 1)
        FAULT(MPI_Ssend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 10, j->comm));
    if (j->actor == 0 && !j->faulty)
        RECV(j, actor_rank(j, 1), 10);
}

static void missing_receive_of_issend(struct job *j) {
    MPI_Request request;
    if (j->actor == 1) {
        FAULT(MPI_Issend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 11, j->comm, &request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    if (j->actor == 0 && !j->faulty)
        RECV(j, actor_rank(j, 1), 11);
}

static void receive_cancelled(struct job *j) {
    MPI_Request request;
    if (j->actor == 0) {
        MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 12, j->comm, &request);
        if (j->faulty)
            FAULT(MPI_Cancel(&request));
    }
    MPI_Barrier(j->comm);
    if (j->actor == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (j->actor == 1)
        FAULT(MPI_Ssend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 12, j->comm));
}

static void buffered_send_not_taken(struct job *j) {
    static char room[(1 << 20) + MPI_BSEND_OVERHEAD];
    if (j->actor == 1) {
        int size = 0;
        void *back = NULL;
        MPI_Buffer_attach(room, sizeof room);
        MPI_Bsend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 13, j->comm);
        FAULT(MPI_Buffer_detach(&back, &size));
    }
    if (j->actor == 0 && !j->faulty)
        RECV(j, actor_rank(j, 1), 13);
}

static void waitall_lacks_one(struct job *j) {
    MPI_Request requests[2];
    if (j->actor == 1) {
        MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 0), 14, j->comm, &requests[0]);
        MPI_Irecv(j->in2, j->count, MPI_CHAR, actor_rank(j, 2), 14, j->comm, &requests[1]);
        FAULT(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    if (j->actor == 2 || (j->actor == 0 && !j->faulty))
        SEND(j, actor_rank(j, 1), 14);
}

static void waitsome_lacks_one(struct job *j) {
    MPI_Request requests[2];
    if (j->actor == 1) {
        MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 0), 15, j->comm, &requests[0]);
        MPI_Irecv(j->in2, j->count, MPI_CHAR, actor_rank(j, 2), 15, j->comm, &requests[1]);
        for (int done = 0, some = 0, which[2]; done < 2; done += some)
            FAULT(MPI_Waitsome(2, requests, &some, which, MPI_STATUSES_IGNORE));
    }
    if (j->actor == 2 || (j->actor == 0 && !j->faulty))
        SEND(j, actor_rank(j, 1), 15);
}

static void persistent_send_not_started(struct job *j) {
    MPI_Request request;
    if (j->actor == 0) {
        MPI_Send_init(j->out, j->count, MPI_CHAR, actor_rank(j, 1), 16, j->comm, &request);
        if (!j->faulty)
            MPI_Start(&request);
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MPI_Request_free(&request);
    }
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 16));
}

static void persistent_receive_not_started(struct job *j) {
    MPI_Request request;
    if (j->actor == 0) {
        MPI_Recv_init(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 17, j->comm, &request);
        if (!j->faulty)
            MPI_Start(&request);
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MPI_Request_free(&request);
    }
    if (j->actor == 1)
        FAULT(SEND(j, actor_rank(j, 0), 17));
}

static void receives_from_itself(struct job *j) {
    if (j->actor != 0)
        return;
    MPI_Request request = MPI_REQUEST_NULL;
    if (!j->faulty)
        MPI_Isend(j->out, j->count, MPI_CHAR, j->me, 18, j->comm, &request);
    FAULT(RECV(j, j->me, 18));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void sends_to_itself(struct job *j) {
    if (j->actor != 0)
        return;
    MPI_Request request = MPI_REQUEST_NULL;
    if (!j->faulty)
        MPI_Irecv(j->in, j->count, MPI_CHAR, j->me, 19, j->comm, &request);
    FAULT(MPI_Ssend(j->out, j->count, MPI_CHAR, j->me, 19, j->comm));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void sends_to_finalized(struct job *j) {
    if (j->actor == 0) {
        if (j->faulty)
            FAULT(MPI_Finalize());
        else
            RECV(j, actor_rank(j, 1), 20);
    }
    if (j->actor == 1)
        FAULT(MPI_Ssend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 20, j->comm));
}

static void tests_for_ever(struct job *j) {
    MPI_Request request;
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 21);
    if (j->actor == 1) {
        MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 0), 21, j->comm, &request);
        for (int done = 0; !done; work_for(0.2))
            FAULT(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    }
}

static void intercommunicator_without_send(struct job *j) {
    MPI_Comm mine, between;
    MPI_Comm_split(j->comm, j->actor == 0, j->actor, &mine);
    MPI_Intercomm_create(mine, 0, j->comm, actor_rank(j, j->actor == 0), 22, &between);
    if (j->actor == 0 && !j->faulty)
        SEND_ON(j, 0, 22, between);
    if (j->actor == 1)
        FAULT(RECV_ON(j, 0, 22, between));
    MPI_Comm_free(&between);
    MPI_Comm_free(&mine);
}

static void farm_lacks_an_answer(struct job *j) {
    if (j->actor == 1) {
        for (int i = 1; i < j->size; ++i)
            FAULT(RECV(j, MPI_ANY_SOURCE, 23));
    } else if (j->actor != 0 || !j->faulty)
        SEND(j, actor_rank(j, 1), 23);
}

static void leaves_loop_early(struct job *j) {
    const int rounds = j->faulty && j->actor == 0 ? 3 : 4;
    for (int i = 0; i < rounds; ++i) {
        const int to = actor_rank(j, j->actor + 1), from = actor_rank(j, j->actor - 1);
        FAULT(MPI_Sendrecv(j->out, j->count, MPI_CHAR, to, 24, j->in, j->count, MPI_CHAR, from, 24, j->comm, MPI_STATUS_IGNORE));
    }
}

#if MPI_VERSION >= 4
static void partition_not_ready(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor > 1)
        return;
    if (j->actor == 0)
        MPI_Psend_init(j->out, 4, j->count / 4, MPI_CHAR, actor_rank(j, 1), 25, j->comm, MPI_INFO_NULL, &request);
    else
        MPI_Precv_init(j->in, 4, j->count / 4, MPI_CHAR, actor_rank(j, 0), 25, j->comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int i = 0; j->actor == 0 && i < (j->faulty ? 3 : 4); ++i)
        FAULT(MPI_Pready(i, request));
    FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    MPI_Request_free(&request);
}
#endif

// A message that nobody receives, short enough to be buffered: the job finishes.
static void unreceived_and_finishes(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, 1), 26));
    if (j->actor == 1 && !j->faulty)
        RECV(j, actor_rank(j, 0), 26);
}

static void missing_wait_and_finishes(struct job *j) {
    MPI_Request request;
    if (j->actor == 0) {
        FAULT(MPI_Isend(j->out, j->count, MPI_CHAR, actor_rank(j, 1), 27, j->comm, &request));
        if (!j->faulty)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (j->actor == 1)
        RECV(j, actor_rank(j, 0), 27);
}

// The receiver takes for whole numbers what is sent as others, of the same size or another: MPI delivers it, and the job
// finishes.
static void sends_other_numbers(struct job *j, MPI_Datatype sent, MPI_Datatype taken, int elements) {
    double room[16] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    if (j->actor == 0 && j->faulty)
        FAULT(MPI_Isend(room, elements, sent, actor_rank(j, 1), 28, j->comm, &request));
    else if (j->actor == 0)
        MPI_Send(room, 8, taken, actor_rank(j, 1), 28, j->comm);
    if (j->actor == 1)
        FAULT(MPI_Irecv(room, 8, taken, actor_rank(j, 0), 28, j->comm, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void floats_as_integers(struct job *j) { sends_other_numbers(j, MPI_FLOAT, MPI_INT, 8); }
static void integers_as_doubles(struct job *j) { sends_other_numbers(j, MPI_INT, MPI_DOUBLE, 8); }
// Right: what the numbers are is a matter of taste, or known to the receiver alone.
static void signs_differ(struct job *j) { sends_other_numbers(j, MPI_UNSIGNED, MPI_INT, 8); }
static void bytes_as_doubles(struct job *j) { sends_other_numbers(j, MPI_BYTE, MPI_DOUBLE, 64); }

// Tags are numbers of steps, of which actor 0 skips one.
static void skips_a_step(struct job *j) {
    MPI_Request request;
    for (int step = 0; step < 16 && j->actor < 2; ++step) {
        const int tag = 100 + step + (j->actor == 0 && j->faulty && step == 15);
        const int peer = actor_rank(j, 1 - j->actor);
        FAULT(MPI_Irecv(j->in, j->count, MPI_CHAR, peer, tag, j->comm, &request));
        MPI_Request sent;
        MPI_Isend(j->out, j->count, MPI_CHAR, peer, tag, j->comm, &sent);
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(j->comm);
}

static const struct fault_case CASES[] = {
    CASE(head_receives, "hung", "deadlock", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(skips_a_step, "hung", "misfit", "0", "1", 3, ON_ANY_COMM),
    CASE(head_sends, "hung", "deadlock", "0,1", "", 2, USUAL | LONG | ANY_STYLE),
    CASE(ring_of_ssends, "hung", "deadlock", "all", "", 2, USUAL | ANY_SIZE),
    CASE(ring_of_receives, "hung", "deadlock", "all", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(circle_of_three, "hung", "deadlock", "0,1,2", "", 3, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(waits_before_sending, "hung", "deadlock", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(missing_send, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(one_message_short, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(missing_receive, "hung", "missing-receive", "0,1", "", 2, USUAL | LONG | ANY_STYLE),
    CASE(missing_receive_of_ssend, "hung", "missing-receive", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(missing_receive_of_issend, "hung", "missing-receive", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(receive_cancelled, "hung", "missing-receive", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(buffered_send_not_taken, "hung", "missing-receive", "0,1", "", 2, USUAL | LONG),
    CASE(waitall_lacks_one, "hung", "missing-send", "0,1", "", 3, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(waitsome_lacks_one, "hung", "missing-send", "0,1", "", 3, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(persistent_send_not_started, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(persistent_receive_not_started, "hung", "not-started", "0,1", "", 2, USUAL | LONG),
    CASE(receives_from_itself, "hung", "self", "0", "", 2, USUAL | ANY_STYLE),
    CASE(sends_to_itself, "hung", "self", "0", "", 2, USUAL | ANY_SIZE),
    CASE(sends_to_finalized, "hung", "missing-receive", "0,1", "", 2, ON_ANY_COMM | WARM | ANY_SIZE),
    CASE(tests_for_ever, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(intercommunicator_without_send, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(farm_lacks_an_answer, "hung", "missing-send", "0,1", "", 3, USUAL | ANY_STYLE),
    CASE(leaves_loop_early, "hung", "left-early", "0", "1", 2, USUAL | ANY_SIZE),
#if MPI_VERSION >= 4
    CASE(partition_not_ready, "hung", "not-started", "0,1", "", 2, USUAL | ANY_SIZE),
#endif
    CASE(unreceived_and_finishes, "finished", "unreceived", "0,1", "", 2, USUAL | ANY_STYLE),
    CASE(missing_wait_and_finishes, "finished", "missing-wait", "0", "", 2, USUAL),
    CASE_WITH(sends_other_numbers, floats_as_integers, "finished", "datatype", "0,1", "", 2, ON_ANY_COMM | WARM),
    CASE_WITH(sends_other_numbers, integers_as_doubles, "finished", "datatype", "0,1", "", 2, ON_ANY_COMM | WARM),
    CASE_WITH(sends_other_numbers, signs_differ, "finished", "none", "", "", 2, ON_ANY_COMM | WARM),
    CASE_WITH(sends_other_numbers, bytes_as_doubles, "finished", "none", "", "", 2, ON_ANY_COMM | WARM),
};

MAIN(CASES)
