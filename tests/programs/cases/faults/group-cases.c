// SPDX-License-Identifier: GPL-3.0-or-later
// Communicators that not all who should take part in make.
#include "faults.h"

static double values[64], results[1024];

#define FAILS(j) ((j)->actor == 0 && (j)->faulty)

static MPI_Group group_of(struct job *j, int members) {
    MPI_Group all, some;
    int ranks[64];
    for (int i = 0; i < members; ++i)
        ranks[i] = actor_rank(j, i);
    MPI_Comm_group(j->comm, &all);
    MPI_Group_incl(all, members, ranks, &some);
    MPI_Group_free(&all);
    return some;
}

static void leave(MPI_Comm *made) {
    if (*made != MPI_COMM_NULL)
        MPI_Comm_free(made);
}

static void create_group_left_out(struct job *j) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group some = group_of(j, 3);
    if (j->actor < 3 && !FAILS(j))
        FAULT(MPI_Comm_create_group(j->comm, some, 7, &made));
    MPI_Group_free(&some);
    leave(&made);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->other);
}

static void create_group_with_another_tag(struct job *j) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group some = group_of(j, 3);
    if (j->actor < 3)
        FAULT(MPI_Comm_create_group(j->comm, some, FAILS(j) ? 8 : 7, &made));
    MPI_Group_free(&some);
    leave(&made);
    MPI_Barrier(j->comm);
}

static void create_left_out(struct job *j) {
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group some = group_of(j, 2);
    if (!FAILS(j))
        FAULT(MPI_Comm_create(j->comm, some, &made));
    MPI_Group_free(&some);
    leave(&made);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->other);
}

static void split_left_out(struct job *j) {
    MPI_Comm made = MPI_COMM_NULL;
    if (!FAILS(j))
        FAULT(MPI_Comm_split(j->comm, j->actor % 2, j->actor, &made));
    leave(&made);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->other);
}

static void split_by_those_without_colour_left_out(struct job *j) {
    MPI_Comm made = MPI_COMM_NULL;
    if (!(j->actor == 0 && j->faulty))
        FAULT(MPI_Comm_split(j->comm, j->actor == 0 ? MPI_UNDEFINED : 1, j->actor, &made));
    if (made != MPI_COMM_NULL)
        MPI_Barrier(made);
    leave(&made);
    MPI_Barrier(j->comm);
}

static void intercommunicator_left_out(struct job *j) {
    MPI_Comm mine, between = MPI_COMM_NULL;
    MPI_Comm_split(j->comm, j->actor < 2, j->actor, &mine);
    if (!FAILS(j))
        FAULT(MPI_Intercomm_create(mine, 0, j->comm, actor_rank(j, j->actor < 2 ? 2 : 0), 22, &between));
    leave(&between);
    leave(&mine);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->other);
}

static void intercommunicator_with(struct job *j, int leader_of_others, int tag) {
    MPI_Comm mine, between = MPI_COMM_NULL;
    MPI_Comm_split(j->comm, j->actor < 2, j->actor, &mine);
    FAULT(MPI_Intercomm_create(mine, 0, j->comm, actor_rank(j, leader_of_others), tag, &between));
    leave(&between);
    leave(&mine);
    MPI_Barrier(j->comm);
}

static void intercommunicator_with_another_tag(struct job *j) {
    intercommunicator_with(j, j->actor < 2 ? 2 : 0, j->actor < 2 && j->faulty ? 23 : 22);
}

// The first group takes the second one's other member for its leader.
static void intercommunicator_with_another_leader(struct job *j) {
    intercommunicator_with(j, j->actor >= 2 ? 0 : j->faulty ? 3 : 2, 22);
}

static void intercommunicator_merge_left_out(struct job *j) {
    MPI_Comm mine, between, both = MPI_COMM_NULL;
    MPI_Comm_split(j->comm, j->actor < 2, j->actor, &mine);
    MPI_Intercomm_create(mine, 0, j->comm, actor_rank(j, j->actor < 2 ? 2 : 0), 22, &between);
    if (!FAILS(j))
        FAULT(MPI_Intercomm_merge(between, j->actor < 2, &both));
    leave(&both);
    leave(&between);
    leave(&mine);
    MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, j->other);
}

// A circle over two communicators, each made in a place of its own.
static void two_communicators_crossed(struct job *j) {
    MPI_Comm rows, columns;
    FAULT(MPI_Comm_split(j->comm, 0, j->actor, &rows));
    FAULT(MPI_Comm_split(j->comm, 0, -j->actor, &columns));
    FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, FAILS(j) ? columns : rows));
    FAULT(MPI_Allreduce(values, results, 4, MPI_DOUBLE, MPI_SUM, FAILS(j) ? rows : columns));
    MPI_Comm_free(&rows);
    MPI_Comm_free(&columns);
}

static const struct fault_case CASES[] = {
    CASE(create_group_left_out, "hung", "missing-call", "0", "", 4, ON_ANY_COMM | WARM),
    CASE(create_group_with_another_tag, "hung", "mismatch", "0", "1,2", 4, ON_ANY_COMM | WARM),
    CASE(create_left_out, "hung", "missing-call", "0", "", 4, ON_ANY_COMM | WARM),
    CASE(split_left_out, "hung", "missing-call", "0", "", 3, ON_ANY_COMM | WARM),
    CASE(split_by_those_without_colour_left_out, "hung", "missing-call", "0", "", 3, ON_ANY_COMM | WARM),
    CASE(intercommunicator_left_out, "hung", "missing-call", "0", "", 4, ON_ANY_COMM | WARM),
    CASE_WITH(intercommunicator_with, intercommunicator_with_another_tag, "hung", "mismatch", "0,2", "1,3", 4,
              ON_ANY_COMM | WARM),
    CASE_WITH(intercommunicator_with, intercommunicator_with_another_leader, "hung", "mismatch", "0,3", "1,2", 4,
              ON_ANY_COMM | WARM),
    CASE(intercommunicator_merge_left_out, "hung", "missing-call", "0", "", 4, ON_ANY_COMM | WARM),
    CASE(two_communicators_crossed, "hung", "mismatch", "0", "", 3, ON_ANY_COMM),
};

MAIN(CASES)
