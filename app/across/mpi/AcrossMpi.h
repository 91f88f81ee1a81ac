// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdint.h>

/* What a library that is built for one MPI offers to laggard-analyze, which knows no MPI: a table of functions without MPI's
   types. Each returns 0, or an error code of MPI. */
#ifdef __cplusplus
extern "C" {
#endif

struct LaggardAcrossMpi {
    uint32_t version; /* laggardAcrossVersion */
    /* MPI_Init, and which process of how many this is. */
    int (*start)(int *rank, int *size);
    int (*send)(int to, const void *bytes, uint64_t size);
    /* The size of the next message, then the message. */
    int (*receiveSize)(int from, uint64_t *size);
    int (*receive)(int from, void *bytes, uint64_t size);
    /* MPI_Alltoall of one number for each process. */
    int (*exchangeSizes)(const uint64_t *out, uint64_t *in);
    /* MPI_Alltoallv: bytes for process i are at out[i], those from it come to in[i]. In rounds, as counts of MPI are ints. */
    int (*exchange)(const void *const *out, const uint64_t *outSizes, void *const *in, const uint64_t *inSizes);
    int (*finish)(void);
    /* MPI_Abort: ends all processes. */
    void (*abort)(int status);
    /* The text of an error code, at most `size` bytes with the 0. */
    void (*describe)(int error, char *text, int size);
};

enum { laggardAcrossVersion = 1 };

/* The library's only symbol. */
const struct LaggardAcrossMpi *laggard_across_mpi(void);

#ifdef __cplusplus
}
#endif
