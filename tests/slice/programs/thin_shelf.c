// SPDX-License-Identifier: GPL-3.0-or-later
// What a thin slice leaves out (Sridharan, Fink, Bodik, PLDI 2007): THIN marks lines that give or hand on the value, FULL those
// that only decide where it lies and whether it is reached. Stands in main at the mark @0.
#include <stdlib.h>
struct box {
    int key, item;
    struct box *next;
};
static int price(int n) {
    int base = n * 4; // THIN
    return base - 8;  // THIN
}
static int label(int n) {
    return n * 10; // FULL
}
static struct box *add(struct box *rest, int key, int item) {
    struct box *b = malloc(sizeof *b); // FULL
    b->key = key;                      // FULL
    b->item = item;                    // THIN
    b->next = rest;                    // FULL
    return b;                          // FULL
}
static struct box *find(struct box *at, int key) {
    while (at != NULL && at->key != key) // FULL
        at = at->next;                   // FULL
    return at;                           // FULL
}
static int take(struct box *list, int key) {
    struct box *b = find(list, key); // FULL
    return b->item;                  // THIN
}
int main(int argc, char **argv) {
    (void)argv;
    struct box *list = NULL; // FULL
    int left = 9;            // THIN
    for (int i = 0; i < 3; i++)
        list = add(list, label(i), price(2));
    int key = 10;        // FULL
    if (argc < 4)        // FULL
        while (left > 0) // @0
            left -= take(list, key);
    return 0;
}
