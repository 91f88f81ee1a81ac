// SPDX-License-Identifier: GPL-3.0-or-later
// What is sorted last decides; the function that compares is handed to qsort, and looks at a table of its own.
// stack: main@0
#include <stdio.h>
#include <stdlib.h>
typedef struct {
    int key, weight;
    char name[8];
} entry_t;
static int rankOfKey[4] = {3, 1, 2, 0}; // IN
static int calls;
static int byRank(const void *a, const void *b) {
    const entry_t *x = a, *y = b;                 // IN
    calls++;                                      // OUT
    return rankOfKey[x->key] - rankOfKey[y->key]; // IN
}
static int byName(const void *a, const void *b) {
    return ((const entry_t *)a)->name[0] - ((const entry_t *)b)->name[0]; // OUT
}
static void fill(entry_t *entries, int n) {
    for (int i = 0; i < n; i++) {             // IN
        entries[i].key = i % 4;               // IN
        entries[i].weight = i - 1;            // IN
        entries[i].name[0] = (char)('a' + i); // OUT
    }
}
int main(void) {
    entry_t entries[6], names[6];
    fill(entries, 6);                           // IN
    fill(names, 6);                             // OUT
    qsort(names, 6, sizeof(entry_t), byName);   // OUT
    qsort(entries, 6, sizeof(entry_t), byRank); // IN
    int step = entries[0].weight;               // IN
    int i = 0;                                  // IN
    while (i < 20) {                            // IN @0
        if (step > 5)                           // OUT
            puts(names[0].name);                // OUT
        i += step;                              // IN
    }
    printf("%d\n", calls); // OUT
    return 0;              // OUT
}
