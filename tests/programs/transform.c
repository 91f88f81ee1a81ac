// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transform of a cube of size^3 points in pencils, as spectral codes do it: transforms along one direction, and
// transpositions within rows (Alltoall) and columns (Alltoallv) of a grid of ranks, made by Comm_split. Each step goes to the
// spectrum, damps it, and comes back. Root sends the damping with Bcast; a ring of neighbours compares energies.
#include "program.h"

#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

typedef double complex point;

enum { TAG_ENERGY = 5, TAG_ANSWER };

static struct options opt;
static int dims[2], mine[2];                  // ranks along the two divided directions; this rank's place
static MPI_Comm row_comm, column_comm;        // ranks of equal mine[0]; of equal mine[1]
static int n, width, height;                  // points along a pencil; pencils of this rank in a row and in a column
static point *cube, *sent, *received, *roots; // height * width pencils of n points; size n/2
static int *counts, *places;                  // for Alltoallv

static void set_up_cube(void) {
    MPI_Dims_create(opt.ranks, 2, dims);
    n = opt.size;
    if (opt.ranks < 2 || (n & (n - 1)) || n % dims[0] || n % dims[1])
        refuse(&opt, "needs two ranks or more and a size that is a power of two and divisible by the sides of their grid.");
    mine[0] = opt.rank / dims[1], mine[1] = opt.rank % dims[1];
    MPI_Comm_split(MPI_COMM_WORLD, mine[0], mine[1], &row_comm);
    MPI_Comm_split(MPI_COMM_WORLD, mine[1], mine[0], &column_comm);
    height = n / dims[0], width = n / dims[1];
    size_t points = (size_t)height * width * n;
    cube = malloc(points * sizeof *cube), sent = malloc(points * sizeof *sent), received = malloc(points * sizeof *received);
    roots = malloc((size_t)n / 2 * sizeof *roots + 1);
    counts = malloc((size_t)dims[0] * sizeof *counts), places = malloc((size_t)dims[0] * sizeof *places);
    for (int k = 0; k < n / 2; k++)
        roots[k] = cos(2.0 * M_PI * k / n) - sin(2.0 * M_PI * k / n) * I;
    for (int z = 0; z < height; z++)
        for (int y = 0; y < width; y++)
            for (int x = 0; x < n; x++)
                cube[((size_t)z * width + y) * n + x] =
                    start_value(opt.seed, ((long)(mine[0] * height + z) * n + mine[1] * width + y) * n + x);
}

HELPER point multiply(point a, point b) {
    return creal(a) * creal(b) - cimag(a) * cimag(b) + (creal(a) * cimag(b) + cimag(a) * creal(b)) * I;
}

// Radix-2 transform of one pencil in place; `growth` is the factor from one stage to the next, 2.
HELPER void transform_pencil(point *a, int inverse, int growth) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            point swapped = a[i];
            a[i] = a[j], a[j] = swapped;
        }
    }
    for (int length = 2; length <= n; length *= growth)
        for (int start = 0; start < n; start += length)
            for (int k = 0; k < length / 2; k++) {
                point root = roots[k * (n / length)];
                point even = a[start + k], odd = multiply(a[start + k + length / 2], inverse ? conj(root) : root);
                a[start + k] = even + odd, a[start + k + length / 2] = even - odd;
            }
    if (inverse)
        for (int i = 0; i < n; i++)
            a[i] /= n;
}

static void transform_lines(int step, int inverse) {
    int growth = 2, passes = 1;
    if (fault_strikes(&opt, "spin", step, __func__, NOBODY))
        growth = 1; // BUG: the table of radices ends with a 1, the stages no longer grow
    if (fault_strikes(&opt, "slow", step, __func__, NOBODY))
        passes = 5; // BUG: first tries the plan on a copy, four times, for every pencil
    for (int pencil = 0; pencil < height * width; pencil++) {
        for (int pass = 1; pass < passes; pass++) {
            memcpy(sent, cube + (size_t)pencil * n, (size_t)n * sizeof *sent);
            transform_pencil(sent, inverse, growth);
        }
        transform_pencil(cube + (size_t)pencil * n, inverse, growth);
    }
}

// Exchanges the direction along the pencils with the one that is divided among the ranks of a row.
static void transpose_rows(int step) {
    int block = height * width * width;
    if (fault_strikes(&opt, "crash", step, __func__, NOBODY))
        sent = NULL; // BUG: the buffer was given back, and the pointer to it cleared, one step too early
    for (int part = 0; part < dims[1]; part++)
        for (int z = 0; z < height; z++)
            for (int y = 0; y < width; y++)
                for (int x = 0; x < width; x++)
                    sent[(size_t)part * block + ((size_t)z * width + x) * width + y] =
                        cube[((size_t)z * width + y) * n + part * width + x];
    MPI_Alltoall(sent, block, MPI_C_DOUBLE_COMPLEX, received, block, MPI_C_DOUBLE_COMPLEX, row_comm);
    for (int part = 0; part < dims[1]; part++)
        for (int z = 0; z < height; z++)
            for (int x = 0; x < width; x++)
                memcpy(cube + ((size_t)z * width + x) * n + part * width,
                       received + (size_t)part * block + ((size_t)z * width + x) * width, (size_t)width * sizeof *cube);
}

