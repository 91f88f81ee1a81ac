// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *usage = "Usage: %s [--steps N] [--size N] [--seed N]\n"
                           "       [--fault KIND [--fault-rank R] [--fault-step S] [--truth FILE]]\n"
                           "Faults: %s\n"
                           "By default %d steps, size %d, seed 1; the fault strikes the middle rank in the middle step.\n";

static _Noreturn void leave(int status) {
    MPI_Finalize();
    exit(status);
}

void refuse(const struct options *opt, const char *sentence) {
    if (opt->rank == 0)
        fprintf(stderr, "%s: %s\n", opt->program, sentence);
    leave(2);
}

static int is_one_of(const char *kind, const char *kinds) {
    size_t length = strlen(kind);
    for (const char *at = strstr(kinds, kind); at && length; at = strstr(at + 1, kind))
        if ((at == kinds || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return 1;
    return 0;
}

static int number(const struct options *opt, const char *name, const char *text, int least, int most) {
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || end == text || *end || value < least || value > most) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s takes a number from %d to %d, not '%.60s'.", name, least, most, text);
        refuse(opt, sentence);
    }
    return (int)value;
}

static void take_option(struct options *opt, const char *name, const char *value) {
    if (!strcmp(name, "--steps"))
        opt->steps = number(opt, name, value, 1, INT_MAX);
    else if (!strcmp(name, "--size"))
        opt->size = number(opt, name, value, 1, 1 << 20);
    else if (!strcmp(name, "--seed"))
        opt->seed = (unsigned)number(opt, name, value, 0, INT_MAX);
    else if (!strcmp(name, "--fault"))
        opt->fault = value;
    else if (!strcmp(name, "--fault-rank"))
        opt->fault_rank = number(opt, name, value, 0, opt->ranks - 1);
    else if (!strcmp(name, "--fault-step"))
        opt->fault_step = number(opt, name, value, 1, INT_MAX);
    else if (!strcmp(name, "--truth"))
        opt->truth = value;
    else
        refuse(opt, "unknown option; --help lists them.");
}

struct options read_options(int argc, char **argv, const char *program, int steps, int size, const char *faults) {
    struct options opt = {.program = program, .steps = steps, .size = size, .seed = 1, .fault = "none"};
    opt.also_accepted = NOBODY;
    MPI_Comm_rank(MPI_COMM_WORLD, &opt.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &opt.ranks);
    opt.fault_rank = opt.ranks / 2;
    for (int i = 1; i < argc; i += 2) {
        if (!strcmp(argv[i], "--help")) {
            if (opt.rank == 0)
                printf(usage, program, faults, steps, size);
            leave(0);
        }
        if (i + 1 == argc)
            refuse(&opt, "the last option has no value; --help lists them.");
        take_option(&opt, argv[i], argv[i + 1]);
    }
    if (!opt.fault_step)
        opt.fault_step = opt.steps / 2 + 1;
    if (strcmp(opt.fault, "none") && !is_one_of(opt.fault, faults))
        refuse(&opt, "has no such fault; --help lists them.");
    if (opt.fault_step > opt.steps)
        refuse(&opt, "--fault-step is behind the last step.");
    return opt;
}

// How the job ends: what whoever runs it should see.
static const char *end_of(const char *kind) {
    if (!strcmp(kind, "crash") || !strcmp(kind, "abort"))
        return kind;
    return !strcmp(kind, "slow") ? "finish" : "hang";
}

static void tell_truth(struct options *opt, const char *function, int step, int peer) {
    opt->told = 1;
    if (!opt->truth)
        return;
    FILE *file = fopen(opt->truth, "w");
    if (!file) {
        fprintf(stderr, "%s: cannot write %s: %s\n", opt->program, opt->truth, strerror(errno));
        return;
    }
    fprintf(file, "{\"program\":\"%s\",\"fault\":\"%s\",\"rank\":%d,\"accept\":[%d", opt->program, opt->fault, opt->rank,
            opt->rank);
    if (peer != NOBODY)
        fprintf(file, ",%d", peer);
    if (opt->also_accepted != NOBODY)
        fprintf(file, ",%d", opt->also_accepted);
    fprintf(file, "],\"function\":\"%s\",\"step\":%d,\"peer\":", function, step);
    fprintf(file, peer == NOBODY ? "null" : "%d", peer);
    fprintf(file, ",\"ends\":\"%s\",\"ranks\":%d,\"steps\":%d,\"size\":%d,\"seed\":%u}\n", end_of(opt->fault), opt->ranks,
            opt->steps, opt->size, opt->seed);
    fclose(file);
}

static int is_now(const struct options *opt, const char *kind, int step) {
    if (strcmp(opt->fault, kind))
        return 0;
    int lasts = is_one_of(kind, "slow lost-credits");
    return lasts ? step >= opt->fault_step : step == opt->fault_step;
}

int fault_strikes(struct options *opt, const char *kind, int step, const char *function, int peer) {
    if (opt->rank != opt->fault_rank || !is_now(opt, kind, step))
        return 0;
    if (!opt->told)
        tell_truth(opt, function, step, peer);
    return 1;
}

int fault_strikes_pair(struct options *opt, const char *kind, int step, const char *function, int partner) {
    return fault_strikes(opt, kind, step, function, partner) || (opt->rank == partner && is_now(opt, kind, step));
}

double start_value(unsigned seed, long index) {
    unsigned long x = (unsigned long)index * 0x9e3779b97f4a7c15UL + seed;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

void print_checksum(const struct options *opt, double checksum) {
    if (opt->rank == 0)
        printf("checksum %.9e\n", checksum);
}
