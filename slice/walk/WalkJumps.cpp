// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the walk that is about jumps: `return`, `break`, `goto` behind a condition, and longjmp.
#include "slice/walk/Walk.h"

namespace laggard::slice {

/// `if (done) return;`: the jump is what the condition decides about, and nothing else stands in its block.
void Walk::jumpsBehind(Entered where, Node branch, unsigned distance) {
    if (a.options.depth != 0 && distance > a.options.depth)
        return;
    const auto &node = a.program.nodes[branch];
    const auto first = a.program.functions[node.function].firstBlock;
    for (const auto successor : a.program.successorsOf(a.program.blockOf(branch))) {
        const auto place = a.program.blocks[first + successor].jump;
        if (place != none && place != node.place)
            steps.add(place, distance, {Why::Control, a.program.operand(branch, 0), node.place, none, none, true}, node.function,
                      activations[where].ranks);
    }
}

/// What setjmp gives, or (`what`) what is in memory behind it, when a longjmp goes on there.
void Walk::jumpedHere(Entered where, Node call, const LocationSet *what, unsigned distance, Reason reason) {
    for (const auto jump : a.effects.jumpsTo(call)) {
        const auto from = together ? where : jumpingFrame(where, a.program.nodes[call].function, a.program.nodes[jump].function);
        if (what != nullptr) {
            if (!together)
                memory(from, jump, *what, distance, reason);
            continue;
        }
        line(from, jump, distance + 1, reason);
        if (a.program.nodes[jump].count > 2)
            value(from, a.program.operand(jump, 2), distance + 1, reason);
        execution(from, jump, distance + 1);
    }
}

/// The function of a jump, entered by all ways from the one that it jumps to.
Walk::Entered Walk::jumpingFrame(Entered where, std::uint32_t target, std::uint32_t function) {
    constexpr std::uint32_t jumpKey = none; // no stack has it
    if (function == target)
        return where;
    const std::string ranks = activations[where].ranks;
    const auto innermost = frame(function, ranks, jumpKey);
    std::vector<std::uint32_t> open{function};
    std::unordered_set<std::uint32_t> seen{function};
    while (!open.empty()) {
        const auto callee = open.back();
        open.pop_back();
        for (const auto call : a.effects.callersOf(callee)) {
            const auto caller = a.program.nodes[call].function;
            if (caller != target && seen.insert(caller).second)
                open.push_back(caller);
            const auto inner = frame(callee, ranks, jumpKey);
            const auto outer = caller == target ? where : frame(caller, ranks, jumpKey);
            if (activations[inner].knownCallers.insert(std::uint64_t{outer} << 32 | call).second)
                activations[inner].callers.push_back({outer, call, 0});
        }
    }
    return innermost;
}

} // namespace laggard::slice
