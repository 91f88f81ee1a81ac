// SPDX-License-Identifier: GPL-3.0-or-later
// The second compile unit of settings_main.c.
#include "settings.h"
int goal = 10; // IN
int pace;
double tolerance = 1e-3;           // OUT
const char *title = "it";          // OUT
struct settings settings = {0, 4}; // IN
static int half(int n) {
    return n / 2; // IN
}
void configure(int n) {
    pace = half(n);       // IN
    tolerance = n * 0.1;  // OUT
    settings.depth = n;   // OUT
    title = "configured"; // OUT
}
