// SPDX-License-Identifier: GPL-3.0-or-later
// System calls as functions of the program: the compiler announces them like all others, as a tracer does that rewrites call
// sites.
#define _GNU_SOURCE
#include "calltrace.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

ssize_t write(int file, const void *bytes, size_t size) { return syscall(SYS_write, file, bytes, size); }

ssize_t read(int file, void *bytes, size_t size) { return syscall(SYS_read, file, bytes, size); }

int select(int files, fd_set *readable, fd_set *writable, fd_set *exceptional, struct timeval *timeout) {
    struct timespec time = {timeout->tv_sec, timeout->tv_usec * 1000};
    return (int)syscall(SYS_pselect6, files, readable, writable, exceptional, &time, NULL);
}

void _exit(int status) {
    if (calltrace_flush != NULL)
        calltrace_flush();
    // A recorder may have one of its own.
    void (*other)(int) = (void (*)(int))dlsym(RTLD_NEXT, "_exit");
    if (other != NULL)
        other(status);
    for (;;)
        syscall(SYS_exit_group, status);
}
