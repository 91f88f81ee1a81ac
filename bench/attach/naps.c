/* SPDX-License-Identifier: GPL-3.0-or-later
 * Preloaded into jobs with many more ranks than cores that are to hang for long without taking every core: an MPI library that
 * polls in vain naps. MPICH is met in UCX's progress, Open MPI in the yield that mpi_yield_when_idle asks for. cc -O2 -shared
 * -fPIC naps.c -o naps.so -ldl && LD_PRELOAD=$PWD/naps.so mpiexec -n 64 … */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

/* So many polls in vain, one after another, are a wait: a message between processes of one machine takes a few. After some more
 * the naps are long, or those of 64 ranks fill a core. */
enum { POLLS_BEFORE_NAP = 200, POLLS_BEFORE_SLEEP = 700, NAP_NANOSECONDS = 2000000, SLEEP_NANOSECONDS = 20000000 };

static _Thread_local unsigned in_vain;

static void poll_was_in_vain(void) {
    if (in_vain <= POLLS_BEFORE_SLEEP)
        ++in_vain;
    const struct timespec nap = {0, in_vain > POLLS_BEFORE_SLEEP ? SLEEP_NANOSECONDS : NAP_NANOSECONDS};
    if (in_vain >= POLLS_BEFORE_NAP)
        nanosleep(&nap, NULL);
}

unsigned ucp_worker_progress(void *worker) {
    static unsigned (*real)(void *);
    if (!real && !(real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress")))
        abort();
    const unsigned events = real(worker);
    if (events == 0)
        poll_was_in_vain();
    else
        in_vain = 0;
    return events;
}

int sched_yield(void) {
    poll_was_in_vain();
    return 0;
}
