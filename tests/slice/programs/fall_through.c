// SPDX-License-Identifier: GPL-3.0-or-later
// A switch whose cases run into one another, and one that leaves the function; goto out of two loops.
// stack: main@0
#include <stdio.h>
enum { idle, warming, busy, cooling };
static int modeOf(int n) {
    switch (n % 4) { // IN
    case 0:
        return idle; // IN
    case 1:
        n++; // OUT
        /* falls through */
    case 2:
        return busy; // IN
    default:
        return cooling; // IN
    }
}
static int costOf(int mode) {
    int cost = 0;    // IN
    int printed = 0; // OUT
    switch (mode) {  // IN
    case busy:
        cost += 8;    // IN
        printed += 1; // OUT
        /* falls through */
    case warming:
        cost -= 8; // IN
        break;     // IN
    case cooling:
        cost = 2; // IN
        break;    // IN
    default:
        printed = 3; // OUT
    }
    printf("%d\n", printed); // OUT
    return cost;             // IN
}
static int search(const int *cells, int n) {
    int at = -1;                        // IN
    int tries = 0;                      // OUT
    for (int i = 0; i < n; i++) {       // IN
        for (int j = 0; j < i; j++) {   // IN
            tries++;                    // OUT
            if (cells[j] == cells[i]) { // IN
                at = j;                 // IN
                goto found;             // IN
            }
        }
    }
found:
    printf("%d\n", tries); // OUT
    return at;             // IN
}
int main(void) {
    int cells[5] = {4, 1, 2, 1, 3}; // IN
    int which = search(cells, 5);   // IN
    int mode = modeOf(which);       // IN
    int cost = costOf(mode);        // IN
    int budget = 5;                 // IN
    int colour = 2;                 // OUT
    while (budget > 0) {            // IN @0
        budget -= cost;             // IN
        colour ^= 1;                // OUT
    }
    return colour; // OUT
}
