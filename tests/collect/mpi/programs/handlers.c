// SPDX-License-Identifier: GPL-3.0-or-later
// Programs with handlers for the signals that crashes raise: `handlers CASE before|after`, set before or after MPI_Init. Prints
// what it comes to.
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SILENT __attribute__((no_instrument_function))

enum { pageBytes = 4096 };

static volatile char *page; ///< cannot be touched
static sigjmp_buf place;
static volatile sig_atomic_t taken;

static SILENT void send_nobody(int tag) { MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD); }

static SILENT void say(const char *what) {
    if (write(1, what, strlen(what)) < 0)
        _exit(9);
}

static __attribute__((noinline)) void touch(void) { *page = 1; }
static __attribute__((noinline)) void touch_again(void) { *page = 2; }
static __attribute__((noinline)) void gives_up(void) { abort(); }

// ---- Handlers.

static SILENT void jumps(int signal) {
    (void)signal;
    ++taken;
    siglongjmp(place, 1);
}
static SILENT void opens_page(int signal) {
    (void)signal;
    ++taken;
    mprotect((void *)page, pageBytes, PROT_READ | PROT_WRITE);
}
static SILENT void only_counts(int signal) {
    (void)signal;
    ++taken;
    say("counted\n");
}
static SILENT void exits(int signal) {
    (void)signal;
    say("handler exits\n");
    _exit(3);
}
static SILENT void exits_by_abort(int signal) {
    (void)signal;
    say("handler aborts\n");
    abort();
}
static SILENT void sets_default(int number) {
    say("handler sets the default\n");
    signal(number, SIG_DFL);
}
static SILENT void raises_default(int number) {
    say("handler raises again\n");
    signal(number, SIG_DFL);
    raise(number);
}
static SILENT void raises(int number) {
    say("handler raises\n");
    raise(number);
}
static SILENT void calls_mpi(int signal) {
    (void)signal;
    for (int tag = 0; tag < 3; ++tag)
        send_nobody(tag);
    say("handler has called MPI\n");
    _exit(3);
}
static SILENT void ends_thread(int signal) {
    (void)signal;
    pthread_exit(NULL);
}
static SILENT void is_told(int signal, siginfo_t *info, void *context) {
    (void)context;
    if (signal == SIGSEGV && info->si_addr == (void *)page)
        say("told of the page\n");
    siglongjmp(place, 1);
}

static SILENT void set(int signal, void (*handler)(int), int flags) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigaction(signal, &action, NULL);
}

// ---- What they are for. Each is called twice: to set handlers, and to do what they are for.

static SILENT void jump_from(void (*function)(void), int times) {
    for (volatile int i = 0; i < times; ++i)
        if (sigsetjmp(place, 1) == 0)
            function();
}

static SILENT void jump(int sets) {
    if (sets)
        set(SIGSEGV, jumps, 0);
    else
        jump_from(touch, 1);
}
static SILENT void jump_told(int sets) {
    struct sigaction action = {.sa_sigaction = is_told, .sa_flags = SA_SIGINFO};
    if (sets)
        sigaction(SIGSEGV, &action, NULL);
    else
        jump_from(touch, 1);
}
static SILENT void jump_often(int sets) {
    if (sets)
        set(SIGSEGV, jumps, 0);
    else
        jump_from(touch, 200);
}
static SILENT void jump_from_own_stack(int sets) {
    static char own[1 << 16];
    const stack_t stack = {.ss_sp = own, .ss_size = sizeof own};
    sigaltstack(&stack, NULL);
    if (sets)
        set(SIGSEGV, jumps, SA_ONSTACK);
    else
        jump_from(touch, 5);
}
static SILENT void jump_out_of_abort(int sets) {
    if (sets)
        set(SIGABRT, jumps, 0);
    else
        jump_from(gives_up, 1);
}
static SILENT void jump_last(int sets) {
    if (sets) {
        set(SIGSEGV, jumps, 0);
        return;
    }
    send_nobody(1);
    MPI_Finalize();
    jump_from(touch, 1);
    say("done\n");
    exit(0);
}
static SILENT void jump_then_killed(int sets) {
    if (sets) {
        set(SIGSEGV, jumps, 0);
        return;
    }
    jump_from(touch, 1);
    send_nobody(1);
    raise(SIGKILL);
}
static SILENT void recover(int sets) {
    if (sets) {
        set(SIGSEGV, opens_page, SA_RESTART);
        return;
    }
    for (int i = 0; i < 200; ++i) {
        mprotect((void *)page, pageBytes, PROT_NONE);
        touch();
    }
}
static SILENT void recover_then_killed(int sets) {
    if (sets) {
        set(SIGSEGV, opens_page, 0);
        return;
    }
    touch();
    raise(SIGKILL);
}
static SILENT void return_to_raise(int sets) {
    if (sets)
        set(SIGABRT, only_counts, 0);
    else
        raise(SIGABRT);
}
static SILENT void *touches(void *argument) {
    send_nobody(1);
    touch();
    return argument;
}
static SILENT void end_thread(int sets) {
    pthread_t thread;
    if (sets) {
        set(SIGSEGV, ends_thread, 0);
        return;
    }
    pthread_create(&thread, NULL, touches, NULL);
    pthread_join(thread, NULL);
}