// The same for the direction that is divided among the ranks of a column.
static void transpose_columns(void) {
    int block = height * height * width;
    for (int part = 0; part < dims[0]; part++) {
        counts[part] = block, places[part] = part * block;
        for (int z = 0; z < height; z++)
            for (int y = 0; y < width; y++)
                for (int x = 0; x < height; x++)
                    sent[(size_t)part * block + ((size_t)x * width + y) * height + z] =
                        cube[((size_t)z * width + y) * n + part * height + x];
    }
    MPI_Alltoallv(sent, counts, places, MPI_C_DOUBLE_COMPLEX, received, counts, places, MPI_C_DOUBLE_COMPLEX, column_comm);
    for (int part = 0; part < dims[0]; part++)
        for (int x = 0; x < height; x++)
            for (int y = 0; y < width; y++)
                memcpy(cube + ((size_t)x * width + y) * n + part * height,
                       received + (size_t)part * block + ((size_t)x * width + y) * height, (size_t)height * sizeof *cube);
}

static double read_damping(int step) {
    double damping = opt.rank == 0 ? 1e-4 / step : 0.0;
    MPI_Bcast(&damping, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return damping;
}

static void damp_spectrum(double damping) {
    for (int a = 0; a < height; a++)
        for (int b = 0; b < width; b++)
            for (int c = 0; c < n; c++) {
                double distance = (mine[0] * height + a) % (n / 2) + (mine[1] * width + b) % (n / 2) + c % (n / 2);
                cube[((size_t)a * width + b) * n + c] *= exp(-damping * distance);
            }
}

static double local_energy(void) {
    double sum = 0.0;
    for (size_t i = 0; i < (size_t)height * width * n; i++)
        sum += creal(cube[i]) * creal(cube[i]) + cimag(cube[i]) * cimag(cube[i]);
    return sum;
}

// Passes the energy around the ring: a spectrum that is a number here and none at the neighbour is an error.
static void compare_energies(int step) {
    double here = local_energy(), before = 0.0;
    int next = (opt.rank + 1) % opt.ranks, previous = (opt.rank + opt.ranks - 1) % opt.ranks;
    MPI_Request request = MPI_REQUEST_NULL;
    int peer = opt.rank == opt.fault_rank ? next : previous;
    if (fault_strikes_pair(&opt, "deadlock", step, __func__, (opt.fault_rank + 1) % opt.ranks))
        MPI_Recv(&before, 1, MPI_DOUBLE, peer, TAG_ANSWER, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);                                // BUG: awaits the answer, then asks
    if (!fault_strikes(&opt, "skipped-send", step, __func__, next)) // BUG: an energy of 0 is not worth a message, it believes
        MPI_Isend(&here, 1, MPI_DOUBLE, next, TAG_ENERGY, MPI_COMM_WORLD, &request);
    MPI_Recv(&before, 1, MPI_DOUBLE, previous, TAG_ENERGY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (fault_strikes(&opt, "abort", step, __func__, NOBODY))
        before = NAN; // BUG: reads the energy after its buffer was used for something else
    if (isnan(before))
        MPI_Abort(MPI_COMM_WORLD, 5);
}

static void total_energy(int step) {
    double here = local_energy(), all = 0.0;
    MPI_Comm comm = MPI_COMM_WORLD;
    if (fault_strikes(&opt, "mismatch", step, __func__, NOBODY))
        comm = dims[1] > 1 ? row_comm : column_comm; // BUG: sums over its part of the grid, while the others sum over all
    MPI_Allreduce(&here, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
}

static void transform_step(int step) {
    MPI_Pcontrol(1);
    double damping = read_damping(step);
    transform_lines(step, 0);
    transpose_rows(step);
    transform_lines(step, 0);
    transpose_columns();
    transform_lines(step, 0);
    damp_spectrum(damping);
    compare_energies(step);
    transform_lines(step, 1);
    transpose_columns();
    transform_lines(step, 1);
    transpose_rows(step);
    transform_lines(step, 1);
    total_energy(step);
}

// Whether all steps were made.
static int transform_steps(void) {
    for (int step = 1; step <= opt.steps; step++) {
        transform_step(step);
        if (fault_strikes(&opt, "early-exit", step, __func__, NOBODY))
            return 0; // BUG: takes its part of the spectrum for settled and leaves without asking the others
    }
    MPI_Pcontrol(0);
    return 1;
}

static double weighted_sum(void) {
    double sum = 0.0, all = 0.0;
    for (int z = 0; z < height; z++)
        for (int y = 0; y < width; y++)
            for (int x = 0; x < n; x++)
                sum += creal(cube[((size_t)z * width + y) * n + x]) *
                       (1.0 + 0.001 * (mine[0] * height + z) + 0.002 * (mine[1] * width + y) + 0.003 * x);
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    opt = read_options(argc, argv, "transform", 40, 32, "spin skipped-send early-exit crash abort mismatch deadlock slow");
    set_up_cube();
    if (transform_steps())
        print_checksum(&opt, weighted_sum());
    MPI_Comm_free(&row_comm);
    MPI_Comm_free(&column_comm);
    free(places), free(counts), free(roots), free(received), free(sent), free(cube);
    MPI_Finalize();
    return 0;
}
