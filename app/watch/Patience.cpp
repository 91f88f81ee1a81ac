// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/watch/Patience.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace laggard::watch {

std::optional<double> patienceFor(const Judged &judged, const Stillness &stillness) {
    if (judged.state != "hung" || judged.kind == "halted") // who was stopped is being looked at, or will be woken
        return std::nullopt;
    if (stillness.given)
        return *stillness.given;
    constexpr std::array<std::string_view, 9> certain{"left_early", "missing_send",    "deadlock",  "mismatch",   "left_out",
                                                      "misfit",     "untaken_message", "no_sender", "odd_receive"};
    constexpr double even = 0.5;
    if (std::ranges::find(certain, judged.kind) != certain.end() && judged.confidence >= even)
        return 0;
    constexpr double least = 60;  // seconds: the recorder's own (collect/store/Monitor.h)
    constexpr double unlike = 4;  // times: as for a standstill before the end (analysis/verdict/Standstill.cpp)
    constexpr double ofRun = 0.1; // the same
    return std::max({least, unlike * stillness.longestBefore, ofRun * (stillness.jobSeconds - stillness.seconds)});
}

} // namespace laggard::watch
