// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the C library in the ways in which programs make them. Says what each returned, with errno and descriptors, so that a
// recorded run can be compared with one that is not.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void say(const char *what, long result) { printf("%s %ld %d\n", what, result, result < 0 ? errno : 0); }

static int s_early[2]; // descriptors that were made before main, and before the recorder's constructors
static long s_earlyRead;
__attribute__((constructor(101))) static void early(void) {
    char byte = 'e';
    if (pipe(s_early) == 0 && write(s_early[1], &byte, 1) == 1)
        s_earlyRead = read(s_early[0], &byte, 1);
}

static int listener(struct sockaddr_in *address) {
    const int on = socket(AF_INET, SOCK_STREAM, 0);
    socklen_t bytes = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    say("bind", bind(on, (struct sockaddr *)address, sizeof *address));
    say("listen", listen(on, 4));
    getsockname(on, (struct sockaddr *)address, &bytes);
    return on;
}

__attribute__((noinline)) static int handle(int from) {
    char text[16];
    const ssize_t got = recv(from, text, sizeof text, 0);
    say("recv", got);
    if (got > 0)
        say("send", send(from, text, (size_t)got, MSG_NOSIGNAL));
    return got > 0;
}

__attribute__((noinline)) static void serve(int on) {
    int connection = -1;
    for (int open = 1; open;) {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(on, &readable);
        if (connection >= 0)
            FD_SET(connection, &readable);
        say("select", select((connection > on ? connection : on) + 1, &readable, NULL, NULL, NULL));
        if (FD_ISSET(on, &readable)) {
            connection = accept(on, NULL, NULL);
            say("accept", connection);
        } else if (!handle(connection)) {
            open = 0;
        }
    }
    say("close", close(connection));
}

/// A server with an event loop, and a child that is its client.
static void loop(void) {
    struct sockaddr_in address;
    const int on = listener(&address);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        close(on);
        const int to = socket(AF_INET, SOCK_STREAM, 0);
        int status = connect(to, (struct sockaddr *)&address, sizeof address) != 0;
        for (int i = 0; i < 3; ++i) {
            char text[16];
            status |= write(to, "question", 8) != 8 || read(to, text, sizeof text) != 8;
        }
        _exit(status);
    }
    serve(on);
    int status = -1;
    say("waitpid", waitpid(child, &status, 0) == child ? status : -1);
}

static int s_pipe[2];
static void onAlarm(int signal) {
    const int before = errno;
    char byte = (char)signal;
    if (write(s_pipe[1], &byte, 1) != 1)
        abort();
    errno = before;
}

/// A handler that writes into a pipe, as event-driven programs have it, while select waits.
static void handler(void) {
    struct sigaction action = {.sa_handler = onAlarm};
    sigaction(SIGALRM, &action, NULL);
    say("pipe", pipe(s_pipe));
    alarm(1);
    say("select", select(0, NULL, NULL, NULL, NULL));
    char byte;
    say("read", read(s_pipe[0], &byte, 1));
    errno = 77;
    write(s_pipe[1], &byte, 1);
    say("errno", errno);
}

static sigjmp_buf s_jump;
static void jumpOut(int signal) { siglongjmp(s_jump, signal); }

/// A handler that leaves the call by longjmp.
static void jump(void) {
    signal(SIGALRM, jumpOut);
    say("pipe", pipe(s_pipe));
    for (int i = 0; i < 2; ++i) {
        char byte;
        if (sigsetjmp(s_jump, 1) == 0) {
            alarm(1);
            say("read", read(s_pipe[0], &byte, 1));
        }
        say("write", write(s_pipe[1], "x", 1));
        say("read", read(s_pipe[0], &byte, 1));
    }
}

/// Children of all kinds, which become another program and fail to.
static void children(void) {
    int status = -1;
    pid_t child = vfork();
    if (child == 0) {
        dup2(1, 30);
        execl("/no/such/program", "program", (char *)NULL);
        _exit(errno);
    }
    say("waitpid", waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1);
    char *arguments[] = {"true", NULL};
    errno = 78;
    say("posix_spawn", posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ));
    say("wait", wait(&status) == child ? status : -1);
    say("posix_spawn", posix_spawn(&child, "/no/such/program", NULL, NULL, arguments, environ));
    child = fork();
    if (child == 0) {
        execv("/bin/true", arguments);
        _exit(1);
    }
    say("wait4", wait4(child, &status, 0, NULL) == child ? status : -1);
    say("wait", wait(&status));
}

static void *answer(void *argument) {
    char byte;
    const int on = *(int *)argument;
    while (read(on, &byte, 1) == 1)
        if (write(on, &byte, 1) != 1)
            break;
    close(on);
    return NULL;
}

/// A thread for each connection.
static void threads(void) {
    int answered = 0;
    for (int i = 0; i < 100; ++i) {
        int ends[2];
        pthread_t thread;
        char byte = (char)i;
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0 || pthread_create(&thread, NULL, answer, &ends[1]) != 0)
            abort();
        answered += write(ends[0], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1 && byte == (char)i;
        close(ends[0]);
        pthread_join(thread, NULL);
    }
    say("answered", answered);
}

