// SPDX-License-Identifier: GPL-3.0-or-later
// Structs come back by value, and are copied whole: of their fields some matter.
// stack: main@0
#include <math.h>
#include <stdio.h>
typedef struct {
    double x, y, z;
} vector_t;
typedef struct {
    vector_t from, to;
    int colour;
} edge_t;
static vector_t vector(double x, double y, double z) {
    vector_t made;
    made.x = x;  // IN
    made.y = y;  // OUT
    made.z = z;  // OUT
    return made; // IN
}
static vector_t scaled(vector_t v, double by) {
    v.x *= by; // IN
    v.y *= by; // OUT
    return v;  // IN
}
static edge_t edge(vector_t from, vector_t to) {
    edge_t made;
    made.from = from; // OUT
    made.to = to;     // IN
    made.colour = 3;  // OUT
    return made;      // IN
}
static double nothing(void) {
    return 0; // IN
}
int main(void) {
    double factor = nothing();        // IN
    vector_t a = vector(1, 2, 3);     // OUT
    vector_t b = vector(7, 8, 9);     // IN
    b = scaled(b, factor);            // IN
    a = scaled(a, 2);                 // OUT
    edge_t e = edge(a, b);            // IN
    edge_t copy = e;                  // IN
    copy.from.y = 5;                  // OUT
    copy.colour = 1;                  // OUT
    double travelled = 0;             // IN
    int steps = 0;                    // OUT
    while (travelled < 100) {         // IN @0
        travelled += fabs(copy.to.x); // IN
        steps++;                      // OUT
    }
    printf("%d %g %d\n", steps, copy.from.y, copy.colour); // OUT
    return 0;                                              // OUT
}
