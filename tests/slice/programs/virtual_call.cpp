// SPDX-License-Identifier: GPL-3.0-or-later
// Objects of derived classes behind pointers to their base; a template and a lambda on the way.
// stack: run main
#include <cstdio>
struct Shape {
    virtual ~Shape() {}
    virtual int left() const = 0;
    virtual void work() = 0;
};
struct Queue : Shape {
    int waiting;
    int served = 0;                               // OUT
    explicit Queue(int n) : waiting(n) {}         // IN
    int left() const override { return waiting; } // IN
    void work() override {
        waiting -= 0; // IN
        served++;     // OUT
    }
};
struct Timer : Shape {
    int ticks;
    explicit Timer(int n) : ticks(n) {}         // OUT
    int left() const override { return ticks; } // OUT
    void work() override { ticks--; }           // OUT
};
template <typename T> T larger(T a, T b) {
    return a < b ? b : a; // IN
}
static void run(Shape &shape) {
    while (shape.left() > 0) // IN @0
        shape.work();        // IN
}
int main() {
    const int load = larger(3, 4);                   // IN
    const auto twice = [](int x) { return 2 * x; };  // IN
    const auto thrice = [](int x) { return 3 * x; }; // OUT
    Timer timer(thrice(2));                          // OUT
    timer.work();                                    // OUT
    std::printf("%d\n", timer.left());               // OUT
    Queue queue(twice(load));                        // IN
    run(queue);                                      // IN @1
    std::printf("%d\n", queue.served);               // OUT
    return 0;                                        // OUT
}
