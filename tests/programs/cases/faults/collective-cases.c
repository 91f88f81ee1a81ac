// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives that not all ranks call, or not in the same order.
#include "faults.h"

static double values[64], results[1024];

// What one rank forgets in the faulty round.
#define UNLESS_FORGOTTEN(j, ...)                                                                                                 \
    if ((j)->actor != 0 || !(j)->faulty)                                                                                         \
    __VA_ARGS__

static void missing_barrier(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Barrier(j->comm)));
    MPI_Allreduce(values, results, 1, MPI_DOUBLE, MPI_SUM, j->other);
}

static void missing_allreduce(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm)));
}

static void missing_bcast_of_root(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Bcast(values, 4, MPI_DOUBLE, actor_rank(j, 0), j->comm)));
}

static void missing_gather(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Gather(values, 4, MPI_DOUBLE, results, 4, MPI_DOUBLE, actor_rank(j, 1), j->comm)));
}

static void missing_reduce(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Reduce(values, results, 4, MPI_DOUBLE, MPI_MAX, actor_rank(j, -1), j->comm)));
}

static void missing_alltoall(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Alltoall(values, 2, MPI_DOUBLE, results, 2, MPI_DOUBLE, j->comm)));
}

static void missing_allgather(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Allgather(values, 2, MPI_DOUBLE, results, 2, MPI_DOUBLE, j->comm)));
}

static void missing_reduce_scatter(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Reduce_scatter_block(values, results, 1, MPI_DOUBLE, MPI_SUM, j->comm)));
}

static void missing_comm_dup(struct job *j) {
    MPI_Comm made = MPI_COMM_NULL;
    UNLESS_FORGOTTEN(j, FAULT(MPI_Comm_dup(j->comm, &made)));
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
}

static void missing_ibarrier(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    UNLESS_FORGOTTEN(j, FAULT(MPI_Ibarrier(j->comm, &request)));
    FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

static void missing_iallreduce_tested(struct job *j) {
    MPI_Request request = MPI_REQUEST_NULL;
    UNLESS_FORGOTTEN(j, FAULT(MPI_Iallreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm, &request)));
    for (int done = 0; !done; work_for(0.2))
        FAULT(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
}

// Who needs whom is the library's business: a chain, or pairs. The last rank is needed by others only in pairs.
static void missing_scan(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Scan(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm)));
}

static void missing_exscan(struct job *j) {
    UNLESS_FORGOTTEN(j, FAULT(MPI_Exscan(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm)));
}

static void missing_neighbours(struct job *j) {
    MPI_Comm ring;
    const int periodic = 1;
    MPI_Cart_create(j->comm, 1, &j->size, &periodic, 0, &ring);
    UNLESS_FORGOTTEN(j, FAULT(MPI_Neighbor_alltoall(values, 2, MPI_DOUBLE, results, 2, MPI_DOUBLE, ring)));
    MPI_Comm_free(&ring);
}

static void missing_in_intercommunicator(struct job *j) {
    MPI_Comm mine, between;
    MPI_Comm_split(j->comm, j->actor == 0, j->actor, &mine);
    MPI_Intercomm_create(mine, 0, j->comm, actor_rank(j, j->actor == 0), 22, &between);
    UNLESS_FORGOTTEN(j, FAULT(MPI_Barrier(between)));
    MPI_Comm_free(&between);
    MPI_Comm_free(&mine);
}

static void leaves_loop_early(struct job *j) {
    for (int i = 0; i < (j->actor == 0 && j->faulty ? 4 : 5); ++i)
        FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm));
}

static void goes_round_once_more(struct job *j) {
    for (int i = 0; i < (j->actor == 0 && j->faulty ? 6 : 5); ++i)
        FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm));
}

// A branch by rank with a collective in it.
static void only_one_calls(struct job *j) {
    if (j->actor == 0 || !j->faulty)
        FAULT(MPI_Barrier(j->comm));
}

static void only_even_ones_call(struct job *j) {
    if (j->actor % 2 == 0 || !j->faulty)
        FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm));
}

#define IN_THE_OTHER_ORDER(j) ((j)->actor == 0 && (j)->faulty)

static void barrier_and_allreduce_swapped(struct job *j) {
    if (IN_THE_OTHER_ORDER(j))
        FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm));
    FAULT(MPI_Barrier(j->comm));
    if (!IN_THE_OTHER_ORDER(j))
        MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->comm);
}

static void bcast_and_reduce_swapped(struct job *j) {
    const int root = actor_rank(j, 0);
    if (IN_THE_OTHER_ORDER(j))
        FAULT(MPI_Reduce(values, results, 4, MPI_DOUBLE, MPI_SUM, root, j->comm));
    FAULT(MPI_Bcast(values, 4, MPI_DOUBLE, root, j->comm));
    if (!IN_THE_OTHER_ORDER(j))
        MPI_Reduce(values, results, 4, MPI_DOUBLE, MPI_SUM, root, j->comm);
}

static void alltoall_and_allgather_swapped(struct job *j) {
    if (IN_THE_OTHER_ORDER(j))
        FAULT(MPI_Alltoall(values, 2, MPI_DOUBLE, results, 2, MPI_DOUBLE, j->comm));
    FAULT(MPI_Barrier(j->comm));
    if (!IN_THE_OTHER_ORDER(j))
        MPI_Alltoall(values, 2, MPI_DOUBLE, results, 2, MPI_DOUBLE, j->comm);
}

static void communicators_swapped(struct job *j) {
    FAULT(MPI_Barrier(IN_THE_OTHER_ORDER(j) ? j->other : j->comm));
    MPI_Barrier(IN_THE_OTHER_ORDER(j) ? j->comm : j->other);
}

static void another_communicator(struct job *j) {
    FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, IN_THE_OTHER_ORDER(j) ? j->other : j->comm));
}

