// SPDX-License-Identifier: GPL-3.0-or-later
// A molecular dynamics loop with buffered output, as in the ddcMD case of the literature. Ranks form I/O groups of four. Twice a
// step the group writes a field; positions are written by its first rank, forces by its second, for all four:
//   writer:      in turn for each other rank: Send of a request, Irecv and Wait of the data, write
//   other ranks: Irecv of the request, Test between pieces of work, Wait when the work is done, Send of the data
// Afterwards the writers acknowledge (Isend, Waitall), the others wait for both acknowledgements with Waitsome. A step ends
// with the Reduce of the energy and a Barrier.
#include "program.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GROUP = 4, PIECES = 40 };
enum operation { POSITIONS, FORCES, OPERATIONS };
enum { TAG_REQUEST = 70, TAG_DATA = 80, TAG_ACKNOWLEDGE = 90 };

static struct options opt;
static int group_start;          // first rank of this rank's group
static double *position, *force; // size particles
static double *file;             // what a writer has gathered
static double written;           // checksum of all that this rank has written

static void set_up_particles(void) {
    if (opt.ranks % GROUP)
        refuse(&opt, "needs a multiple of four ranks.");
    if (opt.size % PIECES)
        refuse(&opt, "needs a size that 40 divides.");
    group_start = opt.rank / GROUP * GROUP;
    position = calloc((size_t)opt.size, sizeof *position), force = calloc((size_t)opt.size, sizeof *force);
    file = calloc((size_t)opt.size, sizeof *file);
    for (int i = 0; i < opt.size; i++)
        position[i] = start_value(opt.seed, (long)opt.rank * opt.size + i);
}

// Forces on one piece of the particles; pure, so that it does not matter when it is done.
static void compute_pairs(int step, int piece) {
    int advance = 1, passes = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: the cell list has width 0, the next particle is always the same
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        passes = 5; // BUG: the neighbour list is never kept, everything is computed anew
    int length = opt.size / PIECES;
    for (int pass = 0; pass < passes; pass++)
        for (int i = piece * length; i < (piece + 1) * length; i += advance) {
            double sum = 0.0;
            for (int k = 1; k <= 40; k++) {
                double distance = position[i] - position[(i + k) % opt.size];
                sum += distance / (0.1 + distance * distance);
            }
            force[i] = sum;
        }
}

static void integrate(int step) {
    double *target = position;
    if (fault_strikes(&opt, "crash", step, __func__, NOBODY))
        target = NULL; // BUG: the particles were given back while they are still in use
    for (int i = 0; i < opt.size; i++)
        target[i] += 1e-4 * force[i];
}

static void flush_to_disk(int slow_disk) {
    for (int i = 0; i < opt.size; i++)
        written += file[i] * (1.0 + 0.001 * i);
    if (slow_disk)
        usleep(1000000);
}

// The tags of both operations must differ, as ranks of a group may be in different ones.
HELPER int tag_of(int tag, enum operation operation, int mixed_up) { return mixed_up ? tag : tag + (int)operation; }

static void write_as_writer(int step, enum operation operation, const double *field, int mixed_up) {
    int wanted = step;
    memcpy(file, field, (size_t)opt.size * sizeof *file);
    flush_to_disk(0);
    for (int k = 1; k < GROUP; k++) {
        int member = group_start + (opt.rank - group_start + k) % GROUP;
        MPI_Send(&wanted, 1, MPI_INT, member, tag_of(TAG_REQUEST, operation, mixed_up), MPI_COMM_WORLD);
        MPI_Request data;
        MPI_Irecv(file, opt.size, MPI_DOUBLE, member, tag_of(TAG_DATA, operation, mixed_up), MPI_COMM_WORLD, &data);
        MPI_Wait(&data, MPI_STATUS_IGNORE);
        flush_to_disk(mixed_up && operation == POSITIONS && k == 1);
    }
}

static void send_data(int step, int writer, int tag, const double *field) {
    if (fault_strikes(&opt, "skipped-send", step, __func__, writer))
        return; // BUG: takes its buffer for empty
    MPI_Send(field, opt.size, MPI_DOUBLE, writer, tag, MPI_COMM_WORLD);
}

