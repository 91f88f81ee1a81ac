// SPDX-License-Identifier: GPL-3.0-or-later
// A check that ends the program: the condition that leads to it, and what it is made of.
// stack: raise@- abort@- check@0 main@1
// ended: SIGABRT
#include <stdio.h>
#include <stdlib.h>
struct mass {
    double before, after, lost;
};
static double sum(const double *v, int n) {
    double s = 0;               // IN
    for (int i = 0; i < n; i++) // IN
        s += v[i];              // IN
    return s;                   // IN
}
static void leak(double *v, int n) {
    v[n / 2] = v[n / 2] - 0.5; // IN
}
static double decorate(double x) {
    double y = x * 2; // OUT
    return y + 1;     // OUT
}
static void check(const struct mass *m) {
    double difference = m->before - m->after;  // IN
    double shown = decorate(m->lost);          // OUT
    printf("%g\n", shown);                     // OUT
    if (difference > 1e-9) {                   // IN
        fprintf(stderr, "lost %g\n", m->lost); // OUT
        abort();                               // IN @0
    }
    printf("well\n"); // OUT
}
int main(void) {
    double v[8];
    struct mass m = {0, 0, 0};  // OUT
    for (int i = 0; i < 8; i++) // IN
        v[i] = i;               // IN
    m.before = sum(v, 8);       // IN
    leak(v, 8);                 // IN
    m.after = sum(v, 8);        // IN
    m.lost = m.before * 0.1;    // OUT
    check(&m);                  // IN @1
    printf("%g\n", m.lost);     // OUT
    return 0;                   // OUT
}
