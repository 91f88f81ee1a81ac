// SPDX-License-Identifier: GPL-3.0-or-later
// A list is shorter than its reader believes: the address that the line uses is NULL.
// stack: nth main
// ended: SIGSEGV
#include <stdio.h>
#include <stdlib.h>
struct item {
    int value, weight;
    struct item *next;
};
static int wanted(int n) {
    return n + 2; // IN
}
static struct item *make(int n) {
    struct item *first = NULL;                // IN
    for (int i = 0; i < n; i++) {             // IN
        struct item *it = malloc(sizeof *it); // IN
        it->next = first;                     // IN
        it->value = i * i;                    // OUT
        it->weight = i + 1;                   // OUT
        first = it;                           // IN
    }
    return first; // IN
}
static int heaviest(const struct item *list) {
    int most = 0;                           // OUT
    for (; list != NULL; list = list->next) // OUT
        if (list->weight > most)            // OUT
            most = list->weight;            // OUT
    return most;                            // OUT
}
static int nth(struct item *list, int k, int scale) {
    int factor = scale * 2;      // OUT
    for (int i = 0; i < k; i++)  // IN
        list = list->next;       // IN
    return list->value * factor; // IN @0
}
int main(void) {
    int n = 5;                               // IN
    int scale = 3;                           // OUT
    struct item *list = make(n);             // IN
    int most = heaviest(list);               // OUT
    printf("%d\n", most);                    // OUT
    int found = nth(list, wanted(n), scale); // IN @1
    printf("%d\n", found);                   // OUT
    return 0;                                // OUT
}
