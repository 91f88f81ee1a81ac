// SPDX-License-Identifier: GPL-3.0-or-later
// Conjugate gradient for the Laplace operator on size x size points, divided into bands of rows. The rows at the bands'
// edges go to both neighbours with Sendrecv; three inner products a step with Allreduce.
#include "program.h"

#include <cmath>
#include <mpi.h>
#include <vector>

namespace {

options opt;

enum Tag { Downwards = 10, Upwards = 11 };

// A band of rows with one more row above and below it, which belong to the neighbours.
struct Band {
    Band(int rows, int columns) : rows(rows), columns(columns), values(static_cast<std::size_t>(rows + 2) * columns, 0.0) {}
    int rows, columns;
    std::vector<double> values;
};
HELPER double *row(Band &band, int r) { return &band.values[static_cast<std::size_t>(r) * band.columns]; }
HELPER const double *row(const Band &band, int r) { return &band.values[static_cast<std::size_t>(r) * band.columns]; }

HELPER int neighbour(int rank) { return rank < 0 || rank >= opt.ranks ? MPI_PROC_NULL : rank; }

// The rank that shares a fault with `rank`: the one below, or of the last rank the one above.
HELPER int partner_of(int rank) { return rank + 1 < opt.ranks ? rank + 1 : rank - 1; }

void exchange_rows(Band &p, int step) {
    const int above = neighbour(opt.rank - 1), below = neighbour(opt.rank + 1), partner = partner_of(opt.fault_rank);
    if (fault_strikes_pair(&opt, "deadlock", step, __func__, partner)) {
        const int peer = opt.rank == partner ? opt.fault_rank : partner;
        const bool up = peer < opt.rank; // BUG: both ranks receive first and send after that
        MPI_Recv(row(p, up ? 0 : p.rows + 1), p.columns, MPI_DOUBLE, peer, up ? Downwards : Upwards, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        MPI_Send(row(p, up ? 1 : p.rows), p.columns, MPI_DOUBLE, peer, up ? Upwards : Downwards, MPI_COMM_WORLD);
        return;
    }
    int to_above = above, to_below = below;
    if (fault_strikes(&opt, "skipped-send", step, __func__, partner))
        (partner > opt.rank ? to_below : to_above) = MPI_PROC_NULL; // BUG: takes this side for the edge of the domain
    MPI_Sendrecv(row(p, p.rows), p.columns, MPI_DOUBLE, to_below, Downwards, row(p, 0), p.columns, MPI_DOUBLE, above, Downwards,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(row(p, 1), p.columns, MPI_DOUBLE, to_above, Upwards, row(p, p.rows + 1), p.columns, MPI_DOUBLE, below, Upwards,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// q = A p; the points of a row are walked in the order of the list `next`, which ends with -1.
void apply_matrix(const Band &p, Band &q, std::vector<int> &next, int step) {
    const bool closed = fault_strikes(&opt, "spin", step, __func__, NOBODY);
    if (closed)
        next.back() = 0; // BUG: the list of points is closed to a ring, its end is never reached
    const int passes = fault_strikes(&opt, "slow", step, __func__, NOBODY) ? 5 : 1; // BUG: every reader computes it anew
    const int last = p.columns - 1, *follow = next.data();
    for (int pass = 0; pass < passes; ++pass)
        for (int r = 1; r <= p.rows; ++r) {
            const double *here = row(p, r), *above = row(p, r - 1), *below = row(p, r + 1);
            double *result = row(q, r);
            for (int c = 0; c >= 0; c = follow[c]) {
                const double west = c > 0 ? here[c - 1] : 0.0, east = c < last ? here[c + 1] : 0.0;
                result[c] = 4.01 * here[c] - west - east - above[c] - below[c];
            }
        }
}

double dot_product(const Band &a, const Band &b, int step) {
    double sum = 0.0, all = 0.0;
    for (int r = 1; r <= a.rows; ++r)
        for (int c = 0; c < a.columns; ++c)
            sum += row(a, r)[c] * row(b, r)[c];
    if (fault_strikes(&opt, "mismatch", step, __func__, NOBODY))
        MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); // BUG: Reduce where all others call Allreduce
    else
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

// target += factor * direction
void update(Band &target, double factor, const Band &direction, int step) {
    const double *from = row(direction, 1);
    if (fault_strikes(&opt, "crash", step, __func__, NOBODY))
        from = nullptr; // BUG: the direction was moved away
    double *to = row(target, 1);
    for (int i = 0; i < target.rows * target.columns; ++i)
        to[i] += factor * from[i];
}

void check_curvature(double curvature, int step) {
    if (fault_strikes(&opt, "abort", step, __func__, NOBODY))
        curvature = -curvature; // BUG: a wrong sign makes the matrix look indefinite
    if (curvature < 0.0)
        MPI_Abort(MPI_COMM_WORLD, 4);
}

struct Solver {
    Band x, r, p, q;
    std::vector<int> next; // the point after each point of a row
    double rr;
};

void iterate(Solver &s, int step) {
    MPI_Pcontrol(1);
    exchange_rows(s.p, step);
    apply_matrix(s.p, s.q, s.next, step);
    const double curvature = dot_product(s.p, s.q, step);
    check_curvature(curvature, step);
    const double alpha = s.rr / curvature;
    update(s.x, alpha, s.p, step);
    update(s.r, -alpha, s.q, step);
    const double rr = dot_product(s.r, s.r, step);
    const double beta = rr / s.rr;
    s.rr = rr;
    for (double &value : s.p.values)
        value *= beta;
    update(s.p, 1.0, s.r, step);
}

// Whether all steps were made.
bool solve(Solver &s) {
    s.rr = dot_product(s.r, s.r, 0);
    for (int step = 1; step <= opt.steps; ++step) {
        iterate(s, step);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return false; // BUG: one rank counts its steps from another number
    }
    MPI_Pcontrol(0);
    return true;
}

double weighted_sum(const Band &x) {
    double sum = 0.0, all = 0.0;
    for (int r = 1; r <= x.rows; ++r)
        for (int c = 0; c < x.columns; ++c)
            sum += row(x, r)[c] * (1.0 + 0.001 * (opt.rank * x.rows + r) + 0.002 * c);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "cg", 100, 256, "spin skipped-send early-exit crash abort mismatch deadlock slow");
    if (opt.ranks < 2 || opt.size % opt.ranks)
        refuse(&opt, "needs two ranks or more, and their number must divide the size.");
    const int rows = opt.size / opt.ranks;
    const Band zero(rows, opt.size);
    Solver solver{zero, zero, zero, zero, std::vector<int>(static_cast<std::size_t>(opt.size), -1), 0.0};
    for (int c = 0; c + 1 < opt.size; ++c)
        solver.next[static_cast<std::size_t>(c)] = c + 1;
    for (int r = 1; r <= rows; ++r)
        for (int c = 0; c < opt.size; ++c)
            row(solver.r, r)[c] = start_value(opt.seed, static_cast<long>(opt.rank * rows + r) * opt.size + c);
    solver.p = solver.r;
    if (solve(solver))
        print_checksum(&opt, weighted_sum(solver.x));
    MPI_Finalize();
}
