// SPDX-License-Identifier: GPL-3.0-or-later
// System calls as functions of the program: the compiler announces them like all others, as a tracer does that rewrites call
// sites.
#define _GNU_SOURCE
#include "calltrace.h"

#include <dlfcn.h>
#include <sys/syscall.h>

// Not from the headers: debug information gives the place of the first declaration.
long syscall(long number, ...);

long write(int file, const void *bytes, unsigned long size) { return syscall(SYS_write, file, bytes, size); }

long read(int file, void *bytes, unsigned long size) { return syscall(SYS_read, file, bytes, size); }

int select(int files, void *readable, void *writable, void *exceptional, const long *timeout) {
    const long time[2] = {timeout[0], timeout[1] * 1000};
    return (int)syscall(SYS_pselect6, files, readable, writable, exceptional, time, 0L);
}

void _exit(int status) {
    if (calltrace_flush)
        calltrace_flush();
    // A recorder may have one of its own.
    void (*other)(int) = (void (*)(int))dlsym(RTLD_NEXT, "_exit");
    if (other)
        other(status);
    for (;;)
        syscall(SYS_exit_group, status);
}
