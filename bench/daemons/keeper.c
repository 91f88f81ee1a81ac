// SPDX-License-Identifier: GPL-3.0-or-later
// A daemon that keeps values, and its clients: event loop with poll, one line for each request ("set KEY VALUE", "get KEY"),
// answered at once. Each request is checked and logged into memory, which is some microseconds of work. keeper CLIENTS REQUESTS
// [WORK]: WORK is how often a request's text is hashed, 100 if not given; 0 leaves nothing but the calls.
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { keys = 4096, mostClients = 64, lineBytes = 256 };
static unsigned long s_values[keys];
static unsigned long s_log;
static int s_work = 100;

static unsigned long hash(const char *text, unsigned long seed) {
    for (; *text != '\0'; ++text)
        seed = (seed ^ (unsigned char)*text) * 0x100000001B3UL;
    return seed;
}

static void check(const char *text) {
    for (int i = 0; i < s_work; ++i)
        s_log = hash(text, s_log + (unsigned long)i);
}

static int answer(int on) {
    char line[lineBytes + 1];
    const ssize_t got = recv(on, line, lineBytes, 0);
    if (got <= 0)
        return 0;
    line[got] = '\0';
    check(line);
    unsigned key = 0;
    unsigned long value = 0;
    if (sscanf(line, "set %u %lu", &key, &value) == 2)
        s_values[key % keys] = value;
    else if (sscanf(line, "get %u", &key) == 1)
        value = s_values[key % keys];
    const int length = snprintf(line, sizeof line, "ok %lu", value);
    return send(on, line, (size_t)length, MSG_NOSIGNAL) == length;
}

static void serve(int listener, int clients) {
    struct pollfd all[mostClients + 1] = {{.fd = listener, .events = POLLIN}};
    int open = 1;
    for (int ended = 0; ended < clients;) {
        poll(all, (nfds_t)open, -1);
        for (int i = open - 1; i > 0; --i)
            if (all[i].revents != 0 && !answer(all[i].fd)) {
                close(all[i].fd);
                all[i] = all[--open];
                ++ended;
            }
        if ((all[0].revents & POLLIN) != 0) {
            all[open].fd = accept(listener, NULL, NULL);
            all[open++].events = POLLIN;
        }
    }
}

static int ask(const struct sockaddr_in *address, int requests) {
    const int on = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(on, (const struct sockaddr *)address, sizeof *address) != 0)
        return 1;
    for (int i = 0; i < requests; ++i) {
        char line[lineBytes];
        const int length = snprintf(line, sizeof line, i % 2 == 0 ? "set %d %d" : "get %d", i / 2, i);
        if (send(on, line, (size_t)length, MSG_NOSIGNAL) != length || recv(on, line, sizeof line, 0) < 3)
            return 1;
    }
    return close(on) != 0;
}

int main(int count, char **arguments) {
    const int clients = count > 1 ? atoi(arguments[1]) : 4;
    const int requests = count > 2 ? atoi(arguments[2]) : 1000;
    if (count > 3)
        s_work = atoi(arguments[3]);
    if (clients < 1 || clients > mostClients)
        return 2;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof address;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, bytes) != 0 || listen(listener, clients) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &bytes) != 0)
        return 2;
    for (int i = 0; i < clients; ++i)
        if (fork() == 0)
            _exit(ask(&address, requests));
    serve(listener, clients);
    int failed = 0;
    for (int status; wait(&status) > 0;)
        failed |= status;
    return failed != 0;
}
