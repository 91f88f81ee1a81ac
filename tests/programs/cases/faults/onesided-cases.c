// SPDX-License-Identifier: GPL-3.0-or-later
// Windows: locks that are not given back, epochs that the partner does not open or close, calls that not all ranks make.
#include "faults.h"

static double mine[64], room[4];

static MPI_Win make_window(struct job *j) {
    MPI_Win window;
    double *base = NULL;
    MPI_Win_allocate(sizeof room, sizeof(double), MPI_INFO_NULL, j->comm, &base, &window);
    return window;
}

static void token(struct job *j, int from, int to) {
    if (j->actor == from)
        MPI_Send(NULL, 0, MPI_CHAR, actor_rank(j, to), 90, j->comm);
    if (j->actor == to)
        MPI_Recv(NULL, 0, MPI_CHAR, actor_rank(j, from), 90, j->comm, MPI_STATUS_IGNORE);
}

static void put(struct job *j, int target, MPI_Win window) {
    MPI_Put(mine, 1, MPI_DOUBLE, actor_rank(j, target), 0, 1, MPI_DOUBLE, window);
}

// Actor 0 locks, and does not unlock; actor 1 wants the lock on the window of actor 2.
static void hold_and_want(struct job *j, int held, int wanted, MPI_Win window) {
    const int target = actor_rank(j, 2);
    if (j->actor == 0) {
        FAULT(MPI_Win_lock(held, target, 0, window));
        put(j, 2, window);
        MPI_Win_flush(target, window);
    }
    token(j, 0, 1);
    if (j->actor == 0 && !j->faulty)
        MPI_Win_unlock(target, window);
    if (j->actor == 1) {
        FAULT(MPI_Win_lock(wanted, target, 0, window));
        put(j, 2, window);
        FAULT(MPI_Win_unlock(target, window));
    }
}