static void *endLast(void *argument) {
    usleep(100000);
    say("the last thread has ended", 0); // written when the process ends
    return argument;
}

/// A main thread that ends before another one: the process ends with the last.
static void endFirst(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, endLast, NULL) != 0 || pthread_detach(thread) != 0)
        abort();
    pthread_exit(NULL);
}

/// A process that goes on until somebody ends it.
static void goOn(void) {
    say("goes on", 0);
    fflush(stdout);
    for (;;)
        pause();
}

static void *waitForever(void *argument) {
    char byte;
    read(*(int *)argument, &byte, 1);
    return NULL;
}

/// A thread that is cancelled in a call.
static void cancelled(void) {
    void *result = NULL;
    pthread_t thread;
    say("pipe", pipe(s_pipe));
    pthread_create(&thread, NULL, waitForever, &s_pipe[0]);
    usleep(200000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    say("cancelled", result == PTHREAD_CANCELED);
    say("write", write(s_pipe[1], "x", 1));
}

/// Descriptors beyond what an fd_set has room for, in a larger set of the program's own; poll and epoll with them.
static void high(void) {
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max < 4096 ? limit.rlim_max : 4096;
    setrlimit(RLIMIT_NOFILE, &limit);
    say("pipe", pipe(s_pipe));
    const int above = dup2(s_pipe[0], 3000);
    say("dup2", above);
    unsigned long set[4096 / (8 * sizeof(unsigned long))] = {0};
    const unsigned bits = 8 * sizeof(unsigned long);
    set[(unsigned)above / bits] = 1UL << (unsigned)above % bits;
    say("write", write(s_pipe[1], "x", 1));
    say("select", select(above + 1, (fd_set *)set, NULL, NULL, NULL));
    say("ready", set[(unsigned)above / bits] != 0);
    struct pollfd one = {.fd = above, .events = POLLIN};
    say("poll", poll(&one, 1, 1000));
    const int epoll = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN, .data = {.u64 = 0xABCDEF0123456789}};
    say("epoll_ctl", epoll_ctl(epoll, EPOLL_CTL_ADD, above, &event));
    say("epoll_wait", epoll_wait(epoll, &event, 1, 1000));
    say("word", event.data.u64 == 0xABCDEF0123456789);
    char byte;
    struct iovec piece = {&byte, 1};
    say("readv", readv(above, &piece, 1));
    say("poll", poll(&one, 1, 0));
}

/// Calls that fail, and what they leave behind.
static void failures(void) {
    char byte;
    say("read", read(-1, &byte, 1));
    say("write", write(1000, &byte, 1));
    say("close", close(1000));
    say("open", open("/no/such/file", O_RDONLY));
    say("accept", accept(0, NULL, NULL));
    say("connect", connect(-1, NULL, 0));
    say("epoll_wait", epoll_wait(-1, NULL, 0, 0));
    say("poll", poll(NULL, 0, 0));
    say("kill", kill(getpid(), 1000));
    char *nothing[] = {NULL};
    say("execve", execve("/no/such/program", nothing, nothing));
    say("recv", recv(0, NULL, 0, 0));
    say("dup", dup(-1));
    int file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    say("O_TMPFILE", file >= 0 ? 0 : -1);
    for (int i = 0; i < 3; ++i) { // one descriptor, used again and again
        file = open("/dev/null", O_WRONLY);
        say("open", file);
        say("write", write(file, "xy", 2));
        say("close", close(file));
    }
}

/// Calls that leave no descriptor, and much to be recorded.
static void *callMuch(void *argument) {
    for (int i = 0; i < 1000; ++i)
        dup(-1);
    return argument;
}

/// How often a file that is opened again and again gets another number than `expected`, the lowest that is free, while another
/// thread of the process makes calls.
static int otherNumbers(int expected) {
    pthread_t thread;
    int others = 0;
    if (pthread_create(&thread, NULL, callMuch, NULL) != 0)
        abort();
    for (int i = 0; i < 400; ++i) {
        const int file = open("/dev/null", O_WRONLY);
        others += file != expected;
        close(file);
    }
    pthread_join(thread, NULL);
    return others;
}

/// In 200 processes from their start on, each of which is recorded for itself, and in this one for a while.
static void lowest(void) {
    const int expected = open("/dev/null", O_WRONLY);
    close(expected);
    int others = 0;
    for (int round = 0; round < 200; ++round) {
        const pid_t child = fork();
        if (child == 0)
            _exit(otherNumbers(expected) != 0);
        int status = -1;
        others += waitpid(child, &status, 0) != child || status != 0;
    }
    say("processes in which a file got another number", others);
    others = 0;
    for (int round = 0; round < 200; ++round)
        others += otherNumbers(expected) != 0;
    say("times", others);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"loop", loop},       {"handler", handler},     {"jump", jump}, {"children", children},
               {"threads", threads}, {"cancelled", cancelled}, {"high", high}, {"failures", failures},
               {"lowest", lowest},   {"first", endFirst},      {"on", goOn}};
    say("early", s_earlyRead);
    for (int i = 1; i < count; ++i)
        for (unsigned k = 0; k < sizeof all / sizeof *all; ++k)
            if (strcmp(arguments[i], all[k].name) == 0)
                all[k].run();
    return 0;
}
