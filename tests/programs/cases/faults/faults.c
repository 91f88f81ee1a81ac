// SPDX-License-Identifier: GPL-3.0-or-later
#include "faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Of the linker, where there are marks at all.
extern struct mark __start_marks[] __attribute__((weak)), __stop_marks[] __attribute__((weak));

struct variant {
    const char *name, *comm, *size, *style, *ending, *errors, *strike;
    int warm_up, first, ranks, threads;
    int list, truth, sound;
};

static const char *value_of(int argc, char **argv, const char *option, const char *otherwise) {
    for (int i = 1; i + 1 < argc; ++i)
        if (strcmp(argv[i], option) == 0)
            return argv[i + 1];
    return otherwise;
}

static struct variant read_variant(int argc, char **argv) {
    struct variant chosen = {.name = value_of(argc, argv, "--case", ""),
                             .comm = value_of(argc, argv, "--comm", "world"),
                             .size = value_of(argc, argv, "--size", "short"),
                             .style = value_of(argc, argv, "--style", "blocking"),
                             .ending = value_of(argc, argv, "--ending", "barrier"),
                             .errors = value_of(argc, argv, "--errors", "fatal"),
                             .strike = value_of(argc, argv, "--strike", NULL),
                             .warm_up = atoi(value_of(argc, argv, "--warm-up", "0")),
                             .first = atoi(value_of(argc, argv, "--first", "0")),
                             .ranks = atoi(value_of(argc, argv, "--ranks", "4"))};
    for (int i = 1; i < argc; ++i) {
        chosen.list |= strcmp(argv[i], "--list") == 0;
        chosen.truth |= strcmp(argv[i], "--truth") == 0;
        chosen.sound |= strcmp(argv[i], "--sound") == 0;
    }
    return chosen;
}

static int is(const char *word, const char *other) { return strcmp(word, other) == 0; }

// "send_send" is called send-send on the command line.
static int is_called(const char *function, const char *name) {
    for (; *function && *name; ++function, ++name)
        if (*function != *name && !(*function == '_' && *name == '-'))
            return 0;
    return *function == *name;
}

static void print_name(const char *function) {
    for (; *function; ++function)
        putchar(*function == '_' ? '-' : *function);
}

static int size_of_comm(const struct variant *chosen) { return is(chosen->comm, "split") ? chosen->ranks / 2 : chosen->ranks; }

// Half the ranks, the last one first, so that a rank of the communicator never is the same rank of the job.
static int world_rank(const struct variant *chosen, int member) {
    return is(chosen->comm, "split") ? chosen->ranks - 1 - member : member;
}

static void print_actors(const struct variant *chosen, const char *actors) {
    const int size = size_of_comm(chosen);
    putchar('[');
    if (is(actors, "all")) {
        for (int member = 0; member < size; ++member)
            printf("%s%d", member ? "," : "", world_rank(chosen, member));
    } else if (is(actors, "others")) {
        for (int actor = 1; actor < size; ++actor)
            printf("%s%d", actor > 1 ? "," : "", world_rank(chosen, (chosen->first + actor) % size));
    } else {
        char *rest = (char *)actors;
        for (int begin = 1; *rest; begin = 0) {
            const long actor = strtol(rest, &rest, 10);
            printf("%s%d", begin ? "" : ",", world_rank(chosen, (int)(chosen->first + actor + size) % size));
            rest += *rest == ',';
        }
    }
    putchar(']');
}

static void print_truth(const struct variant *chosen, const char *file, const struct fault_case *one) {
    const int is_returned = (one->varies & ANY_ERRORS) && is(chosen->errors, "return");
    const char *name = strrchr(file, '/');
    printf("{\"case\":\"");
    print_name(one->function);
    printf("\",\"state\":\"%s\",\"class\":\"%s\",\"accept\":", is_returned ? "finished" : one->state,
           is_returned ? "returned-error" : one->kind);
    print_actors(chosen, one->accept);
    printf(",\"tolerate\":");
    print_actors(chosen, one->tolerate);
    printf(",\"least\":%d,\"varies\":%u,\"file\":\"%s\",\"lines\":[", one->least, one->varies, name ? name + 1 : file);
    const char *separator = "";
    for (const struct mark *mark = __start_marks; mark < __stop_marks; ++mark)
        if (is(mark->function, one->function) || (one->helper && is(mark->function, one->helper))) {
            printf("%s%d", separator, mark->line);
            separator = ",";
        }
    printf("]}\n");
}

