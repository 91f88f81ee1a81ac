// SPDX-License-Identifier: GPL-3.0-or-later
// V-cycles for Poisson's equation on size x size cells in bands of rows. Persistent requests (Startall, Waitall) for the halo
// of each level; where a band gets too thin two ranks join theirs, so that partners differ from level to level and on the
// coarsest level only one or two ranks work. The residual is reduced once a cycle.
#include "program.h"

#include <cmath>
#include <cstring>
#include <memory>
#include <mpi.h>
#include <vector>

namespace {

options opt;

enum Tag { Downwards = 20, Upwards, Join, Part };

// One level's band on this rank: rows x cells cells, with a ring of cells around it.
struct Level {
    Level(int rows, int cells, int stride) : rows(rows), cells(cells), stride(stride) {
        for (std::vector<double> *field : {&u, &f, &scratch})
            field->assign(static_cast<std::size_t>(rows + 2) * (cells + 2), 0.0);
    }
    int rows, cells;
    int stride; // distance of the ranks that work on this level
    std::vector<double> u, f, scratch;
    std::vector<MPI_Request> halo; // receives first
    bool joins = false;            // to the next level two ranks join their bands
};
HELPER double *row(std::vector<double> &field, const Level &level, int r) {
    return field.data() + static_cast<std::size_t>(r) * (level.cells + 2);
}

using Levels = std::vector<std::unique_ptr<Level>>;

// The rank that shares a fault with `rank`: the one below on the finest level, or of the last rank the one above.
HELPER int partner_of(int rank) { return rank + 1 < opt.ranks ? rank + 1 : rank - 1; }

void set_up_halo(Level &level) {
    const int above = opt.rank - level.stride, below = opt.rank + level.stride, count = level.cells + 2;
    auto add = [&](bool receive, int r, int peer, Tag tag) {
        MPI_Request request;
        if (receive)
            MPI_Recv_init(row(level.u, level, r), count, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &request);
        else
            MPI_Send_init(row(level.u, level, r), count, MPI_DOUBLE, peer, tag, MPI_COMM_WORLD, &request);
        level.halo.push_back(request);
    };
    for (bool receive : {true, false}) {
        if (above >= 0)
            add(receive, receive ? 0 : 1, above, receive ? Downwards : Upwards);
        if (below < opt.ranks)
            add(receive, receive ? level.rows + 1 : level.rows, below, receive ? Upwards : Downwards);
    }
}

Levels set_up_levels() {
    if (opt.ranks < 2 || (opt.ranks & (opt.ranks - 1)) || (opt.size & (opt.size - 1)) || opt.size < 2 * opt.ranks)
        refuse(&opt, "needs a power of two of ranks, two or more, and a size that is a power of two and at least twice that.");
    Levels levels;
    int stride = 1, cells = opt.size, rows = opt.size / opt.ranks;
    while (opt.rank % stride == 0) {
        levels.push_back(std::make_unique<Level>(rows, cells, stride));
        set_up_halo(*levels.back());
        if (cells <= 4)
            break;
        levels.back()->joins = rows == 2 && opt.ranks / stride > 1;
        (levels.back()->joins ? stride : rows) = levels.back()->joins ? 2 * stride : rows / 2;
        cells /= 2;
    }
    return levels;
}

// u is 0 at the walls, half a cell outside of the outermost cells.
HELPER void mirror_at_walls(Level &level) {
    for (int r = 0; r < level.rows + 2; ++r) {
        double *u = row(level.u, level, r);
        u[0] = -u[1], u[level.cells + 1] = -u[level.cells];
    }
    for (int c = 0; c < level.cells + 2; ++c) {
        if (opt.rank < level.stride)
            row(level.u, level, 0)[c] = -row(level.u, level, 1)[c];
        if (opt.rank + level.stride >= opt.ranks)
            row(level.u, level, level.rows + 1)[c] = -row(level.u, level, level.rows)[c];
    }
}

void exchange_halo(Level &level, int step) {
    const int requests = static_cast<int>(level.halo.size()), receives = requests / 2;
    int first = 0, count = requests;
    const int partner = partner_of(opt.fault_rank);
    const bool finest = level.stride == 1 && level.cells == opt.size;
    if (finest && fault_strikes_pair(&opt, "deadlock", step, __func__, partner)) {
        MPI_Startall(receives, level.halo.data());
        MPI_Waitall(receives, level.halo.data(), MPI_STATUSES_IGNORE); // BUG: waits for its halo before it starts its sends
        first = receives, count = receives;
    }
    if (finest && fault_strikes(&opt, "skipped-send", step, __func__, partner) && partner > opt.rank)
        --count; // BUG: counts one request too few, the send downwards is never started
    else if (finest && fault_strikes(&opt, "skipped-send", step, __func__, partner))
        count = receives; // BUG: counts one request too few, the send upwards is never started
    MPI_Startall(count, level.halo.data() + first);
    MPI_Waitall(count, level.halo.data() + first, MPI_STATUSES_IGNORE);
    mirror_at_walls(level);
}

// One damped Jacobi step on f; no exchange.
void relax(Level &level, int step) {
    int advance = 1, passes = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        advance = 0; // BUG: the height of a block of rows is rounded down to 0, the sweep stays where it is
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        passes = 5; // BUG: the result is not kept, and computed anew for each reader
    const double h2 = 1.0 / (double(level.cells) * level.cells);
    for (int pass = 0; pass < passes; ++pass)
        for (int r = 1; r <= level.rows; r += advance) {
            const double *above = row(level.u, level, r - 1), *here = row(level.u, level, r), *below = row(level.u, level, r + 1);
            const double *f = row(level.f, level, r);
            double *result = row(level.scratch, level, r);
            for (int c = 1; c <= level.cells; ++c)
                result[c] = here[c] + 0.8 * 0.25 * (h2 * f[c] + above[c] + below[c] + here[c - 1] + here[c + 1] - 4.0 * here[c]);
        }
    for (int r = 1; r <= level.rows; ++r)
        std::memcpy(row(level.u, level, r) + 1, row(level.scratch, level, r) + 1, sizeof(double) * level.cells);
}

void smooth(Level &level, int sweeps, int step) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        exchange_halo(level, step);
        relax(level, step);
    }
}

