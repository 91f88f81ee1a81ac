// SPDX-License-Identifier: GPL-3.0-or-later
// Macros, a switch that falls through, a goto backwards, and returns in the middle.
// stack: drive main
#include <stdio.h>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define CLEAR(x)                                                                                                                 \
    do {                                                                                                                         \
        (x) = 0;                                                                                                                 \
    } while (0)
enum mode { COLD, WARM, HOT };
static int trace_level;
static int weight(enum mode mode, int base) {
    int w = base;   // IN
    int colour = 0; // OUT
    switch (mode) { // IN
    case COLD:
        w += 100; // OUT
        break;    // OUT
    case WARM:
        w += 7;     // IN
        colour = 1; // OUT
        /* fall through */
    case HOT:
        w *= 2; // IN
        break;
    }
    trace_level = colour; // OUT
    return w;             // IN
}
static int check(int n) {
    if (n < 0)     // IN
        return -1; // IN
    if (n == 0)    // IN
        return 0;  // IN
    return n % 5;  // IN
}
static int note(int n) {
    if (n > 3)    // OUT
        return 3; // OUT
    return n;     // OUT
}
static void drive(int n, enum mode mode) {
    int left, tries = 0;        // OUT
    CLEAR(trace_level);         // OUT
    left = LARGER(check(n), 1); // IN
    if (left > 50)              // IN
        return;                 // IN
again:
    left += weight(mode, n);               // IN
    tries += note(left);                   // OUT
    if (left != 0)                         // IN @0
        goto again;                        // IN
    printf("%d %d\n", tries, trace_level); // OUT
}
int main(void) {
    int n = 4;             // IN
    enum mode mode = WARM; // IN
    trace_level = note(9); // OUT
    drive(n, mode);        // IN @1
    return 0;              // OUT
}
