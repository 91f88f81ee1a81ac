// SPDX-License-Identifier: GPL-3.0-or-later
// How long a slice takes from bitcode that is there: laggard-bench-slice FUNCTION FILE LINE UNIT.bc …, to depth 8 and whole.
#include "slice/Slice.h"

#include <cstdio>
#include <cstdlib>
#include <sys/resource.h>

int main(int argc, char **argv) {
    if (argc < 5) {
        std::fprintf(stderr, "usage: laggard-bench-slice FUNCTION FILE LINE UNIT.bc ...\n");
        return 2;
    }
    const laggard::TaskStack stack{"0", {{argv[1], argv[2], static_cast<std::uint32_t>(std::atoi(argv[3]))}, {"main", "", 0}}};
    const std::vector<std::string> units(argv + 4, argv + argc);
    for (const unsigned depth : {1U, 8U, 0U}) {
        laggard::SliceOptions options;
        options.depth = depth;
        options.limit = std::chrono::minutes(2);
        rusage before{}, after{};
        getrusage(RUSAGE_SELF, &before);
        const auto start = std::chrono::steady_clock::now();
        const auto result = laggard::sliceBackward(units, {stack}, {}, options);
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
        getrusage(RUSAGE_SELF, &after);
        const auto seconds = [](const rusage &usage) {
            return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
        };
        std::printf("depth %u: %zu lines, %.2f s, CPU %.2f s, %ld MB so far%s\n", depth, result.steps.size(), wall.count(),
                    seconds(after) - seconds(before), after.ru_maxrss / 1024, result.truncated ? ", truncated" : "");
    }
}
