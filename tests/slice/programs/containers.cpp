// SPDX-License-Identifier: GPL-3.0-or-later
// Values in a vector, a map and a string: the entry of the map and the element of the vector decide.
// stack: wait_for main
#include <cstdio>
#include <map>
#include <string>
#include <vector>
struct Options {
    std::map<std::string, int> numbers;
    std::string title;
};
static int limit_of(int scale) {
    return scale * 4; // IN
}
static void read_options(Options &options, int scale) {
    const int limit = limit_of(scale); // IN
    options.numbers["limit"] = limit;  // IN
    options.title = "run";             // OUT
    options.title += " of today";      // OUT
}
static std::vector<int> make_queue(int n) {
    std::vector<int> queue;     // IN
    for (int i = 0; i < n; ++i) // IN
        queue.push_back(i * 2); // IN
    return queue;
}
static std::vector<double> make_weights(int n) {
    std::vector<double> weights;     // OUT
    for (int i = 0; i < n; ++i)      // OUT
        weights.push_back(i * 0.25); // OUT
    return weights;                  // OUT
}
static int wait_for(const std::vector<int> &queue, Options &options) {
    int taken = 0;                           // OUT
    int sum = 0;                             // IN
    while (sum < options.numbers["limit"]) { // IN @0
        sum += queue[1] - queue[1];          // IN
        ++taken;                             // OUT
    }
    return taken; // OUT
}
int main() {
    Options options;                                      // IN
    int scale = 6;                                        // IN
    read_options(options, scale);                         // IN
    std::vector<int> queue = make_queue(5);               // IN
    std::vector<double> weights = make_weights(7);        // OUT
    double first = weights.at(2);                         // OUT
    std::printf("%s %g\n", options.title.c_str(), first); // OUT
    int taken = wait_for(queue, options);                 // IN @1
    std::printf("%d\n", taken);                           // OUT
    return 0;                                             // OUT
}
