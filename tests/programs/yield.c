// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded into MPICH jobs with more ranks than cores: MPICH polls without pause while it waits; this gives the core to
// another rank whenever a poll of UCX has found nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>

typedef unsigned progress_function(void *worker);

// Found before main, so that no two threads look for it at once.
static progress_function *real_progress;

__attribute__((constructor)) static void find_real_progress(void) {
    real_progress = (progress_function *)dlsym(RTLD_NEXT, "ucp_worker_progress");
}

unsigned ucp_worker_progress(void *worker) {
    if (!real_progress) // UCX was loaded later than this library
        find_real_progress();
    if (!real_progress)
        abort();
    unsigned events = real_progress(worker);
    if (events == 0)
        sched_yield();
    return events;
}
