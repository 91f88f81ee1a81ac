// SPDX-License-Identifier: GPL-3.0-or-later
// A recursion whose step depends on what a deeper call gave back.
// stack: descend descend main
#include <stdio.h>
static int depth_seen;
static int half(int n) {
    return n / 2; // IN
}
static int count(int n) {
    if (n <= 1)                // IN
        return 1;              // IN
    return count(half(n)) + 1; // IN
}
static int factorial(int n) {
    if (n < 2)                   // OUT
        return 1;                // OUT
    return n * factorial(n - 1); // OUT
}
static int descend(int level, int width) {
    depth_seen++;                             // OUT
    int rest = width;                         // IN
    if (level > 0)                            // IN
        return descend(level - 1, width + 1); // IN @1
    while (rest > 0)                          // IN @0
        rest = rest - width + width;          // IN
    return depth_seen;                        // OUT
}
int main(void) {
    int levels = count(16);         // IN
    int f = factorial(5);           // OUT
    printf("%d\n", f);              // OUT
    int width = 3;                  // IN
    int d = descend(levels, width); // IN @2
    printf("%d\n", d);              // OUT
    return 0;                       // OUT
}
