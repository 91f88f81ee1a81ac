// SPDX-License-Identifier: GPL-3.0-or-later
// Lambdas that capture by value, by reference, by move and this; one that makes another.
// stack: Pump::run main
#include <cstdio>
#include <memory>
#include <utility>
#include <vector>
struct Pump {
    int pressure = 0, noise = 0;
    template <typename Done> void run(Done done) {
        int rounds = 0;              // OUT
        while (!done(pressure))      // IN @0
            ++rounds;                // OUT
        std::printf("%d\n", rounds); // OUT
    }
    auto raiser(int by) {
        return [this, by] { pressure += by; }; // IN
    }
    auto silencer() {
        return [this] { noise = 0; }; // OUT
    }
};
static int bound(int n) {
    return n * 1000; // IN
}
int main(int argc, char **) {
    Pump pump;
    int limit = bound(argc);                                                       // IN
    auto more = std::make_unique<int>(limit);                                      // IN
    auto other = std::make_unique<int>(3);                                         // OUT
    auto raise = pump.raiser(argc - 1);                                            // IN
    auto hush = pump.silencer();                                                   // OUT
    int shown = 0;                                                                 // OUT
    auto show = [&shown](int n) { shown += n; };                                   // OUT
    raise();                                                                       // IN
    hush();                                                                        // OUT
    show(*other);                                                                  // OUT
    auto make = [](int scale) { return [scale](int n) { return n * scale; }; };    // IN
    auto twice = make(2);                                                          // IN
    auto thrice = make(3);                                                         // OUT
    shown += thrice(4);                                                            // OUT
    pump.run([most = std::move(more), twice](int n) { return twice(n) > *most; }); // IN @1
    return shown;                                                                  // OUT
}
