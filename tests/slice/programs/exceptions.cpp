// SPDX-License-Identifier: GPL-3.0-or-later
// An exception that a deeper function throws is caught, and its code keeps a loop going.
// stack: retry main
#include <cstdio>
struct Failure {
    int code;
    const char *text;
    Failure(int c, const char *t) : code(c), text(t) {} // IN
};
static int attempts;
static int weight(int n) { return n * n; } // OUT
static void attempt(int n) {
    if (n % 2 == 1)                  // IN
        throw Failure(n + 1, "odd"); // IN
    attempts++;                      // OUT
}
static void quiet(int n) {
    if (weight(n) > 1000000)    // OUT
        std::printf("heavy\n"); // OUT
}
static void retry(int n) {
    int again = 1;       // IN
    int rounds = 0;      // OUT
    while (again != 0) { // IN @0
        try {
            attempt(n); // IN
            again = 0;  // IN
        } catch (const Failure &failure) {
            again = failure.code;              // IN
            std::printf("%s\n", failure.text); // OUT
        }
        quiet(n); // OUT
        rounds++; // OUT
    }
    std::printf("%d\n", rounds); // OUT
}
int main() {
    int n = 7;              // IN
    int m = weight(3);      // OUT
    std::printf("%d\n", m); // OUT
    retry(n);               // IN @1
    return 0;               // OUT
}
