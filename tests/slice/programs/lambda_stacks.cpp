// SPDX-License-Identifier: GPL-3.0-or-later
// Lambdas in every place that a stack may name them by: tst_stacknames has stacks of this program as GCC names them.
#include <algorithm>
#include <functional>
#include <vector>
struct Worker {
    int limit;
    void run(std::vector<int> &cells) {
        std::for_each(cells.begin(), cells.end(), [this](int &cell) { // each
            while (cell < limit)                                      // in run
                cell += 0;
        });
    }
};
static auto spin = [](int left) {
    while (left) // in spin
        ;
};
template <typename Call> void twice(Call call) {
    call(1L); // in twice
}
static void start(const std::function<int(int)> &task, int with) {
    task(with); // in start
}
int main(int argc, char **) {
    int bound = argc + 1; // bound
    std::vector<int> cells{1, 2};
    if (argc == 2)
        spin(bound); // calls spin
    if (argc == 3) {
        Worker worker{bound};
        worker.run(cells); // calls run
    }
    if (argc == 4)
        twice([bound](auto n) { // calls generic
            while (n < bound)   // generic
                ;
        }); // end of generic
    if (argc == 5)
        start([&cells](int unused) { return unused; }, 1); // another
    const std::function<int(int)> outer = [&cells](int most) {
        const auto inner = [&cells](int n) {
            while (n < cells[0]) // in inner
                ;
            return n;
        };
        return inner(most); // calls inner
    };
    start(outer, bound); // calls start
    return 0;
}
