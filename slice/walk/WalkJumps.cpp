// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the walk that is about jumps: `return` and what it gives, `break`, `goto`, and longjmp.
#include "slice/walk/Walk.h"

#include <algorithm>

namespace laggard::slice {

/// `if (done) return;`: the jump is what the condition decides about, and nothing else stands in its block.
void Walk::jumpsBehind(Entered where, Node branch, unsigned distance) {
    if (a.options.depth != 0 && distance > a.options.depth)
        return;
    const auto &node = a.program.nodes[branch];
    const auto first = a.program.functions[node.function].firstBlock;
    for (const auto successor : a.program.successorsOf(a.program.blockOf(branch))) {
        const auto place = a.program.blocks[first + successor].jump;
        const auto &behind = a.program.blocks[first + successor];
        if (place != none && place != node.place && behind.firstNode == behind.endNode)
            steps.add(place, distance, {Why::Control, a.program.operand(branch, 0), node.place, none, none, true}, node.function,
                      activations[where].ranks);
    }
}

/// Whether the jump at the end of a block leaves a loop or a case of a switch. An if with an else ends with a jump as well, which
/// nobody has written.
bool Walk::isWritten(std::uint32_t function, std::uint32_t number) const {
    const auto first = a.program.functions[function].firstBlock;
    const auto target = a.program.successorsOf(a.program.blocks[first + number]).front();
    if (target == number + 1)
        return false;
    const auto &flow = a.flows.around(function, number);
    return std::any_of(flow.controllers[number].begin(), flow.controllers[number].end(), [&](std::uint32_t deciding) {
        return a.program.blocks[first + deciding].count > 2 ||
               std::any_of(flow.loops.begin(), flow.loops.end(), [&](const Flow::Loop &loop) {
                   return loop.body[deciding] && !loop.body[number] && !loop.body[target];
               });
    });
}

/// `x = 1; break;`: without the jump, what comes behind it in the text would be executed as well.
void Walk::jumpAfter(Entered where, Node node, unsigned distance) {
    const auto &data = a.program.nodes[node];
    const auto &block = a.program.blockOf(node);
    if (block.firstNode != block.endNode && block.jump != none && (a.options.depth == 0 || distance <= a.options.depth) &&
        isWritten(data.function, data.block))
        steps.add(block.jump, distance, {Why::Control, none, a.program.nodes[node].place, none, none, true},
                  a.program.nodes[node].function, activations[where].ranks);
}

/// Whether some memory is what a function returns: structs are written to where the caller wants them.
bool Walk::returnsStruct(std::uint32_t function, SetId what) const {
    const auto &data = a.program.functions[function];
    if (!data.returnsStruct || data.arguments == 0)
        return false;
    const auto &locations = a.effects.points().locations;
    bool is = false;
    a.effects.points().of(data.firstNode).forEach([&](std::uint32_t made) {
        a.definitions.setOf(what).forEach(
            [&](std::uint32_t asked) { is = is || locations[made].object == locations[asked].object; });
    });
    return is;
}

/// `return 0;`, `return made;`: lines of which no other instruction is left. Where several lines return, the compiler makes one
/// end for all, which stands in none of them.
void Walk::returnLines(Entered where, std::uint32_t function, unsigned distance, Reason reason) {
    const auto &data = a.program.functions[function];
    for (auto node = data.firstNode; node < data.endNode; ++node) {
        if (a.program.nodes[node].op != Op::Return)
            continue;
        const auto first = a.program.blockOf(node).firstNode;
        const bool isConstant =
            a.program.nodes[node].count == 1 && a.program.nodes[a.program.operand(node, 0)].op == Op::Constant;
        if (isConstant || (data.returnsStruct && (first != node || data.blocks == 1)))
            line(where, node, distance, reason);
    }
}

/// What a function takes by va_arg: all that its caller hands over behind the arguments that have a name.
void Walk::restOfArguments(Entered where, Node call, unsigned distance, Reason reason) {
    const auto function = a.program.nodes[call].function;
    const auto rest = a.program.functions[function].arguments;
    if (!together)
        return addFact(where, true, rest, distance, reason);
    for (const auto caller : a.effects.callersOf(function))
        if (together->mayRun(caller))
            argument(where, caller, function, rest, distance, reason);
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
