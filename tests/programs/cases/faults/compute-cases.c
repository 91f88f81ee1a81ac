// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that are not held up by MPI: endless loops, processes that stand still, slow ones.
#include "faults.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double values[64], results[1024];

#define FAILS(j) ((j)->actor == 0 && (j)->faulty)

static volatile double sink;

static void relax(int endless) { FAULT(for (int i = 0; i < 1000 || endless; ++i) sink = sink * 0.99 + i); }

static void spins_before_allreduce(struct job *j) {
    FAULT(relax(FAILS(j)));
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void spins_before_send(struct job *j) {
    if (j->actor == 0) {
        FAULT(relax(FAILS(j)));
        SEND(j, actor_rank(j, 1), 1);
    }
    if (j->actor == 1)
        RECV(j, actor_rank(j, 0), 1);
}

// The others are in different calls, all for want of this one.
static void spins_while_others_differ(struct job *j) {
    MPI_Request pending;
    if (j->actor == 0) {
        FAULT(relax(FAILS(j)));
        SEND(j, actor_rank(j, 1), 2);
        MPI_Recv(j->in, 1 << 20, MPI_CHAR, actor_rank(j, 2), 2, j->comm, MPI_STATUS_IGNORE);
    } else if (j->actor == 1) {
        MPI_Irecv(j->in, j->count, MPI_CHAR, actor_rank(j, 0), 2, j->comm, &pending);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
    } else if (j->actor == 2)
        MPI_Send(j->out, 1 << 20, MPI_CHAR, actor_rank(j, 0), 2, j->comm);
    MPI_Barrier(j->comm);
}

static void spins_in_chain(struct job *j) {
    if (j->actor > 0)
        RECV(j, actor_rank(j, j->actor - 1), 3);
    else
        FAULT(relax(FAILS(j)));
    if (j->actor + 1 < j->size)
        SEND(j, actor_rank(j, j->actor + 1), 3);
}

// A loop with calls of MPI that all return.
static void loops_with_calls(struct job *j) {
    double now = 0.0;
    do {
        FAULT(now += MPI_Wtime());
        relax(0);
    } while (FAILS(j));
    MPI_Allreduce(&now, results, 1, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void sends_for_ever(struct job *j) {
    MPI_Request request;
    do {
        if (j->actor == 0) {
            FAULT(MPI_Irecv(j->in, 1, MPI_CHAR, j->me, 4, j->comm, &request));
            FAULT(MPI_Send(j->out, 1, MPI_CHAR, j->me, 4, j->comm));
            FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
            FAULT(work_for(0.5));
        }
    } while (FAILS(j));
    MPI_Barrier(j->comm);
}

static void sleeps(struct job *j) {
    if (FAILS(j))
        FAULT(pause());
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void reads_what_never_comes(struct job *j) {
    int ends[2];
    char byte = 0;
    if (FAILS(j) && pipe(ends) == 0)
        FAULT(sink += (double)read(ends[0], &byte, 1));
    MPI_Barrier(j->comm);
}

static void stay_in_handler(int number) {
    (void)number;
    for (;;)
        FAULT(pause());
}

static void stays_in_signal_handler(struct job *j) {
    if (FAILS(j)) {
        signal(SIGUSR1, stay_in_handler);
        FAULT(raise(SIGUSR1));
    }
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

// Struck by a signal in the middle of a call of MPI.
static void stays_in_handler_within_mpi(struct job *j) {
    if (FAILS(j)) {
        signal(SIGALRM, stay_in_handler);
        ualarm(100000, 0);
        FAULT(MPI_Recv(j->in, j->count, MPI_CHAR, actor_rank(j, 1), 5, j->comm, MPI_STATUS_IGNORE));
    }
    if (j->actor == 1 && j->faulty) {
        work_for(300.0);
        MPI_Ssend(j->out, j->count, MPI_CHAR, actor_rank(j, 0), 5, j->comm);
    }
    MPI_Barrier(j->comm);
}

static int operator_fails;

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; ++i)
        ((double *)inout)[i] += ((double *)in)[i];
    FAULT(relax(operator_fails));
}

// The program's own operator of a reduction, which MPI calls. In a chain every rank but the first combines.
static void spins_in_operator(struct job *j) {
    MPI_Op own;
    MPI_Op_create(add, 1, &own);
    operator_fails = FAILS(j);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, own, j->comm);
    MPI_Op_free(&own);
}

static void stay_in_error_handler(MPI_Comm *comm, int *error, ...) {
    (void)comm;
    (void)error;
    FAULT(relax(1));
}

static void spins_in_error_handler(struct job *j) {
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(stay_in_error_handler, &own);
    if (FAILS(j)) {
        MPI_Comm_set_errhandler(j->comm, own);
        MPI_Send(values, 1, MPI_DOUBLE, j->size + 7, 3, j->comm);
    }
    MPI_Errhandler_free(&own);
    MPI_Barrier(j->comm);
}

static void is_stopped(struct job *j) {
    if (FAILS(j))
        FAULT(raise(SIGSTOP));
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void is_stopped_and_goes_on(struct job *j) {
    const pid_t me = getpid();
    if (FAILS(j)) {
        if (fork() == 0) {
            usleep(1500000);
            kill(me, SIGCONT);
            _exit(0);
        }
        FAULT(raise(SIGSTOP));
    }
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    while (j->faulty) {
        work_for(2.0);
        MPI_Barrier(j->comm);
    }
}

// All spin, each for itself.
static void all_spin(struct job *j) {
    FAULT(relax(j->faulty));
    MPI_Barrier(j->comm);
}

// Slow, not hung: nobody is to be called hung.
static void is_slow(struct job *j) {
    for (int step = 0; j->faulty && step < 40; ++step) {
        work_for(j->actor == 0 ? 20.0 : 2.0);
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
    }
}

static void spins_in_library_call(struct job *j) {
    static char text[1 << 16];
    do {
        FAULT(memset(text, 'a', sizeof text - 1));
        FAULT(sink += (double)strlen(text));
    } while (FAILS(j));
    MPI_Barrier(j->comm);
}

// A file that all have open; its name is gone at once.
static int shared_file(struct job *j) {
    static int file = -1;
    char path[] = "/tmp/laggard-lock-XXXXXX";
    if (file >= 0)
        return file;
    if (j->me == 0)
        file = mkstemp(path);
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, j->comm);
    if (j->me != 0)
        file = open(path, O_RDWR);
    MPI_Barrier(j->comm);
    if (j->me == 0)
        unlink(path);
    return file;
}

static void change_lock(int file, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
    FAULT(fcntl(file, F_SETLKW, &lock));
}

// Who waits for the lock does not say whose it is; the others wait for both.
static void computes_with_file_lock(struct job *j) {
    const int file = shared_file(j);
    if (j->actor == 0)
        change_lock(file, F_WRLCK);
    MPI_Barrier(j->comm);
    if (j->actor == 0)
        FAULT(relax(FAILS(j)));
    if (j->actor == 1)
        change_lock(file, F_WRLCK);
    if (j->actor < 2)
        change_lock(file, F_UNLCK);
    MPI_Barrier(j->comm);
}

static void enters_barrier_with_file_lock(struct job *j) {
    const int file = shared_file(j);
    if (j->actor == 0)
        change_lock(file, F_WRLCK);
    MPI_Barrier(j->comm);
    if (j->actor == 0 && !j->faulty)
        change_lock(file, F_UNLCK);
    if (j->actor == 1) {
        change_lock(file, F_WRLCK);
        change_lock(file, F_UNLCK);
    }
    FAULT(MPI_Barrier(j->comm));
}

static const struct fault_case CASES[] = {
    CASE_WITH(relax, spins_before_allreduce, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(relax, spins_before_send, "hung", "spin", "0", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE_WITH(relax, spins_while_others_differ, "hung", "spin", "0", "", 3, USUAL | ANY_SIZE | ANY_STYLE),
    CASE_WITH(relax, spins_in_chain, "hung", "spin", "0", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE_WITH(relax, loops_with_calls, "hung|running", "spin", "0", "", 2, USUAL),
    CASE(sends_for_ever, "hung|running", "spin", "0", "", 2, USUAL),
    CASE(sleeps, "hung", "spin", "0", "", 2, USUAL),
    CASE(reads_what_never_comes, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(stay_in_handler, stays_in_signal_handler, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(stay_in_handler, stays_in_handler_within_mpi, "hung", "any", "0", "1", 2, USUAL),
    CASE_WITH(relax, spins_in_operator, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(relax, spins_in_error_handler, "hung", "spin", "0", "", 2, USUAL),
    CASE(is_stopped, "hung", "stopped", "0", "", 2, USUAL),
    CASE(is_stopped_and_goes_on, "running", "none", "", "0", 2, ON_ANY_COMM | WARM),
    CASE(all_spin, "hung|running", "spin", "", "all", 2, ON_ANY_COMM | WARM),
    CASE(is_slow, "finished", "slow", "0", "", 2, ON_ANY_COMM | WARM),
    CASE(spins_in_library_call, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(relax, computes_with_file_lock, "hung", "spin", "0", "", 3, USUAL),
    CASE_WITH(change_lock, enters_barrier_with_file_lock, "hung", "deadlock", "0,1", "", 3, USUAL),
};

MAIN(CASES)
