// SPDX-License-Identifier: GPL-3.0-or-later
// What the collections of faulty programs share: each is a table of cases, of which one call runs one, in one of many variants.
//
// A case is a function that is called once for each round. In the rounds of the warm-up it does what is right, in the last one it
// fails. Its ranks have parts to play ("actors"): actor 0 is the one that fails, wherever it is. What is true about a variant
// (how the job ends, who may be named, which lines) is printed by the same program, without MPI: --truth.
#pragma once

#include <mpi.h>
#include <stddef.h>

enum style { BLOCKING, NONBLOCKING, PERSISTENT };

struct job {
    int rank, ranks;      // in MPI_COMM_WORLD
    MPI_Comm comm;        // here the case happens; MPI_COMM_NULL where this rank does not take part
    MPI_Comm other;       // its duplicate
    int me, size;         // in comm
    int actor;            // which part this rank plays: 0 is who fails; counted in comm, and round about
    int first;            // rank in comm of actor 0
    int count;            // bytes of a message
    enum style style;     // style of sends and receives
    int faulty;           // this round is the last one, and goes wrong
    int round;            // from 0
    int returns;          // errors are returned (MPI_ERRORS_RETURN)
    char *out, *in, *in2; // room for a message each
};

// What may differ between the variants of a case.
enum varies {
    ON_ANY_COMM = 1,  // MPI_COMM_WORLD, a duplicate, or one of half the ranks in reverse order
    ANY_SIZE = 2,     // messages short or long
    LONG = 4,         // messages are always too long to be buffered
    ANY_STYLE = 8,    // blocking, nonblocking and persistent
    WARM = 16,        // has right rounds before the faulty one
    ANY_END = 32,     // ranks that are not held up may go to a barrier, to MPI_Finalize or test for a barrier
    ANY_ERRORS = 64,  // errors may be fatal or returned; returned ones change nothing
    TO_FINALIZE = 128 // ranks that are not held up always go to MPI_Finalize
};
#define USUAL (ON_ANY_COMM | WARM | ANY_END)

struct fault_case {
    const char *function;
    void (*run)(struct job *);
    const char *state;    // "hung", "crashed", "finished", "running"
    const char *kind;     // kind of fault, a word
    const char *accept;   // actors that a right answer may name: "0,1", "all", "" (nobody)
    const char *tolerate; // actors whose naming is neither right nor a false accusation
    int least;            // ranks that comm must have
    unsigned varies;
    const char *helper; // function whose marked lines count as well, or null
};
#define CASE(function, ...)                                                                                                      \
    { #function, function, __VA_ARGS__, NULL }
#define CASE_WITH(helper, function, ...)                                                                                         \
    { #function, function, __VA_ARGS__, #helper }

// Where the two libraries do different things with the same mistake.
#ifdef OPEN_MPI
#define BY_LIBRARY(mpich, openmpi) openmpi
#else
#define BY_LIBRARY(mpich, openmpi) mpich
#endif

// Marks the line of a call that has to do with the fault; the line is told with the truth.
struct mark {
    const char *function;
    int line;
};
#define FAULT(...)                                                                                                               \
    do {                                                                                                                         \
        static struct mark here __attribute__((section("marks"), used)) = {__func__, __LINE__};                                  \
        (void)here;                                                                                                              \
        __VA_ARGS__;                                                                                                             \
    } while (0)

// A send, or receive, of a whole message in the variant's style, in one line.
#define TRANSFER(job, verb, buffer, peer, tag, on)                                                                               \
    do {                                                                                                                         \
        MPI_Request request_;                                                                                                    \
        if ((job)->style == NONBLOCKING)                                                                                         \
            MPI_I##verb(buffer, (job)->count, MPI_CHAR, peer, tag, on, &request_);                                               \
        else                                                                                                                     \
            MPI_##verb##_init(buffer, (job)->count, MPI_CHAR, peer, tag, on, &request_), MPI_Start(&request_);                   \
        MPI_Wait(&request_, MPI_STATUS_IGNORE);                                                                                  \
        if ((job)->style == PERSISTENT)                                                                                          \
            MPI_Request_free(&request_);                                                                                         \
    } while (0)
#define SEND_ON(job, to, tag, on)                                                                                                \
    do {                                                                                                                         \
        if ((job)->style == BLOCKING)                                                                                            \
            MPI_Send((job)->out, (job)->count, MPI_CHAR, to, tag, on);                                                           \
        else                                                                                                                     \
            TRANSFER(job, send, (job)->out, to, tag, on);                                                                        \
    } while (0)
#define RECV_ON(job, from, tag, on)                                                                                              \
    do {                                                                                                                         \
        if ((job)->style == BLOCKING)                                                                                            \
            MPI_Recv((job)->in, (job)->count, MPI_CHAR, from, tag, on, MPI_STATUS_IGNORE);                                       \
        else                                                                                                                     \
            TRANSFER(job, recv, (job)->in, from, tag, on);                                                                       \
    } while (0)
#define SEND(job, to, tag) SEND_ON(job, to, tag, (job)->comm)
#define RECV(job, from, tag) RECV_ON(job, from, tag, (job)->comm)
#define MPI_send_init MPI_Send_init
#define MPI_recv_init MPI_Recv_init

// The rank in comm that plays this part; -1 is the last actor.
int actor_rank(const struct job *job, int actor);

// Computes for about so many milliseconds, without MPI.
void work_for(double milliseconds);

// Runs the case that the command line names; the exit status of main.
int run_case(int argc, char **argv, const char *file, const struct fault_case *cases, int count);

#define MAIN(cases)                                                                                                              \
    int main(int argc, char **argv) { return run_case(argc, argv, __FILE__, cases, (int)(sizeof(cases) / sizeof((cases)[0]))); }
