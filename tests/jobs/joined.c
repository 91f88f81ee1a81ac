// SPDX-License-Identifier: GPL-3.0-or-later
// Processes with a second thread that hangs while the main thread waits for it. Usage: joined HOW
//   compute   rank 1's thread, which never calls MPI, spins; the other main threads wait in MPI_Barrier
//   openmp    the same, with a thread of OpenMP
//   receive   rank 1's thread waits for a message from rank 2 that is never sent; the other main threads wait in MPI_Barrier
//   ring      the threads alone exchange messages, and rank 1's spins; all main threads wait for their threads
//   innocent  rank 1's thread waits for a message from rank 2, whose main thread spins; rank 1's main thread joins it
//   lock      rank 1's main thread waits for a lock that its thread holds, which waits for a message that is never sent
//   condition the same with a condition variable
//   region    the same, with a thread of OpenMP
//   fine      nothing hangs
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int rank, size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static volatile int is_locked, is_done;
static volatile int go_on = 1;

__attribute__((noinline)) static void spin_for_ever(void) {
    while (go_on) {
    }
}

__attribute__((noinline)) static void receive_lost(void) {
    int value = 0;
    MPI_Recv(&value, 1, MPI_INT, 2, 99, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void exchange(int step) {
    int in = 0;
    MPI_Sendrecv(&step, 1, MPI_INT, (rank + 1) % size, step, &in, 1, MPI_INT, (rank + size - 1) % size, step, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

static void *hold_lock(void *unused) {
    pthread_mutex_lock(&lock);
    is_locked = 1;
    if (rank == 1)
        receive_lost();
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *announce(void *unused) {
    if (rank == 1)
        receive_lost();
    pthread_mutex_lock(&lock);
    is_done = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

__attribute__((noinline)) static void take_lock(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, hold_lock, NULL);
    while (!is_locked) {
    }
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

__attribute__((noinline)) static void await_condition(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, announce, NULL);
    pthread_mutex_lock(&lock);
    while (!is_done)
        pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

static void *work(void *how) {
    const int isHit = rank == 1;
    for (int step = 0; step < 20; ++step) {
        const int isLate = step == 19;
        if (strcmp(how, "ring") == 0 || strcmp(how, "fine") == 0) {
            if (isLate && isHit && strcmp(how, "ring") == 0)
                spin_for_ever();
            exchange(step);
        }
    }
    if (strcmp(how, "compute") == 0 && isHit)
        spin_for_ever();
    if ((strcmp(how, "receive") == 0 || strcmp(how, "innocent") == 0) && isHit)
        receive_lost();
    return NULL;
}

__attribute__((noinline)) static void run_threads(char *how) {
    if (strcmp(how, "openmp") == 0) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
        for (int i = 0; i < 2; ++i)
            if (i == 1 && rank == 1)
                spin_for_ever();
        return;
    }
    if (strcmp(how, "region") == 0) {
#pragma omp parallel for num_threads(2) schedule(static, 1)
        for (int i = 0; i < 2; ++i)
            if (i == 1 && rank == 1)
                receive_lost();
        return;
    }
    if (strcmp(how, "lock") == 0)
        return take_lock();
    if (strcmp(how, "condition") == 0)
        return await_condition();
    if (strcmp(how, "innocent") == 0 && rank == 2)
        spin_for_ever();
    pthread_t thread;
    pthread_create(&thread, NULL, work, how);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (argc < 2 || provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int step = 0; step < 3; ++step)
        MPI_Barrier(MPI_COMM_WORLD);
    run_threads(argv[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("done");
    MPI_Finalize();
    return 0;
}
