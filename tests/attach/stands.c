/* SPDX-License-Identifier: GPL-3.0-or-later
 * Stands in work(), called from main(), until it is killed; with "thread", in a second thread as well. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

__attribute__((noinline)) static void work(void) {
    for (;;)
        pause();
}

static void *below(void *nothing) {
    work();
    return nothing;
}

int main(int argc, char **argv) {
    pthread_t thread;
    if (argc > 1 && strcmp(argv[1], "thread") == 0)
        pthread_create(&thread, NULL, below, NULL);
    puts("stands");
    fflush(stdout);
    work();
    return 0;
}
