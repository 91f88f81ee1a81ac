// SPDX-License-Identifier: GPL-3.0-or-later
// Exceptions of two types, a destructor on the way, and one that is thrown on: the handler of one keeps the loop going.
// stack: serve main
#include <cstdio>
#include <stdexcept>
struct Busy {
    int seconds;
};
struct Counter {
    int &value;
    explicit Counter(int &v) : value(v) {} // OUT
    ~Counter() { ++value; }                // OUT
};
static int closed;
static int capacity(int n) {
    return n - 5; // IN
}
static void admit(int n) {
    int room = capacity(n);                   // IN
    if (room <= 0)                            // IN
        throw Busy{n};                        // IN
    if (n > 1000)                             // IN
        throw std::runtime_error("too many"); // IN
}
static void forward(int n, int &seen) {
    Counter counter(seen); // OUT
    try {
        admit(n); // IN
    } catch (const Busy &) {
        closed += n; // OUT
        throw;       // IN
    }
}
static void serve(int n) {
    bool open = true; // IN
    int seen = 0;     // OUT
    while (open) {    // IN @0
        try {
            forward(n, seen); // IN
            open = false;     // IN
        } catch (const Busy &busy) {
            std::printf("%d\n", busy.seconds); // OUT
        } catch (const std::runtime_error &error) {
            std::printf("%s\n", error.what()); // OUT
            open = false;                      // IN
        }
    }
    std::printf("%d %d\n", seen, closed); // OUT
}
int main() {
    int n = 4;  // IN
    closed = 1; // OUT
    serve(n);   // IN @1
    return 0;   // OUT
}