int actor_rank(const struct job *job, int actor) { return (job->first + actor + job->size) % job->size; }

void work_for(double milliseconds) {
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while (1e3 * (double)(now.tv_sec - start.tv_sec) + 1e-6 * (double)(now.tv_nsec - start.tv_nsec) < milliseconds);
}

static void make_comm(struct job *job, const struct variant *chosen) {
    const int takes_part = !is(chosen->comm, "split") || job->rank >= job->ranks - job->ranks / 2;
    if (is(chosen->comm, "world"))
        job->comm = MPI_COMM_WORLD;
    else if (is(chosen->comm, "dup"))
        MPI_Comm_dup(MPI_COMM_WORLD, &job->comm);
    else
        MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 1 : MPI_UNDEFINED, -job->rank, &job->comm);
    if (!takes_part)
        return;
    MPI_Comm_dup(job->comm, &job->other);
    MPI_Comm_rank(job->comm, &job->me);
    MPI_Comm_size(job->comm, &job->size);
    job->first = chosen->first % job->size;
    job->actor = (job->me - job->first + job->size) % job->size;
}

static struct job start_job(const struct variant *chosen, const struct fault_case *one) {
    struct job job = {.comm = MPI_COMM_NULL, .other = MPI_COMM_NULL, .actor = -1};
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.ranks);
    job.returns = is(chosen->errors, "return");
    if (job.returns) { // MPI 4 raises errors without a communicator on MPI_COMM_SELF
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }
    make_comm(&job, chosen);
    job.count = (one->varies & LONG) || is(chosen->size, "long") ? 1 << 20 : 8;
    job.style = is(chosen->style, "persistent") ? PERSISTENT : is(chosen->style, "nonblocking") ? NONBLOCKING : BLOCKING;
    job.out = calloc(1, 1 << 20), job.in = calloc(1, 1 << 20), job.in2 = calloc(1, 1 << 20);
    return job;
}

static void tell_strike(const char *file) {
    const int handle = file ? open(file, O_CREAT | O_WRONLY, 0644) : -1;
    if (handle >= 0)
        close(handle);
}

// What ranks do that the fault does not hold up.
static void end_job(const char *ending) {
    if (is(ending, "barrier"))
        MPI_Barrier(MPI_COMM_WORLD);
    if (is(ending, "test")) {
        MPI_Request request;
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        for (int done = 0; !done;) {
            work_for(1.0);
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
}

static int run_chosen(int argc, char **argv, const struct variant *chosen, const struct fault_case *one) {
    int provided = 0;
    if (chosen->threads)
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    struct job job = start_job(chosen, one);
    for (job.round = 0; job.round <= chosen->warm_up; ++job.round) {
        job.faulty = job.round == chosen->warm_up && !chosen->sound;
        if (job.round == chosen->warm_up)
            tell_strike(chosen->strike);
        work_for(0.5);
        if (job.comm != MPI_COMM_NULL)
            one->run(&job);
    }
    end_job(one->varies & TO_FINALIZE ? "finalize" : chosen->ending);
    return 0;
}

int run_case(int argc, char **argv, const char *file, const struct fault_case *cases, int count) {
    struct variant chosen = read_variant(argc, argv);
    chosen.threads = strstr(file, "thread") != NULL;
    for (int i = 0; i < count; ++i) {
        if (chosen.list)
            print_truth(&chosen, file, &cases[i]);
        else if (is_called(cases[i].function, chosen.name)) {
            if (!chosen.truth)
                return run_chosen(argc, argv, &chosen, &cases[i]);
            print_truth(&chosen, file, &cases[i]);
            return 0;
        }
    }
    if (!chosen.list)
        fprintf(stderr, "there is no case %s; --list shows all\n", chosen.name);
    return chosen.list ? 0 : 2;
}
