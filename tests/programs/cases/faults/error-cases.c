// SPDX-License-Identifier: GPL-3.0-or-later
// Calls with arguments that MPI rejects. An error ends the job, or is returned, and the program goes on as if nothing had been.
#include "faults.h"

#include <limits.h>

static double values[64], results[64];
static int number;
static MPI_Request request;
static MPI_Datatype made_type;
static MPI_Comm made_comm;
static MPI_Group made_group;
static MPI_Op made_op;
static MPI_Info made_info;

// Each case: what one rank calls in the faulty round. Then all meet.
#define ERROR_CASE(name, ...)                                                                                                    \
    static void name(struct job *j) {                                                                                            \
        if (j->actor == 0 && j->faulty)                                                                                          \
            FAULT(__VA_ARGS__);                                                                                                  \
        MPI_Barrier(j->comm);                                                                                                    \
    }
#define PEER actor_rank(j, 1)

ERROR_CASE(send_to_nobody, MPI_Send(values, 1, MPI_DOUBLE, j->size + 5, 1, j->comm))
ERROR_CASE(send_with_negative_tag, MPI_Send(values, 1, MPI_DOUBLE, PEER, -7, j->comm))
ERROR_CASE(send_of_negative_count, MPI_Send(values, -3, MPI_DOUBLE, PEER, 1, j->comm))
ERROR_CASE(send_on_null, MPI_Send(values, 1, MPI_DOUBLE, PEER, 1, MPI_COMM_NULL))
ERROR_CASE(send_of_null_type, MPI_Send(values, 1, MPI_DATATYPE_NULL, PEER, 1, j->comm))
ERROR_CASE(send_of_null_buffer, MPI_Send(NULL, 4, MPI_DOUBLE, PEER, 1, j->comm))
ERROR_CASE(recv_from_nobody, MPI_Recv(results, 1, MPI_DOUBLE, -9, 1, j->comm, MPI_STATUS_IGNORE))
ERROR_CASE(recv_with_huge_tag, MPI_Recv(results, 1, MPI_DOUBLE, PEER, INT_MAX, j->comm, MPI_STATUS_IGNORE))
ERROR_CASE(irecv_of_negative_count, MPI_Irecv(results, -1, MPI_DOUBLE, PEER, 1, j->comm, &request))
ERROR_CASE(send_to_any_source, MPI_Send(values, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 1, j->comm))
ERROR_CASE(bcast_of_wrong_root, MPI_Bcast(values, 1, MPI_DOUBLE, j->size, j->comm))
ERROR_CASE(reduce_of_negative_count, MPI_Reduce(values, results, -1, MPI_DOUBLE, MPI_SUM, 0, j->comm))
ERROR_CASE(reduce_with_null_operation, MPI_Reduce(values, results, 1, MPI_DOUBLE, MPI_OP_NULL, 0, j->comm))
ERROR_CASE(bits_of_doubles, MPI_Allreduce(values, results, 1, MPI_DOUBLE, MPI_BAND, j->comm))
ERROR_CASE(same_buffers, MPI_Allreduce(values, values, 1, MPI_DOUBLE, MPI_SUM, j->comm))
ERROR_CASE(gather_into_null, MPI_Gather(values, 1, MPI_DOUBLE, NULL, 1, MPI_DOUBLE, j->me, j->comm))
ERROR_CASE(rank_of_null, MPI_Comm_rank(MPI_COMM_NULL, &number))
ERROR_CASE(start_of_null, MPI_Start(&request))
ERROR_CASE(type_of_negative_count, MPI_Type_contiguous(-2, MPI_DOUBLE, &made_type))
ERROR_CASE(type_of_null_type, MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &made_type))
ERROR_CASE(vector_of_negative_block, MPI_Type_vector(2, -1, 4, MPI_DOUBLE, &made_type))
ERROR_CASE(commit_of_null, (made_type = MPI_DATATYPE_NULL, MPI_Type_commit(&made_type)))
ERROR_CASE(free_of_basic_type, (made_type = MPI_DOUBLE, MPI_Type_free(&made_type)))
ERROR_CASE(size_of_null_type, MPI_Type_size(MPI_DATATYPE_NULL, &number))
ERROR_CASE(group_of_wrong_rank, (MPI_Comm_group(j->comm, &made_group), MPI_Group_incl(made_group, 1, (int[]){99}, &made_group)))
ERROR_CASE(size_of_null_group, MPI_Group_size(MPI_GROUP_NULL, &number))
ERROR_CASE(coordinates_of_no_grid, MPI_Cart_coords(j->comm, 0, 2, (int[]){0, 0}))
ERROR_CASE(dimensions_do_not_fit, MPI_Dims_create(7, 2, (int[]){3, 0}))
ERROR_CASE(info_without_key, (MPI_Info_create(&made_info), MPI_Info_set(made_info, NULL, "value")))
ERROR_CASE(info_of_null, MPI_Info_set(MPI_INFO_NULL, "key", "value"))
ERROR_CASE(operation_without_function, MPI_Op_create(NULL, 1, &made_op))
ERROR_CASE(free_of_own_operation, (made_op = MPI_SUM, MPI_Op_free(&made_op)))
ERROR_CASE(handler_of_null, MPI_Comm_set_errhandler(j->comm, MPI_ERRHANDLER_NULL))
ERROR_CASE(keyval_invalid, MPI_Comm_set_attr(j->comm, MPI_KEYVAL_INVALID, values))
ERROR_CASE(free_of_world, (made_comm = MPI_COMM_WORLD, MPI_Comm_free(&made_comm)))
ERROR_CASE(negative_waitall, MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE))
ERROR_CASE(probe_of_nobody, MPI_Probe(77, 1, j->comm, MPI_STATUS_IGNORE))
ERROR_CASE(buffered_without_buffer, MPI_Bsend(values, 8, MPI_DOUBLE, PEER, 1, j->comm))
ERROR_CASE(shift_on_no_grid, MPI_Cart_shift(j->comm, 0, 1, &number, &number))
ERROR_CASE(send_type_not_committed,
           (MPI_Type_contiguous(2, MPI_DOUBLE, &made_type), MPI_Send(values, 1, made_type, PEER, 1, j->comm)))
