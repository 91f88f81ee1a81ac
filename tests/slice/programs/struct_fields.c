// SPDX-License-Identifier: GPL-3.0-or-later
// One field of a struct decides about a loop, the others do not; two objects of one type.
// stack: iterate main
#include <math.h>
#include <stdio.h>
struct solver {
    double residual, tolerance, relaxation;
    int steps, most;
    const char *name;
};
static void configure(struct solver *s, double tolerance, int most) {
    s->tolerance = tolerance; // IN
    s->most = most;           // OUT
    s->name = "plain";        // OUT
}
static void relax(struct solver *s, double factor) {
    s->relaxation = factor; // OUT
    s->steps = 0;           // OUT
}
static double correction(double r) {
    double half = r * 0.5; // IN
    return half;           // IN
}
static void note(struct solver *s) {
    s->steps++;                        // OUT
    if (s->steps > s->most)            // OUT
        printf("%s: many\n", s->name); // OUT
}
static void iterate(struct solver *s) {
    s->residual = 1.0;                               // IN
    while (s->residual > s->tolerance) {             // IN @0
        s->residual = fabs(correction(s->residual)); // IN
        note(s);                                     // OUT
    }
}
int main(void) {
    struct solver first, second;
    double tiny = -1e-9;          // IN
    double big = 0.5;             // OUT
    configure(&first, tiny, 100); // IN
    configure(&second, big, 200); // OUT
    relax(&first, 1.1);           // OUT
    relax(&second, 1.3);          // OUT
    second.residual = 7;          // OUT
    iterate(&first);              // IN @1
    printf("%d\n", first.steps);  // OUT
    return 0;                     // OUT
}
