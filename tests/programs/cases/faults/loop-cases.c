// SPDX-License-Identifier: GPL-3.0-or-later
// Loops of MPI calls that return at once and bring nothing, while the others wait; and such loops that are right.
#include "faults.h"

static double values[64], results[1024];

#define FAILS(j) ((j)->actor == 0 && (j)->faulty)

static void waits_for_any_of_nothing(struct job *j) {
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int which = MPI_UNDEFINED;
    while (FAILS(j) && which == MPI_UNDEFINED)
        FAULT(MPI_Waitany(3, requests, &which, MPI_STATUS_IGNORE));
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void waits_for_all_of_nothing(struct job *j) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    while (FAILS(j) && j->in[0] == 0)
        FAULT(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    MPI_Barrier(j->comm);
}

static void tests_all_of_nothing(struct job *j) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int done = 0;
    while (FAILS(j) && j->in[0] == 0)
        FAULT(MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE));
    MPI_Barrier(j->comm);
}

static void waits_for_some_of_nothing(struct job *j) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int done = 0, which[2];
    if (j->actor == 0) {
        while (FAILS(j) && j->in[0] == 0)
            FAULT(MPI_Waitsome(2, requests, &done, which, MPI_STATUSES_IGNORE));
        SEND(j, actor_rank(j, 1), 1);
    }
    if (j->actor == 1)
        RECV(j, actor_rank(j, 0), 1);
    MPI_Barrier(j->comm);
}

