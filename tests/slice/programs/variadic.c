// SPDX-License-Identifier: GPL-3.0-or-later
// Arguments without a number: a sum of what is handed over, and a format that is only printed.
// stack: main@0
#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    int total = 0; // IN
    va_list rest;
    va_start(rest, n);              // IN
    for (int i = 0; i < n; i++)     // IN
        total += va_arg(rest, int); // IN
    va_end(rest);                   // OUT
    return total;                   // IN
}
static void say(const char *format, ...) {
    va_list rest;
    va_start(rest, format); // OUT
    vprintf(format, rest);  // OUT
    va_end(rest);           // OUT
}
static int weight(int n) {
    return n * 3; // IN
}
static int colour(int n) {
    return n + 7; // OUT
}
int main(int argc, char **argv) {
    (void)argv;
    int first = weight(argc);         // IN
    int second = -3;                  // IN
    int third = colour(argc);         // OUT
    say("%d\n", third);               // OUT
    int step = sum(2, first, second); // IN
    int i = 0;                        // IN
    while (i < 10) {                  // IN @0
        say("%d %d\n", i, third);     // OUT
        i += step;                    // IN
    }
    return third; // OUT
}
