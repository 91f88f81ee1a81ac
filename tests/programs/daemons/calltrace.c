// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the calls of a program that is compiled with -finstrument-functions as text, one line for each entry and each return:
//     ENTER 0x819967c pid 5095 tid 4 timestamp 12131002746163258
// behind a few comments that tell host, program, clock and load address (docs/call-traces.md). Linked into the program.
//
//   CALLTRACE_FILE        where to; without it nothing is recorded
//   CALLTRACE_HOST        the host's name in the file (default: gethostname)
//   CALLTRACE_RING        so many newest records are kept in memory and written at the end: at exit, at _exit by way of
//                         calltrace_flush, and at signals that end the program, except SIGKILL. Without it every record is
//                         written at once, so that nothing is lost whatever happens.
//   CALLTRACE_KEEP_STACK  0: of calls that were open when the ring begins, the entries are lost, as in most tracers. Else
//                         they are written before it.
#define _GNU_SOURCE
#include "calltrace.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define UNSEEN __attribute__((no_instrument_function))
enum { DEEPEST = 512, THREADS = 64 };

struct record {
    uintptr_t function;
    uint64_t time;
    int tid;
    _Atomic char kind; // 'E', 'L', or 0: nothing yet
};

struct open_call {
    uintptr_t function;
    uint64_t time;
};

struct thread {
    int tid;
    int depth;
    struct open_call open[DEEPEST];
};

static int file = -1;
static int pid;
static struct record *ring;
static uint64_t ring_size;
static _Atomic uint64_t ring_count;
static int keeps_stack = 1;
static struct thread threads[THREADS];
static _Atomic int thread_count;
static _Thread_local struct thread *own_thread;
static _Thread_local int own_tid;
static atomic_flag flushed = ATOMIC_FLAG_INIT;

UNSEEN static uint64_t now_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The program may have a write() of its own, which is traced.
UNSEEN static void put(const char *text, size_t size) {
    while (size > 0) {
        const long done = syscall(SYS_write, file, text, size);
        if (done <= 0)
            return;
        text += done, size -= (size_t)done;
    }
}

