/* SPDX-License-Identifier: GPL-3.0-or-later
 * Further programs that hang in one way each (u…), and some that do not (v…), as bug reports of applications tell them: the name
 * by which it is called chooses (unseen.truth.jsonl). When one is about to hang, it writes the file that MOMENT_FILE names. */
#include <fcntl.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BAD_STEP = 4, CELLS = 512, LARGE = 200000 };

static int me, ranks, step;
static double cells[CELLS], halo[4][CELLS], result;
static double *large;
static volatile double keep;
static MPI_Comm grid, node, leaders;
static int north, south, west, east;

static void about_to_hang(void) {
    const char *file = getenv("MOMENT_FILE");
    int at = file ? open(file, O_CREAT | O_WRONLY, 0644) : -1;
    if (at >= 0)
        close(at);
}
static int is_bad(int who) {
    if (me != who || step != BAD_STEP)
        return 0;
    about_to_hang();
    return 1;
}

__attribute__((noinline)) static void relax(int sweeps) {
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int i = 1; i + 1 < CELLS; ++i)
            cells[i] = 0.4 * cells[i] + 0.3 * (cells[i - 1] + cells[i + 1]);
    keep = cells[7];
}
__attribute__((noinline)) static double residual(void) {
    double own = cells[3], all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}
__attribute__((noinline)) static void exchange_faces(int to_east) {
    MPI_Request open[8];
    const int peers[4] = {north, south, west, east};
    for (int i = 0; i < 4; ++i)
        MPI_Irecv(halo[i], 16, MPI_DOUBLE, peers[i], 70, grid, &open[i]);
    for (int i = 0; i < 4; ++i)
        MPI_Isend(cells, 16, MPI_DOUBLE, i == 3 ? to_east : peers[i], 70, grid, &open[4 + i]);
    MPI_Waitall(8, open, MPI_STATUSES_IGNORE);
}

