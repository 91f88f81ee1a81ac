// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that are rough with their threads, signals, children and descriptors, and natively come to a good end all the same:
// `rough CASE ROUNDS [FOLDER]`. Prints "done" and ends with status 0 if nothing was wrong.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SILENT __attribute__((no_instrument_function))

static int rounds;
static const char *folder;
static volatile int stops;
static volatile unsigned long worked;

static SILENT void fail(const char *what) {
    printf("wrong: %s\n", what);
    fflush(stdout);
    _exit(1);
}

/// Announced to the recorder, which must leave errno alone.
static void work(int depth) {
    ++worked;
    if (depth > 0)
        work(depth - 1);
}
static void in_child(void) { ++worked; }
static void after_all(void) { ++worked; }

/// Returns at once, whoever else is in MPI.
static SILENT void poll_nobody(int tag) {
    int flag;
    MPI_Iprobe(MPI_PROC_NULL, tag, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}
static SILENT void send_nobody(int tag) { MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); }

/// A message to oneself: the recorder still sees what happens.
static SILENT void exchange(int tag) {
    int in = 0, out = tag;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, tag, &in, 1, MPI_INT, 0, tag, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    if (in != tag)
        fail("a message to oneself");
}

static SILENT void begin(int level) {
    int provided;
    MPI_Init_thread(NULL, NULL, level, &provided);
}

// ---- Threads that are cancelled.

static SILENT void *polls(void *argument) {
    for (int tag = 0;; ++tag) {
        poll_nobody(tag % 30000);
        work(2);
        pthread_testcancel();
    }
    return argument;
}

/// Computes, and may be cancelled anywhere.
static SILENT void *computes(void *argument) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        work(5);
    return argument;
}

static SILENT void cancel_threads(void *(*function)(void *), int times) {
    begin(MPI_THREAD_MULTIPLE);
    for (int round = 0; round < times; ++round) {
        pthread_t threads[3];
        for (int i = 0; i < 3; ++i)
            pthread_create(&threads[i], NULL, function, NULL);
        usleep((useconds_t)(round * 37 % 3000));
        for (int i = 0; i < 3; ++i)
            pthread_cancel(threads[i]);
        for (int i = 0; i < 3; ++i) {
            void *result;
            pthread_join(threads[i], &result);
            if (result != PTHREAD_CANCELED)
                fail("a thread was not cancelled");
        }
        exchange(round % 1000);
    }
}

static SILENT void cancel(void) { cancel_threads(polls, rounds); }
/// Often: what goes wrong depends on when a signal comes.
static SILENT void cancel_async(void) { cancel_threads(computes, 200 + rounds); }

// ---- Children.

static SILENT void *records(void *argument) {
    for (int tag = 0; !stops; ++tag) {
        MPI_Datatype type;
        send_nobody(tag % 30000);
        MPI_Type_contiguous(3, MPI_INT, &type);
        MPI_Type_free(&type);
        work(10);
    }
    return argument;
}

static SILENT void fork_child(void) {
    pthread_t threads[2];
    pthread_atfork(NULL, NULL, in_child); // before the recorder's
    begin(MPI_THREAD_MULTIPLE);
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], NULL, records, NULL);
    for (int round = 0; round < rounds; ++round) {
        int status;
        const int isRaw = round % 2;
        const pid_t child = isRaw ? (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) : fork();
        if (child == 0) {
            alarm(20); // who hangs is killed
            for (int i = 0; i < 100; ++i)
                in_child();
            _exit(7);
        }
        if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
            fail("a child");
    }
    stops = 1;
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], NULL);
}

// ---- Handlers of signals.

static sigjmp_buf place;
static volatile int may_jump;

static timer_t timer;

/// For this thread only: MPI has threads of its own.
static SILENT void set_timer(long microseconds) {
    const struct itimerspec interval = {{0, microseconds * 1000}, {0, microseconds * 1000}};
    timer_settime(timer, 0, &interval, NULL);
}

