/* SPDX-License-Identifier: GPL-3.0-or-later
 * Programs with OpenMP beside MPI that hang in one way each (o…), and one that does not (ok1); the name by which it is called
 * chooses (truth.jsonl). */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, ranks;
static volatile double sink;

static void about_to_hang(void) {
    const char *name = getenv("MOMENT_FILE");
    FILE *file = name ? fopen(name, "w") : NULL;
    if (file)
        fclose(file);
}

/* o1: two locks in opposite order. */
static omp_lock_t first, second;
static void move(omp_lock_t *from, omp_lock_t *to, int wait) {
    omp_set_lock(from);
    if (wait)
        usleep(200000);
    omp_set_lock(to);
    sink += 1;
    omp_unset_lock(to);
    omp_unset_lock(from);
}
static void o1(int step) {
    const int bad = me == 2 && step == 5;
    if (bad)
        about_to_hang();
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        move(&first, &second, bad);
    else
        move(bad ? &second : &first, bad ? &first : &second, bad);
    double own = sink, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* o2: one thread of a team does not find its end. */
static double settle(double x, double eps) {
    while (x > eps)
        x = x > 1 ? x / 2 : x * 1.0;
    return x;
}
static void o2(int step) {
    const int bad = me == 14 && step == 5;
    if (bad)
        about_to_hang();
    double sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 3; ++i)
        sum += settle(100.0, bad && i == 2 ? 0.25 : 2.0);
    double all = 0;
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ok1: threads share the work of a step; a ring passes the result on. */
static void ok1(int step) {
    double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum) schedule(dynamic, 100)
    for (int i = 0; i < 2000 + 300 * ((me + step) % 5); ++i)
        sum += settle(i, 2.0);
    double from_left = 0;
    MPI_Sendrecv(&sum, 1, MPI_DOUBLE, (me + 1) % ranks, 3, &from_left, 1, MPI_DOUBLE, (me + ranks - 1) % ranks, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    sink = from_left;
}

int main(int argc, char **argv) {
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    omp_init_lock(&first);
    omp_init_lock(&second);
    const char *slash = strrchr(argv[0], '/');
    const char *name = slash ? slash + 1 : argv[0];
    void (*const step_of)(int) = strcmp(name, "o1") == 0 ? o1 : strcmp(name, "o2") == 0 ? o2 : ok1;
    for (int step = 0; step < (step_of == ok1 ? 10000000 : 10); ++step)
        step_of(step);
    MPI_Finalize();
    return 0;
}
