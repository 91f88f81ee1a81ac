// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/recording/Transition.h"

#include <algorithm>

namespace laggard::recording {

void addTime(TransitionSlot &slot, double ticks) {
    const auto count = static_cast<double>(++slot.count);
    const double deviation = ticks - slot.mean;
    slot.mean += deviation / count;
    slot.squares += deviation * (ticks - slot.mean);
    slot.shortest = slot.count == 1 ? ticks : std::min(slot.shortest, ticks);
    slot.longest = std::max(slot.longest, ticks);
    slot.histogram.add(ticks);
}

void mergeTransition(TransitionSlot &to, const TransitionSlot &from) {
    if (from.count == 0)
        return;
    if (to.count == 0) {
        to.shortest = from.shortest;
        to.longest = from.longest;
    }
    const auto a = static_cast<double>(to.count);
    const auto b = static_cast<double>(from.count);
    const double difference = from.mean - to.mean;
    to.mean += difference * b / (a + b);
    to.squares += from.squares + difference * difference * a * b / (a + b);
    to.shortest = std::min(to.shortest, from.shortest);
    to.longest = std::max(to.longest, from.longest);
    to.count += from.count;
    to.histogram.merge(from.histogram);
}

bool addTime(FewTimesSlot &slot, double ticks) {
    if (!(ticks >= 0 && ticks < 0xFFFFFFFF))
        return false;
    const auto whole = static_cast<std::uint32_t>(ticks);
    if (static_cast<double>(whole) != ticks)
        return false;
    for (std::uint32_t &time : slot.times)
        if (time == 0) {
            time = whole + 1;
            return true;
        }
    return false;
}

TransitionSlot transitionOf(const FewTimesSlot &slot) {
    TransitionSlot transition{};
    transition.thread = slot.thread;
    transition.phase = slot.phase;
    transition.from = slot.from;
    transition.to = slot.to;
    for (const std::uint32_t time : slot.times)
        if (time != 0)
            addTime(transition, time - 1);
    return transition;
}

} // namespace laggard::recording
