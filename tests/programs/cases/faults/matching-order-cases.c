// SPDX-License-Identifier: GPL-3.0-or-later
// Messages that are sent and received, but not by the calls that were meant: tags, sources, communicators, wildcards, probes.
#include "faults.h"

// Actor 2 sends only after the message of actor 1 was taken, so that it is certain which one a wildcard gets.
static void send_in_turn(struct job *j, int tag) {
    if (j->actor == 1) {
        MPI_Ssend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), tag, j->comm);
        MPI_Send(NULL, 0, MPI_CHAR, actor_rank(j, 2), 99, j->comm);
    }
    if (j->actor == 2) {
        MPI_Recv(NULL, 0, MPI_CHAR, actor_rank(j, 1), 99, j->comm, MPI_STATUS_IGNORE);
        SEND(j, actor_rank(j, 0), tag);
    }
}

// A receive from any source takes the message that the next, named one waits for.
static void any_source_takes_it(struct job *j) {
    send_in_turn(j, 1);
    if (j->actor != 0)
        return;
    FAULT(RECV(j, j->faulty ? MPI_ANY_SOURCE : actor_rank(j, 1), 1));
    FAULT(RECV(j, actor_rank(j, j->faulty ? 1 : 2), 1));
}

static void posted_any_source_takes_it(struct job *j) {
    send_in_turn(j, 2);
    if (j->actor != 0)
        return;
    MPI_Request requests[2];
    FAULT(MPI_Irecv(j->in, j->count, MPI_CHAR, j->faulty ? MPI_ANY_SOURCE : actor_rank(j, 2), 2, j->comm, &requests[0]));
    FAULT(MPI_Irecv(j->in2, j->count, MPI_CHAR, actor_rank(j, 1), 2, j->comm, &requests[1]));
    FAULT(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}

static void any_tag_takes_it(struct job *j) {
    if (j->actor == 1) {
        SEND(j, actor_rank(j, 0), 3);
        SEND(j, actor_rank(j, 0), 4);
    }
    if (j->actor != 0)
        return;
    FAULT(RECV(j, actor_rank(j, 1), j->faulty ? MPI_ANY_TAG : 3));
    FAULT(RECV(j, actor_rank(j, 1), j->faulty ? 3 : 4));
}

// Not overtaking: of two receives with one tag, the first gets the first message; the second, of another size, is not the cause.
static void one_receive_too_many(struct job *j) {
    MPI_Request requests[3];
    const int receives = j->faulty ? 3 : 2;
    if (j->actor == 1) {
        SEND(j, actor_rank(j, 0), 5);
        SEND(j, actor_rank(j, 0), 5);
    }
    if (j->actor != 0)
        return;
    for (int i = 0; i < receives; ++i)
        FAULT(MPI_Irecv(j->in, 8, MPI_CHAR, actor_rank(j, 1), 5, j->comm, &requests[i]));
    FAULT(MPI_Waitall(receives, requests, MPI_STATUSES_IGNORE));
}

static void wrong_tag(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, 1), j->faulty ? 60 : 6));
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 6));
}

static void wrong_tag_of_any_source(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, 1), j->faulty ? 70 : 7));
    if (j->actor == 1)
        FAULT(RECV(j, MPI_ANY_SOURCE, 7));
}

static void wrong_tag_of_posted_receive(struct job *j) {
    MPI_Request request;
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, 1), 8));
    if (j->actor == 1) {
        FAULT(MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 0), j->faulty ? 80 : 8, j->comm, &request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
}

static void wrong_source(struct job *j) {
    if (j->actor == 1)
        FAULT(SEND(j, actor_rank(j, 0), 9));
    if (j->actor == 0)
        FAULT(RECV(j, actor_rank(j, j->faulty ? 2 : 1), 9));
}

static void wrong_destination(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, j->faulty ? 2 : 1), 10));
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 10));
}

static void wrong_communicator(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND_ON(j, actor_rank(j, 1), 11, j->faulty ? j->other : j->comm));
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 11));
}

static void wrong_communicator_of_receive(struct job *j) {
    if (j->actor == 1)
        FAULT(SEND(j, actor_rank(j, 0), 12));
    if (j->actor == 0)
        FAULT(RECV_ON(j, MPI_ANY_SOURCE, MPI_ANY_TAG, j->faulty ? j->other : j->comm));
}

static void ring_with_wrong_neighbour(struct job *j) {
    const int to = actor_rank(j, j->actor + 1), from = actor_rank(j, j->actor == 0 && j->faulty ? 1 : j->actor - 1);
    FAULT(MPI_Sendrecv(j->out, j->count, MPI_CHAR, to, 13, j->in, j->count, MPI_CHAR, from, 13, j->comm, MPI_STATUS_IGNORE));
}

