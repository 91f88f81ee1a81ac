// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/calltrace/CallBuilding.h"

#include "ingest/assembly/LocationBuilder.h"

#include <algorithm>

namespace laggard::calltrace {
namespace {

constexpr std::uint32_t dropped = none; // in ThreadRecords::what

/// Goes through the records as they nest, marks those to be dropped, and returns the functions of the calls that were open
/// before the first record, innermost first.
std::vector<std::uint32_t> settle(ThreadRecords &records, std::size_t functions, Oddities &odd) {
    std::vector<std::uint32_t> open;                 // functions, outermost first
    std::vector<std::uint32_t> openCount(functions); // of each function in `open`
    std::vector<std::uint32_t> before;
    for (std::uint32_t &what : records.what) {
        const std::uint32_t function = what >> 1U;
        if ((what & 1U) != 0) {
            if (open.size() >= deepestCall) {
                what = dropped;
                ++odd.tooDeep;
            }
            open.push_back(function);
            ++openCount[function];
            continue;
        }
        if (open.empty()) {
            if (before.size() < deepestCall) {
                before.push_back(function);
                continue;
            }
            what = dropped;
            ++odd.tooDeep;
            continue;
        }
        if (openCount[function] == 0) {
            what = dropped;
            ++odd.strayReturns;
            continue;
        }
        while (open.back() != function) {
            --openCount[open.back()];
            open.pop_back();
            ++odd.neverLeft;
        }
        if (open.size() > deepestCall) {
            what = dropped;
            ++odd.tooDeep;
        }
        open.pop_back();
        --openCount[function];
    }
    return before;
}

} // namespace

void orderTimes(ThreadRecords &records, std::uint64_t &stepsBack) {
    Column<Tick> &time = records.time;
    Tick before = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
        if (i + 1 < time.size() && time[i + 1] < time[i] && time[i + 1] >= before) {
            time[i] = time[i + 1];
            ++stepsBack;
        } else if (time[i] < before) {
            time[i] = before;
            ++stepsBack;
        }
        before = time[i];
    }
}

LocationEvents buildCalls(ThreadRecords records, std::size_t functions, CallPathTable &callPaths, Oddities &odd) {
    const std::vector<std::uint32_t> before = settle(records, functions, odd);
    odd.callsBefore += before.size();
    LocationBuilder builder(callPaths);
    for (auto function = before.rbegin(); function != before.rend(); ++function)
        builder.enter(records.time[0], *function);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const std::uint32_t what = records.what[i];
        if (what == dropped)
            continue;
        if ((what & 1U) != 0)
            builder.enter(records.time[i], what >> 1U);
        else
            builder.leave(records.time[i], what >> 1U);
    }
    return builder.finish();
}

} // namespace laggard::calltrace