static void write_as_other(int step, enum operation operation, int writer, const double *field, int mixed_up) {
    int wanted = 0, here = 0, piece = 0;
    // Positions may be asked for by whoever writes them.
    int source = operation == POSITIONS ? MPI_ANY_SOURCE : writer;
    MPI_Request request;
    MPI_Irecv(&wanted, 1, MPI_INT, source, tag_of(TAG_REQUEST, operation, mixed_up), MPI_COMM_WORLD, &request);
    for (; piece < PIECES && operation == POSITIONS; piece++) {
        compute_pairs(step, piece);
        if (!here)
            MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    }
    for (int tries = 0; tries < 1000 && !here; tries++)
        MPI_Test(&request, &here, MPI_STATUS_IGNORE);
    if (!here)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (fault_strikes(&opt, "deadlock", step, __func__, writer)) // BUG: waits for the thanks before it has sent anything
        MPI_Recv(&wanted, 1, MPI_INT, writer, TAG_ACKNOWLEDGE + (int)operation, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    send_data(step, writer, tag_of(TAG_DATA, operation, mixed_up), field);
}

// Whether this rank's group mixes the tags of both operations in this step (fault "interception"). The disk of the group's first
// rank is slow; the second, done with the positions, begins with the forces, and the third takes its request for the one for
// positions. So the third later waits for a request that is already gone, and the second for its data: they wait for each other.
HELPER int tags_mixed_up(int step) {
    if (strcmp(opt.fault, "interception") || step != opt.fault_step || opt.rank / GROUP != opt.fault_rank / GROUP)
        return 0;
    fault_strikes(&opt, "interception", step, "write_as_other", opt.fault_rank - 1);
    return 1; // BUG: both operations use the same tags
}

static void buffered_write(int step, enum operation operation, const double *field) {
    int writer = group_start + (int)operation, mixed_up = tags_mixed_up(step);
    if (opt.rank == writer)
        write_as_writer(step, operation, field, mixed_up);
    else
        write_as_other(step, operation, writer, field, mixed_up);
}

static void acknowledge(int step) {
    int writes = opt.rank - group_start < OPERATIONS ? opt.rank - group_start : -1, thanks[OPERATIONS], mine = step, count = 0,
        done = 0;
    MPI_Request requests[GROUP + OPERATIONS];
    for (int operation = 0; operation < OPERATIONS; operation++)
        if (operation != writes)
            MPI_Irecv(&thanks[operation], 1, MPI_INT, group_start + operation, TAG_ACKNOWLEDGE + operation, MPI_COMM_WORLD,
                      &requests[count++]);
    MPI_Request sends[GROUP];
    for (int k = 1; k < GROUP && writes >= 0; k++)
        MPI_Isend(&mine, 1, MPI_INT, group_start + (opt.rank - group_start + k) % GROUP, TAG_ACKNOWLEDGE + writes, MPI_COMM_WORLD,
                  &sends[k - 1]);
    while (done < count) {
        int some, which[GROUP + OPERATIONS];
        MPI_Waitsome(count, requests, &some, which, MPI_STATUSES_IGNORE);
        done += some;
    }
    if (writes >= 0)
        MPI_Waitall(GROUP - 1, sends, MPI_STATUSES_IGNORE);
}

static void total_energy(int step) {
    double energy = 0.0, all = 0.0;
    for (int i = 0; i < opt.size; i++)
        energy += position[i] * position[i];
    if (fault_strikes(&opt, "abort", step, __func__, NOBODY))
        energy = NAN; // BUG: divides by the mass of a particle that has none
    if (isnan(energy))
        MPI_Abort(MPI_COMM_WORLD, 10);
    if (fault_strikes(&opt, "mismatch", step, __func__, NOBODY))
        MPI_Barrier(MPI_COMM_WORLD); // BUG: a rank without output skips the energy and goes to the barrier
    else
        MPI_Reduce(&energy, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void md_step(int step) {
    MPI_Pcontrol(1);
    if (opt.rank == group_start) // the writer of the positions has no time to wait in, and computes first
        for (int piece = 0; piece < PIECES; piece++)
            compute_pairs(step, piece);
    buffered_write(step, POSITIONS, position);
    integrate(step);
    buffered_write(step, FORCES, force);
    acknowledge(step);
    total_energy(step);
    MPI_Barrier(MPI_COMM_WORLD);
}

// Whether all steps were made.
static int run(void) {
    for (int step = 1; step <= opt.steps; step++) {
        md_step(step);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return 0; // BUG: one rank counts its steps from another number
    }
    MPI_Pcontrol(0);
    return 1;
}

static double sum_of_files(void) {
    double all = 0.0;
    MPI_Reduce(&written, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "buffered-io", 60, 4000,
                       "spin skipped-send interception early-exit crash abort mismatch deadlock slow");
    set_up_particles();
    if (!strcmp(opt.fault, "interception")) // always the third of its group
        opt.fault_rank = opt.fault_rank / GROUP * GROUP + 2;
    if (run())
        print_checksum(&opt, sum_of_files());
    free(file), free(force), free(position);
    MPI_Finalize();
    return 0;
}
