// SPDX-License-Identifier: GPL-3.0-or-later
// Processes that end otherwise than by MPI_Finalize, and jobs that are ended from outside.
#include "faults.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static double values[64], results[1024];

#define FAILS(j) ((j)->actor == 0 && (j)->faulty)

// The others are in a collective, or already on their way to the end.
static void meet(struct job *j) {
    if (j->round % 2 == 0)
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void writes_nowhere(struct job *j) {
    volatile double *nothing = NULL;
    if (FAILS(j))
        FAULT(nothing[1] = 1.0);
    meet(j);
}

static void divides_by_zero(struct job *j) {
    volatile int divisor = FAILS(j) ? 0 : 1;
    FAULT(divisor = 100 / divisor);
    meet(j);
}

static void aborts(struct job *j) {
    if (FAILS(j))
        FAULT(abort());
    meet(j);
}

static void asserts(struct job *j) {
    FAULT(assert(!FAILS(j)));
    meet(j);
}

static void raises_signal(struct job *j) {
    if (FAILS(j))
        FAULT(raise(SIGBUS));
    meet(j);
}

static void calls_mpi_abort(struct job *j) {
    if (FAILS(j))
        FAULT(MPI_Abort(j->comm, 7));
    meet(j);
}

static void exits_with_failure(struct job *j) {
    if (FAILS(j))
        FAULT(exit(3));
    meet(j);
}

static void exits_with_success(struct job *j) {
    if (FAILS(j))
        FAULT(exit(0));
    meet(j);
}

static void exits_at_once(struct job *j) {
    if (FAILS(j))
        FAULT(_exit(0));
    meet(j);
}

static void exits_at_once_with_failure(struct job *j) {
    if (FAILS(j))
        FAULT(_exit(4));
    meet(j);
}

static void all_exit(struct job *j) {
    meet(j);
    if (j->faulty)
        FAULT(exit(0));
}

static void all_exit_with_failure(struct job *j) {
    meet(j);
    if (j->faulty)
        FAULT(exit(5));
}

static void write_to(double *place) { FAULT(*place = 1.0); }

static void *crash_in_thread(void *place) {
    write_to(place);
    return NULL;
}

static void thread_writes_nowhere(struct job *j) {
    pthread_t thread;
    if (FAILS(j)) {
        pthread_create(&thread, NULL, crash_in_thread, NULL);
        FAULT(pthread_join(thread, NULL));
    }
    meet(j);
}

// A crash in a function that MPI calls.
static void add_nowhere(void *in, void *inout, int *count, MPI_Datatype *type) {
    volatile double *nothing = NULL;
    (void)type;
    FAULT(nothing[*count] = *(double *)in + *(double *)inout);
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void operation_writes_nowhere(struct job *j) {
    MPI_Op sum;
    MPI_Op_create(FAILS(j) ? add_nowhere : add, 1, &sum);
    FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, sum, j->comm));
    MPI_Op_free(&sum);
}

static void calls_after_finalize(struct job *j) {
    if (!j->faulty)
        return;
    MPI_Finalize();
    if (j->actor == 0)
        FAULT(MPI_Barrier(MPI_COMM_WORLD));
    exit(0);
}

static void receives_too_much(struct job *j) {
    if (j->actor == 1)
        FAULT(MPI_Send(values, FAILS(j) || j->faulty ? 8 : 4, MPI_DOUBLE, actor_rank(j, 0), 1, j->comm));
    if (j->actor == 0)
        FAULT(MPI_Recv(results, 4, MPI_DOUBLE, actor_rank(j, 1), 1, j->comm, MPI_STATUS_IGNORE));
}

static void receives_too_much_long(struct job *j) {
    if (j->actor == 1)
        MPI_Send(j->out, 1 << 20, MPI_CHAR, actor_rank(j, 0), 2, j->comm);
    if (j->actor == 0)
        FAULT(MPI_Recv(j->in, FAILS(j) ? 1 << 19 : 1 << 20, MPI_CHAR, actor_rank(j, 1), 2, j->comm, MPI_STATUS_IGNORE));
}

static void irecv_of_too_much(struct job *j) {
    MPI_Request request;
    if (j->actor == 0) {
        FAULT(MPI_Irecv(results, j->faulty ? 2 : 8, MPI_DOUBLE, actor_rank(j, 1), 3, j->comm, &request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    if (j->actor == 1)
        MPI_Send(values, 8, MPI_DOUBLE, actor_rank(j, 0), 3, j->comm);
}

// From outside: the processes of a job are killed while all is well.
static void killed_in_a_ring(struct job *j) {
    while (j->faulty) {
        work_for(1.0);
        MPI_Sendrecv(j->out, j->count, MPI_CHAR, actor_rank(j, j->actor + 1), 4, j->in, j->count, MPI_CHAR,
                     actor_rank(j, j->actor - 1), 4, j->comm, MPI_STATUS_IGNORE);
    }
}

static void killed_in_collectives(struct job *j) {
    while (j->faulty) {
        work_for(2.0 + j->actor);
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    }
}

static void killed_as_a_farm(struct job *j) {
    while (j->faulty) {
        MPI_Status status;
        if (j->actor == 0) {
            MPI_Recv(j->in, j->count, MPI_CHAR, MPI_ANY_SOURCE, 5, j->comm, &status);
            MPI_Send(j->out, j->count, MPI_CHAR, status.MPI_SOURCE, 6, j->comm);
        } else {
            work_for(1.0 + 0.7 * j->actor);
            MPI_Sendrecv(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 5, j->in, j->count, MPI_CHAR, actor_rank(j, 0), 6, j->comm,
                         MPI_STATUS_IGNORE);
        }
    }
}

// Steps of very different length, the longest not longer than what is usual.
static void killed_in_uneven_steps(struct job *j) {
    for (int step = 0; j->faulty; ++step) {
        work_for(step % 4 == j->actor % 4 ? 30.0 : 3.0);
        MPI_Barrier(j->comm);
    }
}

static void killed_in_a_pipeline(struct job *j) {
    while (j->faulty) {
        if (j->actor > 0)
            RECV(j, actor_rank(j, j->actor - 1), 7);
        work_for(1.0);
        if (j->actor + 1 < j->size)
            SEND(j, actor_rank(j, j->actor + 1), 7);
        MPI_Bcast(values, 1, MPI_DOUBLE, actor_rank(j, -1), j->comm);
    }
}

// What the launcher does to its processes when it is told to end; a child does that, as nobody else knows when.
static void end_launcher_later(void) {
    const pid_t launcher = getppid();
    if (fork() == 0) {
        usleep(1500000);
        kill(launcher, SIGTERM);
        _exit(0);
    }
}

static void terminated_in_a_ring(struct job *j) {
    if (FAILS(j))
        end_launcher_later();
    killed_in_a_ring(j);
}

// A hang that the launcher ends.
static void terminated_while_hung(struct job *j) {
    if (FAILS(j))
        end_launcher_later();
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 8);
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 8));
    MPI_Barrier(j->comm);
}

