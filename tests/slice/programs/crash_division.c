// SPDX-License-Identifier: GPL-3.0-or-later
// A division by a number that another function computes as zero.
// stack: share main
// ended: SIGFPE
#include <stdio.h>
static int groups(int n) {
    int half = n / 2; // IN
    return half - 2;  // IN
}
static int colour(int n) {
    return n * 31; // OUT
}
static int share(int total, int parts, int shade) {
    int more = total + 1;  // IN
    printf("%d\n", shade); // OUT
    return more / parts;   // IN @0
}
int main(void) {
    int n = 4;                                 // IN
    int shade = colour(n);                     // OUT
    int total = 100;                           // IN
    int each = share(total, groups(n), shade); // IN @1
    printf("%d\n", each);                      // OUT
    return 0;                                  // OUT
}
