// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdio.h>
int limit = 10;       // OUT
int verbose = 1;      // OUT
static int ticks = 3; // OUT
void configure(int scale) {
    int twice = scale * 2; // IN
    limit = twice + 1;     // IN
    ticks = twice;         // OUT
}
void chatter(int n) {
    verbose = n;                // OUT
    for (int i = 0; i < n; i++) // OUT
        printf("%d\n", ticks);  // OUT
}
