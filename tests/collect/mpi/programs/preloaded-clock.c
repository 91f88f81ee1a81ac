// SPDX-License-Identifier: GPL-3.0-or-later
// A date that is set back by an hour, and forth again, each time that somebody asks for it.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int asked;
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (clock == CLOCK_REALTIME && ++asked % 2 == 0)
        time->tv_sec -= 3600;
    return result;
}
