// SPDX-License-Identifier: GPL-3.0-or-later
// Chains of choices, comma and short-cut operators in one expression.
// stack: main@0
#include <stdio.h>
#include <stdlib.h>
static int level(const char *word) {
    return word[0] == 'h' ? 3 : word[0] == 'm' ? 2 : word[0] == 'l' ? 1 : 0; // IN
}
static int noise(int n) {
    return n > 3 ? n * 2 : n < 0 ? -n : 1; // OUT
}
static int limit(int verbose, int quiet) {
    return verbose && !quiet ? 100 : quiet || verbose > 2 ? 0 : 10; // IN
}
int main(int argc, char **argv) {
    const char *word = argc > 1 ? argv[1] : getenv("LEVEL") ? getenv("LEVEL") : "high"; // IN
    int verbose = level(word);                                                          // IN
    int quiet = argc == 3 ? 1 : 0;                                                      // IN
    int shown = noise(argc);                                                            // OUT
    int most = limit(verbose, quiet);                                                   // IN
    int step = (shown++, most > 50 ? 0 : 1);                                            // IN
    int colour = shown ? 4 : 5;                                                         // OUT
    int i = 0;                                                                          // IN
    while (i < 10)                                                                      // IN @0
        i += step;                                                                      // IN
    printf("%d %d\n", i, colour);                                                       // OUT
    return shown > 0 ? 1 : 0;                                                           // OUT
}
