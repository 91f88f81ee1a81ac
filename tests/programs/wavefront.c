// SPDX-License-Identifier: GPL-3.0-or-later
// Symmetric relaxation of a box of size x size x PLANES points on a two-dimensional grid of ranks, as LU does it: plane by
// plane a lower sweep from the north-west corner to the south-east one, and an upper sweep back. Blocking Send and Recv only,
// no collective anywhere: ranks drift apart by several planes.
#include "program.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = 8 };
enum side { WEST, EAST, NORTH, SOUTH, SIDES, TAG_SUM };

static struct options opt;
static int dims[2], neighbour[SIDES];
static int rows, columns, first_row, first_column;
static double *box;                // PLANES planes of rows + 2 lines of columns + 2 points
static double *line_in, *line_out; // an edge on its way

HELPER double *point(int plane, int row, int column) { return box + ((long)plane * (rows + 2) + row) * (columns + 2) + column; }
HELPER int rank_at(int y, int x) { return y < 0 || y >= dims[0] || x < 0 || x >= dims[1] ? MPI_PROC_NULL : y * dims[1] + x; }
HELPER int rank_beside(int rank, enum side side) {
    int y = rank / dims[1], x = rank % dims[1];
    return rank_at(y + (side == SOUTH) - (side == NORTH), x + (side == EAST) - (side == WEST));
}

// The side to which the faulty rank fails: east or south in the lower sweep; of the last rank west or north in the upper one.
HELPER enum side faulty_side(void) {
    const enum side order[] = {EAST, SOUTH, WEST, NORTH};
    int i = 0;
    while (rank_beside(opt.fault_rank, order[i]) == MPI_PROC_NULL)
        i++;
    return order[i];
}

static void set_up_box(void) {
    MPI_Dims_create(opt.ranks, 2, dims);
    if (opt.ranks < 2 || opt.size % dims[0] || opt.size % dims[1])
        refuse(&opt, "needs two ranks or more, and their grid must divide the size.");
    rows = opt.size / dims[0], columns = opt.size / dims[1];
    first_row = opt.rank / dims[1] * rows, first_column = opt.rank % dims[1] * columns;
    for (int side = 0; side < SIDES; side++)
        neighbour[side] = rank_beside(opt.rank, (enum side)side);
    box = calloc((size_t)PLANES * (rows + 2) * (columns + 2), sizeof *box);
    line_in = calloc((size_t)rows + columns, sizeof *line_in), line_out = calloc((size_t)rows + columns, sizeof *line_out);
    for (int k = 0; k < PLANES; k++)
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c <= columns; c++)
                *point(k, r, c) = start_value(opt.seed, ((long)k * opt.size + first_row + r) * opt.size + first_column + c);
}

static void receive_edge(int plane, enum side side) {
    if (neighbour[side] == MPI_PROC_NULL)
        return;
    int upright = side == WEST || side == EAST, count = upright ? rows : columns;
    MPI_Recv(line_in, count, MPI_DOUBLE, neighbour[side], side, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= count; i++)
        *(upright ? point(plane, i, side == WEST ? 0 : columns + 1) : point(plane, side == NORTH ? 0 : rows + 1, i)) =
            line_in[i - 1];
}

static void send_edge(int step, int plane, int last_plane, enum side side) {
    const enum side opposite[SIDES] = {EAST, WEST, SOUTH, NORTH};
    int to = neighbour[side], upright = side == WEST || side == EAST, count = upright ? rows : columns;
    if (to == MPI_PROC_NULL)
        return;
    enum side faulty = faulty_side();
    int lower = side == EAST || side == SOUTH;
    int starts_here = plane == PLANES / 2 && lower == (faulty == EAST || faulty == SOUTH);
    if (!strcmp(opt.fault, "lost-credits") && (opt.told || starts_here)) {
        enum side other = lower ? (side == EAST ? SOUTH : EAST) : (side == WEST ? NORTH : WEST);
        opt.also_accepted = neighbour[other] == MPI_PROC_NULL ? NOBODY : neighbour[other];
        if (fault_strikes(&opt, "lost-credits", step, __func__, to))
            return; // BUG: out of credits for messages, it should wait for new ones instead of sending nothing any more
    }
    if (starts_here && side == faulty && fault_strikes(&opt, "skipped-send", step, __func__, to))
        return; // BUG: takes this side for the edge of the box
    if (plane == last_plane && side == faulty && fault_strikes(&opt, "deadlock", step, __func__, to))
        receive_edge(plane, side); // BUG: begins the way back before it has sent the last edge of the way there
    for (int i = 1; i <= count; i++)
        line_out[i - 1] = *(upright ? point(plane, i, side == WEST ? 1 : columns) : point(plane, side == NORTH ? 1 : rows, i));
    MPI_Send(line_out, count, MPI_DOUBLE, to, opposite[side], MPI_COMM_WORLD);
}

