/* SPDX-License-Identifier: GPL-3.0-or-later
 * Programs that hang in one way each, and some that do not: the name by which it is called chooses (fresh.truth.jsonl).
 * When one is about to hang, it writes the file that MOMENT_FILE names. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEPS = 60, FAULT_AT = 20, FIELD = 64 };

static int rank, size;
static double field[FIELD], ghost[FIELD], total;
static volatile double sink;
static MPI_Comm row;

static void mark(void) {
    const char *file = getenv("MOMENT_FILE");
    int at = file ? open(file, O_CREAT | O_WRONLY, 0644) : -1;
    if (at >= 0)
        close(at);
}

__attribute__((noinline)) static void smooth(int rounds) {
    for (int round = 0; round < rounds; ++round)
        for (int i = 1; i + 1 < FIELD; ++i)
            field[i] = 0.5 * field[i] + 0.25 * (field[i - 1] + field[i + 1]) + 1e-3;
    sink = field[FIELD / 2];
}

__attribute__((noinline)) static void refine(double wanted) {
    double at = 1;
    while (!(at < wanted)) /* wanted is negative */
        at = 0.5 * at + 1e-9;
    sink = at;
}

static int left(void) { return (rank + size - 1) % size; }
static int right(void) { return (rank + 1) % size; }