static SILENT void start_timer(void (*handler)(int), long microseconds) {
    struct sigaction action;
    struct sigevent event;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, NULL);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event._sigev_un._tid = (int)syscall(SYS_gettid);
    timer_create(CLOCK_MONOTONIC, &event, &timer);
    set_timer(microseconds);
}
static SILENT void stop_timer(void) { set_timer(0); }

static SILENT void jumps(int signal) {
    (void)signal;
    if (may_jump) {
        may_jump = 0;
        siglongjmp(place, 1);
    }
}

/// A computation that is given up after a moment.
static SILENT void jump(void) {
    begin(MPI_THREAD_SINGLE);
    start_timer(jumps, 60);
    for (volatile int round = 0; round < rounds * 200; ++round) {
        if (sigsetjmp(place, 1) == 0) {
            may_jump = 1;
            for (;;)
                work(3);
        }
        work(1);
        exchange(round % 1000);
    }
    stop_timer();
    after_all();
}

/// From further inside than what was left.
static SILENT __attribute__((noinline)) void deeper(int tag) {
    volatile char room[3000];
    room[0] = room[2999] = 1;
    send_nobody(tag);
    room[1] = 2;
}

/// A receive that is given up.
static SILENT void jump_out_of_mpi(void) {
    begin(MPI_THREAD_SINGLE);
    start_timer(jumps, 20000);
    for (volatile int round = 0; round < rounds; ++round) {
        if (sigsetjmp(place, 1) == 0) {
            int flag = 0;
            may_jump = 1;
            for (int tag = 0;; ++tag)
                MPI_Iprobe(0, 5 + tag % 7, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        }
        deeper(round % 1000);
    }
    stop_timer();
    after_all();
}

static SILENT void calls(int signal) {
    (void)signal;
    const int error = errno;
    for (int tag = 0; tag < 5; ++tag) {
        send_nobody(7000 + tag);
        poll_nobody(7000 + tag);
    }
    work(4);
    errno = error;
}

/// A handler that calls MPI, whatever the thread is doing.
static SILENT void handler(void) {
    begin(MPI_THREAD_SINGLE);
    start_timer(calls, 500);
    for (int i = 0; i < rounds * 2000; ++i) {
        MPI_Request request;
        MPI_Isend(NULL, 0, MPI_INT, MPI_PROC_NULL, i % 30000, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        work(2);
    }
    stop_timer();
    after_all();
}

// ---- Ends.

static SILENT void exit_meanwhile(void) {
    pthread_t threads[4];
    begin(MPI_THREAD_MULTIPLE);
    for (int i = 0; i < 4; ++i)
        pthread_create(&threads[i], NULL, records, NULL);
    usleep(3000);
    printf("done\n");
    exit(0);
}

// ---- System calls that are forbidden.

static SILENT void forbid(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_fallocate, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
    };
    const struct sock_fprog filter = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        printf("no filter\n");
        exit(0);
    }
}

static SILENT void record_much(void) {
    for (int i = 0; i < rounds * 2000; ++i) {
        send_nobody(i % 30000);
        work(3);
    }
}

static SILENT void filter(void) {
    begin(MPI_THREAD_SINGLE);
    forbid();
    record_much();
    printf("done\n");
    exit(0); // from where is recorded, with the stack
}
static SILENT void filter_first(void) {
    forbid();
    begin(MPI_THREAD_SINGLE);
    record_much();
    printf("done\n");
    exit(0);
}
static SILENT void filter_crash(void) {
    begin(MPI_THREAD_SINGLE);
    forbid();
    record_much();
    printf("done\n");
    fflush(stdout);
    abort();
}

// ---- Descriptors that are not one's own.

/// What lies in a file that only this program writes to.
static SILENT void check_file(int file, const char *text) {
    char found[64] = "";
    const ssize_t length = pread(file, found, sizeof found, 0);
    if (length != (ssize_t)strlen(text) || memcmp(found, text, strlen(text)) != 0)
        fail("another one wrote to a file of this program");
    if (lseek(file, 0, SEEK_CUR) != length)
        fail("another one moved in a file of this program");
}