static void ring_with_wrong_tag(struct job *j) {
    const int to = actor_rank(j, j->actor + 1), from = actor_rank(j, j->actor - 1), tag = j->actor == 0 && j->faulty ? 140 : 14;
    FAULT(MPI_Sendrecv(j->out, j->count, MPI_CHAR, to, tag, j->in, j->count, MPI_CHAR, from, 14, j->comm, MPI_STATUS_IGNORE));
}

// A matched probe takes the message away; only MPI_Mrecv can receive it.
static void probed_and_received_otherwise(struct job *j) {
    MPI_Message message;
    if (j->actor == 1)
        SEND(j, actor_rank(j, 0), 15);
    if (j->actor != 0)
        return;
    FAULT(MPI_Mprobe(actor_rank(j, 1), 15, j->comm, &message, MPI_STATUS_IGNORE));
    if (j->faulty)
        FAULT(MPI_Recv(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 15, j->comm, MPI_STATUS_IGNORE));
    else
        MPI_Mrecv(j->in, j->count, MPI_CHAR, &message, MPI_STATUS_IGNORE);
}

static void probed_twice(struct job *j) {
    MPI_Message message[2];
    if (j->actor == 1)
        SEND(j, actor_rank(j, 0), 16);
    if (j->actor != 0)
        return;
    for (int i = 0; i < (j->faulty ? 2 : 1); ++i)
        FAULT(MPI_Mprobe(actor_rank(j, 1), 16, j->comm, &message[i], MPI_STATUS_IGNORE));
    MPI_Mrecv(j->in, j->count, MPI_CHAR, &message[0], MPI_STATUS_IGNORE);
}

static void probe_of_nothing(struct job *j) {
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 17);
    if (j->actor != 1)
        return;
    FAULT(MPI_Probe(actor_rank(j, 0), 17, j->comm, MPI_STATUS_IGNORE));
    RECV(j, actor_rank(j, 0), 17);
}

static void probe_with_wrong_tag(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, 1), j->faulty ? 180 : 18));
    if (j->actor != 1)
        return;
    FAULT(MPI_Probe(MPI_ANY_SOURCE, 18, j->comm, MPI_STATUS_IGNORE));
    RECV(j, actor_rank(j, 0), 18);
}

static void probes_for_ever(struct job *j) {
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 19);
    if (j->actor != 1)
        return;
    for (int is_there = 0; !is_there; work_for(0.2))
        FAULT(MPI_Iprobe(actor_rank(j, 0), 19, j->comm, &is_there, MPI_STATUS_IGNORE));
    RECV(j, actor_rank(j, 0), 19);
}

// Two messages of rendezvous size, taken in the other order than they are sent.
static void crossed_order(struct job *j) {
    if (j->actor == 0) {
        FAULT(SEND(j, actor_rank(j, 1), j->faulty ? 21 : 20));
        SEND(j, actor_rank(j, 1), j->faulty ? 20 : 21);
    }
    if (j->actor == 1) {
        FAULT(RECV(j, actor_rank(j, 0), 20));
        RECV(j, actor_rank(j, 0), 21);
    }
}

// Bystanders exchange messages all the time and are all right; the receiver takes a tag of the round before.
static void tag_of_another_round(struct job *j) {
    if (j->actor == 0)
        FAULT(SEND(j, actor_rank(j, 1), 1000 + j->round - j->faulty));
    else if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 1000 + j->round));
    else if (j->actor % 2 == 0 && j->actor + 1 < j->size)
        SEND(j, actor_rank(j, j->actor + 1), 22);
    else if (j->actor % 2 == 1)
        RECV(j, actor_rank(j, j->actor - 1), 22);
}

static const struct fault_case CASES[] = {
    CASE(any_source_takes_it, "hung", "taken", "0,1", "2", 3, USUAL | ANY_SIZE),
    CASE(posted_any_source_takes_it, "hung", "taken", "0,1", "2", 3, USUAL | ANY_SIZE),
    CASE(any_tag_takes_it, "hung", "taken", "0,1", "", 2, USUAL | ANY_STYLE),
    CASE(one_receive_too_many, "hung", "missing-send", "0,1", "", 2, USUAL),
    CASE(wrong_tag, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(wrong_tag_of_any_source, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(wrong_tag_of_posted_receive, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(wrong_source, "hung", "misfit", "0,1", "2", 3, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(wrong_destination, "hung", "misfit", "0,1", "2", 3, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(wrong_communicator, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(wrong_communicator_of_receive, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(ring_with_wrong_neighbour, "hung", "misfit", "0", "1,-1", 3, USUAL | ANY_SIZE),
    CASE(ring_with_wrong_tag, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE(probed_and_received_otherwise, "hung", "taken", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(probed_twice, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(probe_of_nothing, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(probe_with_wrong_tag, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(probes_for_ever, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(crossed_order, "hung", "deadlock", "0,1", "", 2, USUAL | LONG),
    CASE(tag_of_another_round, "hung", "misfit", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
};

MAIN(CASES)