__attribute__((noinline)) static void shift(int tag) {
    MPI_Sendrecv(field, FIELD, MPI_DOUBLE, right(), tag, ghost, FIELD, MPI_DOUBLE, left(), tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void sum(MPI_Comm comm) {
    double own = field[1];
    MPI_Allreduce(&own, &total, 1, MPI_DOUBLE, MPI_SUM, comm);
}

/* A message to the right, small enough not to wait for it. */
__attribute__((noinline)) static void hand_on(int to, int tag) {
    if (to >= 0)
        MPI_Send(field, 4, MPI_DOUBLE, to, tag, MPI_COMM_WORLD);
    if (left() != MPI_PROC_NULL)
        MPI_Recv(ghost, 4, MPI_DOUBLE, left(), 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void steps_of_hand_on(int guilty, int wrong_to, int wrong_tag) {
    for (int step = 0; step < STEPS; ++step) {
        const int bad = step == FAULT_AT && rank == guilty;
        smooth(2000);
        if (bad)
            mark();
        hand_on(bad ? wrong_to : right(), bad ? wrong_tag : 11);
        sum(MPI_COMM_WORLD);
    }
}

static void g01(void) {
    for (int step = 0; step < STEPS; ++step) {
        shift(3);
        smooth(2000);
        if (rank == 5 && step == FAULT_AT) {
            mark();
            refine(-1);
        }
        sum(MPI_COMM_WORLD);
    }
}
static void g02(void) { steps_of_hand_on(9, -1, 11); }
static void g03(void) { steps_of_hand_on(3, right(), 12); }
static void g04(void) { steps_of_hand_on(7, (rank + 2) % size, 11); }
static void g05(void) {
    sum(MPI_COMM_WORLD);
    if (rank == 1 || rank == 2) {
        mark();
        MPI_Recv(ghost, 4, MPI_DOUBLE, 3 - rank, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(field, 4, MPI_DOUBLE, 3 - rank, 8, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
static void g06(void) {
    for (int step = 0; step < 5; ++step) {
        shift(1);
        smooth(500);
    }
    mark();
    MPI_Ssend(field, FIELD, MPI_DOUBLE, right(), 2, MPI_COMM_WORLD);
    MPI_Recv(ghost, FIELD, MPI_DOUBLE, left(), 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void g07(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 12 && step == FAULT_AT) {
            mark();
            return;
        }
        sum(MPI_COMM_WORLD);
    }
}
static void g08(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 6 && step == FAULT_AT)
            mark();
        else
            MPI_Barrier(MPI_COMM_WORLD);
        sum(MPI_COMM_WORLD);
    }
}
static void g09(void) {
    for (int step = 0; step < STEPS; ++step) {
        const int bad = rank == 2 && step == FAULT_AT;
        smooth(2000);
        if (bad)
            mark();
        MPI_Bcast(field, FIELD, MPI_DOUBLE, bad ? 1 : 0, MPI_COMM_WORLD);
        sum(MPI_COMM_WORLD);
    }
}
static void g10(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (step == FAULT_AT && rank == 1)
            mark();
        sum(step == FAULT_AT && rank == 1 ? MPI_COMM_SELF : MPI_COMM_WORLD);
    }
}

__attribute__((noinline)) static void master(int stops_all, int without) {
    for (int task = 0; task < 10 * (size - 1); ++task) {
        MPI_Status status;
        MPI_Recv(ghost, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
        MPI_Send(field, 4, MPI_DOUBLE, status.MPI_SOURCE, 6, MPI_COMM_WORLD);
    }
    for (int worker = 1; stops_all && worker < size; ++worker) {
        MPI_Recv(ghost, 4, MPI_DOUBLE, worker, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (worker == without)
            mark();
        else
            MPI_Send(field, 4, MPI_DOUBLE, worker, 7, MPI_COMM_WORLD);
    }
}
__attribute__((noinline)) static void worker(int stuck) {
    for (int task = 0;; ++task) {
        MPI_Status status;
        smooth(1000);
        if (rank == stuck && task == 5) {
            mark();
            for (;;)
                pause();
        }
        MPI_Send(field, 4, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
        MPI_Recv(ghost, 4, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == 7)
            return;
    }
}
static void g11(void) {
    if (rank == 0)
        master(1, -1);
    else
        worker(11);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void g12(void) {
    if (rank == 0)
        master(1, 4);
    else
        worker(-1);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void g13(void) {
    for (int step = 0; step < STEPS; ++step) {
        MPI_Request requests[2];
        int count = 0;
        smooth(2000);
        MPI_Irecv(ghost, 4, MPI_DOUBLE, left(), 4, MPI_COMM_WORLD, &requests[count++]);
        if (rank == 8 && step == FAULT_AT)
            mark();
        else
            MPI_Isend(field, 4, MPI_DOUBLE, right(), 4, MPI_COMM_WORLD, &requests[count++]);
        MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
        sum(MPI_COMM_WORLD);
    }
}
static void g14(void) {
    sum(MPI_COMM_WORLD);
    if (rank == 2) {
        MPI_Status status;
        mark();
        MPI_Probe(3, 5, MPI_COMM_WORLD, &status);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}
static void g15(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 3 && step == FAULT_AT) {
            int ends[2];
            char byte;
            if (pipe(ends) == 0) {
                mark();
                if (read(ends[0], &byte, 1) < 0)
                    perror("read");
            }
        }
        sum(MPI_COMM_WORLD);
    }
}
static void g16(void) {
    for (int step = 0; step < STEPS; ++step) {
        shift(3);
        if (rank == 10 && step == FAULT_AT) {
            mark();
            raise(SIGSTOP);
        }
    }
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *holder(void *nothing) {
    pthread_mutex_lock(&lock);
    for (;;)
        pause();
    return nothing;
}
static void g17(void) {
    sum(MPI_COMM_WORLD);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, holder, NULL);
        usleep(200000);
        mark();
        pthread_mutex_lock(&lock);
    }
    sum(MPI_COMM_WORLD);
}
static void g18(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 5 && step == FAULT_AT)
            mark();
        else
            sum(row);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void g19(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 14 && step == FAULT_AT) {
            struct stat status;
            mark();
            while (stat("/nonexistent/ready", &status) != 0)
                usleep(1000);
        }
        sum(MPI_COMM_WORLD);
    }
}
static void g20(void) {
    double all[64 * 4];
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 15 && step == FAULT_AT)
            mark();
        else
            MPI_Gather(field, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void g21(void) {
    static double large[1 << 18];
    sum(MPI_COMM_WORLD);
    if (rank < 2) {
        mark();
        MPI_Send(large, 1 << 18, MPI_DOUBLE, 1 - rank, 9, MPI_COMM_WORLD); /* too large to go by itself */
        MPI_Recv(large, 1 << 18, MPI_DOUBLE, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    sum(MPI_COMM_WORLD);
}
static void g22(void) {
    for (int step = 0; step < STEPS; ++step) {
        if (rank > 0)
            MPI_Recv(ghost, 4, MPI_DOUBLE, rank - 1, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        smooth(500);
        if (rank == 0 && step == FAULT_AT) {
            mark();
            refine(-1);
        }
        if (rank + 1 < size)
            MPI_Send(field, 4, MPI_DOUBLE, rank + 1, 21, MPI_COMM_WORLD);
    }
}
static void g23(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(200);
        if (rank == 37 && step == 3) {
            mark();
            refine(-1);
        }
        sum(MPI_COMM_WORLD);
    }
}
static int op_calls;
static void stubborn(void *in, void *out, int *count, MPI_Datatype *type) {
    (void)type;
    if (rank == 3 && ++op_calls > 10) {
        mark();
        refine(-1);
    }
    for (int i = 0; i < *count; ++i)
        ((double *)out)[i] += ((double *)in)[i];
}
static void g24(void) {
    MPI_Op op;
    MPI_Op_create(stubborn, 1, &op);
    for (int step = 0; step < STEPS; ++step) {
        double own = 1;
        smooth(2000);
        MPI_Allreduce(&own, &total, 1, MPI_DOUBLE, op, MPI_COMM_WORLD);
    }
}
static void g25(void) {
    double large[2] = {0, 0};
    sum(MPI_COMM_WORLD);
    if (rank == 1 || rank == 2) {
        mark();
        if (rank == 1)
            MPI_Recv(large, 1, MPI_DOUBLE, 2, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Ssend(large, 1, MPI_DOUBLE, 1, 32, MPI_COMM_WORLD);
    }
    sum(MPI_COMM_WORLD);
}
static void g26(void) {
    for (int step = 0; step < STEPS; ++step) {
        smooth(2000);
        if (rank == 13 && step == FAULT_AT) {
            int there = 0;
            mark();
            while (!there)
                MPI_Iprobe(12, 99, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

/* Sound ones: some 15 to 60 seconds, depending on the machine. */
static void s01(void) {
    for (int step = 0; step < 30; ++step) {
        if (rank == 0)
            smooth(2000000);
        MPI_Bcast(field, FIELD, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        smooth(1000);
    }
}
static void s02(void) {
    if (rank == 0) {
        for (int task = 0; task < 60 * (size - 1); ++task) {
            MPI_Status status;
            MPI_Recv(ghost, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
            MPI_Send(field, 4, MPI_DOUBLE, status.MPI_SOURCE, task < 59 * (size - 1) ? 6 : 7, MPI_COMM_WORLD);
        }
    } else
        for (int task = 0, tag = 6; tag != 7; ++task) {
            MPI_Status status;
            smooth(20000 * (1 + (task * 7 + rank * 3) % 13));
            MPI_Send(field, 4, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD);
            MPI_Recv(ghost, 4, MPI_DOUBLE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            tag = status.MPI_TAG;
        }
}
static void s03(void) {
    for (int step = 0; step < 60; ++step) {
        if (step % size == rank)
            usleep(400000);
        sum(MPI_COMM_WORLD);
    }
}
static void s04(void) {
    for (int step = 0; step < 40000; ++step) {
        shift(3);
        smooth(3000);
        if (step % 10 == 0)
            sum(MPI_COMM_WORLD);
    }
}
static void s05(void) {
    for (int step = 0; step < 100; ++step) {
        if (rank > 0)
            MPI_Recv(ghost, 4, MPI_DOUBLE, rank - 1, 21, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        smooth(rank == 2 ? 400000 : 50000);
        if (rank + 1 < size)
            MPI_Ssend(field, 4, MPI_DOUBLE, rank + 1, 21, MPI_COMM_WORLD);
    }
}
static void s06(void) {
    for (int step = 0; step < 150; ++step) {
        MPI_Request request;
        int done = 0;
        smooth(rank == 1 ? 300000 : 1000);
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        while (!done) {
            usleep(500);
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        }
    }
}
static void s07(void) {
    for (int step = 0; step < 300; ++step) {
        smooth(rank / 4 == 1 ? 100000 : 10000);
        for (int inner = 0; inner < 10; ++inner)
            sum(row);
        if (step % 20 == 0)
            MPI_Barrier(MPI_COMM_WORLD);
    }
}
static void s08(void) {
    for (int step = 0; step < 100; ++step) {
        smooth(20000);
        if (rank == 0) {
            const char *folder = getenv("TMPDIR");
            char name[256];
            snprintf(name, sizeof name, "%s/fresh-XXXXXX", folder != NULL ? folder : P_tmpdir);
            int file = mkstemp(name);
            for (int i = 0; i < 50; ++i)
                if (write(file, field, sizeof field) < 0 || fsync(file) != 0)
                    break;
            close(file);
            unlink(name);
        }
        sum(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } programs[] = {{"g01", g01}, {"g02", g02}, {"g03", g03}, {"g04", g04}, {"g05", g05}, {"g06", g06}, {"g07", g07},
                    {"g08", g08}, {"g09", g09}, {"g10", g10}, {"g11", g11}, {"g12", g12}, {"g13", g13}, {"g14", g14},
                    {"g15", g15}, {"g16", g16}, {"g17", g17}, {"g18", g18}, {"g19", g19}, {"g20", g20}, {"g21", g21},
                    {"g22", g22}, {"g23", g23}, {"g24", g24}, {"g25", g25}, {"g26", g26}, {"s01", s01}, {"s02", s02},
                    {"s03", s03}, {"s04", s04}, {"s05", s05}, {"s06", s06}, {"s07", s07}, {"s08", s08}};
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 4, rank, &row);
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; ++i)
        if (strcmp(programs[i].name, name) == 0)
            programs[i].run();
    MPI_Finalize();
    return 0;
}
