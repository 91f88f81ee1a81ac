// SPDX-License-Identifier: GPL-3.0-or-later
// Messages go round a ring, for ever or until rank 1 comes to an end in the way that the first argument says. The second one is
// a folder: each rank counts its finished calls in a file there, in memory that outlives the process.
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct witness {
    int64_t pid;
    volatile int64_t calls; // MPI_Sendrecv that have returned
    volatile int64_t ends;  // the rank is about to end, or to stand still
    volatile int64_t works; // calls of work() that have returned
};

static struct witness *open_witness(const char *folder, int rank) {
    char path[4096];
    snprintf(path, sizeof path, "%s/witness-%d", folder, rank);
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0 || ftruncate(file, sizeof(struct witness)) != 0)
        return NULL;
    void *memory = mmap(NULL, sizeof(struct witness), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

// Recorded twice each time it is called.
static __attribute__((noinline)) int work(int value) { return value * 3 + 1; }

static void end_it(const char *how) {
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "segfault"))
        *(volatile int *)NULL = 1;
    if (!strcmp(how, "mpi-abort"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (!strcmp(how, "mpi-error"))
        MPI_Send(how, 1, MPI_CHAR, 77, 5, MPI_COMM_WORLD);
    for (;;) // "stand"
        pause();
}

int main(int argc, char **argv) {
    int rank, ranks, value = 1, got;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    struct witness *witness = argc == 3 ? open_witness(argv[2], rank) : NULL;
    if (!witness)
        return 2;
    witness->pid = getpid();
    for (int round = 0;; round++) {
        if (rank == 1 && round == 50 && strcmp(argv[1], "run") != 0) {
            witness->ends = 1;
            end_it(argv[1]);
        }
        MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % ranks, round % 30000, &got, 1, MPI_INT, (rank + ranks - 1) % ranks,
                     round % 30000, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        witness->calls++;
        // So that there is more to be recorded than waits, and what kills may come at any moment of recording.
        for (int i = 0; i < 300 && strcmp(argv[1], "run") == 0; i++) {
            value = work(value);
            witness->works++;
        }
        for (int i = 0; i < 10 && strcmp(argv[1], "run") == 0; i++) {
            MPI_Sendrecv(&value, 1, MPI_INT, 0, i, &got, 1, MPI_INT, 0, i, MPI_COMM_SELF, MPI_STATUS_IGNORE);
            witness->calls++;
        }
    }
}