// A flag in a window that nobody sets.
static void looks_for_flag(struct job *j, void (*look)(MPI_Win, volatile int *, int)) {
    volatile int *flag;
    MPI_Win window;
    MPI_Win_allocate(sizeof *flag, sizeof *flag, MPI_INFO_NULL, j->comm, (void *)&flag, &window);
    *flag = 0;
    MPI_Barrier(j->comm);
    MPI_Win_lock_all(0, window);
    while (FAILS(j) && *flag == 0)
        look(window, flag, actor_rank(j, 0));
    MPI_Win_unlock_all(window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void sync_window(MPI_Win window, volatile int *flag, int me) {
    (void)flag, (void)me;
    FAULT(MPI_Win_sync(window));
}

static void flush_window(MPI_Win window, volatile int *flag, int me) {
    (void)flag;
    FAULT(MPI_Win_flush(me, window));
}

static void fetch_flag(MPI_Win window, volatile int *flag, int me) {
    int got = 0, nothing = 0;
    FAULT(MPI_Fetch_and_op(&nothing, &got, MPI_INT, me, 0, MPI_NO_OP, window));
    FAULT(MPI_Win_flush(me, window));
    *flag = got;
}

static void syncs_for_ever(struct job *j) { looks_for_flag(j, sync_window); }
static void flushes_for_ever(struct job *j) { looks_for_flag(j, flush_window); }
static void fetches_for_ever(struct job *j) { looks_for_flag(j, fetch_flag); }

static void asks_for_its_rank(struct job *j) {
    int rank = -1;
    do
        FAULT(MPI_Comm_rank(j->comm, &rank));
    while (FAILS(j) && rank != j->size);
    MPI_Barrier(j->comm);
}

static void sends_to_nobody(struct job *j) {
    while (FAILS(j) && j->in[0] == 0)
        FAULT(MPI_Sendrecv(j->out, 1, MPI_CHAR, MPI_PROC_NULL, 3, j->in2, 1, MPI_CHAR, MPI_PROC_NULL, 3, j->comm,
                           MPI_STATUS_IGNORE));
    MPI_Barrier(j->comm);
}

static void meets_itself(struct job *j) {
    while (FAILS(j) && j->in[0] == 0)
        FAULT(MPI_Barrier(MPI_COMM_SELF));
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

// Two ranks answer each other for ever; the others wait.
static void two_answer_each_other(struct job *j) {
    do {
        if (j->actor < 2)
            FAULT(MPI_Sendrecv(j->out, 1, MPI_CHAR, actor_rank(j, 1 - j->actor), 4, j->in2, 1, MPI_CHAR,
                               actor_rank(j, 1 - j->actor), 4, j->comm, MPI_STATUS_IGNORE));
    } while (j->actor < 2 && j->faulty && j->in[0] == 0);
    MPI_Barrier(j->comm);
}

// Three agree by asking each other until all say yes, as they do each time at once, and the last time never.
static void never_agree(struct job *j) {
    const int next = actor_rank(j, (j->actor + 1) % 3), previous = actor_rank(j, (j->actor + 2) % 3);
    for (int time = 0; time < 5; ++time) {
        int agreed = 0;
        while (j->actor < 3 && !agreed) {
            int mine = !j->faulty || time < 4, theirs = 0;
            MPI_Request request;
            FAULT(MPI_Irecv(&theirs, 1, MPI_INT, previous, 5, j->comm, &request));
            FAULT(MPI_Send(&mine, 1, MPI_INT, next, 5, j->comm));
            FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
            agreed = mine && theirs;
            work_for(0.2);
        }
        MPI_Barrier(j->comm);
    }
}

// All iterate until they have converged, which they do in three iterations each time, and the last time never.
static void never_converge(struct job *j) {
    for (int time = 0; time < 5; ++time) {
        double change = 1, largest = 1;
        while (largest > 0.01) {
            change = j->faulty && time == 4 ? 1 : change / 8;
            FAULT(MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, j->comm));
            work_for(0.2);
        }
        MPI_Barrier(j->comm);
    }
}

// One waits for its turn by a counter in another's memory, which a third one counts on each time but the last.
static void waits_for_its_turn(struct job *j) {
    int *counter = NULL, one = 1, turn = 0, nothing = 0;
    MPI_Win window;
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, j->comm, &counter, &window);
    counter[0] = counter[1] = 0;
    MPI_Barrier(j->comm);
    MPI_Win_lock_all(0, window);
    for (int time = 0; time < 5; ++time) {
        if (j->actor == 2 && !(j->faulty && time == 4)) {
            work_for(2);
            MPI_Accumulate(&one, 1, MPI_INT, actor_rank(j, 0), 0, 1, MPI_INT, MPI_SUM, window);
            MPI_Win_flush(actor_rank(j, 0), window);
        }
        while (j->actor == 1 && turn <= time) {
            FAULT(MPI_Fetch_and_op(&nothing, &turn, MPI_INT, actor_rank(j, 0), 0, MPI_NO_OP, window));
            FAULT(MPI_Win_flush(actor_rank(j, 0), window));
            work_for(0.5);
        }
        if (j->actor == 1) {
            MPI_Accumulate(&one, 1, MPI_INT, actor_rank(j, 0), 1, 1, MPI_INT, MPI_SUM, window);
            MPI_Win_flush(actor_rank(j, 0), window);
        }
        MPI_Barrier(j->comm);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
}

// One collects lines of the others, asking them in turns, until each has said that there are no more; the first one does not.
static void last_word_left_out(struct job *j) {
    enum { line = 20, last = 21 };
    char text[8] = "";
    const int actors = 4;
    for (int i = 0; j->actor > 0 && j->actor < actors && i < 5 + j->actor; ++i)
        MPI_Send(text, 8, MPI_CHAR, actor_rank(j, 0), line, j->comm);
    if (j->actor > 0 && j->actor < actors && !(j->faulty && j->actor == 1))
        FAULT(MPI_Send(text, 0, MPI_CHAR, actor_rank(j, 0), last, j->comm));
    for (int open = actors - 1; j->actor == 0 && open > 0; work_for(0.1))
        for (int actor = 1; actor < actors; ++actor) {
            int isThere = 0;
            MPI_Status status;
            FAULT(MPI_Iprobe(actor_rank(j, actor), MPI_ANY_TAG, j->comm, &isThere, &status));
            if (!isThere)
                continue;
            MPI_Recv(text, 8, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, j->comm, MPI_STATUS_IGNORE);
            open -= status.MPI_TAG == last;
        }
    MPI_Barrier(j->comm);
}

enum { ask = 30, answer = 31 };

static void answer_all(struct job *j, int forgets) {
    int isThere = 0;
    MPI_Status status;
    for (MPI_Iprobe(MPI_ANY_SOURCE, ask, j->comm, &isThere, &status); isThere;
         MPI_Iprobe(MPI_ANY_SOURCE, ask, j->comm, &isThere, &status)) {
        char text[1];
        MPI_Recv(text, 1, MPI_CHAR, status.MPI_SOURCE, ask, j->comm, MPI_STATUS_IGNORE);
        if (!forgets)
            FAULT(MPI_Send(text, 1, MPI_CHAR, status.MPI_SOURCE, answer, j->comm));
    }
}

// Actors 1 to 3 by turns ask each other actor; actor 0 takes what it is asked once, and answers nothing.
static void does_not_answer(struct job *j) {
    enum { actors = 4, turns = 13 };
    for (int turn = 0; turn < turns; ++turn) {
        const int forgets = j->faulty && j->actor == 0 && turn == turns - 1;
        for (int other = 0; j->actor == 1 + turn % 3 && other < actors; ++other) {
            char text[1] = "";
            int isThere = 0;
            MPI_Status status;
            if (other == j->actor)
                continue;
            MPI_Send(text, 1, MPI_CHAR, actor_rank(j, other), ask, j->comm);
            for (; !isThere; work_for(0.05)) {
                answer_all(j, 0);
                FAULT(MPI_Iprobe(actor_rank(j, other), answer, j->comm, &isThere, &status));
            }
            MPI_Recv(text, 1, MPI_CHAR, actor_rank(j, other), answer, j->comm, MPI_STATUS_IGNORE);
        }
        MPI_Request request;
        MPI_Ibarrier(j->comm, &request);
        for (int done = 0; !done; work_for(0.05)) {
            answer_all(j, forgets);
            FAULT(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        }
    }
}

// Right: long work with calls of MPI in it, after which all goes on; ended by its launcher while it is at it.
static void works_long_with_calls(struct job *j) {
    MPI_Request none = MPI_REQUEST_NULL;
    while (j->faulty) {
        for (int i = 0; j->actor == 0 && i < 400; ++i) {
            work_for(1.0);
            MPI_Wait(&none, MPI_STATUS_IGNORE);
        }
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    }
}

static const struct fault_case CASES[] = {
    CASE(waits_for_any_of_nothing, "hung", "spin", "0", "", 2, USUAL),
    CASE(waits_for_all_of_nothing, "hung", "spin", "0", "", 2, USUAL),
    CASE(tests_all_of_nothing, "hung", "spin", "0", "", 2, USUAL),
    CASE(waits_for_some_of_nothing, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(sync_window, syncs_for_ever, "hung", "spin", "0", "", 2, ON_ANY_COMM | ANY_END),
    CASE_WITH(flush_window, flushes_for_ever, "hung", "spin", "0", "", 2, ON_ANY_COMM | ANY_END),
    CASE_WITH(fetch_flag, fetches_for_ever, "hung", "spin", "0", "", 2, ON_ANY_COMM | ANY_END),
    CASE(asks_for_its_rank, "hung", "spin", "0", "", 2, USUAL),
    CASE(sends_to_nobody, "hung", "spin", "0", "", 2, USUAL),
    CASE(meets_itself, "hung", "spin", "0", "", 2, USUAL),
    CASE(two_answer_each_other, "hung|running", "any", "", "0,1", 3, USUAL),
    CASE(never_agree, "hung|running", "exchange", "0,1,2", "", 4, ON_ANY_COMM | WARM),
    CASE(never_converge, "hung|running", "exchange", "", "all", 2, WARM),
    CASE(waits_for_its_turn, "hung|running", "spin", "1", "2", 4, ON_ANY_COMM | WARM),
    CASE(last_word_left_out, "hung", "missing-send", "1", "0", 5, ON_ANY_COMM | WARM),
    CASE_WITH(answer_all, does_not_answer, "hung", "missing-send", "0", "1", 5, ON_ANY_COMM | WARM),
    CASE(works_long_with_calls, "running", "none", "", "", 2, ON_ANY_COMM | WARM),
};

MAIN(CASES)
