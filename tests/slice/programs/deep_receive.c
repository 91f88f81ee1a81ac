// SPDX-License-Identifier: GPL-3.0-or-later
// A library of linear algebra stands deep in its own calls, in a receive: whom it waits for comes before how it came there.
// stack: MPI_Recv hp_recv@R hp_sdrv@X roll@E laswp@L update@U solve@V test@T main@M
#include "mpi.h"
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    MPI_Comm row_comm, col_comm;
    int myrow, mycol, nprow, npcol;
} grid_t;
typedef struct {
    grid_t *grid;
    int n, nb, jb, lroot;
    double *a;
} panel_t;
enum { MSGID_ROLL = 7001 };
static int seen;
static int pad(int n) { return (n + 7) / 8 * 8; }
static void grid_init(grid_t *g, MPI_Comm comm, int p, int q) {
    int rank;
    MPI_Comm_rank(comm, &rank); // IN
    g->nprow = p;               // IN
    g->npcol = q;               // OUT
    g->myrow = rank % p;        // IN
    g->mycol = rank / p;
    MPI_Comm_split(comm, g->mycol, g->myrow, &g->col_comm); // IN
    MPI_Comm_split(comm, g->myrow, g->mycol, &g->row_comm); // OUT
}
static int hp_recv(double *buf, int count, int src, int tag, MPI_Comm comm) {
    MPI_Status status;
    int err = MPI_Recv(buf, count, MPI_DOUBLE, src, tag, comm, &status); // IN @R
    return err == MPI_SUCCESS;                                           // OUT
}
static int hp_send(double *buf, int count, int dst, int tag, MPI_Comm comm) {
    return MPI_Send(buf, count, MPI_DOUBLE, dst, tag, comm) == MPI_SUCCESS;
}
static int hp_sdrv(double *s, int ns, int st, double *r, int nr, int rt, int partner, MPI_Comm comm) {
    int ierr = 0; // OUT
    if (nr > 0 && ns > 0)
        ierr = hp_send(s, ns, partner, st, comm) ? hp_recv(r, nr, partner, rt, comm) : 1; // IN @X
    else if (nr > 0)
        ierr = hp_recv(r, nr, partner, rt, comm);
    return ierr; // OUT
}
static void roll(panel_t *panel, double *u, int n, const int *len) {
    grid_t *g = panel->grid;                              // IN
    MPI_Comm comm = g->col_comm;                          // IN
    int me = g->myrow, np = g->nprow;                     // IN
    int left = (me + np - 1) % np, right = (me + 1) % np; // IN
    for (int i = 0; i < np - 1; i++) {                    // IN
        int partner, il, lengths;
        if (((me + i) & 1) != 0) // IN
            partner = right;     // IN PARTNER
        else
            partner = left; // IN PARTNER
        il = (me + i) % np;
        lengths = len[il] * n;
        hp_sdrv(u, lengths, MSGID_ROLL, u + lengths, lengths, MSGID_ROLL, partner, comm); // IN @E
        seen++;                                                                           // OUT
    }
}
static void laswp(panel_t *panel, int n) {
    int *len = malloc(sizeof(int) * pad(panel->grid->nprow));
    double *u = malloc(sizeof(double) * pad(n)); // OUT
    for (int i = 0; i < panel->grid->nprow; i++)
        len[i] = panel->nb;
    roll(panel, u, n, len); // IN @L
    free(len);              // OUT
    free(u);                // OUT
}
static void update(panel_t *panel, int n) {
    if (panel->jb <= 0) // IN
        return;
    laswp(panel, n); // IN @U
}
static void solve(grid_t *g, int n, int nb, double *a) {
    panel_t panel;
    for (int j = 0; j < n; j += nb) {       // IN
        panel.grid = g;                     // IN
        panel.n = n - j;                    // OUT
        panel.nb = nb;                      // IN
        panel.jb = n - j < nb ? n - j : nb; // IN
        panel.a = a + j;                    // OUT
        update(&panel, n - j);              // IN @V
    }
}
static void test(grid_t *g, int n, int nb) {
    double *a = malloc(sizeof(double) * n * n); // OUT
    solve(g, n, nb, a);                         // IN @T
    free(a);                                    // OUT
}
int main(int argc, char **argv) {
    grid_t grid;
    int n = 100, nb = 8;                    // IN
    MPI_Init(&argc, &argv);                 // OUT
    grid_init(&grid, MPI_COMM_WORLD, 2, 2); // IN
    test(&grid, n, nb);                     // IN @M
    MPI_Finalize();                         // OUT
    return 0;                               // OUT
}
