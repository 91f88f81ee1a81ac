// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into MPICH jobs with more ranks than cores: MPICH polls without pause while it waits; this gives the core to
// another rank whenever a poll of UCX has found nothing. Who has found nothing for long naps: jobs that hang are waited for by
// many tests, and others of them need the cores meanwhile. A nap takes a small part of what was waited already, so that no
// message comes later by more than that.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned progress_function(void *worker);
typedef int unlock_function(pthread_mutex_t *mutex);

static progress_function *real_progress;
static unlock_function *real_unlock;

// This thread has polled in vain and not yielded since. With several threads MPICH polls under a lock and releases it after that:
// who yields before the release keeps the other threads out, so the yield waits for it. With one thread there is no release.
static _Thread_local int yield_is_due;

static _Thread_local int64_t idle_since; // 0: the last poll found something
static _Thread_local int64_t used;       // time of a processor at the last poll

static int64_t read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static void yield_or_nap(void) {
    const int64_t long_idle = INT64_C(50000000), longest_nap = INT64_C(4000000); // nanoseconds
    const int64_t idle = idle_since ? read_clock(CLOCK_MONOTONIC) - idle_since : 0;
    if (idle < long_idle) {
        sched_yield();
        return;
    }
    struct timespec nap = {0, idle / 32 < longest_nap ? idle / 32 : longest_nap};
    nanosleep(&nap, NULL);
}

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
    if (events != 0) {
        idle_since = 0;
    } else {
        // Who has computed between two polls does not wait; who had no processor meanwhile may.
        const int64_t work = INT64_C(500000), before = used;
        used = read_clock(CLOCK_THREAD_CPUTIME_ID);
        if (!idle_since || used - before > work)
            idle_since = read_clock(CLOCK_MONOTONIC);
        if (yield_is_due)
            yield_or_nap();
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
        yield_or_nap();
    }
    return result;
}
