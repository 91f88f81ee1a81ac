// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Shares.h"

namespace laggard {

std::vector<std::uint64_t> shareBorders(const std::vector<std::uint64_t> &weights, unsigned processes) {
    long double total = 0; // sizes of files may be damage: their sum must not wrap
    for (const std::uint64_t weight : weights)
        total += static_cast<long double>(weight) + 1;
    std::vector<std::uint64_t> borders{0};
    long double before = 0;
    std::uint64_t next = 0;
    for (unsigned process = 1; process < processes; ++process) {
        // A thing goes to the process in whose stretch its middle lies.
        // Nobody goes without as long as there is enough for all.
        const bool isEnough = weights.size() >= processes;
        const std::uint64_t least = isEnough ? borders.back() + 1 : 0;
        const std::uint64_t most = isEnough ? weights.size() - (processes - process) : weights.size();
        while (next < most &&
               (next < least || before + (static_cast<long double>(weights[next]) + 1) / 2 < total * process / processes))
            before += static_cast<long double>(weights[next++]) + 1;
        borders.push_back(next);
    }
    borders.push_back(weights.size());
    return borders;
}

} // namespace laggard
