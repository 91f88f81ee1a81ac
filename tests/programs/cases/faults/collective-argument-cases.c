// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives that all ranks call in the same order, with arguments that do not fit together. Many of these jobs finish all the
// same.
#include "faults.h"

#include <stdlib.h>

static double values[1024], results[1024];

#define IS_WRONG(j) ((j)->actor == 0 && (j)->faulty)

// Two pairs of words for one rank's choice and everybody else's.
#define ROOT(j) actor_rank(j, IS_WRONG(j) ? 0 : 1)

static void root_of_reduce(struct job *j) { FAULT(MPI_Reduce(values, results, 4, MPI_DOUBLE, MPI_SUM, ROOT(j), j->comm)); }

static void root_of_gather(struct job *j) { FAULT(MPI_Gather(values, 4, MPI_DOUBLE, results, 4, MPI_DOUBLE, ROOT(j), j->comm)); }

static void root_of_bcast(struct job *j) { FAULT(MPI_Bcast(values, 4, MPI_DOUBLE, ROOT(j), j->comm)); }

static void root_of_igather(struct job *j) {
    MPI_Request request;
    FAULT(MPI_Igather(values, 4, MPI_DOUBLE, results, 4, MPI_DOUBLE, ROOT(j), j->comm, &request));
    FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void root_of_ireduce(struct job *j) {
    MPI_Request request;
    FAULT(MPI_Ireduce(values, results, 4, MPI_DOUBLE, MPI_SUM, ROOT(j), j->comm, &request));
    FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

// Each of two ranks takes itself for the root: nobody waits.
static void two_roots_of_bcast(struct job *j) {
    MPI_Comm pair;
    MPI_Comm_split(j->comm, j->actor < 2 ? 1 : 2, j->actor, &pair);
    if (j->actor < 2)
        FAULT(MPI_Bcast(values, 4, MPI_DOUBLE, IS_WRONG(j) ? 0 : 1, pair));
    MPI_Comm_free(&pair);
}

// Each of two ranks takes the other one for the root: both receive.
static void no_root_of_bcast(struct job *j) {
    MPI_Comm pair;
    MPI_Comm_split(j->comm, j->actor < 2 ? 1 : 2, j->actor, &pair);
    if (j->actor < 2)
        FAULT(MPI_Bcast(values, 4, MPI_DOUBLE, IS_WRONG(j) ? 1 : 0, pair));
    MPI_Comm_free(&pair);
}

static void two_roots_of_gather(struct job *j) {
    MPI_Comm pair;
    MPI_Comm_split(j->comm, j->actor < 2 ? 1 : 2, j->actor, &pair);
    if (j->actor < 2)
        FAULT(MPI_Gather(values, 4, MPI_DOUBLE, results, 4, MPI_DOUBLE, j->faulty ? 1 - j->actor : 0, pair));
    MPI_Comm_free(&pair);
}

static void operation_of_allreduce(struct job *j) {
    FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, IS_WRONG(j) ? MPI_MAX : MPI_SUM, j->comm));
}

static void operation_of_reduce(struct job *j) {
    FAULT(MPI_Reduce(values, results, 4, MPI_DOUBLE, IS_WRONG(j) ? MPI_MIN : MPI_SUM, actor_rank(j, 1), j->comm));
}

static void operation_of_scan(struct job *j) {
    FAULT(MPI_Scan(values, results, 4, MPI_DOUBLE, IS_WRONG(j) ? MPI_PROD : MPI_SUM, j->comm));
}