static void barrier_for_allreduce(struct job *j) {
    if (IN_THE_OTHER_ORDER(j))
        FAULT(MPI_Barrier(j->comm));
    else
        FAULT(MPI_Allreduce(values, results, 8, MPI_DOUBLE, MPI_SUM, j->comm));
}

static void ibarrier_for_barrier(struct job *j) {
    MPI_Request request;
    if (IN_THE_OTHER_ORDER(j)) {
        FAULT(MPI_Ibarrier(j->comm, &request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else
        FAULT(MPI_Barrier(j->comm));
}

static void iallreduce_for_allreduce(struct job *j) {
    MPI_Request request;
    if (IN_THE_OTHER_ORDER(j)) {
        FAULT(MPI_Iallreduce(values, results, 8, MPI_DOUBLE, MPI_SUM, j->comm, &request));
        FAULT(MPI_Wait(&request, MPI_STATUS_IGNORE));
    } else
        FAULT(MPI_Allreduce(values, results, 8, MPI_DOUBLE, MPI_SUM, j->comm));
}

static void split_for_dup(struct job *j) {
    MPI_Comm made;
    if (IN_THE_OTHER_ORDER(j))
        FAULT(MPI_Comm_split(j->comm, 0, 0, &made));
    else
        FAULT(MPI_Comm_dup(j->comm, &made));
    MPI_Comm_free(&made);
}

static void nonblocking_ones_swapped(struct job *j) {
    MPI_Request requests[2];
    if (IN_THE_OTHER_ORDER(j))
        FAULT(MPI_Iallreduce(values, results, 8, MPI_DOUBLE, MPI_SUM, j->comm, &requests[1]));
    FAULT(MPI_Ibarrier(j->comm, &requests[0]));
    if (!IN_THE_OTHER_ORDER(j))
        MPI_Iallreduce(values, results, 8, MPI_DOUBLE, MPI_SUM, j->comm, &requests[1]);
    FAULT(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}

// The one waits for its barrier before it starts the other collective; for the others the order of waits does not matter.
static void started_late(struct job *j) {
    MPI_Request requests[2];
    const int one = IN_THE_OTHER_ORDER(j);
    MPI_Ibarrier(one ? j->other : j->comm, &requests[0]);
    FAULT(MPI_Wait(&requests[0], MPI_STATUS_IGNORE));
    MPI_Ibarrier(one ? j->comm : j->other, &requests[1]);
    FAULT(MPI_Wait(&requests[1], MPI_STATUS_IGNORE));
}

// A message and a collective: one rank receives before the barrier, the other sends behind it.
static void receive_before_barrier(struct job *j) {
    if (j->actor == 1 && j->faulty)
        FAULT(RECV(j, actor_rank(j, 0), 1));
    FAULT(MPI_Barrier(j->comm));
    if (j->actor == 0)
        SEND(j, actor_rank(j, 1), 1);
    if (j->actor == 1 && !j->faulty)
        RECV(j, actor_rank(j, 0), 1);
}

// Three are begun and waited for together, by one rank two.
static void one_of_several_left_out(struct job *j) {
    MPI_Request requests[3];
    for (int i = 0; i < 12; ++i) {
        const int count = j->actor == 0 && j->faulty && i == 11 ? 2 : 3;
        for (int k = 0; k < count; ++k)
            FAULT(MPI_Iallreduce(values + k, results + k, 1, MPI_DOUBLE, MPI_SUM, j->comm, &requests[k]));
        FAULT(MPI_Waitall(count, requests, MPI_STATUSES_IGNORE));
        FAULT(MPI_Allreduce(values, results, 1, MPI_DOUBLE, MPI_MAX, j->other));
    }
}

static const struct fault_case CASES[] = {
    CASE(missing_barrier, "hung", "missing-call", "0", "", 3, ON_ANY_COMM | WARM | TO_FINALIZE),
    CASE(missing_allreduce, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(one_of_several_left_out, "hung", "missing-call", "0", "", 3, ON_ANY_COMM | WARM),
    CASE(missing_bcast_of_root, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_gather, "hung", "missing-call", "0", "1", 3, USUAL),
    CASE(missing_reduce, "hung", "missing-call", "0", "-1", 3, USUAL),
    CASE(missing_alltoall, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_allgather, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_reduce_scatter, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_comm_dup, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_ibarrier, "hung", "missing-call", "0", "", 3, ON_ANY_COMM | WARM | TO_FINALIZE),
    CASE(missing_iallreduce_tested, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_scan, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_exscan, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_neighbours, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(missing_in_intercommunicator, "hung", "missing-call", "0", "", 3, ON_ANY_COMM | WARM | TO_FINALIZE),
    CASE(leaves_loop_early, "hung", "missing-call", "0", "", 3, USUAL),
    CASE(goes_round_once_more, "hung", "mismatch", "0", "others", 3, USUAL),
    CASE(only_one_calls, "hung", "mismatch", "0", "others", 3, ON_ANY_COMM | TO_FINALIZE),
    CASE(only_even_ones_call, "hung", "mismatch", "all", "", 4, USUAL),
    CASE(barrier_and_allreduce_swapped, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(bcast_and_reduce_swapped, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(alltoall_and_allgather_swapped, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(communicators_swapped, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(another_communicator, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(barrier_for_allreduce, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(ibarrier_for_barrier, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(iallreduce_for_allreduce, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(split_for_dup, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(nonblocking_ones_swapped, BY_LIBRARY("hung", "crashed"), "mismatch", "0", "", 3, USUAL),
    CASE(started_late, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(receive_before_barrier, "hung", "deadlock", "0,1", "", 2, USUAL | ANY_SIZE | ANY_STYLE),
};

MAIN(CASES)
