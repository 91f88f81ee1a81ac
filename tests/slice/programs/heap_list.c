// SPDX-License-Identifier: GPL-3.0-or-later
// A list on the heap that somebody has closed to a ring; another list beside it.
// stack: length main
#include <stdio.h>
#include <stdlib.h>
struct node {
    int value;
    struct node *next;
};
static struct node *make(int value, struct node *next) {
    struct node *n = malloc(sizeof *n); // IN
    if (n == NULL)                      // OUT
        return NULL;                    // OUT
    n->value = value;                   // OUT
    n->next = next;                     // IN
    return n;                           // IN
}
static int length(const struct node *list) {
    int count = 0;         // OUT
    while (list != NULL) { // IN @0
        count++;           // OUT
        list = list->next; // IN
    }
    return count; // OUT
}
static int sum(const struct node *list) {
    int total = 0;                  // OUT
    for (; list; list = list->next) // OUT
        total += list->value;       // OUT
    return total;                   // OUT
}
int main(void) {
    struct node *last = make(3, NULL);           // IN
    struct node *first = make(1, make(2, last)); // IN
    struct node *other = make(9, NULL);          // OUT
    other->value = 10;                           // OUT
    other->next = make(11, NULL);                // OUT
    int before = sum(other);                     // OUT
    last->next = first;                          // IN
    int n = length(first);                       // IN @1
    printf("%d %d\n", n, before);                // OUT
    return 0;                                    // OUT
}
