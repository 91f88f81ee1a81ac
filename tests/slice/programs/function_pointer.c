// SPDX-License-Identifier: GPL-3.0-or-later
// A function called by pointer says when a loop ends.
// stack: solve main
#include <stdio.h>
typedef int (*test)(double);
typedef double (*step)(double);
static int never(double x) {
    return x < -1; // IN
}
static int soon(double x) {
    return x > 10; // OUT
}
static double forward(double x) {
    return x + 0.1; // IN
}
static double faster(double x) {
    return x * 1.1; // OUT
}
struct plan {
    test stop;
    step go;
    int verbose;
};
static double solve(struct plan *plan, double x) {
    while (!plan->stop(x)) {   // IN @0
        x = plan->go(x);       // IN
        if (plan->verbose)     // OUT
            printf("%g\n", x); // OUT
    }
    return x; // OUT
}
int main(int argc, char **argv) {
    struct plan plan;
    plan.stop = never;       // IN
    plan.go = forward;       // IN
    plan.verbose = argc > 1; // OUT
    struct plan spare;
    spare.stop = soon;                 // OUT
    spare.go = faster;                 // OUT
    spare.verbose = 0;                 // OUT
    double start = 0.5;                // IN
    double other = solve(&spare, 1.0); // OUT
    printf("%g\n", other);             // OUT
    double x = solve(&plan, start);    // IN @1
    printf("%g\n", x);                 // OUT
    (void)argv;
    return 0; // OUT
}