// scratch = f - A u
void residual(Level &level, int step) {
    exchange_halo(level, step);
    const double per_h2 = double(level.cells) * level.cells;
    for (int r = 1; r <= level.rows; ++r) {
        const double *above = row(level.u, level, r - 1), *here = row(level.u, level, r), *below = row(level.u, level, r + 1);
        const double *f = row(level.f, level, r);
        double *result = row(level.scratch, level, r);
        for (int c = 1; c <= level.cells; ++c)
            result[c] = f[c] - per_h2 * (4.0 * here[c] - above[c] - below[c] - here[c - 1] - here[c + 1]);
    }
}

// Means of four cells of the residual become the right side of the next level; a rank that leaves sends its rows up.
void restrict_residual(Level &fine, Level *coarse, int step) {
    const int rows = fine.rows / 2, cells = fine.cells / 2;
    std::vector<double> means(static_cast<std::size_t>(rows) * (cells + 2), 0.0);
    double *target = means.data();
    if (fault_strikes(&opt, "crash", step, __func__, NOBODY))
        target = nullptr; // BUG: the buffer for the means was not made on this level
    for (int r = 0; r < rows; ++r) {
        const double *upper = row(fine.scratch, fine, 2 * r + 1), *lower = row(fine.scratch, fine, 2 * r + 2);
        for (int c = 1; c <= cells; ++c)
            target[r * (cells + 2) + c] = 0.25 * (upper[2 * c - 1] + upper[2 * c] + lower[2 * c - 1] + lower[2 * c]);
    }
    const int count = static_cast<int>(means.size());
    if (!coarse) {
        MPI_Send(means.data(), count, MPI_DOUBLE, opt.rank - fine.stride, Join, MPI_COMM_WORLD);
        return;
    }
    std::memcpy(row(coarse->f, *coarse, 1), means.data(), sizeof(double) * means.size());
    if (fine.joins)
        MPI_Recv(row(coarse->f, *coarse, 1 + rows), count, MPI_DOUBLE, opt.rank + fine.stride, Join, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    std::fill(coarse->u.begin(), coarse->u.end(), 0.0);
}

// Adds the next level's correction to u, interpolated; a rank that has left gets its rows and the ones around them back.
void prolongate(Level &fine, Level *coarse, int step) {
    const int rows = fine.rows / 2, cells = fine.cells / 2;
    std::vector<double> correction(static_cast<std::size_t>(rows + 2) * (cells + 2));
    const int count = static_cast<int>(correction.size());
    if (coarse) {
        exchange_halo(*coarse, step);
        std::memcpy(correction.data(), row(coarse->u, *coarse, 0), sizeof(double) * correction.size());
    } else
        MPI_Recv(correction.data(), count, MPI_DOUBLE, opt.rank - fine.stride, Part, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (coarse && fine.joins)
        MPI_Send(row(coarse->u, *coarse, rows), count, MPI_DOUBLE, opt.rank + fine.stride, Part, MPI_COMM_WORLD);
    for (int r = 1; r <= fine.rows; ++r) {
        const double *near = correction.data() + (r + 1) / 2 * (cells + 2), *far = near + (r % 2 ? -1 : 1) * (cells + 2);
        double *to = row(fine.u, fine, r);
        for (int c = 1; c <= fine.cells; ++c) {
            const int at = (c + 1) / 2, beside = at + (c % 2 ? -1 : 1);
            to[c] += (9.0 * near[at] + 3.0 * near[beside] + 3.0 * far[at] + far[beside]) / 16.0;
        }
    }
}

void descend(Levels &levels, std::size_t at, int step) {
    Level &level = *levels[at];
    if (level.cells <= 4) {
        smooth(level, 12, step);
        return;
    }
    Level *next = at + 1 < levels.size() ? levels[at + 1].get() : nullptr;
    smooth(level, 2, step);
    residual(level, step);
    restrict_residual(level, next, step);
    if (next)
        descend(levels, at + 1, step);
    prolongate(level, next, step);
    smooth(level, 2, step);
}

void check_norm(Level &finest, int step) {
    double sum = 0.0, all = 0.0;
    residual(finest, step);
    for (int r = 1; r <= finest.rows; ++r)
        for (int c = 1; c <= finest.cells; ++c)
            sum += std::abs(row(finest.scratch, finest, r)[c]);
    if (fault_strikes(&opt, "abort", step, __func__, NOBODY))
        sum = -sum; // BUG: a wrong sign, no norm is negative
    if (sum < 0.0)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (fault_strikes(&opt, "mismatch", step, __func__, NOBODY))
        MPI_Bcast(&all, 1, MPI_DOUBLE, opt.rank == 0 ? 1 : 0,
                  MPI_COMM_WORLD); // BUG: waits for the result as if another rank had it
    else
        MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

// The source dies down from cycle to cycle, so that there is always something left to solve.
void weaken_source(Level &finest) {
    for (double &value : finest.f)
        value *= 0.97;
}

void v_cycle(Levels &levels, int step) {
    MPI_Pcontrol(1);
    weaken_source(*levels[0]);
    descend(levels, 0, step);
    check_norm(*levels[0], step);
}

// Whether all cycles were made.
bool solve(Levels &levels) {
    for (int step = 1; step <= opt.steps; ++step) {
        v_cycle(levels, step);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return false; // BUG: one rank alone takes its own residual for small enough
    }
    MPI_Pcontrol(0);
    return true;
}

double weighted_sum(Level &finest) {
    double sum = 0.0, all = 0.0;
    for (int r = 1; r <= finest.rows; ++r)
        for (int c = 1; c <= finest.cells; ++c)
            sum += row(finest.u, finest, r)[c] * (1.0 + 0.001 * (opt.rank * finest.rows + r) + 0.002 * c);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

} // namespace

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "multigrid", 40, 128, "spin skipped-send early-exit crash abort mismatch deadlock slow");
    Levels levels = set_up_levels();
    Level &finest = *levels[0];
    for (int r = 1; r <= finest.rows; ++r)
        for (int c = 1; c <= finest.cells; ++c)
            row(finest.f, finest, r)[c] = start_value(opt.seed, static_cast<long>(opt.rank * finest.rows + r) * opt.size + c);
    const bool solved = solve(levels);
    if (solved)
        print_checksum(&opt, weighted_sum(finest));
    for (const auto &level : levels)
        for (MPI_Request &request : level->halo)
            MPI_Request_free(&request);
    MPI_Finalize();
}