ERROR_CASE(send_on_freed_communicator,
           (made_comm = j->other, MPI_Comm_free(&j->other), MPI_Send(values, 1, MPI_DOUBLE, PEER, 1, made_comm)))

// Errors of handles that were freed: all make them, one uses its own too long.
static void free_made_type(void) {
    MPI_Datatype copy;
    MPI_Type_contiguous(2, MPI_DOUBLE, &copy);
    MPI_Type_commit(&copy);
    made_type = copy;
    MPI_Type_free(&copy);
}

static void size_of_freed_type(struct job *j) {
    free_made_type();
    if (j->actor == 0 && j->faulty)
        FAULT(MPI_Type_size(made_type, &number));
    MPI_Barrier(j->comm);
}

// The library may find the mistake, or take what is there for a type.
static void send_of_freed_type(struct job *j) {
    free_made_type();
    if (j->actor == 0 && j->faulty)
        FAULT(MPI_Send(values, 1, made_type, PEER, 1, j->comm));
    MPI_Barrier(j->comm);
}

static void grid_too_large(struct job *j) {
    MPI_Comm grid;
    const int size = j->faulty ? j->size + 1 : j->size, periodic = 1;
    FAULT(MPI_Cart_create(j->comm, 1, &size, &periodic, 0, &grid));
    if (!j->faulty)
        MPI_Comm_free(&grid);
}

#define ERRORS (ON_ANY_COMM | WARM | ANY_ERRORS)
#define ONE(name) CASE(name, "crashed", "error", "0", "", 2, ERRORS)

// Where Open MPI does not find the mistake, or crashes for it even if errors are returned, this is what comes of it.
#define ONE_BUT(name, state, kind)                                                                                               \
    CASE(name, BY_LIBRARY("crashed", state), BY_LIBRARY("error", kind), "0", "", 2, BY_LIBRARY(ERRORS, ERRORS & ~ANY_ERRORS))

// Where it takes the call for a right one, the other end of the message, or of two ranks the other one, is as good an answer.
#define TAKEN_BY_OPENMPI(name, state, kind)                                                                                      \
    CASE(name, BY_LIBRARY("crashed", state), BY_LIBRARY("error", kind), "0", BY_LIBRARY("", "1"), 2,                             \
         BY_LIBRARY(ERRORS, ERRORS & ~ANY_ERRORS))

static const struct fault_case CASES[] = {
    ONE(send_to_nobody),
    ONE(send_with_negative_tag),
    ONE(send_of_negative_count),
    ONE(send_on_null),
    ONE(send_of_null_type),
    ONE(send_of_null_buffer),
    ONE(recv_from_nobody),
    TAKEN_BY_OPENMPI(recv_with_huge_tag, "hung", "missing-send"),
    ONE(irecv_of_negative_count),
    ONE(send_to_any_source),
    ONE(bcast_of_wrong_root),
    ONE(reduce_of_negative_count),
    ONE(reduce_with_null_operation),
    ONE(bits_of_doubles),
    TAKEN_BY_OPENMPI(same_buffers, "hung", "mismatch"),
    TAKEN_BY_OPENMPI(gather_into_null, "hung", "mismatch"),
    ONE(rank_of_null),
    ONE_BUT(start_of_null, "crashed", "error"),
    ONE(type_of_negative_count),
    ONE(type_of_null_type),
    ONE(vector_of_negative_block),
    ONE(commit_of_null),
    ONE(free_of_basic_type),
    ONE(size_of_null_type),
    ONE(group_of_wrong_rank),
    ONE(size_of_null_group),
    ONE(coordinates_of_no_grid),
    ONE(dimensions_do_not_fit),
    ONE(info_without_key),
    ONE(info_of_null),
    ONE(operation_without_function),
    ONE(free_of_own_operation),
    ONE(handler_of_null),
    ONE(keyval_invalid),
    ONE(free_of_world),
    ONE(negative_waitall),
    ONE(probe_of_nobody),
    TAKEN_BY_OPENMPI(buffered_without_buffer, "finished", "error"),
    ONE(shift_on_no_grid),
    ONE(send_type_not_committed),
    ONE_BUT(send_on_freed_communicator, "crashed", "error"),
    CASE(size_of_freed_type, "crashed|finished", "error", "0", "", 2, ON_ANY_COMM | WARM),
    CASE(send_of_freed_type, BY_LIBRARY("crashed|hung", "crashed|finished"), "error", "0", "1", 2, ON_ANY_COMM | WARM),
    CASE(grid_too_large, "crashed", "error", "all", "", 2, ERRORS),
};

MAIN(CASES)
