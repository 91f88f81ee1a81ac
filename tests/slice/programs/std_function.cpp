// SPDX-License-Identifier: GPL-3.0-or-later
// What ends a loop is a lambda in a std::function, which has captured a variable that another lambda sets.
// stack: run main
#include <cstdio>
#include <functional>
static int threshold(int n) {
    return n + 40; // IN
}
struct Task {
    std::function<bool()> done;
    std::function<void(int)> step, report;
};
static int run(Task &task) {
    int rounds = 0;          // OUT
    while (!task.done()) {   // IN @0
        task.step(3);        // IN
        task.report(rounds); // OUT
        ++rounds;            // OUT
    }
    return rounds; // OUT
}
int main() {
    int progress = 0;                                 // IN
    int printed = 0;                                  // OUT
    int goal = threshold(2);                          // IN
    auto shown = [&printed](int n) { printed += n; }; // OUT
    Task task;
    task.done = [&progress, goal] { return progress > goal; }; // IN
    task.step = [&progress](int by) { progress = by; };        // IN
    task.report = shown;                                       // OUT
    const auto unused = [](int x) { return x * x; };           // OUT
    std::printf("%d\n", unused(3));                            // OUT
    int rounds = run(task);                                    // IN @1
    std::printf("%d %d\n", rounds, printed);                   // OUT
    return 0;                                                  // OUT
}
