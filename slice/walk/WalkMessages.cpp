// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the walk that goes from a value that was received to those that have sent it.
#include "slice/walk/Messages.h"
#include "slice/walk/StackFrames.h"
#include "slice/walk/Walk.h"

#include <algorithm>

namespace laggard::slice {

void Walk::overMessages(Entered where, Node call, unsigned distance, Reason reason) {
    auto &receives = activations[where].receives;
    if (!together && std::none_of(receives.begin(), receives.end(), [&](const auto &known) { return known.call == call; }))
        receives.push_back({call, distance, reason});
    std::vector<Node> callers;
    for (const auto &caller : activations[where].callers)
        callers.push_back(caller.call);
    const auto matches = matchesOf(a, call, activations[where].ranks, together ? nullptr : &callers);
    for (const auto &sender : sendersOf(a, matches)) {
        if (!activations[where].knownSenders.emplace(call, sender.first, sender.ranks).second)
            continue;
        const auto key = static_cast<std::uint32_t>(sender.first) + firstMessageKey;
        const auto sentence = steps.sentence(describeMessage(a, steps, a.names, sender, call, reason.subject));
        for (const auto &[frame, nodes] : enterStack(a, *this, {sender.ranks, a.messages[sender.first].send}, key, nullptr))
            for (const auto send : nodes)
                sentFrom(frame, send, distance + 1, {Why::Message, none, a.program.nodes[call].place, sentence}, sender.ofPlace);
    }
}

/// What a call sends, and why it does.
/// @param ranks of all that have sent from there
void Walk::sentFrom(Entered where, Node send, unsigned distance, Reason reason, const std::string &ranks) {
    const auto *rule = a.program.nodes[send].op == Op::Call ? a.effects.ruleOf(send) : nullptr;
    const auto &node = a.program.nodes[send];
    for (unsigned i = 0; rule != nullptr && i + 1 < node.count; ++i) {
        const auto use = rule->of(i);
        const auto argument = a.program.operand(send, i + 1);
        const bool tellsWhat = has(use, Use::Value) && !has(use, Use::Partner) && !has(use, Use::Reads);
        if (tellsWhat) // how many of which datatype: what of the buffer is sent
            value(where, argument, distance, {Why::Data, argument, node.place});
        if (!has(use, Use::Sends))
            continue;
        reason.subject = argument;
        if (a.options.depth == 0 || distance <= a.options.depth)
            steps.add(node.place, distance, reason, node.function, ranks);
        memory(where, send, a.effects.readBehind(send, i), distance, {Why::Data, reason.subject, node.place});
        execution(where, send, distance);
    }
}

/// A function was come to by another call: messages that have come along this way count as well.
void Walk::matchesAlong(Entered where, unsigned distance) {
    for (const auto &receive : std::vector(activations[where].receives))
        overMessages(where, receive.call, std::max(receive.distance, distance), receive.reason);
}

} // namespace laggard::slice
