// SPDX-License-Identifier: GPL-3.0-or-later
// A daemon of a cluster's management system, as in A. Maruyama's thesis on fault localization (2008), §5.3.3 and §5.3.4: it sends
// keep-alive messages to its right neighbour in a ring, expects them from the left one, writes the status of its job to a
// reader, and now and then stops sending until nothing is under way any more. start-daemons starts it and says by environment
// variables who it is. It runs until it is ended.
//
//   ring-daemon                       no fault of its own; a reader that stops reading lets it hang in output_job_status
//   ring-daemon --polling-limit I S   daemon I, after S seconds: a message is never counted as delivered, so that freeze_sending
//   polls
//                                     up to its limit and gives up: panic, _exit
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

#define HELPER __attribute__((no_instrument_function)) static

enum {
    TICK = 5,            // milliseconds between keep-alive messages
    PATIENCE = 60,       // milliseconds without a message from the left, until it is waited for
    WAITS = 5,           // turns of that wait
    STATUS_EVERY = 4,    // ticks
    FREEZE_EVERY = 10,   // ticks
    POLLING_LIMIT = 300, // of freeze_sending
    STATUS_SIZE = 512,
};

struct message {
    int from;
    int number;
};

static int own_number, left, right, reader;
static int sent, delivered; // messages to the right
static int tick;
static double next_tick, last_from_left;
static int faulty = -1;
static double fault_after;
static double started;

HELPER double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

HELPER int number_from(const char *name) {
    const char *text = getenv(name);
    if (text == NULL) {
        fprintf(stderr, "ring-daemon is started by start-daemons: %s is not set.\n", name);
        exit(2);
    }
    return atoi(text);
}

static void panic(const char *why) {
    fprintf(stderr, "daemon %d: %s\n", own_number, why);
    _exit(1);
}

static int score_read(int file, void *bytes, size_t size) { return read(file, bytes, size) == (ssize_t)size; }

static int score_write(int file, const char *bytes, size_t size) {
    while (size > 0) {
        const ssize_t done = write(file, bytes, size);
        if (done < 0)
            return 0;
        bytes += done, size -= (size_t)done;
    }
    return 1;
}

static int score_write_short(int file, const char *bytes, size_t size) { return score_write(file, bytes, size); }

// Blocks while the reader does not read.
static void output_job_status(void) {
    char status[STATUS_SIZE];
    memset(status, ' ', sizeof status);
    snprintf(status, sizeof status, "daemon %d: job running, %d messages sent", own_number, sent);
    if (!score_write_short(reader, status, sizeof status))
        panic("nobody takes the status of the job");
}

static void send_keep_alive(void) {
    if (right < 0)
        return;
    const struct message message = {own_number, sent};
    if (!score_write(right, (const char *)&message, sizeof message)) {
        if (errno != EAGAIN) // the neighbour is gone; one that does not listen is none of our business
            close(right), right = -1;
        return;
    }
    sent++;
    // BUG: a message that was sent when the link was busy is not counted, and freeze_sending waits for it.
    if (own_number != faulty || now() - started < fault_after)
        delivered++;
}

static int is_send_stable(void) { return sent == delivered; }

static void pause_between_polls(void) { usleep(1000); }

static void freeze_sending(void) {
    for (int polls = 0; !is_send_stable(); polls++) {
        if (polls == POLLING_LIMIT)
            panic("messages are still under way: the network has failed");
        pause_between_polls();
    }
}

static void handle_timer(void) {
    next_tick = now() + TICK / 1000.0;
    tick++;
    send_keep_alive();
    if (tick % STATUS_EVERY == 0)
        output_job_status();
    if (tick % FREEZE_EVERY == 0)
        freeze_sending();
}

static void handle_keep_alive(void) {
    struct message message;
    if (left >= 0 && score_read(left, &message, sizeof message))
        last_from_left = now();
    else if (left >= 0)
        close(left), left = -1;
}

// True if there is a message from the left.
HELPER int select_left(double seconds) {
    fd_set readable;
    FD_ZERO(&readable);
    if (left >= 0)
        FD_SET(left, &readable);
    struct timeval timeout = {0, seconds > 0 ? (suseconds_t)(seconds * 1e6) : 0};
    return select(left + 1, &readable, NULL, NULL, &timeout) > 0;
}

static int wait_for_events(void) { return select_left(next_tick - now()); }

// Looks out for the left neighbour, and sends on in time.
static void wait_for_neighbour(void) {
    for (int turn = 0; turn < WAITS; turn++) {
        if (select_left(2 * TICK / 1000.0)) {
            handle_keep_alive();
            if (left >= 0)
                return;
        }
        handle_timer();
    }
}

static void event_loop(void) {
    double patient_until = now() + PATIENCE / 1000.0;
    for (;;) {
        if (wait_for_events())
            handle_keep_alive();
        if (now() >= next_tick)
            handle_timer();
        const double heard_until = last_from_left + PATIENCE / 1000.0;
        if (now() > patient_until && now() > heard_until) {
            wait_for_neighbour();
            patient_until = now() + PATIENCE / 1000.0;
        }
    }
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "--polling-limit") == 0) {
        faulty = atoi(arguments[2]);
        fault_after = atof(arguments[3]);
    } else if (count != 1) {
        fprintf(stderr, "usage: ring-daemon [--polling-limit DAEMON SECONDS]\n");
        return 2;
    }
    own_number = number_from("DAEMON_NUMBER");
    left = number_from("DAEMON_LEFT"), right = number_from("DAEMON_RIGHT"), reader = number_from("DAEMON_READER");
    fcntl(right, F_SETFL, O_NONBLOCK);
    signal(SIGPIPE, SIG_IGN);
    started = last_from_left = next_tick = now();
    event_loop();
}
