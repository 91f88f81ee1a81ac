// SPDX-License-Identifier: GPL-3.0-or-later
// As if each rank were on a machine of its own: its clock that never steps is ahead by 40 ms times the rank, and gains 2e-4 times
// the rank.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { AHEAD = 40000000, GAINED = 200 }; // nanoseconds; nanoseconds in each millisecond

static long long first, rank = -1;

static long long rank_of_environment(void) {
    const char *text = getenv("PMI_RANK");
    return text ? atoll(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    const int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (clock != CLOCK_MONOTONIC || result != 0)
        return result;
    long long now = time->tv_sec * 1000000000LL + time->tv_nsec;
    if (rank < 0) {
        rank = rank_of_environment();
        first = now;
    }
    now += rank * AHEAD + rank * ((now - first) * GAINED / 1000000);
    time->tv_sec = now / 1000000000LL;
    time->tv_nsec = now % 1000000000LL;
    return 0;
}
