// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the walk in which callers are not kept apart any more (SliceOptions::keptApart).
#include "slice/walk/Walk.h"

#include <algorithm>

namespace laggard::slice {

namespace {

using Question = Together::Question;

} // namespace

void Walk::beginTogether() {
    together = std::make_unique<Together>(a.program, a.effects, a.flows);
    for (const auto node : standing)
        (void)together->allow(node);
    for (const auto function : standingIn)
        (void)together->allowWhole(function);
}

/// All that is asked for the same ranks; which ranks asked first is what lines say.
Walk::Entered Walk::togetherFor(const std::string &ranks) {
    const auto [entry, isNew] = inTogether.try_emplace(ranksIdOf(ranks), static_cast<Entered>(activations.size()));
    if (isNew) {
        auto &made = activations.emplace_back();
        made.kind = Kind::Together;
        made.ranks = ranks;
    }
    return entry->second;
}

/// Whether only variables of the function itself are asked for: where they were written last is soon found.
bool Walk::isOwn(const Item &item) const {
    if (item.kind != Item::Memory || item.what == 0 || item.node >= a.program.nodes.size() ||
        a.effects.isRecursive(a.program.nodes[item.node].function))
        return false;
    bool own = true;
    a.definitions.setOf(item.what).forEach([&](std::uint32_t location) {
        const auto &object = a.effects.points().locations.objectAt(location);
        own = own && object.kind == ObjectKind::Variable &&
              a.program.nodes[object.site].function == a.program.nodes[item.node].function;
    });
    return own;
}

/// For other memory, each place is a question of its own.
void Walk::pushTogether(unsigned distance, const Item &item) {
    auto next = item;
    if (activations[item.where].kind != Kind::Together)
        next.where = togetherFor(std::string(activations[item.where].ranks));
    if (isOwn(item)) {
        if (nearest.lower(keyOf(next), distance))
            open[distance].push_back(next);
        return;
    }
    if (item.kind == Item::Memory) {
        next.what = 0;
        a.definitions.setOf(item.what).forEach([&](std::uint32_t location) {
            next.node = location;
            if (together->lower(Question::Place, location, distance))
                open[distance].push_back(next);
        });
        return;
    }
    const auto question = item.kind == Item::Value       ? Question::Value
                          : item.kind == Item::Execution ? Question::Execution
                                                         : Question::Thrown;
    if (together->lower(question, item.kind == Item::Execution ? together->blockOf(item.node) : item.node, distance))
        open[distance].push_back(next);
}

void Walk::handleTogether(const Item &item, unsigned distance) {
    if (activations[item.where].kind != Kind::Together) // asked before
        return pushTogether(distance, item);
    if (item.kind == Item::Memory && item.what != 0) {
        if (nearest.find(keyOf(item)) == distance)
            handle(item, distance);
        return;
    }
    const auto question = item.kind == Item::Value       ? Question::Value
                          : item.kind == Item::Memory    ? Question::Place
                          : item.kind == Item::Execution ? Question::Execution
                                                         : Question::Thrown;
    if (together->find(question, item.kind == Item::Execution ? together->blockOf(item.node) : item.node) == distance)
        handle(item, distance);
}

void Walk::writersTogether(const Item &item, unsigned distance) {
    const auto location = item.node;
    LocationSet what;
    what.insert(location);
    for (const auto node : together->writersOf(location)) {
        comeTo(item.where, a.program.nodes[node].function, distance, item.reason);
        if (a.program.nodes[node].op == Op::Store)
            store(item, node, distance);
        else
            outsideCall(item, node, what, distance + 1);
    }
    initialValues(what, distance + 1, item.where, item.reason);
}

/// The calls by which a function was come to, and those of their functions, and so on.
void Walk::comeTo(Entered where, std::uint32_t function, unsigned distance, Reason reason) {
    if (!together->lower(Question::Coming, function, distance))
        return;
    std::vector<std::uint32_t> functions{function};
    while (!functions.empty()) {
        const auto callee = functions.back();
        functions.pop_back();
        for (const auto call : a.effects.callersOf(callee)) {
            if (!together->mayRun(call))
                continue;
            comeBy(where, call, callee, distance, reason);
            if (const auto caller = a.program.nodes[call].function; together->lower(Question::Coming, caller, distance))
                functions.push_back(caller);
        }
    }
}

void Walk::comeBy(Entered where, Node call, std::uint32_t function, unsigned distance, Reason reason) {
    reason.why = Why::Call;
    reason.callee = function;
    reason.detail = none;
    line(where, call, distance + 1, reason);
    execution(where, call, distance + 1);
    if (a.program.functions[function].returnsStruct)
        returnLines(where, function, distance, reason);
    if (const auto pointer = a.program.operand(call, 0); !a.options.thin && a.program.nodes[pointer].op != Op::Function)
        value(where, pointer, distance + 1, reason);
}

void Walk::enterTogether(std::uint32_t function, Kind kind, SetId what, unsigned distance, const Caller &caller, Reason reason) {
    if (kind == Kind::Memory || kind == Kind::MemoryThrown)
        return push(distance, {Item::Memory, caller.where, atReturn, what, reason});
    if (together->lower(kind == Kind::Value ? Question::Result : Question::Throwing, function, distance))
        ask(caller.where, function, kind, 0, distance, a.program.nodes[caller.call].place, reason);
}

/// Blocks that have come in by the stack of a message's sender: questions that were asked before are asked of them as well.
void Walk::allowed(const std::vector<std::uint32_t> &blocks) {
    const auto where = togetherFor({});
    const auto distance = static_cast<unsigned>(current);
    const auto wasAsked = [&](Question question, std::uint32_t about) { return together->find(question, about) != ~0U; };
    for (const auto block : blocks)
        for (auto node = a.program.blocks[block].firstNode; node < a.program.blocks[block].endNode; ++node) {
            const auto op = a.program.nodes[node].op;
            if (op != Op::Store && op != Op::Call)
                continue;
            const Reason because{Why::Data, none, none};
            a.effects.writtenBy(node).forEach([&](std::uint32_t location) {
                if (!wasAsked(Question::Place, location))
                    return;
                LocationSet what;
                what.insert(location);
                const Item item{Item::Memory, where, location, 0, because};
                comeTo(where, a.program.nodes[node].function, distance, because);
                if (op == Op::Store)
                    store(item, node, distance);
                else
                    outsideCall(item, node, what, distance + 1);
            });
            for (const auto callee : a.effects.calleesOf(node)) {
                const auto &data = a.program.functions[callee];
                if (wasAsked(Question::Coming, callee)) {
                    comeBy(where, node, callee, distance, because);
                    if (data.takesMore)
                        argument(where, node, callee, data.arguments, distance, because);
                }
                for (std::uint32_t i = 0; i < data.arguments && data.defined(); ++i)
                    if (wasAsked(Question::Value, data.firstNode + i))
                        argument(where, node, callee, i, distance, because);
            }
        }
}

} // namespace laggard::slice