static SILENT void exit_in_handler(int sets) {
    if (sets)
        set(SIGSEGV, exits, 0);
    else
        touch();
}
static SILENT void abort_in_handler(int sets) {
    if (sets)
        set(SIGSEGV, exits_by_abort, 0);
    else
        touch();
}
static SILENT void default_in_handler(int sets) {
    if (sets)
        set(SIGSEGV, sets_default, 0);
    else
        touch();
}
static SILENT void raise_in_handler(int sets) {
    if (sets)
        set(SIGSEGV, raises_default, 0);
    else
        touch();
}
static SILENT void once(int sets) {
    if (sets)
        set(SIGSEGV, only_counts, SA_RESETHAND);
    else
        touch();
}
static SILENT void return_to_abort(int sets) {
    if (sets)
        set(SIGABRT, only_counts, 0);
    else
        gives_up();
}
static SILENT void mpi_in_handler(int sets) {
    if (sets)
        set(SIGSEGV, calls_mpi, 0);
    else
        touch();
}
static SILENT void term_once(int sets) {
    if (sets)
        set(SIGTERM, raises, SA_RESETHAND);
    else
        raise(SIGTERM);
}
static SILENT void jump_then_exit_in_handler(int sets) {
    jump_often(sets);
    if (!sets) {
        set(SIGSEGV, exits, 0);
        touch_again();
    }
}
static SILENT void jump_then_crash(int sets) {
    jump_often(sets);
    if (!sets) {
        signal(SIGSEGV, SIG_DFL);
        touch_again();
    }
}
static SILENT void jump_then_abort(int sets) {
    jump(sets);
    if (!sets)
        gives_up();
}
static SILENT void jump_then_alarm(int sets) {
    jump(sets);
    if (!sets) {
        send_nobody(1);
        raise(SIGALRM);
    }
}

static const struct {
    const char *name;
    void (*run)(int sets);
} cases[] = {{"jump", jump},
             {"jump_told", jump_told},
             {"jump_often", jump_often},
             {"jump_from_own_stack", jump_from_own_stack},
             {"jump_out_of_abort", jump_out_of_abort},
             {"jump_last", jump_last},
             {"jump_then_killed", jump_then_killed},
             {"recover", recover},
             {"recover_then_killed", recover_then_killed},
             {"return_to_raise", return_to_raise},
             {"end_thread", end_thread},
             {"exit_in_handler", exit_in_handler},
             {"abort_in_handler", abort_in_handler},
             {"default_in_handler", default_in_handler},
             {"raise_in_handler", raise_in_handler},
             {"once", once},
             {"return_to_abort", return_to_abort},
             {"mpi_in_handler", mpi_in_handler},
             {"term_once", term_once},
             {"jump_then_exit_in_handler", jump_then_exit_in_handler},
             {"jump_then_crash", jump_then_crash},
             {"jump_then_abort", jump_then_abort},
             {"jump_then_alarm", jump_then_alarm}};

SILENT int main(int argc, char **argv) {
    const int isBefore = argc > 2 && strcmp(argv[2], "before") == 0;
    for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; ++i)
        if (strcmp(argv[1], cases[i].name) == 0) {
            int provided;
            page = mmap(NULL, pageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (isBefore)
                cases[i].run(1);
            MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
            if (!isBefore)
                cases[i].run(1);
            send_nobody(0);
            cases[i].run(0);
            send_nobody(9);
            MPI_Finalize();
            printf("done, %d\n", (int)taken);
            return 0;
        }
    return 2;
}
