// SPDX-License-Identifier: GPL-3.0-or-later
// setjmp around a retry: the jump comes back with a code that decides how often.
// stack: main@0
#include <setjmp.h>
#include <stdio.h>
static jmp_buf again;
static int failures;
static int codeOf(int n) {
    return n > 2 ? 1 : 2; // IN
}
static void report(int n) {
    printf("%d\n", n); // OUT
}
static void attempt(int n) {
    report(n);                     // OUT
    if (n < 5)                     // IN
        longjmp(again, codeOf(n)); // IN
}
static void logged(void) {
    failures++; // OUT
}
int main(int argc, char **argv) {
    volatile int tries = 0; // IN
    volatile int lines = 0; // OUT
    (void)argv;
    int code = setjmp(again);           // IN
    lines++;                            // OUT
    if (code != 0)                      // OUT
        logged();                       // OUT
    if (tries++ < argc)                 // IN
        attempt(tries);                 // IN
    int left = 4;                       // IN
    while (left > 0)                    // IN @0
        left -= code - 1;               // IN
    printf("%d %d\n", lines, failures); // OUT
    return 0;                           // OUT
}