UNSEEN static char *add_text(char *at, const char *text) {
    const size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

UNSEEN static char *add_number(char *at, uint64_t number, unsigned base) {
    char digits[24];
    int count = 0;
    do
        digits[count++] = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

UNSEEN static void put_record(char kind, uintptr_t function, int tid, uint64_t time) {
    char line[128], *at = line;
    at = add_text(at, kind == 'E' ? "ENTER 0x" : "LEAVE 0x");
    at = add_number(at, function, 16);
    at = add_number(add_text(at, " pid "), (uint64_t)pid, 10);
    at = add_number(add_text(at, " tid "), (uint64_t)tid, 10);
    at = add_number(add_text(at, " timestamp "), time, 10);
    *at++ = '\n';
    put(line, (size_t)(at - line));
}

UNSEEN static void put_header(const char *key, const char *text, uint64_t number, unsigned base) {
    char line[400], *at = line;
    at = add_text(add_text(add_text(at, "# "), key), " ");
    if (text != NULL)
        at = add_text(at, text);
    else
        at = add_number(base == 16 ? add_text(at, "0x") : at, number, base);
    *at++ = '\n';
    put(line, (size_t)(at - line));
}

UNSEEN static struct thread *this_thread(void) {
    if (own_thread == NULL) {
        const int number = atomic_fetch_add(&thread_count, 1);
        if (number >= THREADS)
            return NULL;
        own_thread = &threads[number];
        own_thread->tid = own_tid;
    }
    return own_thread;
}

UNSEEN static void follow_stack(char kind, uintptr_t function, uint64_t time) {
    struct thread *thread = this_thread();
    if (thread == NULL)
        return;
    if (kind == 'L') {
        thread->depth -= thread->depth > 0;
        return;
    }
    if (thread->depth < DEEPEST)
        thread->open[thread->depth] = (struct open_call){function, time};
    thread->depth++;
}

UNSEEN static void record(char kind, void *address) {
    if (file < 0)
        return;
    if (own_tid == 0)
        own_tid = (int)syscall(SYS_gettid);
    const uintptr_t function = (uintptr_t)address;
    const uint64_t time = now_of(CLOCK_MONOTONIC);
    if (ring == NULL) {
        put_record(kind, function, own_tid, time);
        return;
    }
    follow_stack(kind, function, time);
    struct record *slot = &ring[atomic_fetch_add(&ring_count, 1) % ring_size];
    atomic_store(&slot->kind, 0);
    slot->function = function, slot->time = time, slot->tid = own_tid;
    atomic_store(&slot->kind, kind);
}

UNSEEN void __cyg_profile_func_enter(void *function, void *site) {
    (void)site;
    record('E', function);
}

UNSEEN void __cyg_profile_func_exit(void *function, void *site) {
    (void)site;
    record('L', function);
}

// Goes back through the ring from the calls that are open now to those that were open where it begins.
UNSEEN static void put_open_calls(struct thread *thread, uint64_t first, uint64_t count) {
    static struct open_call open[2 * DEEPEST];
    int depth = thread->depth < DEEPEST ? thread->depth : DEEPEST;
    uint64_t begin = now_of(CLOCK_MONOTONIC);
    memcpy(open, thread->open, sizeof thread->open);
    for (uint64_t i = count; i-- > first;) {
        const struct record *slot = &ring[i % ring_size];
        if (slot->tid != thread->tid || slot->kind == 0)
            continue;
        begin = slot->time;
        if (slot->kind == 'E')
            depth -= depth > 0;
        else if (depth < 2 * DEEPEST)
            open[depth++] = (struct open_call){slot->function, 0};
    }
    for (int i = 0; i < depth; i++)
        put_record('E', open[i].function, thread->tid, open[i].time != 0 ? open[i].time : begin);
}

UNSEEN void calltrace_flush(void) {
    if (ring == NULL || atomic_flag_test_and_set(&flushed))
        return;
    const uint64_t count = ring_count, first = count > ring_size ? count - ring_size : 0;
    if (keeps_stack && first > 0)
        for (int i = 0; i < thread_count && i < THREADS; i++)
            put_open_calls(&threads[i], first, count);
    for (uint64_t i = first; i < count; i++) {
        const struct record *slot = &ring[i % ring_size];
        if (slot->kind != 0)
            put_record(slot->kind, slot->function, slot->tid, slot->time);
    }
}

UNSEEN static void end_by_signal(int number) {
    calltrace_flush();
    signal(number, SIG_DFL);
    raise(number);
}

UNSEEN static int take_load_address(struct dl_phdr_info *info, size_t size, void *address) {
    (void)size;
    *(uint64_t *)address = info->dlpi_addr;
    return 1; // the program is the first
}

UNSEEN __attribute__((constructor)) static void start(void) {
    const char *path = getenv("CALLTRACE_FILE");
    if (path == NULL)
        return;
    pid = getpid();
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0)
        return;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    uint64_t load_address = 0;
    dl_iterate_phdr(take_load_address, &load_address);
    const char *named = getenv("CALLTRACE_HOST");
    put_header("host", named != NULL && strlen(named) < sizeof host ? named : host, 0, 10);
    put_header("program", program_invocation_short_name, 0, 10);
    put_header("ticks-per-second", NULL, 1000000000, 10);
    put_header("zero-utc", NULL, now_of(CLOCK_REALTIME) - now_of(CLOCK_MONOTONIC), 10);
    put_header("load-address", NULL, load_address, 16);

    const char *size = getenv("CALLTRACE_RING"), *keep = getenv("CALLTRACE_KEEP_STACK");
    keeps_stack = keep == NULL || strcmp(keep, "0") != 0;
    ring_size = size == NULL ? 0 : strtoull(size, NULL, 10);
    if (ring_size == 0)
        return;
    void *memory = mmap(NULL, ring_size * sizeof *ring, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return;
    ring = memory;
    const int ends[] = {SIGTERM, SIGINT, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        signal(ends[i], end_by_signal);
}

UNSEEN __attribute__((destructor)) static void end(void) { calltrace_flush(); }
