// SPDX-License-Identifier: GPL-3.0-or-later
// An error path by longjmp: what setjmp gives, and what was stored before the jump, keep the loop going.
// stack: supervise main
#include <setjmp.h>
#include <stdio.h>
static jmp_buf recovery;
static int cause;
static int checks;
static void verify(int n) {
    checks++;                 // OUT
    if (n % 3 != 0) {         // IN
        cause = n;            // IN
        longjmp(recovery, 2); // IN
    }
}
static void work(int n) {
    int twice = n * 2; // IN
    verify(twice);     // IN
}
static void supervise(int n) {
    volatile int rounds = 0;         // OUT
    int pending = 1;                 // IN
    while (pending) {                // IN @0
        if (setjmp(recovery) == 0) { // IN
            cause = 0;               // IN
            work(n);                 // IN
            pending = 0;             // IN
        } else {
            pending = cause;        // IN
            printf("%d\n", rounds); // OUT
        }
        rounds++; // OUT
    }
    printf("%d\n", checks); // OUT
}
int main(void) {
    int n = 7;    // IN
    checks = 1;   // OUT
    supervise(n); // IN @1
    return 0;     // OUT
}