/* One rank believes that it has converged and leaves out the exchange. */
static void u01(void) {
    if (!is_bad(6))
        exchange_faces(east);
}
/* A neighbour list with a wrong entry. */
static void u02(void) {
    int to = east;
    if (is_bad(11))
        MPI_Cart_shift(grid, 1, 2, &to, &to);
    exchange_faces(to);
}
/* Output goes by the first rank of each node; one rank has nothing to write. */
static void u03(void) {
    static double all[4 * CELLS];
    if (!is_bad(5))
        MPI_Gather(cells, CELLS, MPI_DOUBLE, all, CELLS, MPI_DOUBLE, 0, node);
}
__attribute__((noinline)) static int merge_runs(int n) {
    int low = 0, high = n;
    while (low < high) { /* never gets nearer */
        const int middle = (low + high) / 2;
        keep = middle;
        if (keep < 0)
            high = middle;
        low = keep < n ? low : middle;
    }
    return low;
}
static void u04(void) {
    static int counts[64], starts[64], mine[64], theirs[64];
    if (is_bad(13))
        merge_runs(9);
    for (int i = 0; i < ranks; ++i)
        counts[i] = 1, starts[i] = i;
    MPI_Alltoallv(mine, counts, starts, MPI_INT, theirs, counts, starts, MPI_INT, MPI_COMM_WORLD);
}
/* Waits for a licence file that nobody makes. */
__attribute__((noinline)) static void wait_for_file(const char *name) {
    while (access(name, F_OK) != 0)
        usleep(200000);
}
static void u05(void) {
    if (is_bad(9))
        wait_for_file("/nonexistent/licence");
}
/* The master hands out tasks, and forgets to tell one worker that there are no more. */
static void u06(void) {
    int task = 0;
    if (me == 0) {
        for (int i = 0; i < 3 * (ranks - 1); ++i) {
            MPI_Status from;
            MPI_Recv(&task, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &from);
            MPI_Send(&i, 1, MPI_INT, from.MPI_SOURCE, 2, MPI_COMM_WORLD);
        }
        for (int worker = 1; worker < ranks; ++worker) {
            task = -1;
            if (worker == 5 && is_bad(0))
                continue;
            MPI_Recv(&task, 1, MPI_INT, worker, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            task = -1;
            MPI_Send(&task, 1, MPI_INT, worker, 2, MPI_COMM_WORLD);
        }
        return;
    }
    do {
        MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        relax(20);
    } while (task >= 0);
}
/* Persistent requests; one is not started. */
static void u07(void) {
    static MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    if (step == 0) {
        MPI_Send_init(cells, 8, MPI_DOUBLE, (me + 1) % ranks, 5, MPI_COMM_WORLD, &both[0]);
        MPI_Recv_init(halo[0], 8, MPI_DOUBLE, (me + ranks - 1) % ranks, 5, MPI_COMM_WORLD, &both[1]);
    }
    MPI_Start(&both[1]);
    if (!is_bad(8))
        MPI_Start(&both[0]);
    MPI_Wait(&both[1], MPI_STATUS_IGNORE);
    MPI_Wait(&both[0], MPI_STATUS_IGNORE);
}
/* A reduction that overlaps with work; one rank does not take part. */
static void u08(void) {
    MPI_Request open = MPI_REQUEST_NULL;
    double own = cells[1], all;
    if (!is_bad(3))
        MPI_Iallreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &open);
    relax(10);
    MPI_Wait(&open, MPI_STATUS_IGNORE);
}
/* The pivot goes along the node's ranks, but one asks everybody. */
static void u09(void) { MPI_Bcast(cells, 8, MPI_DOUBLE, 0, is_bad(10) ? MPI_COMM_WORLD : node); }
/* Reads from another's memory under a lock, and does not come back from what it does there. */
static void u10(void) {
    static MPI_Win window = MPI_WIN_NULL;
    static double *memory;
    if (step == 0)
        MPI_Win_allocate(sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    double value = 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&value, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, window);
    MPI_Win_flush(0, window);
    if (is_bad(2))
        merge_runs(5);
    MPI_Win_unlock(0, window);
}
/* One rank leaves out a fence. */
static void u11(void) {
    static MPI_Win window = MPI_WIN_NULL;
    static double memory[4];
    if (step == 0)
        MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(cells, 1, MPI_DOUBLE, (me + 1) % ranks, 0, 1, MPI_DOUBLE, window);
    if (!is_bad(7))
        MPI_Win_fence(0, window);
}
/* Two locks, taken in another order by a thread for output. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER, file_lock = PTHREAD_MUTEX_INITIALIZER;
static void *write_out(void *nothing) {
    pthread_mutex_lock(&file_lock);
    usleep(300000);
    pthread_mutex_lock(&list_lock);
    pthread_mutex_unlock(&list_lock);
    pthread_mutex_unlock(&file_lock);
    return nothing;
}
static void u12(void) {
    if (!is_bad(12))
        return;
    pthread_t writer;
    pthread_mutex_lock(&list_lock);
    pthread_create(&writer, NULL, write_out, NULL);
    usleep(100000);
    pthread_mutex_lock(&file_lock);
    pthread_mutex_unlock(&file_lock);
    pthread_mutex_unlock(&list_lock);
    pthread_join(writer, NULL);
}
/* Calls a program for post-processing that does not end. */
static void u13(void) {
    if (!is_bad(1))
        return;
    const pid_t child = fork();
    if (child == 0) {
        execlp("sleep", "sleep", "300", (char *)NULL);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
}
/* Opens a pipe to a viewer that is not there. */
static void u14(void) {
    if (!is_bad(14))
        return;
    const char *folder = getenv("TMPDIR");
    char name[256];
    snprintf(name, sizeof name, "%s/unseen-%d", folder != NULL ? folder : P_tmpdir, (int)getpid());
    mkfifo(name, 0600);
    const int file = open(name, O_WRONLY);
    close(file);
}
/* Ends as soon as its own part is done. */
static int is_done;
static void u15(void) {
    if (is_bad(5))
        is_done = 1;
}
/* Two ranks send each other more than is sent at once. */
static void u16(void) {
    if (step == BAD_STEP && (me == 4 || me == 9)) {
        const int other = me == 4 ? 9 : 4;
        about_to_hang();
        MPI_Send(large, LARGE, MPI_DOUBLE, other, 30, MPI_COMM_WORLD);
        MPI_Recv(large, LARGE, MPI_DOUBLE, other, 30, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
/* The same around a ring of all. */
static void u17(void) {
    const int count = step == BAD_STEP ? LARGE : 4;
    is_bad(0);
    MPI_Send(large, count, MPI_DOUBLE, (me + 1) % ranks, 31, MPI_COMM_WORLD);
    MPI_Recv(large, count, MPI_DOUBLE, (me + ranks - 1) % ranks, 31, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/* Each node's first rank tells rank 0; one with a wrong tag. */
static void u18(void) {
    int value = me;
    if (me != 0 && me % 4 == 0)
        MPI_Send(&value, 1, MPI_INT, 0, is_bad(8) ? 41 : 40, MPI_COMM_WORLD);
    for (int from = 4; me == 0 && from < ranks; from += 4)
        MPI_Recv(&value, 1, MPI_INT, from, 40, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
/* Rank 0 looks how much comes from each; one sends nothing where it should send an empty message. */
static void u19(void) {
    if (me == 0)
        for (int from = 1; from < ranks; ++from) {
            MPI_Status status;
            int count;
            MPI_Probe(from, 44, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_DOUBLE, &count);
            MPI_Recv(halo[0], count, MPI_DOUBLE, from, 44, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    else if (!is_bad(15))
        MPI_Send(cells, me % 3, MPI_DOUBLE, 0, 44, MPI_COMM_WORLD);
}
/* Neighbours on a graph; one rank leaves it out. */
static void u20(void) {
    static MPI_Comm graph = MPI_COMM_NULL;
    if (step == 0) {
        int two[2] = {(me + 1) % ranks, (me + ranks - 1) % ranks};
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, two, MPI_UNWEIGHTED, 2, two, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    }
    if (!is_bad(9))
        MPI_Neighbor_allgather(cells, 4, MPI_DOUBLE, halo[0], 4, MPI_DOUBLE, graph);
}
/* Communicators are made anew, and one rank thinks that nothing has changed. */
static void u21(void) {
    MPI_Comm fresh = MPI_COMM_NULL;
    if (!is_bad(6))
        MPI_Comm_split(MPI_COMM_WORLD, me % 3, me, &fresh);
    if (fresh != MPI_COMM_NULL)
        MPI_Comm_free(&fresh);
}
/* A sum over a tree made by hand; one takes another's child for its own. */
static void u22(void) {
    double own = 1, part;
    for (int child = 2 * me + 1; child <= 2 * me + 2 && child < ranks; ++child) {
        const int from = child == 11 && is_bad(5) ? 13 : child;
        MPI_Recv(&part, 1, MPI_DOUBLE, from, 50, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        own += part;
    }
    if (me != 0)
        MPI_Send(&own, 1, MPI_DOUBLE, (me - 1) / 2, 50, MPI_COMM_WORLD);
}
/* Asks again and again whether a message has come. */
static void u23(void) {
    if (me == 3 && !is_bad(3))
        MPI_Send(cells, 2, MPI_DOUBLE, 10, 60, MPI_COMM_WORLD);
    if (me == 10) {
        MPI_Request open;
        MPI_Irecv(halo[1], 2, MPI_DOUBLE, 3, 60, MPI_COMM_WORLD, &open);
        for (int done = 0; !done; MPI_Test(&open, &done, MPI_STATUS_IGNORE))
            relax(2);
    }
}
/* Numbers of first cells; an empty rank leaves it out. */
static void u24(void) {
    int own = 4, before = 0;
    if (!is_bad(7))
        MPI_Scan(&own, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
/* Rank 0 takes one message of each, in whatever order. */
static void u25(void) {
    int value = me;
    if (me == 0)
        for (int i = 1; i < ranks; ++i)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 65, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (!is_bad(11))
        MPI_Send(&value, 1, MPI_INT, 0, 65, MPI_COMM_WORLD);
}
/* First ranks of nodes reduce among themselves; one of them broadcasts to its node first. */
static void u26(void) {
    double sum = 0, own = 1;
    if (is_bad(4))
        MPI_Bcast(&own, 1, MPI_DOUBLE, 1, node);
    if (leaders != MPI_COMM_NULL)
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, leaders);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, node);
}

static void v01(void) { relax(me == 5 ? 20000 : 500); }
static void v02(void) { exchange_faces(east); }
static void v03(void) {
    if (me == 0)
        usleep(700000);
    MPI_Bcast(cells, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void v04(void) {
    relax(rand() % 3000);
    MPI_Allreduce(MPI_IN_PLACE, cells, 8, MPI_DOUBLE, MPI_MAX, node);
}
static void v05(void) { u06(); }
static void v06(void) {
    MPI_Request open;
    double own = 1, all;
    MPI_Iallreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &open);
    for (int done = 0; !done; MPI_Test(&open, &done, MPI_STATUS_IGNORE))
        usleep(1000);
}
static void v07(void) {
    if (me == step % ranks) {
        const int status = system("sleep 0.3");
        keep = status;
    }
}
static void v08(void) {
    if (me != 0)
        MPI_Recv(halo[0], 4, MPI_DOUBLE, me - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    relax(300);
    if (me + 1 < ranks)
        MPI_Send(cells, 4, MPI_DOUBLE, me + 1, 3, MPI_COMM_WORLD);
}
static void v09(void) { u11(); }
static void v10(void) {
    if (me == 0) {
        FILE *file = tmpfile();
        for (int i = 0; file != NULL && i < 100; ++i)
            fwrite(cells, sizeof cells, 1, file);
        if (file != NULL)
            fsync(fileno(file)), fclose(file);
    }
    MPI_Gather(cells, 4, MPI_DOUBLE, me == 0 ? large : NULL, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}
static void v11(void) { u07(); }
static void v12(void) {
    double sum = 0, own = 1;
    if (leaders != MPI_COMM_NULL)
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, leaders);
    MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, node);
    relax(me / 4 == 2 ? 4000 : 100);
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*act)(void);
    } programs[] = {{"u01", u01}, {"u02", u02}, {"u03", u03}, {"u04", u04}, {"u05", u05}, {"u06", u06}, {"u07", u07},
                    {"u08", u08}, {"u09", u09}, {"u10", u10}, {"u11", u11}, {"u12", u12}, {"u13", u13}, {"u14", u14},
                    {"u15", u15}, {"u16", u16}, {"u17", u17}, {"u18", u18}, {"u19", u19}, {"u20", u20}, {"u21", u21},
                    {"u22", u22}, {"u23", u23}, {"u24", u24}, {"u25", u25}, {"u26", u26}, {"v01", v01}, {"v02", v02},
                    {"v03", v03}, {"v04", v04}, {"v05", v05}, {"v06", v06}, {"v07", v07}, {"v08", v08}, {"v09", v09},
                    {"v10", v10}, {"v11", v11}, {"v12", v12}};
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    int shape[2] = {4, 4}, periods[2] = {1, 1};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    shape[0] = ranks / 4;
    MPI_Cart_create(MPI_COMM_WORLD, 2, shape, periods, 0, &grid);
    MPI_Cart_shift(grid, 0, 1, &north, &south);
    MPI_Cart_shift(grid, 1, 1, &west, &east);
    MPI_Comm_split(MPI_COMM_WORLD, me / 4, me, &node);
    MPI_Comm_split(MPI_COMM_WORLD, me % 4 == 0 ? 0 : MPI_UNDEFINED, me, &leaders);
    large = calloc(LARGE, sizeof *large);
    for (unsigned i = 0; i < sizeof programs / sizeof *programs; ++i)
        for (step = 0; strcmp(programs[i].name, name) == 0 && step < (name[0] == 'v' ? 1000000 : 40) && !is_done; ++step) {
            if (name[0] == 'v' && step == BAD_STEP)
                ++step; /* without a fault */
            relax(50);
            programs[i].act();
            if (!is_done)
                result = residual();
        }
    MPI_Finalize();
    return 0;
}
