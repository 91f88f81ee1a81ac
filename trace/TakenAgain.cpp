// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/TakenAgain.h"

#include <algorithm>

namespace laggard {

std::optional<std::size_t> firstTakenAgain(std::span<const std::uint32_t> sent, std::span<const std::uint32_t> received) {
    constexpr std::size_t enoughThatFollow = 2;
    const auto contents = [&](std::size_t i) { return i < sent.size() ? sent[i] : 0; };
    const auto areOther = [](std::uint32_t one, std::uint32_t another) { return one != 0 && another != 0 && one != another; };
    std::size_t again = 0;
    while (again < received.size() && !(again < sent.size() ? areOther(sent[again], received[again]) : received[again] != 0))
        ++again;
    if (again == 0 || again >= received.size() || contents(again - 1) == 0 || received[again] != received[again - 1])
        return std::nullopt;
    bool isLost = true;
    std::size_t end = again;
    for (; end < received.size(); ++end) {
        if (areOther(contents(end - 1), received[end])) {
            if (end <= again + enoughThatFollow)
                return std::nullopt;
            break; // something else has happened later
        }
        isLost = isLost && contents(end + 1) == received[end];
    }
    const bool isOtherOrder = contents(again - 1) == contents(end - 1); // the same messages as were sent
    return isLost || isOtherOrder ? std::nullopt : std::optional(again);
}

bool canHaveTakenAgain(const Process &receiver, Rank sender, CommunicatorId communicator, std::size_t sends,
                       std::size_t receives) {
    return receiver.end.kind != ProcessEnd::Kind::Exited || receiver.eventsFrom != 0 || sends != receives ||
           std::ranges::any_of(receiver.leftOver, [&](const MessageCount &message) {
               return message.peer == sender && message.communicator == communicator; // the first of them is known
           });
}

} // namespace laggard
