// SPDX-License-Identifier: GPL-3.0-or-later
// Heat in a plate of size x size cells with a conductivity that depends on the temperature: explicit steps on a
// two-dimensional grid of ranks. Halo exchange with Irecv, Isend and Waitall, columns as a vector type, one Allreduce a step.
#include "program.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { WEST, EAST, NORTH, SOUTH, SIDES };

static struct options opt;
static int dims[2], mine[2], neighbour[SIDES]; // ranks along y and x; this rank's place
static int rows, columns, first_row, first_column;
static double *temperature, *flux; // rows + 2 lines of columns + 2 cells
static MPI_Datatype column_type;

HELPER long at(int row, int column) { return (long)row * (columns + 2) + column; }
HELPER int rank_at(int y, int x) { return y < 0 || y >= dims[0] || x < 0 || x >= dims[1] ? MPI_PROC_NULL : y * dims[1] + x; }

// The rank that shares a fault with `rank`: beside it, in a plate of one column below or above it.
HELPER int partner_of(int rank) {
    int y = rank / dims[1], x = rank % dims[1];
    if (dims[1] > 1)
        return x + 1 < dims[1] ? rank_at(y, x + 1) : rank_at(y, x - 1);
    return y + 1 < dims[0] ? rank_at(y + 1, x) : rank_at(y - 1, x);
}

static void set_up_plate(void) {
    MPI_Dims_create(opt.ranks, 2, dims);
    mine[0] = opt.rank / dims[1], mine[1] = opt.rank % dims[1];
    if (opt.ranks < 2 || opt.size % dims[0] || opt.size % dims[1])
        refuse(&opt, "needs two ranks or more, and their grid must divide the size.");
    rows = opt.size / dims[0], columns = opt.size / dims[1];
    first_row = mine[0] * rows, first_column = mine[1] * columns;
    neighbour[WEST] = rank_at(mine[0], mine[1] - 1), neighbour[EAST] = rank_at(mine[0], mine[1] + 1);
    neighbour[NORTH] = rank_at(mine[0] - 1, mine[1]), neighbour[SOUTH] = rank_at(mine[0] + 1, mine[1]);
    temperature = calloc((size_t)at(rows + 2, 0), sizeof *temperature);
    flux = calloc((size_t)at(rows + 2, 0), sizeof *flux);
    for (int r = 1; r <= rows; r++)
        for (int c = 1; c <= columns; c++)
            temperature[at(r, c)] = start_value(opt.seed, (long)(first_row + r) * opt.size + first_column + c);
    MPI_Type_vector(rows, 1, columns + 2, MPI_DOUBLE, &column_type);
    MPI_Type_commit(&column_type);
}

static void exchange_halo(int step) {
    const long out[SIDES] = {at(1, 1), at(1, columns), at(1, 1), at(rows, 1)};
    const long in[SIDES] = {at(1, 0), at(1, columns + 1), at(0, 1), at(rows + 1, 1)};
    const int opposite[SIDES] = {EAST, WEST, SOUTH, NORTH};
    MPI_Request requests[2 * SIDES];
    for (int side = 0; side < SIDES; side++)
        MPI_Irecv(temperature + in[side], side < NORTH ? 1 : columns, side < NORTH ? column_type : MPI_DOUBLE, neighbour[side],
                  opposite[side], MPI_COMM_WORLD, &requests[side]);
    int partner = partner_of(opt.fault_rank);
    if (fault_strikes_pair(&opt, "deadlock", step, __func__, partner))
        MPI_Waitall(SIDES, requests, MPI_STATUSES_IGNORE); // BUG: waits for the neighbours before it sends to them
    int skipped = fault_strikes(&opt, "skipped-send", step, __func__, partner);
    for (int side = 0; side < SIDES; side++) {
        int to = neighbour[side];
        if (skipped && to == partner)
            to = MPI_PROC_NULL; // BUG: takes this side for the edge of the plate
        MPI_Isend(temperature + out[side], side < NORTH ? 1 : columns, side < NORTH ? column_type : MPI_DOUBLE, to, side,
                  MPI_COMM_WORLD, &requests[SIDES + side]);
    }
    MPI_Waitall(2 * SIDES, requests, MPI_STATUSES_IGNORE);
}

// Conductivity k of a cell from k = 1 + inflow * temperature / k, by Newton's method.
HELPER double conductivity(double inflow, double heat) {
    double k = 1.0, change;
    do {
        change = (k * k - k - inflow * heat) / (2.0 * k - 1.0);
        k -= change;
    } while (!(fabs(change) < 1e-12));
    return k;
}

static void compute_flux(int step) {
    double inflow = 0.5;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        inflow = NAN; // BUG: the inflow of this rank was never set, and Newton's method never ends on it
    int passes = 1;
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        passes = 5; // BUG: the result is not kept, and every user of it computes it anew
    for (int pass = 0; pass < passes; pass++)
        for (int r = 1; r <= rows; r++)
            for (int c = 1; c <= columns; c++) {
                double t = temperature[at(r, c)];
                double around =
                    temperature[at(r, c - 1)] + temperature[at(r, c + 1)] + temperature[at(r - 1, c)] + temperature[at(r + 1, c)];
                flux[at(r, c)] = conductivity(inflow, t) * (around - 4.0 * t);
            }
}

static double update_cells(int step) {
    double *target = temperature, change = 0.0;
    if (fault_strikes(&opt, "crash", step, __func__, NOBODY))
        target = NULL; // BUG: the plate was given back before its last use
    for (int r = 1; r <= rows; r++)
        for (int c = 1; c <= columns; c++) {
            target[at(r, c)] += 0.1 * flux[at(r, c)];
            change += fabs(flux[at(r, c)]);
        }
    return change;
}

static void check_energy(int step, double change) {
    double limit = 1e3 * rows * columns;
    if (fault_strikes(&opt, "abort", step, __func__, NOBODY))
        limit = -1.0; // BUG: the limit overflowed on the way, no energy is below it
    if (change > limit)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void residual(int step, double change) {
    double sum = 0.0;
    if (fault_strikes(&opt, "mismatch", step, __func__, NOBODY))
        MPI_Barrier(MPI_COMM_WORLD); // BUG: a rank without sources only synchronizes, while the others reduce
    else
        MPI_Allreduce(&change, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void time_step(int step) {
    MPI_Pcontrol(1);
    exchange_halo(step);
    compute_flux(step);
    double change = update_cells(step);
    check_energy(step, change);
    residual(step, change);
}

static double total_heat(void) {
    double sum = 0.0, all = 0.0;
    for (int r = 1; r <= rows; r++)
        for (int c = 1; c <= columns; c++)
            sum += temperature[at(r, c)] * (1.0 + 0.001 * (first_row + r) + 0.002 * (first_column + c));
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

// Whether all steps were made.
static int solve(void) {
    for (int step = 1; step <= opt.steps; step++) {
        time_step(step);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return 0; // BUG: one rank alone takes its own residual for small enough
    }
    MPI_Pcontrol(0);
    return 1;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "stencil", 120, 192, "spin skipped-send early-exit crash abort mismatch deadlock slow");
    set_up_plate();
    if (solve())
        print_checksum(&opt, total_heat());
    MPI_Type_free(&column_type);
    free(flux);
    free(temperature);
    MPI_Finalize();
    return 0;
}