static void exclusive_lock_held(struct job *j) {
    MPI_Win window = make_window(j);
    hold_and_want(j, MPI_LOCK_EXCLUSIVE, MPI_LOCK_EXCLUSIVE, window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void shared_lock_held(struct job *j) {
    MPI_Win window = make_window(j);
    hold_and_want(j, MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE, window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void exclusive_lock_held_against_shared(struct job *j) {
    MPI_Win window = make_window(j);
    hold_and_want(j, MPI_LOCK_EXCLUSIVE, MPI_LOCK_SHARED, window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void lock_all_held(struct job *j) {
    MPI_Win window = make_window(j);
    const int target = actor_rank(j, 2);
    if (j->actor == 0) {
        FAULT(MPI_Win_lock_all(0, window));
        put(j, 2, window);
        MPI_Win_flush(target, window);
    }
    token(j, 0, 1);
    if (j->actor == 0 && !j->faulty)
        MPI_Win_unlock_all(window);
    if (j->actor == 1) {
        FAULT(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window));
        put(j, 2, window);
        FAULT(MPI_Win_unlock(target, window));
    }
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

// Two windows; each rank holds one and wants the other.
static void locks_in_opposite_order(struct job *j) {
    MPI_Win windows[2] = {make_window(j), make_window(j)};
    const int one = j->actor == 1 && j->faulty, target = actor_rank(j, 2);
    if (j->actor < 2) {
        if (j->actor == 1 && !j->faulty)
            token(j, 0, 1);
        FAULT(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, windows[one]));
        put(j, 2, windows[one]);
        MPI_Win_flush(target, windows[one]);
        if (j->faulty) {
            token(j, 0, 1);
            token(j, 1, 0);
        }
        FAULT(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, windows[!one]));
        put(j, 2, windows[!one]);
        FAULT(MPI_Win_unlock(target, windows[!one]));
        MPI_Win_unlock(target, windows[one]);
        if (j->actor == 0 && !j->faulty)
            token(j, 0, 1);
    }
    MPI_Barrier(j->comm);
    MPI_Win_free(&windows[0]);
    MPI_Win_free(&windows[1]);
}

static void missing_fence(struct job *j) {
    MPI_Win window = make_window(j);
    MPI_Win_fence(0, window);
    put(j, j->actor + 1, window);
    if (j->actor != 0 || !j->faulty)
        FAULT(MPI_Win_fence(0, window));
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void fence_for_barrier(struct job *j) {
    MPI_Win window = make_window(j);
    if (j->actor == 0 && j->faulty)
        FAULT(MPI_Barrier(j->comm));
    else
        FAULT(MPI_Win_fence(0, window));
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

static MPI_Group group_of(struct job *j, int actor) {
    MPI_Group all, one;
    const int rank = actor_rank(j, actor);
    MPI_Comm_group(j->comm, &all);
    MPI_Group_incl(all, 1, &rank, &one);
    MPI_Group_free(&all);
    return one;
}

// Post and wait of actor 1's window by actor 1, start and complete by actor 0, each left out as the caller says.
static void exposed_epoch(struct job *j, int posts, int starts, int completes, int waits, MPI_Win window) {
    MPI_Group peer = group_of(j, j->actor == 0 ? 1 : 0);
    if (j->actor == 1 && posts)
        FAULT(MPI_Win_post(peer, 0, window));
    if (j->actor == 0 && starts) {
        FAULT(MPI_Win_start(peer, 0, window));
        put(j, 1, window);
    }
    if (j->actor == 0 && completes)
        FAULT(MPI_Win_complete(window));
    if (j->actor == 1 && waits)
        FAULT(MPI_Win_wait(window));
    MPI_Group_free(&peer);
}

static void start_without_post(struct job *j) {
    MPI_Win window = make_window(j);
    exposed_epoch(j, !j->faulty, 1, 1, !j->faulty, window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void post_without_start(struct job *j) {
    MPI_Win window = make_window(j);
    exposed_epoch(j, 1, !j->faulty, !j->faulty, 1, window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void start_without_complete(struct job *j) {
    MPI_Win window = make_window(j);
    exposed_epoch(j, 1, 1, !j->faulty, 1, window);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void tests_epoch_for_ever(struct job *j) {
    MPI_Win window = make_window(j);
    MPI_Group peer = group_of(j, j->actor == 0 ? 1 : 0);
    if (j->actor == 1) {
        MPI_Win_post(peer, 0, window);
        for (int done = 0; !done; work_for(0.2))
            FAULT(MPI_Win_test(window, &done));
    }
    if (j->actor == 0 && !j->faulty) {
        MPI_Win_start(peer, 0, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&peer);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

// Actor 0 starts an epoch on actor 2's window, which actor 2 opened for actor 1.
static void post_for_another(struct job *j) {
    MPI_Win window = make_window(j);
    MPI_Group two = group_of(j, 2), zero = group_of(j, 0), one = group_of(j, 1);
    if (j->actor == 2) {
        FAULT(MPI_Win_post(j->faulty ? one : zero, 0, window));
        FAULT(MPI_Win_wait(window));
    }
    if (j->actor == 0) {
        FAULT(MPI_Win_start(two, 0, window));
        FAULT(MPI_Win_complete(window));
    }
    MPI_Group_free(&two), MPI_Group_free(&zero), MPI_Group_free(&one);
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void window_made_by_others_only(struct job *j) {
    MPI_Win window = MPI_WIN_NULL;
    if (j->actor != 0 || !j->faulty)
        FAULT(MPI_Win_create(room, sizeof room, sizeof(double), MPI_INFO_NULL, j->comm, &window));
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
}

static void barrier_for_window(struct job *j) {
    MPI_Win window = MPI_WIN_NULL;
    if (j->actor == 0 && j->faulty)
        FAULT(MPI_Barrier(j->comm));
    else
        FAULT(MPI_Win_create(room, sizeof room, sizeof(double), MPI_INFO_NULL, j->comm, &window));
    if (window != MPI_WIN_NULL)
        MPI_Win_free(&window);
}

static void window_freed_by_others_only(struct job *j) {
    MPI_Win window = make_window(j);
    if (j->actor != 0 || !j->faulty)
        FAULT(MPI_Win_free(&window));
}

static void barrier_for_free(struct job *j) {
    MPI_Win window = make_window(j);
    if (j->actor == 0 && j->faulty)
        FAULT(MPI_Barrier(j->comm));
    else
        FAULT(MPI_Win_free(&window));
}

// MPI gives no promise that a target takes part while it computes: software that passes the request on needs its calls.
static void target_computes(struct job *j) {
    MPI_Win window;
    MPI_Win_create(room, sizeof room, sizeof(double), MPI_INFO_NULL, j->comm, &window);
    if (j->actor == 0 && j->faulty)
        for (;;)
            FAULT(work_for(100.0));
    if (j->actor == 1) {
        FAULT(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, actor_rank(j, 0), 0, window));
        put(j, 0, window);
        FAULT(MPI_Win_unlock(actor_rank(j, 0), window));
    }
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

#define ONCE(j) ((j)->actor == 0 && (j)->faulty)

static void flush_without_lock(struct job *j) {
    MPI_Win window = make_window(j);
    if (ONCE(j))
        FAULT(MPI_Win_flush(actor_rank(j, 1), window));
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void unlock_without_lock(struct job *j) {
    MPI_Win window = make_window(j);
    if (ONCE(j))
        FAULT(MPI_Win_unlock(actor_rank(j, 1), window));
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void complete_without_start(struct job *j) {
    MPI_Win window = make_window(j);
    if (ONCE(j))
        FAULT(MPI_Win_complete(window));
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void put_without_epoch(struct job *j) {
    MPI_Win window = make_window(j);
    if (ONCE(j))
        FAULT(MPI_Put(mine, 1, MPI_DOUBLE, actor_rank(j, 1), 0, 1, MPI_DOUBLE, window));
    MPI_Barrier(j->comm);
    MPI_Win_free(&window);
}

static void free_with_open_lock(struct job *j) {
    MPI_Win window = make_window(j);
    if (ONCE(j))
        MPI_Win_lock(MPI_LOCK_SHARED, actor_rank(j, 1), 0, window);
    FAULT(MPI_Win_free(&window));
}

static void put_to_nobody(struct job *j) {
    MPI_Win window = make_window(j);
    MPI_Win_fence(0, window);
    if (ONCE(j))
        FAULT(MPI_Put(mine, 1, MPI_DOUBLE, j->size + 3, 0, 1, MPI_DOUBLE, window));
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
}

#define QUIET (ON_ANY_COMM | WARM | TO_FINALIZE)

// A ring, in which each one opens its window for the one before it, and actor 0 once for the next one as well.
static void posts_for_one_more(struct job *j) {
    MPI_Win window = make_window(j);
    for (int i = 0; i < 12; ++i) {
        const int ranks[2] = {actor_rank(j, j->actor - 1), actor_rank(j, j->actor + 1)};
        MPI_Group all, before, next;
        MPI_Comm_group(j->comm, &all);
        MPI_Group_incl(all, j->actor == 0 && j->faulty && i == 10 ? 2 : 1, ranks, &before);
        MPI_Group_incl(all, 1, ranks + 1, &next);
        FAULT(MPI_Win_post(before, 0, window));
        MPI_Win_start(next, 0, window);
        put(j, j->actor + 1, window);
        MPI_Win_complete(window);
        FAULT(MPI_Win_wait(window));
        MPI_Group_free(&all);
        MPI_Group_free(&before);
        MPI_Group_free(&next);
    }
    MPI_Win_free(&window);
}

static const struct fault_case CASES[] = {
    CASE_WITH(hold_and_want, exclusive_lock_held, "hung", "lock", "0", "1", 3, USUAL),
    CASE_WITH(hold_and_want, shared_lock_held, "hung", "lock", "0", "1", 3, USUAL),
    CASE_WITH(hold_and_want, exclusive_lock_held_against_shared, "hung", "lock", "0", "1", 3, USUAL),
    CASE(lock_all_held, "hung", "lock", "0", "1", 3, USUAL),
    CASE(locks_in_opposite_order, "hung", "lock", "0,1", "", 3, USUAL),
    CASE(posts_for_one_more, "hung", "epoch", "0", "", 3, ON_ANY_COMM | WARM),
    CASE(missing_fence, "hung", "mismatch", "0", "", 3, USUAL),
    CASE(fence_for_barrier, "hung", "mismatch", "0", "", 3, USUAL),
    CASE_WITH(exposed_epoch, start_without_post, "hung", "epoch", "0,1", "", 2, USUAL),
    CASE_WITH(exposed_epoch, post_without_start, "hung", "epoch", "0,1", "", 2, USUAL),
    CASE_WITH(exposed_epoch, start_without_complete, "hung", "epoch", "0,1", "", 2, USUAL),
    CASE(tests_epoch_for_ever, "hung", "epoch", "0,1", "", 2, USUAL),
    CASE(post_for_another, "hung", "epoch", "0,2", "1", 3, USUAL),
    CASE(window_made_by_others_only, "hung", "missing-call", "0", "", 3, QUIET),
    CASE(barrier_for_window, "hung", "mismatch", "0", "", 3, QUIET),
    CASE(window_freed_by_others_only, "hung", "missing-call", "0", "", 3, QUIET),
    CASE(barrier_for_free, "hung", "mismatch", "0", "", 3, QUIET),
    CASE(target_computes, "hung", "spin", "0", "", 2, USUAL),
    CASE(flush_without_lock, "crashed", "error", "0", "", 2, USUAL),
    CASE(unlock_without_lock, "crashed", "error", "0", "", 2, USUAL),
    CASE(complete_without_start, BY_LIBRARY("crashed", "finished"), "error", "0", "", 2, USUAL),
    CASE(put_without_epoch, "crashed", "error", "0", "", 2, USUAL),
    CASE(free_with_open_lock, BY_LIBRARY("crashed", "finished"), "error", "0", "", 2, USUAL),
    CASE(put_to_nobody, "crashed", "error", "0", "", 2, USUAL),
};

MAIN(CASES)
