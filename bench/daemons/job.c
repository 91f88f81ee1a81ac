// SPDX-License-Identifier: GPL-3.0-or-later
// A job without MPI's library that starts and ends under Hydra as MPI jobs do: it speaks the first words of PMI-1 with its proxy.
// Says its process number and the proxy's, and runs for the given time. With "reset" as second argument it resets its connection
// to the proxy half-way, where that is a socket.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int ask(int on, const char *command) {
    char answer[1024];
    return write(on, command, strlen(command)) > 0 && read(on, answer, sizeof answer) > 0;
}

static void sleepFor(double seconds) {
    const struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

int main(int count, char **arguments) {
    const double seconds = count > 1 ? atof(arguments[1]) : 0.2;
    const char *text = getenv("PMI_FD");
    const char *rank = getenv("PMI_RANK");
    const int on = text == NULL ? -1 : atoi(text);
    if (on < 0 || rank == NULL)
        return 2;
    if (!ask(on, "cmd=init pmi_version=1 pmi_subversion=1\n") || !ask(on, "cmd=get_maxes\n") || !ask(on, "cmd=barrier_in\n"))
        return 3;
    printf("rank %s pid %d proxy %d\n", rank, getpid(), getppid());
    fflush(stdout);
    sleepFor(seconds / 2);
    if (count > 2 && strcmp(arguments[2], "reset") == 0 && strcmp(rank, "1") == 0) {
        const struct linger atOnce = {1, 0};
        setsockopt(on, SOL_SOCKET, SO_LINGER, &atOnce, sizeof atOnce);
        close(on);
        sleepFor(seconds / 2);
        return 0;
    }
    sleepFor(seconds / 2);
    return ask(on, "cmd=barrier_in\n") && ask(on, "cmd=finalize\n") ? 0 : 4;
}
