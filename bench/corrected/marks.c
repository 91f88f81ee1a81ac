// SPDX-License-Identifier: GPL-3.0-or-later
// The least that tells how long a run is that nobody records: preloaded, it notes when each rank leaves MPI_Init, when it comes
// to MPI_Finalize, and when it begins every hundredth call of some functions. What a call costs by it: an addition, and the jump.
// Writes MARKS_DIR/RANK.marks: a line "FUNCTION NUMBER NANOSECONDS" for each mark, by the clock that never steps.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { EVERY = 100, MOST = 100000 };

struct mark {
    const char *function;
    unsigned number;
    long long time;
};
static struct mark marks[MOST];
static unsigned count;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void mark(const char *function, unsigned number) {
    if (count < MOST)
        marks[count++] = (struct mark){function, number, now()};
}

static void write_marks(void) {
    const char *folder = getenv("MARKS_DIR");
    int rank = 0;
    char path[4096];
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/%d.marks", folder ? folder : ".", rank);
    FILE *file = fopen(path, "w");
    if (!file)
        return;
    for (unsigned i = 0; i < count; i++)
        fprintf(file, "%s %u %lld\n", marks[i].function, marks[i].number, marks[i].time);
    fclose(file);
}

int MPI_Init(int *argc, char ***argv) {
    int result = PMPI_Init(argc, argv);
    mark("MPI_Init", 1);
    return result;
}
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
    int result = PMPI_Init_thread(argc, argv, required, provided);
    mark("MPI_Init", 1);
    return result;
}
int MPI_Finalize(void) {
    mark("MPI_Finalize", 1);
    write_marks();
    return PMPI_Finalize();
}

// In Fortran, MPICH's functions call those of C inside of the library, where no other can take their place.
void pmpi_init_(MPI_Fint *error);
void pmpi_finalize_(MPI_Fint *error);
void mpi_init_(MPI_Fint *error) {
    pmpi_init_(error);
    mark("MPI_Init", 1);
}
void mpi_finalize_(MPI_Fint *error) {
    mark("MPI_Finalize", 1);
    write_marks();
    pmpi_finalize_(error);
}

#define COUNTED(name, parameters, arguments)                                                                                     \
    int MPI_##name parameters {                                                                                                  \
        static unsigned calls;                                                                                                   \
        if (++calls % EVERY == 0)                                                                                                \
            mark("MPI_" #name, calls);                                                                                           \
        return PMPI_##name arguments;                                                                                            \
    }

COUNTED(Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
COUNTED(Bsend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
COUNTED(Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s), (b, n, t, from, tag, c, s))
COUNTED(Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, to, tag, c, r))
COUNTED(Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, from, tag, c, r))
COUNTED(Sendrecv,
        (const void *b, int n, MPI_Datatype t, int to, int tag, void *rb, int rn, MPI_Datatype rt, int from, int rtag, MPI_Comm c,
         MPI_Status *s),
        (b, n, t, to, tag, rb, rn, rt, from, rtag, c, s))
COUNTED(Wait, (MPI_Request * r, MPI_Status *s), (r, s))
COUNTED(Waitall, (int n, MPI_Request r[], MPI_Status s[]), (n, r, s))
COUNTED(Waitany, (int n, MPI_Request r[], int *i, MPI_Status *s), (n, r, i, s))
COUNTED(Barrier, (MPI_Comm c), (c))
COUNTED(Bcast, (void *b, int n, MPI_Datatype t, int root, MPI_Comm c), (b, n, t, root, c))
COUNTED(Reduce, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c), (s, b, n, t, o, root, c))
COUNTED(Allreduce, (const void *s, void *b, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, b, n, t, o, c))
COUNTED(Alltoall, (const void *s, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c), (s, n, t, b, m, u, c))
