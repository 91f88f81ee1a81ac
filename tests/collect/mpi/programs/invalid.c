// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of MPI with arguments that are not valid, and ends of a process at which MPI is not finalized: `invalid CASE [return]`.
// With "return", errors are returned, and their texts printed. Without a case, it lists them.
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;
static int numbers[64];
static int errors; ///< returned so far

/// What MPI says of a call that has returned.
static void check(int code) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    printf("%d: %s\n", rank, text);
    fflush(stdout);
    ++errors;
}

static MPI_Datatype freed_type(void) {
    MPI_Datatype type, copy;
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    copy = type;
    MPI_Type_free(&type);
    return copy;
}

static MPI_Comm freed_communicator(void) {
    MPI_Comm comm, copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    copy = comm;
    MPI_Comm_free(&comm);
    return copy;
}

/// No handle of any MPI: small enough to be none of Open MPI's addresses, of another kind in MPICH.
static MPI_Datatype no_type(void) {
    MPI_Datatype type;
    memset(&type, 0, sizeof type);
    return type;
}

static void send_to_invalid_rank(void) { check(MPI_Send(numbers, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD)); }
static void send_to_negative_rank(void) { check(MPI_Send(numbers, 1, MPI_INT, -7, 0, MPI_COMM_WORLD)); }
static void send_negative_count(void) { check(MPI_Send(numbers, -1, MPI_INT, 0, 0, MPI_COMM_WORLD)); }
static void send_negative_tag(void) { check(MPI_Send(numbers, 1, MPI_INT, 0, -5, MPI_COMM_WORLD)); }
static void send_large_tag(void) { check(MPI_Send(numbers, 1, MPI_INT, 0, 0x7fffffff, MPI_COMM_WORLD)); }
static void send_null_buffer(void) { check(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD)); }
static void send_null_type(void) { check(MPI_Send(numbers, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD)); }
static void send_freed_type(void) { check(MPI_Send(numbers, 1, freed_type(), MPI_PROC_NULL, 0, MPI_COMM_WORLD)); }
static void send_no_type(void) { check(MPI_Send(numbers, 1, no_type(), 0, 0, MPI_COMM_WORLD)); }
static void send_uncommitted_type(void) {
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    check(MPI_Send(numbers, 1, type, 0, 0, MPI_COMM_WORLD));
}
static void send_null_communicator(void) { check(MPI_Send(numbers, 1, MPI_INT, 0, 0, MPI_COMM_NULL)); }
static void send_freed_communicator(void) { check(MPI_Send(numbers, 1, MPI_INT, 0, 0, freed_communicator())); }
static void isend_null_request(void) { check(MPI_Isend(numbers, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, NULL)); }
static void receive_freed_type(void) {
    check(MPI_Recv(numbers, 1, freed_type(), MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}
static void receive_from_invalid_rank(void) {
    check(MPI_Recv(numbers, 1, MPI_INT, size + 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}
static void receive_too_little(void) {
    MPI_Request request;
    check(MPI_Isend(numbers, 8, MPI_INT, rank, 1, MPI_COMM_WORLD, &request));
    check(MPI_Recv(numbers + 16, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}
static void waitall_too_little(void) {
    MPI_Request requests[2];
    check(MPI_Irecv(numbers + 16, 2, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[0]));
    check(MPI_Isend(numbers, 8, MPI_INT, rank, 1, MPI_COMM_WORLD, &requests[1]));
    check(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
}
static void wait_null_requests(void) { check(MPI_Wait(NULL, MPI_STATUS_IGNORE)); }
static void waitall_null_array(void) { check(MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE)); }
static void waitall_negative_count(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Waitall(-2, &request, MPI_STATUSES_IGNORE));
}
static void waits_for_nothing(void) {
    MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index = 7, flag = 7, count = 7, indices[3];
    check(MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));
    check(MPI_Waitany(3, requests, &index, MPI_STATUS_IGNORE));
    check(MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE));
    check(MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE));
    check(MPI_Wait(requests, MPI_STATUS_IGNORE));
    printf("%d: %d %d %d\n", rank, index == MPI_UNDEFINED, flag, count == MPI_UNDEFINED);
}
static void wait_stale_request(void) {
    MPI_Request request, copy;
    check(MPI_Irecv(numbers, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request));
    check(MPI_Send(numbers + 8, 1, MPI_INT, rank, 1, MPI_COMM_WORLD));
    copy = request;
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
#ifndef OPEN_MPI // there, a request is given away again, and such a wait may be for another one
    check(MPI_Wait(&copy, MPI_STATUS_IGNORE));
#else
    (void)copy;
#endif
}
static void start_what_is_not_persistent(void) {
    MPI_Request request;
    check(MPI_Irecv(numbers, 1, MPI_INT, rank, 1, MPI_COMM_WORLD, &request));
    check(MPI_Start(&request));
    check(MPI_Send(numbers + 8, 1, MPI_INT, rank, 1, MPI_COMM_WORLD));
    check(MPI_Wait(&request, MPI_STATUS_IGNORE));
}
static void free_null_request(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Request_free(&request));
}
static void bcast_invalid_root(void) { check(MPI_Bcast(numbers, 1, MPI_INT, size + 1, MPI_COMM_WORLD)); }
static void bcast_negative_count(void) { check(MPI_Bcast(numbers, -1, MPI_INT, 0, MPI_COMM_WORLD)); }
static void bcast_freed_type(void) { check(MPI_Bcast(numbers, 1, freed_type(), 0, MPI_COMM_WORLD)); }
static void reduce_null_op(void) { check(MPI_Allreduce(numbers, numbers + 8, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_WORLD)); }
static void reduce_freed_op(void) {
    MPI_Op op = MPI_OP_NULL;
    check(MPI_Allreduce(numbers, numbers + 8, 1, MPI_INT, op, MPI_COMM_SELF));
    check(MPI_Op_free(&op));
}
static void reduce_wrong_type(void) { check(MPI_Allreduce(numbers, numbers + 8, 1, MPI_FLOAT_INT, MPI_SUM, MPI_COMM_WORLD)); }
static void gatherv_null_counts(void) {
    int zeros[64] = {0};
    check(MPI_Gatherv(numbers, 0, MPI_INT, numbers + 8, zeros, zeros, MPI_INT, 0, MPI_COMM_WORLD));
    check(MPI_Allgather(numbers, 1, MPI_DATATYPE_NULL, numbers + 8, 1, MPI_INT, MPI_COMM_WORLD));
}
static void aliased_buffers(void) { check(MPI_Allreduce(numbers, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD)); }
static void commit_freed_type(void) {
    MPI_Datatype type = freed_type();
    check(MPI_Type_commit(&type));
}
static void free_predefined_type(void) {
    MPI_Datatype type = MPI_INT;
    check(MPI_Type_free(&type));
    check(MPI_Send(numbers, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
}
static void free_null_pointers(void) {
    check(MPI_Type_free(NULL));
    check(MPI_Comm_free(NULL));
}
static void free_null_communicator(void) {
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Comm_free(&comm));
}
static void free_world(void) {
    MPI_Comm comm = MPI_COMM_WORLD;
    check(MPI_Comm_free(&comm));
}
static void dup_into_nothing(void) { check(MPI_Comm_dup(MPI_COMM_WORLD, NULL)); }
static void split_invalid_color(void) {
    MPI_Comm comm;
    check(MPI_Comm_split(MPI_COMM_WORLD, -12, 0, &comm));
}
static void struct_of_freed_type(void) {
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 8};
    MPI_Datatype types[2] = {MPI_INT, MPI_DATATYPE_NULL}, made;
    check(MPI_Type_create_struct(2, lengths, places, types, &made));
}
static void negative_vector(void) {
    MPI_Datatype type;
    check(MPI_Type_vector(-4, 1, 2, MPI_INT, &type));
}
static void group_of_invalid_ranks(void) {
    MPI_Group world, group;
    int ranks[2] = {0, 999};
    check(MPI_Comm_group(MPI_COMM_WORLD, &world));
    check(MPI_Group_incl(world, 2, ranks, &group));
}
static void cart_too_large(void) {
    int dims[1] = {1000}, periods[1] = {0};
    MPI_Comm comm;
    check(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm));
}
static void info_of_null(void) { check(MPI_Info_set(MPI_INFO_NULL, "key", "value")); }
static void unknown_keyval(void) {
    int flag;
    void *value;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, 12345, &value, &flag));
}
static void free_predefined_op(void) {
    MPI_Op op = MPI_SUM;
    check(MPI_Op_free(&op));
}
static void call_handler(void) { check(MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER)); }
static void probe_invalid_rank(void) { check(MPI_Probe(size + 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)); }
static void pack_too_much(void) {
    char room[4];
    int position = 0;
    check(MPI_Pack(numbers, 10, MPI_INT, room, 4, &position, MPI_COMM_WORLD));
}
static void window_invalid_rank(void) {
    MPI_Win window;
    check(MPI_Win_create(numbers, sizeof numbers, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window));
    check(MPI_Win_lock(MPI_LOCK_SHARED, size + 5, 0, window));
    check(MPI_Win_free(&window));
}
static void types_of_types(void) {
    MPI_Datatype row, table, contents[1];
    int integers[3];
    MPI_Type_vector(2, 1, 2, MPI_INT, &row);
    MPI_Type_contiguous(2, row, &table);
    MPI_Type_commit(&table);
    MPI_Type_get_contents(table, 1, 0, 1, integers, NULL, contents);
    MPI_Type_free(&row);
    MPI_Type_commit(&contents[0]);
    check(MPI_Sendrecv(numbers, 1, contents[0], rank, 1, numbers + 32, 1, table, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_Type_free(&contents[0]);
    MPI_Type_free(&table);
    printf("%d: %d\n", rank, numbers[32]);
}
static void leave_message(void) {
    MPI_Request request;
    check(MPI_Isend(numbers, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &request));
    check(MPI_Request_free(&request));
    check(MPI_Barrier(MPI_COMM_WORLD));
}
static void finalize_twice(void) {
    MPI_Finalize();
    MPI_Finalize();
}
static void send_after_finalize(void) {
    MPI_Finalize();
    check(MPI_Send(numbers, 1, MPI_INT, 0, 0, MPI_COMM_WORLD));
}
static void *finalize_thread(void *unused) {
    (void)unused;
    MPI_Finalize();
    return NULL;
}
static void exit_zero(void) { exit(0); }
static void exit_three(void) { exit(3); }
static void exit_at_once(void) { _exit(0); }
static void exit_capital(void) { _Exit(4); }
static void exit_quick(void) { quick_exit(0); }
static void crash_in_type(void) { MPI_Type_commit((MPI_Datatype *)(size_t)16); }
static void abort_three(void) { MPI_Abort(MPI_COMM_WORLD, 3); }

// Signals that nobody can handle, to itself.
__attribute__((noinline)) static void stops_by_raise(void) { raise(SIGSTOP); }
__attribute__((noinline)) static void stops_by_kill(void) { kill(getpid(), SIGSTOP); }
__attribute__((noinline)) static void stops_by_thread_kill(void) { pthread_kill(pthread_self(), SIGSTOP); }
__attribute__((noinline)) static void kills_by_kill(void) { kill(getpid(), SIGKILL); }
__attribute__((noinline)) static void kills_by_group(void) {
    setpgid(0, 0); // nobody else is in it
    kill(0, SIGKILL);
}

#define CASE(name)                                                                                                               \
    { #name, name }
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    CASE(send_to_invalid_rank),
    CASE(send_to_negative_rank),
    CASE(send_negative_count),
    CASE(send_negative_tag),
    CASE(send_large_tag),
    CASE(send_null_buffer),
    CASE(send_null_type),
    CASE(send_freed_type),
    CASE(send_no_type),
    CASE(send_uncommitted_type),
    CASE(send_null_communicator),
    CASE(send_freed_communicator),
    CASE(isend_null_request),
    CASE(receive_freed_type),
    CASE(receive_from_invalid_rank),
    CASE(receive_too_little),
    CASE(waitall_too_little),
    CASE(wait_null_requests),
    CASE(waitall_null_array),
    CASE(waitall_negative_count),
    CASE(waits_for_nothing),
    CASE(wait_stale_request),
    CASE(start_what_is_not_persistent),
    CASE(free_null_request),
    CASE(bcast_invalid_root),
    CASE(bcast_negative_count),
    CASE(bcast_freed_type),
    CASE(reduce_null_op),
    CASE(reduce_freed_op),
    CASE(reduce_wrong_type),
    CASE(gatherv_null_counts),
    CASE(aliased_buffers),
    CASE(commit_freed_type),
    CASE(free_predefined_type),
    CASE(free_null_pointers),
    CASE(free_null_communicator),
    CASE(free_world),
    CASE(dup_into_nothing),
    CASE(split_invalid_color),
    CASE(struct_of_freed_type),
    CASE(negative_vector),
    CASE(group_of_invalid_ranks),
    CASE(cart_too_large),
    CASE(info_of_null),
    CASE(unknown_keyval),
    CASE(free_predefined_op),
    CASE(call_handler),
    CASE(probe_invalid_rank),
    CASE(pack_too_much),
    CASE(window_invalid_rank),
    CASE(types_of_types),
    CASE(leave_message),
    CASE(finalize_twice),
    CASE(send_after_finalize),
    CASE(exit_zero),
    CASE(exit_three),
    CASE(exit_at_once),
    CASE(exit_capital),
    CASE(exit_quick),
    CASE(crash_in_type),
    CASE(abort_three),
};

/// For ever, and never in MPI.
__attribute__((noinline)) static void spin(void) {
    for (volatile int i = 0;; ++i)
        ;
}

/// Cases that begin, or end, otherwise than the others.
static int run_apart(const char *name) {
    int provided;
    if (strcmp(name, "rank_before_init") == 0) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    } else if (strcmp(name, "send_before_init") == 0) {
        MPI_Send(numbers, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (strcmp(name, "init_twice") == 0) {
        MPI_Init(NULL, NULL);
        check(MPI_Init(NULL, NULL));
        MPI_Finalize();
    } else if (strcmp(name, "return_without_finalize") == 0) {
        MPI_Init(NULL, NULL);
        puts("returns");
    } else if (strcmp(name, "finalize_in_two_threads") == 0) {
        pthread_t other;
        MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
        pthread_create(&other, NULL, finalize_thread, NULL);
        MPI_Finalize();
        pthread_join(other, NULL);
    } else if (strncmp(name, "stops_by_", 9) == 0 || strncmp(name, "kills_by_", 9) == 0) {
        MPI_Init(NULL, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        if (strcmp(name, "stops_by_raise") == 0)
            stops_by_raise();
        else if (strcmp(name, "stops_by_kill") == 0)
            stops_by_kill();
        else if (strcmp(name, "stops_by_thread_kill") == 0)
            stops_by_thread_kill();
        else if (strcmp(name, "kills_by_kill") == 0)
            kills_by_kill();
        else
            kills_by_group();
        spin();
    } else if (strcmp(name, "spin") == 0) { // not among those that are listed
        MPI_Init(NULL, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
        spin();
    } else {
        return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    const size_t count = sizeof cases / sizeof *cases;
    if (argc < 2) {
        for (size_t i = 0; i < count; ++i)
            puts(cases[i].name);
        puts("rank_before_init\nsend_before_init\ninit_twice\nreturn_without_finalize\nfinalize_in_two_threads");
        return 0;
    }
    if (run_apart(argv[1]))
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }
    for (size_t i = 0; i < count; ++i)
        if (strcmp(cases[i].name, argv[1]) == 0)
            cases[i].run();
    printf("%d: ends after %d errors\n", rank, errors);
    MPI_Finalize();
    return 0;
}