// One rank kills itself: the launcher then ends the others, or they wait for it.
static void kills_itself(struct job *j) {
    if (FAILS(j))
        FAULT(raise(SIGKILL));
    meet(j);
}

// By another process (out of memory, an administrator).
static void kill_parent_later(void) {
    const pid_t parent = getpid();
    if (fork() == 0) {
        usleep(700000);
        kill(parent, SIGKILL);
        _exit(0);
    }
}

static void killed_in_receive(struct job *j) {
    if (FAILS(j)) {
        kill_parent_later();
        FAULT(RECV(j, actor_rank(j, 1), 9));
    } else if (j->actor == 1) {
        if (j->faulty)
            work_for(5000.0);
        SEND(j, actor_rank(j, 0), 9);
    } else if (j->actor == 0)
        RECV(j, actor_rank(j, 1), 9);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void killed_while_computing(struct job *j) {
    if (FAILS(j)) {
        kill_parent_later();
        work_for(5000.0);
    }
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static volatile double deep;

static double go_down(double depth) {
    volatile double room[512];
    room[(int)depth % 512] = depth;
    FAULT(deep += depth);
    const double below = depth < 0 ? 0 : go_down(depth + 1);
    return below + room[0];
}

static void overflows_stack(struct job *j) {
    if (FAILS(j))
        FAULT(deep = go_down(0));
    meet(j);
}

static const struct fault_case CASES[] = {
    CASE(writes_nowhere, "crashed", "crash", "0", "", 2, USUAL),
    CASE(divides_by_zero, "crashed", "crash", "0", "", 2, USUAL),
    CASE(aborts, "crashed", "crash", "0", "", 2, USUAL),
    CASE(asserts, "crashed", "crash", "0", "", 2, USUAL),
    CASE(raises_signal, "crashed", "crash", "0", "", 2, USUAL),
    CASE(calls_mpi_abort, "crashed", "abort", "0", "", 2, USUAL),
    CASE(exits_with_failure, "crashed", "exit", "0", "", 2, USUAL),
    CASE(exits_with_success, "crashed|hung", "exit", "0", "", 2, USUAL),
    CASE(exits_at_once, "crashed|hung", "exit", "0", "", 2, USUAL),
    CASE(exits_at_once_with_failure, "crashed", "exit", "0", "", 2, USUAL),
    CASE(all_exit, "crashed|finished", "exit", "all", "", 2, WARM),
    CASE(all_exit_with_failure, "crashed", "exit", "all", "", 2, WARM),
    CASE_WITH(write_to, thread_writes_nowhere, "crashed", "crash", "0", "", 2, USUAL),
    CASE_WITH(add_nowhere, operation_writes_nowhere, "crashed", "crash", "0", "1", 2, USUAL),
    CASE(calls_after_finalize, "crashed", "error", "0", "", 2, WARM),
    CASE(receives_too_much, "crashed", "truncation", "0", "1", 2, USUAL),
    CASE(receives_too_much_long, "crashed", "truncation", "0", "1", 2, USUAL),
    CASE(irecv_of_too_much, "crashed", "truncation", "0", "1", 2, USUAL),
    CASE(killed_in_a_ring, "running", "none", "", "", 2, ON_ANY_COMM | WARM | ANY_SIZE),
    CASE(killed_in_collectives, "running", "none", "", "", 2, ON_ANY_COMM | WARM),
    CASE(killed_as_a_farm, "running", "none", "", "", 3, ON_ANY_COMM | WARM | ANY_SIZE),
    CASE(killed_in_uneven_steps, "running", "none", "", "", 2, ON_ANY_COMM | WARM),
    CASE(killed_in_a_pipeline, "running", "none", "", "", 2, ON_ANY_COMM | WARM | ANY_SIZE),
    CASE(terminated_in_a_ring, "running", "none", "", "", 2, ON_ANY_COMM | WARM | ANY_SIZE),
    CASE(kills_itself, "crashed", "killed", "0", "", 2, USUAL),
    CASE(killed_in_receive, "crashed", "killed", "0", "1", 3, ON_ANY_COMM | WARM | ANY_SIZE | ANY_STYLE),
    CASE(killed_while_computing, "crashed", "killed", "0", "", 2, ON_ANY_COMM | WARM),
    CASE_WITH(go_down, overflows_stack, "crashed", "overflow", "0", "", 2, USUAL),
    CASE(terminated_while_hung, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE),
};

MAIN(CASES)
