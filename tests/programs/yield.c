// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into MPICH jobs with more ranks than cores: MPICH polls without pause while it waits; this gives the core to
// another rank whenever a poll of UCX has found nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

typedef unsigned progress_function(void *worker);
typedef int unlock_function(pthread_mutex_t *mutex);

static progress_function *real_progress;
static unlock_function *real_unlock;

// This thread has polled in vain and not yielded since. With several threads MPICH polls under a lock and releases it after that:
// who yields before the release keeps the other threads out, so the yield waits for it. With one thread there is no release.
static _Thread_local int yield_is_due;

static void *next_definition(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found)
        abort();
    return found;
}

unsigned ucp_worker_progress(void *worker) {
    if (!real_progress)
        real_progress = (progress_function *)next_definition("ucp_worker_progress");
    unsigned events = real_progress(worker);
    if (events == 0) {
        if (yield_is_due)
            sched_yield();
        yield_is_due = 1;
    }
    return events;
}

int pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (!real_unlock)
        real_unlock = (unlock_function *)next_definition("pthread_mutex_unlock");
    int result = real_unlock(mutex);
    if (yield_is_due) {
        yield_is_due = 0;
        sched_yield();
    }
    return result;
}