static void operation_of_iallreduce(struct job *j) {
    MPI_Request request;
    FAULT(MPI_Iallreduce(values, results, 4, MPI_DOUBLE, IS_WRONG(j) ? MPI_MAX : MPI_SUM, j->comm, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void datatype_of_bcast(struct job *j) {
    FAULT(MPI_Bcast(values, IS_WRONG(j) ? 8 : 4, IS_WRONG(j) ? MPI_FLOAT : MPI_DOUBLE, actor_rank(j, 1), j->comm));
}

static void datatype_of_allreduce(struct job *j) {
    FAULT(MPI_Allreduce(values, results, 4, IS_WRONG(j) ? MPI_FLOAT : MPI_INT, MPI_SUM, j->comm));
}

static void datatype_of_gather(struct job *j) {
    const int root = actor_rank(j, 1), count = IS_WRONG(j) ? 2 : 1;
    FAULT(MPI_Gather(values, count, IS_WRONG(j) ? MPI_INT : MPI_DOUBLE, results, 1, MPI_DOUBLE, root, j->comm));
}

static void datatype_of_alltoall(struct job *j) {
    MPI_Datatype type = IS_WRONG(j) ? MPI_LONG : MPI_DOUBLE;
    FAULT(MPI_Alltoall(values, 2, type, results, 2, type, j->comm));
}

// Fewer than the others, so that nobody's room is too small in the reduction.
static void count_of_reduce(struct job *j) {
    FAULT(MPI_Reduce(values, results, IS_WRONG(j) ? 2 : 4, MPI_DOUBLE, MPI_SUM, actor_rank(j, 1), j->comm));
}

static void count_of_gather(struct job *j) {
    FAULT(MPI_Gather(values, IS_WRONG(j) ? 1 : 4, MPI_DOUBLE, results, 4, MPI_DOUBLE, actor_rank(j, 1), j->comm));
}

static void count_of_bcast_too_small(struct job *j) {
    FAULT(MPI_Bcast(values, IS_WRONG(j) ? 2 : 600, MPI_DOUBLE, actor_rank(j, -1), j->comm));
}

// More room than the root gives: an error, and the job goes on.
static void count_of_bcast_too_large(struct job *j) {
    FAULT(MPI_Bcast(values, IS_WRONG(j) ? 600 : 4, MPI_DOUBLE, actor_rank(j, -1), j->comm));
}

static void count_of_scatter_too_small(struct job *j) {
    FAULT(MPI_Scatter(values, 64, MPI_DOUBLE, results, IS_WRONG(j) ? 1 : 64, MPI_DOUBLE, actor_rank(j, 1), j->comm));
}

// Right for MPI: the number of elements and their types differ, the signature does not.
static void same_signature_otherwise(struct job *j) {
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Bcast(values, IS_WRONG(j) ? 2 : 4, IS_WRONG(j) ? pair : MPI_DOUBLE, actor_rank(j, 1), j->comm);
    MPI_Type_free(&pair);
}

static void communicator_not_freed(struct job *j) {
    MPI_Comm made;
    MPI_Comm_dup(j->comm, &made);
    if (!IS_WRONG(j))
        MPI_Comm_free(&made);
}

// Amounts for each member. One that gives less than its partner has room for breaks the rules as well, and the job goes on.
static int counts[64], places[64], other_counts[64];

static void set_counts(struct job *j, int count) {
    for (int i = 0; i < j->size && i < 64; ++i) {
        counts[i] = other_counts[i] = count;
        places[i] = 4 * i;
    }
}

static void alltoallv_of(struct job *j, int usual, int given) {
    set_counts(j, usual);
    if (j->actor == 0 && j->faulty)
        counts[actor_rank(j, 1)] = given;
    FAULT(MPI_Alltoallv(values, counts, places, MPI_INT, results, other_counts, places, MPI_INT, j->comm));
}

static void count_of_alltoallv_too_large(struct job *j) { alltoallv_of(j, 2, 4); }
static void count_of_alltoallv_too_small(struct job *j) { alltoallv_of(j, 4, 2); }
// Whoever gives nothing sends nothing, and who has room for something waits for it.
static void nothing_in_alltoallv(struct job *j) { alltoallv_of(j, 4, 0); }

static void gatherv_of(struct job *j, int given) {
    set_counts(j, 4);
    const int mine = j->actor == 0 && j->faulty ? given : 4;
    FAULT(MPI_Gatherv(values, mine, MPI_INT, results, counts, places, MPI_INT, actor_rank(j, 1), j->comm));
}

static void count_of_gatherv(struct job *j) { gatherv_of(j, 2); }
static void nothing_in_gatherv(struct job *j) { gatherv_of(j, 0); }

static void count_of_scatterv(struct job *j) {
    set_counts(j, 2);
    const int mine = j->actor == 0 && j->faulty ? 4 : 2;
    FAULT(MPI_Scatterv(values, counts, places, MPI_INT, results, mine, MPI_INT, actor_rank(j, 1), j->comm));
}

static void count_of_allgatherv(struct job *j) {
    set_counts(j, 4);
    if (j->actor == 0 && j->faulty)
        counts[j->me] = 2;
    FAULT(MPI_Allgatherv(values, counts[j->me], MPI_INT, results, other_counts, places, MPI_INT, j->comm));
}

static void nothing_for_anybody_in_alltoallv(struct job *j) {
    set_counts(j, j->actor == 0 && j->faulty ? 0 : 4);
    for (int i = 0; i < j->size && i < 64; ++i)
        other_counts[i] = 4;
    FAULT(MPI_Alltoallv(values, counts, places, MPI_INT, results, other_counts, places, MPI_INT, j->comm));
}

static void nothing_in_ialltoallv(struct job *j) {
    MPI_Request request;
    set_counts(j, 4);
    if (j->actor == 0 && j->faulty)
        counts[actor_rank(j, -1)] = 0;
    FAULT(MPI_Ialltoallv(values, counts, places, MPI_INT, results, other_counts, places, MPI_INT, j->comm, &request));
    FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void nothing_in_scatterv(struct job *j) {
    set_counts(j, 4);
    if (j->actor == 0 && j->faulty)
        counts[actor_rank(j, 1)] = 0;
    FAULT(MPI_Scatterv(values, counts, places, MPI_INT, results, 4, MPI_INT, actor_rank(j, 0), j->comm));
}

static void counts_of_alltoallv_fit(struct job *j) {
    set_counts(j, 0);
    for (int i = 0; i < j->size && i < 64; ++i) {
        counts[i] = 1 + (j->me + i) % 3;
        other_counts[i] = counts[i];
    }
    MPI_Alltoallv(values, counts, places, MPI_INT, results, other_counts, places, MPI_INT, j->comm);
}

static const struct fault_case CASES[] = {
    CASE(root_of_reduce, "hung", "mismatch", "0", "1", 3, USUAL),
    CASE(root_of_gather, "hung", "mismatch", "0", "1", 3, USUAL),
    CASE(root_of_bcast, "hung|finished", "mismatch", "0", "1", 4, USUAL),
    CASE(root_of_igather, "hung", "mismatch", "0", "1", 3, USUAL),
    CASE(root_of_ireduce, "hung", "mismatch", "0", "1", 3, USUAL),
    CASE(two_roots_of_bcast, "finished", "mismatch", "0,1", "", 2, USUAL),
    CASE(no_root_of_bcast, "hung|finished", "mismatch", "0,1", "", 2, USUAL),
    CASE(two_roots_of_gather, "finished", "mismatch", "0,1", "", 2, USUAL),
    CASE(operation_of_allreduce, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(operation_of_reduce, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(operation_of_scan, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(operation_of_iallreduce, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(datatype_of_bcast, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(datatype_of_allreduce, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(datatype_of_gather, "finished", "mismatch", "0", "1", 3, USUAL),
    CASE(datatype_of_alltoall, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(count_of_reduce, "finished", "mismatch", "0", "", 3, USUAL),
    CASE(count_of_gather, "finished", "mismatch", "0", "1", 3, USUAL),
    CASE(count_of_bcast_too_small, "crashed", "truncation", "0", "-1", 3, USUAL),
    CASE(count_of_bcast_too_large, BY_LIBRARY("crashed", "finished"), "mismatch", "0", "", 3, USUAL),
    CASE(count_of_scatter_too_small, "crashed", "truncation", "0", "1", 3, USUAL),
    CASE(same_signature_otherwise, "finished", "none", "", "", 3, USUAL),
    CASE_WITH(alltoallv_of, count_of_alltoallv_too_large, "crashed", "truncation", "0,1", "", 3, USUAL),
    CASE_WITH(alltoallv_of, count_of_alltoallv_too_small, "finished", "mismatch", "0,1", "", 3, USUAL),
    CASE_WITH(gatherv_of, count_of_gatherv, "finished", "mismatch", "0", "1", 3, USUAL),
    CASE(count_of_scatterv, "finished", "mismatch", "0", "1", 3, USUAL),
    CASE(count_of_allgatherv, "finished", "mismatch", "0", "", 3, USUAL),
    CASE_WITH(alltoallv_of, nothing_in_alltoallv, "hung", "mismatch", "0,1", "", 3, USUAL),
    CASE(nothing_for_anybody_in_alltoallv, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(nothing_in_ialltoallv, "hung", "mismatch", "0,-1", "", 3, USUAL),
    CASE_WITH(gatherv_of, nothing_in_gatherv, "hung", "mismatch", "0,1", "", 3, USUAL),
    CASE(nothing_in_scatterv, "hung", "mismatch", "0,1", "", 3, USUAL),
    CASE(counts_of_alltoallv_fit, "finished", "none", "", "", 3, USUAL),
    CASE(communicator_not_freed, "finished", "none", "", "0", 2, USUAL),
};

MAIN(CASES)
