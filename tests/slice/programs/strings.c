// SPDX-License-Identifier: GPL-3.0-or-later
// Values that pass through the C library: copies of memory, formatted text, numbers read from text, a sort with a comparison.
// stack: spin main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct job {
    int id, cost;
};
static int by_cost(const void *a, const void *b) {
    const struct job *x = a, *y = b; // IN
    return x->cost - y->cost;        // IN
}
static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b); // OUT
}
static void spin(const struct job *job) {
    int left = job->cost; // IN
    while (left != 0)     // IN @0
        left -= 2;        // IN
}
int main(void) {
    struct job jobs[3], copy[3];
    char text[32], other[32];
    const char *names[2] = {"b", "a"};      // OUT
    snprintf(text, sizeof text, "%d", 7);   // IN
    snprintf(other, sizeof other, "%d", 8); // OUT
    int cost = (int)strtol(text, NULL, 10); // IN
    for (int i = 0; i < 3; i++) {           // IN
        jobs[i].id = i;                     // IN
        jobs[i].cost = cost + i;            // IN
    }
    qsort(jobs, 3, sizeof jobs[0], by_cost);           // IN
    qsort(names, 2, sizeof names[0], by_name);         // OUT
    memcpy(copy, jobs, sizeof jobs);                   // IN
    printf("%s %s %d\n", names[0], other, copy[0].id); // OUT
    spin(&copy[1]);                                    // IN @1
    return 0;                                          // OUT
}
