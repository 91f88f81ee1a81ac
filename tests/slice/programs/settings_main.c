// SPDX-License-Identifier: GPL-3.0-or-later
// Globals of another file, by a header that declares them, and has a function of its own.
// stack: main@0
// with: settings.c
#include "settings.h"
#include <stdio.h>
int main(int argc, char **argv) {
    int at = 0;    // IN
    int shown = 0; // OUT
    (void)argv;
    configure(argc);         // IN
    while (at < goal) {      // IN @0
        at += clipped(pace); // IN
        shown++;             // OUT
    }
    printf("%s %d %g %d\n", title, shown, tolerance, settings.depth); // OUT
    return 0;                                                         // OUT
}
