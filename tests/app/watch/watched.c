// SPDX-License-Identifier: GPL-3.0-or-later
// Rounds of work, a message to the next rank and a sum of all, for a number of seconds; what else happens, the first argument
// says. Work is time that passes and costs no processor, so that many such jobs can be looked at on a small machine.
//
// Usage: watched HOW [SECONDS [SEED]]
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int rank, ranks, victim;
static const char *how;
static double begun, length;

static double passed(void) { return MPI_Wtime() - begun; }
static int is(const char *name) { return !strcmp(how, name); }

// Uneven, as work is.
static double uneven(double seconds) { return seconds * (0.5 + rand() / (double)RAND_MAX); }

static __attribute__((noinline)) void work(double seconds) {
    const struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

static __attribute__((noinline)) void never_ends(void) {
    for (;;)
        work(1);
}

// Writes for so long, slowly, as to a file system that is busy.
static __attribute__((noinline)) void write_checkpoint(double seconds) {
    static char block[65536];
    FILE *file = tmpfile();
    for (const double until = passed() + seconds; file && passed() < until; work(0.1)) {
        rewind(file);
        fwrite(block, 1, sizeof block, file);
        fflush(file);
    }
    if (file)
        fclose(file);
}

static __attribute__((noinline)) void exchange(int round) {
    int out = round, in = 0;
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % ranks, 1, &in, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (in != round)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static __attribute__((noinline)) int go_on(void) {
    int mine = passed() < length, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

// In the middle of the time, once.
static void middle(void) {
    int value = 0;
    if (is("spin") && rank == victim)
        never_ends();
    if (is("missing-send") && rank != victim) { // the neighbours of who does not send wait for it, and it for the sum
        MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % ranks, 2, &value, 1, MPI_INT, (rank + ranks - 1) % ranks, 2, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    }
    if (is("deadlock")) // each waits for the one before it
        MPI_Recv(&value, 1, MPI_INT, (rank + ranks - 1) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (is("mismatch"))
        rank == victim ? MPI_Barrier(MPI_COMM_WORLD) : MPI_Bcast(&value, 1, MPI_INT, victim, MPI_COMM_WORLD);
    if (is("long-phase") && rank == 0) // the others wait
        work(length / 2);
    if (is("one-checkpoint") && rank == 0)
        write_checkpoint(length / 2);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    how = argc > 1 ? argv[1] : "sound";
    length = argc > 2 ? atof(argv[2]) : 5;
    const int seed = argc > 3 ? atoi(argv[3]) : 1;
    victim = seed % ranks;
    srand((unsigned)(seed * 1000 + rank));
    begun = MPI_Wtime();
    int wasMiddle = 0;
    for (int round = 0; go_on(); round++) {
        const int isLate = round > 0 && passed() > length / 2;
        double share = 0.02;
        if (is("load") && isLate) // the work has grown
            share = 0.3;
        if (is("one-slow") && isLate && rank == victim)
            share = 1;
        if (is("phases")) // seconds of work, then seconds of messages
            share = (int)(passed() / 4) % 2 == 0 ? 1.5 : 0.002;
        work(uneven(share));
        exchange(round);
        if (is("checkpoints") && round % 100 == 99) {
            if (rank == 0)
                write_checkpoint(3);
            MPI_Barrier(MPI_COMM_WORLD);
        }
        // All at the same round: by the clock of rank 0.
        int isMiddle = isLate;
        MPI_Bcast(&isMiddle, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (isMiddle && !wasMiddle) {
            wasMiddle = 1;
            middle();
        }
    }
    if (rank == 0)
        puts("finished");
    MPI_Finalize();
    return 0;
}
