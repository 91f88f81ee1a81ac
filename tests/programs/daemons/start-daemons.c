// SPDX-License-Identifier: GPL-3.0-or-later
// Starts daemons in a ring, as one cluster on one machine, reads what they write about their jobs, and ends them.
//
//   start-daemons [-n DAEMONS] [--seconds S] [--after-exit S] [--unread DAEMON S] [--traces FOLDER] [--] PROGRAM [ARGUMENT...]
//
//   -n            how many (default 8)
//   --seconds     when they are ended, from their start (default 3)
//   --after-exit  if one has ended by itself, the others are ended so much later instead
//   --unread      the status of this daemon is not read any more after so many seconds
//   --traces      each daemon is to write the trace n000.trace, n001.trace … of its calls there (calltrace.c), as if it ran on
//                 a machine of this name
//
// Each gets sockets to its neighbours and to the reader: DAEMON_LEFT, DAEMON_RIGHT, DAEMON_READER; and DAEMON_NUMBER. A recorder
// may stand before the program. Exit status: 0; 2 for wrong arguments; 1 if something cannot be started. None is left behind.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 512, SEND_BUFFER = 4096 };

static int daemons = 8;
static double seconds = 3, after_exit = -1;
static int unread = -1;
static double unread_after;
static const char *traces;
static char **command;
static int ring[MOST][2];   // between a daemon (0) and its right neighbour (1)
static int status[MOST][2]; // between a daemon (1) and the reader (0)
static pid_t pids[MOST];

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int usage(void) {
    fprintf(stderr, "usage: start-daemons [-n DAEMONS] [--seconds S] [--after-exit S] [--unread DAEMON S] [--traces FOLDER] [--] "
                    "PROGRAM [ARGUMENT...]\n");
    return 2;
}

static int read_options(int count, char **arguments) {
    int i = 1;
    for (; i < count && arguments[i][0] == '-'; i++) {
        const char *option = arguments[i];
        const int left = count - i - 1;
        if (strcmp(option, "--") == 0) {
            i++;
            break;
        }
        if (strcmp(option, "-n") == 0 && left >= 1)
            daemons = atoi(arguments[++i]);
        else if (strcmp(option, "--seconds") == 0 && left >= 1)
            seconds = atof(arguments[++i]);
        else if (strcmp(option, "--after-exit") == 0 && left >= 1)
            after_exit = atof(arguments[++i]);
        else if (strcmp(option, "--traces") == 0 && left >= 1)
            traces = arguments[++i];
        else if (strcmp(option, "--unread") == 0 && left >= 2) {
            unread = atoi(arguments[++i]);
            unread_after = atof(arguments[++i]);
        } else
            return 0;
    }
    command = arguments + i;
    return i < count && daemons >= 2 && daemons <= MOST;
}

static int make_socket_pair(int pair[2]) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 0;
    for (int end = 0; end < 2; end++)
        fcntl(pair[end], F_SETFD, FD_CLOEXEC);
    return 1;
}

static int make_sockets(void) {
    for (int i = 0; i < daemons; i++) {
        if (!make_socket_pair(ring[i]) || !make_socket_pair(status[i]))
            return 0;
        const int small = SEND_BUFFER; // a status that is not read soon fills it
        setsockopt(status[i][1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
        fcntl(status[i][0], F_SETFL, O_NONBLOCK);
    }
    return 1;
}

static void set_number(const char *name, int number) {
    char text[16];
    snprintf(text, sizeof text, "%d", number);
    setenv(name, text, 1);
}

static void become_daemon(int i) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int left = ring[(i + daemons - 1) % daemons][1];
    const int own[] = {left, ring[i][0], status[i][1]};
    const char *const names[] = {"DAEMON_LEFT", "DAEMON_RIGHT", "DAEMON_READER"};
    for (int k = 0; k < 3; k++) {
        fcntl(own[k], F_SETFD, 0);
        set_number(names[k], own[k]);
    }
    set_number("DAEMON_NUMBER", i);
    if (traces != NULL) {
        char path[4096], host[16];
        snprintf(host, sizeof host, "n%03d", i);
        snprintf(path, sizeof path, "%s/%s.trace", traces, host);
        setenv("CALLTRACE_FILE", path, 1);
        setenv("CALLTRACE_HOST", host, 1);
    }
    execvp(command[0], command);
    fprintf(stderr, "start-daemons: %s cannot be started: %s\n", command[0], strerror(errno));
    _exit(127);
}

// What the daemons write is read and thrown away, for a while.
static void read_status(double for_seconds, double since_start) {
    struct pollfd files[MOST];
    for (int i = 0; i < daemons; i++) {
        const int reads = i != unread || since_start < unread_after;
        files[i] = (struct pollfd){reads ? status[i][0] : -1, POLLIN, 0};
    }
    if (poll(files, (nfds_t)daemons, (int)(for_seconds * 1000)) <= 0)
        return;
    for (int i = 0; i < daemons; i++) {
        char bytes[65536];
        if (files[i].revents != 0 && read(files[i].fd, bytes, sizeof bytes) == 0) {
            close(status[i][0]);
            status[i][0] = -1; // poll leaves it out
        }
    }
}

static void run(void) {
    const double start = now();
    double end = start + seconds;
    int has_ended = 0;
    while (now() < end) {
        read_status(0.01, now() - start);
        int how;
        for (pid_t pid; (pid = waitpid(-1, &how, WNOHANG)) > 0;) {
            for (int i = 0; i < daemons; i++)
                if (pids[i] == pid)
                    pids[i] = 0;
            if (!has_ended && after_exit >= 0)
                end = now() + after_exit;
            has_ended = 1;
        }
    }
}

static void end_all(void) {
    for (int i = 0; i < daemons; i++)
        if (pids[i] > 0)
            kill(pids[i], SIGTERM);
    const double patience = now() + 5;
    int left = 1;
    while (left && now() < patience) {
        left = 0;
        for (int i = 0; i < daemons; i++)
            if (pids[i] > 0 && waitpid(pids[i], NULL, WNOHANG) == 0)
                left = 1;
            else
                pids[i] = 0;
        usleep(5000);
    }
    for (int i = 0; i < daemons; i++)
        if (pids[i] > 0)
            kill(pids[i], SIGKILL), waitpid(pids[i], NULL, 0);
}

int main(int count, char **arguments) {
    if (!read_options(count, arguments))
        return usage();
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    if (!make_sockets()) {
        fprintf(stderr, "start-daemons: no sockets: %s\n", strerror(errno));
        return 1;
    }
    for (int i = 0; i < daemons; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            become_daemon(i);
        if (pids[i] < 0) {
            fprintf(stderr, "start-daemons: no more processes: %s\n", strerror(errno));
            daemons = i;
            end_all();
            return 1;
        }
    }
    for (int i = 0; i < daemons; i++)
        close(ring[i][0]), close(ring[i][1]), close(status[i][1]);
    run();
    end_all();
    return 0;
}
