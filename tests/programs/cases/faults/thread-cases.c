// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that call MPI (MPI_THREAD_MULTIPLE), while the main thread waits for them or computes.
#include "faults.h"

#include <omp.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#define FAILS(j) ((j)->actor == 0 && (j)->faulty)

static volatile double sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int is_changed;

// Runs something in a second thread, and waits for it.
static void in_thread(void *(*work)(void *), struct job *j) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, j);
    pthread_join(thread, NULL);
}

static void *receive_in_thread(void *argument) {
    struct job *j = argument;
    FAULT(RECV(j, actor_rank(j, 0), 1));
    return NULL;
}

static void worker_receives_nothing(struct job *j) {
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 1);
    if (j->actor == 1)
        in_thread(receive_in_thread, j);
}

static void *spin_in_thread(void *argument) {
    struct job *j = argument;
    do
        FAULT(sink = sink * 0.99 + 1.0);
    while (FAILS(j));
    return NULL;
}

static void worker_spins(struct job *j) {
    if (j->actor == 0)
        in_thread(spin_in_thread, j);
    MPI_Barrier(j->comm);
}

static void *reduce_in_thread(void *argument) {
    struct job *j = argument;
    double one = 1.0, all = 0.0;
    if (!FAILS(j))
        FAULT(MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, j->other));
    return NULL;
}

static void worker_leaves_out_collective(struct job *j) { in_thread(reduce_in_thread, j); }

// The worker takes the lock and waits in MPI for ever; main wants the lock.
static void *hold_lock_in_thread(void *argument) {
    struct job *j = argument;
    pthread_mutex_lock(&lock);
    FAULT(RECV(j, actor_rank(j, 1), 2));
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void worker_holds_lock(struct job *j) {
    pthread_t thread;
    if (j->actor == 0) {
        pthread_create(&thread, NULL, hold_lock_in_thread, j);
        usleep(20000);
        FAULT(pthread_mutex_lock(&lock));
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
    }
    if (j->actor == 1 && !j->faulty)
        SEND(j, actor_rank(j, 0), 2);
    MPI_Barrier(j->comm);
}

// Main holds the lock in a collective, and the worker of the same rank needs it to send what another rank waits for.
static void *send_with_lock(void *argument) {
    struct job *j = argument;
    usleep(20000);
    FAULT(pthread_mutex_lock(&lock));
    SEND(j, actor_rank(j, 1), 3);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void main_holds_lock(struct job *j) {
    pthread_t thread;
    if (j->actor == 0)
        pthread_create(&thread, NULL, send_with_lock, j);
    if (FAILS(j))
        pthread_mutex_lock(&lock);
    if (j->actor == 1)
        RECV(j, actor_rank(j, 0), 3);
    FAULT(MPI_Barrier(j->comm));
    if (FAILS(j))
        pthread_mutex_unlock(&lock);
    if (j->actor == 0)
        pthread_join(thread, NULL);
}

static void *signal_change(void *argument) {
    struct job *j = argument;
    usleep(20000);
    pthread_mutex_lock(&lock);
    is_changed = !FAILS(j);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

// The worker never calls MPI, and wants a lock that nobody gives back; main waits for the worker.
static void *want_lock(void *argument) {
    (void)argument;
    FAULT(pthread_mutex_lock(&lock));
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void worker_wants_lock(struct job *j) {
    if (FAILS(j))
        pthread_mutex_lock(&lock);
    if (j->actor == 0)
        in_thread(want_lock, j);
    if (FAILS(j))
        pthread_mutex_unlock(&lock);
    MPI_Barrier(j->comm);
}

static void condition_never_true(struct job *j) {
    pthread_t thread;
    if (j->actor == 0) {
        is_changed = 0;
        pthread_create(&thread, NULL, signal_change, j);
        pthread_mutex_lock(&lock);
        while (!is_changed)
            FAULT(pthread_cond_wait(&changed, &lock));
        pthread_mutex_unlock(&lock);
        pthread_join(thread, NULL);
    }
    MPI_Barrier(j->comm);
}

static void region_receives_nothing(struct job *j) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1 && j->actor == 1)
            FAULT(RECV(j, actor_rank(j, 0), 4));
        if (omp_get_thread_num() == 1 && j->actor == 0 && !j->faulty)
            SEND(j, actor_rank(j, 1), 4);
    }
    MPI_Barrier(j->comm);
}

static void region_spins(struct job *j) {
#pragma omp parallel num_threads(2)
    {
        while (omp_get_thread_num() == 1 && FAILS(j))
            FAULT(work_for(50.0));
    }
    MPI_Barrier(j->comm);
}

static void main_of_region_receives_nothing(struct job *j) {
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {if (j->actor == 1) FAULT(RECV(j, actor_rank(j, 0), 5));
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 5);
}
#pragma omp barrier
}
MPI_Barrier(j->comm);
}

// Two threads of a rank receive with the same tag; only one message comes.
static void two_workers_one_message(struct job *j) {
    if (j->actor == 1) {
        pthread_t threads[2];
        for (int i = 0; i < 2; ++i)
            pthread_create(&threads[i], NULL, receive_in_thread, j);
        for (int i = 0; i < 2; ++i)
            FAULT(pthread_join(threads[i], NULL));
    }
    for (int i = 0; j->actor == 0 && i < (j->faulty ? 1 : 2); ++i)
        SEND(j, actor_rank(j, 1), 1);
    MPI_Barrier(j->comm);
}

// A progress thread that tests all the time beside a main thread that is stuck.
static volatile int is_over;

static void *probe_in_thread(void *argument) {
    struct job *j = argument;
    for (int found = 0; !is_over; work_for(0.2))
        MPI_Iprobe(MPI_ANY_SOURCE, 77, j->other, &found, MPI_STATUS_IGNORE);
    return NULL;
}

static void stuck_beside_progress_thread(struct job *j) {
    pthread_t thread;
    is_over = 0;
    pthread_create(&thread, NULL, probe_in_thread, j);
    if (j->actor == 0 && !j->faulty)
        SEND(j, actor_rank(j, 1), 6);
    if (j->actor == 1)
        FAULT(RECV(j, actor_rank(j, 0), 6));
    MPI_Barrier(j->comm);
    is_over = 1;
    pthread_join(thread, NULL);
}

static const struct fault_case CASES[] = {
    CASE_WITH(receive_in_thread, worker_receives_nothing, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE_WITH(spin_in_thread, worker_spins, "hung", "spin", "0", "", 2, USUAL),
    CASE_WITH(reduce_in_thread, worker_leaves_out_collective, "hung", "missing-call", "0", "", 3, USUAL),
    CASE_WITH(hold_lock_in_thread, worker_holds_lock, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE_WITH(send_with_lock, main_holds_lock, "hung", "deadlock", "0,1", "", 2, USUAL | ANY_SIZE),
    CASE_WITH(want_lock, worker_wants_lock, "hung", "thread", "0", "", 2, USUAL),
    CASE(condition_never_true, "hung", "thread", "0", "", 2, USUAL),
    CASE(region_receives_nothing, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE(region_spins, "hung", "spin", "0", "", 2, USUAL),
    CASE(main_of_region_receives_nothing, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
    CASE_WITH(receive_in_thread, two_workers_one_message, "hung", "missing-send", "0,1", "", 2, USUAL),
    CASE(stuck_beside_progress_thread, "hung", "missing-send", "0,1", "", 2, USUAL | ANY_SIZE),
};

MAIN(CASES)
