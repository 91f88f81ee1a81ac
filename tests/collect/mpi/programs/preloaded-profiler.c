// SPDX-License-Identifier: GPL-3.0-or-later
// A profiler that is preloaded, as gperftools' is: from the start of the process on, a signal for each millisecond of CPU time,
// in whose handler the stack is walked.
#include <execinfo.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static volatile int depths;

static void sample(int signal) {
    void *frames[32];
    (void)signal;
    depths += backtrace(frames, 32);
}

__attribute__((constructor)) static void begin(void) {
    struct sigaction action;
    const struct itimerval often = {{0, 1000}, {0, 1000}};
    void *frames[1];
    backtrace(frames, 1); // loads what it needs
    memset(&action, 0, sizeof action);
    action.sa_handler = sample;
    action.sa_flags = SA_RESTART;
    sigaction(SIGPROF, &action, NULL);
    setitimer(ITIMER_PROF, &often, NULL);
}