// One plane; `way` is 1 from north-west to south-east, -1 back.
static void relax_plane(int step, int plane, int way) {
    const double *source = box;
    int passes = 1;
    double tolerance = 1e-9;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        tolerance = -1.0; // BUG: a tolerance that was never set, no correction is below it
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        passes = 5; // BUG: starts each point anew four times
    if (fault_strikes(&opt, "crash", step, __func__, NOBODY))
        source = NULL; // BUG: the source was given back after the first iterations
    for (int r = way > 0 ? 1 : rows; r >= 1 && r <= rows; r += way)
        for (int c = way > 0 ? 1 : columns; c >= 1 && c <= columns; c += way) {
            double before = *point(plane, r - way, c) + *point(plane, r, c - way), old = *point(plane, r, c), value = old;
            for (int pass = 0; pass < passes; pass++) {
                double correction;
                value = old;
                do { // value = 0.1 + before / 4 + old / 4 + sin(value) / 10
                    correction = 0.1 + 0.25 * (before + old) + 0.1 * sin(value) - value + source[0] * 0.0;
                    value += correction;
                } while (fabs(correction) > tolerance);
            }
            *point(plane, r, c) = value;
        }
}

static void lower_sweep(int step) {
    for (int plane = 0; plane < PLANES; plane++) {
        receive_edge(plane, NORTH);
        receive_edge(plane, WEST);
        relax_plane(step, plane, 1);
        send_edge(step, plane, PLANES - 1, SOUTH);
        send_edge(step, plane, PLANES - 1, EAST);
    }
}

static void upper_sweep(int step) {
    for (int plane = PLANES - 1; plane >= 0; plane--) {
        receive_edge(plane, SOUTH);
        receive_edge(plane, EAST);
        relax_plane(step, plane, -1);
        send_edge(step, plane, 0, NORTH);
        send_edge(step, plane, 0, WEST);
    }
}

static void check_bounds(int step) {
    double bound = 100.0;
    if (fault_strikes(&opt, "abort", step, __func__, NOBODY))
        bound = 0.0; // BUG: the bound is read before it was set
    if (fabs(*point(0, 1, 1)) > bound)
        MPI_Abort(MPI_COMM_WORLD, 6);
}

static void relax_iteration(int step) {
    MPI_Pcontrol(1);
    lower_sweep(step);
    upper_sweep(step);
    check_bounds(step);
}

// Whether all steps were made.
static int solve(void) {
    for (int step = 1; step <= opt.steps; step++) {
        relax_iteration(step);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return 0; // BUG: one rank alone takes its part for converged
    }
    MPI_Pcontrol(0);
    return 1;
}

// The sum over all ranks, on rank 0; in the order of ranks.
static double weighted_sum(void) {
    double sum = 0.0;
    for (int k = 0; k < PLANES; k++)
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c <= columns; c++)
                sum += *point(k, r, c) * (1.0 + 0.001 * (first_row + r) + 0.002 * (first_column + c));
    if (opt.rank != 0)
        MPI_Send(&sum, 1, MPI_DOUBLE, 0, TAG_SUM, MPI_COMM_WORLD);
    for (int from = 1; opt.rank == 0 && from < opt.ranks; from++) {
        double part;
        MPI_Recv(&part, 1, MPI_DOUBLE, from, TAG_SUM, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += part;
    }
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "wavefront", 60, 64, "spin skipped-send lost-credits early-exit crash abort deadlock slow");
    set_up_box();
    if (solve())
        print_checksum(&opt, weighted_sum());
    free(line_out), free(line_in), free(box);
    MPI_Finalize();
    return 0;
}
