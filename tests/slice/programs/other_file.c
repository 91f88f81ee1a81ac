// SPDX-License-Identifier: GPL-3.0-or-later
// A global variable of another file decides; a static one of the same name does not.
// stack: wait_for main
// with: other_file_state.c
#include <stdio.h>
extern int limit, verbose;
extern void configure(int);
extern void chatter(int);
static int ticks;
static int now(void) {
    return ticks; // IN
}
static void tick(int by) {
    ticks += by; // IN
}
static void wait_for(void) {
    while (now() < limit) // IN @0
        tick(0);          // IN
}
int main(void) {
    int scale = 5;             // IN
    configure(scale);          // IN
    chatter(2);                // OUT
    if (verbose)               // OUT
        printf("%d\n", limit); // OUT
    wait_for();                // IN @1
    printf("done\n");          // OUT
    return 0;                  // OUT
}