void call_without_unwinding(void (*function)(int), int argument);

static SILENT void descriptors(void) {
    begin(MPI_THREAD_SINGLE);
    send_nobody(1);
    for (int round = 0; round < rounds; ++round) {
        enum { files = 40 };
        int all[files];
        char path[4096];
        // The launcher kills who closes the line to it.
        const char *line = getenv("PMI_FD");
        for (int i = round == 0 ? 2 : 3; i < 1024; ++i)
            if (line == NULL || i != atoi(line))
                close(i);
        for (int i = 0; i < files; ++i) {
            snprintf(path, sizeof path, "%s/file-%d", folder, i);
            all[i] = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
            if (all[i] < 0 || write(all[i], "mine", 4) != 4)
                fail("a file of the program");
        }
        for (int i = 0; i < 3000; ++i) {
            send_nobody((round * 100 + i) % 30000);
            work(3);
        }
        call_without_unwinding(send_nobody, round % 1000);
        call_without_unwinding(deeper, round % 1000);
        usleep(2000);
        for (int i = 0; i < files; ++i)
            check_file(all[i], "mine");
    }
    printf("done\n");
    fflush(stdout);
    _exit(0); // MPI's own descriptors are gone, too
}

// ---- Handlers that call the one that was there before, and that put it back.

static void (*before)(int);
static struct sigaction before_action;
static volatile sig_atomic_t taken;

static SILENT void chain(int signal) {
    ++taken;
    if (before != SIG_DFL && before != SIG_IGN)
        before(signal);
    if (before_action.sa_handler != SIG_DFL && before_action.sa_handler != SIG_IGN)
        before_action.sa_handler(signal);
}

static SILENT void chained(void) {
    begin(MPI_THREAD_SINGLE);
    raise(SIGUSR1); // MPICH has a handler of its own, which does the same as chain()
    for (int i = 0; i < rounds; ++i) {
        before = signal(SIGUSR2, chain);
        raise(SIGUSR2);
        signal(SIGUSR2, before);
        before = SIG_DFL;
        struct sigaction action = {.sa_handler = chain};
        sigaction(SIGPROF, &action, &before_action);
        raise(SIGPROF);
        sigaction(SIGPROF, &before_action, NULL);
        before_action.sa_handler = SIG_DFL;
        send_nobody(i);
    }
    if (taken != 2 * rounds)
        abort();
}

// ---- Many calls.

static SILENT void rate(void) {
    begin(MPI_THREAD_SINGLE);
    for (int i = 0; i < rounds * 50000; ++i) {
        int flag;
        MPI_Iprobe(0, 3, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
    }
    send_nobody(1);
    for (int i = 0; i < rounds * 50000; ++i)
        send_nobody(2 + i % 3);
}

static SILENT void plain(void) {
    begin(MPI_THREAD_SINGLE);
    for (int i = 0; i < rounds * 10; ++i) {
        send_nobody(i);
        exchange(i % 1000);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"cancel", cancel},
             {"cancel_async", cancel_async},
             {"fork_child", fork_child},
             {"jump", jump},
             {"jump_out_of_mpi", jump_out_of_mpi},
             {"handler", handler},
             {"exit_meanwhile", exit_meanwhile},
             {"filter", filter},
             {"filter_first", filter_first},
             {"filter_crash", filter_crash},
             {"descriptors", descriptors},
             {"chained", chained},
             {"rate", rate},
             {"plain", plain}};

SILENT int main(int argc, char **argv) {
    rounds = argc > 2 ? atoi(argv[2]) : 1;
    folder = argc > 3 ? argv[3] : ".";
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; ++i)
        if (strcmp(argv[1], cases[i].name) == 0) {
            cases[i].run();
            MPI_Finalize();
            printf("done\n");
            return 0;
        }
    return 2;
}
