// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Walk.h"

#include <algorithm>

namespace laggard::slice {

Walk::Entered Walk::frame(std::uint32_t function, const std::string &ranks, std::uint32_t key) {
    const auto [entry, isNew] = frames.try_emplace({function, ranks, key}, static_cast<Entered>(activations.size()));
    if (isNew) {
        auto &made = activations.emplace_back();
        made.function = function;
        made.ranks = ranks;
    }
    return entry->second;
}

void Walk::addCaller(Entered frame, Entered caller, Node call) {
    if (activations[frame].knownCallers.insert(std::uint64_t{caller} << 32 | call).second)
        activations[frame].callers.push_back({caller, call, 0});
    standAt(caller, {call});
}

void Walk::standAt(Entered frame, const std::vector<Node> &nodes) {
    const auto function = activations[frame].function;
    if (nodes.empty())
        standingIn.push_back(function);
    standing.insert(standing.end(), nodes.begin(), nodes.end());
    if (!together)
        return;
    if (nodes.empty())
        allowed(together->allowWhole(function));
    for (const auto node : nodes)
        allowed(together->allow(node));
}

Walk::Key Walk::keyOf(const Item &item) const {
    const auto node = item.kind == Item::Execution ? a.program.nodes[item.node].block : item.node;
    return {item.where, static_cast<std::uint32_t>(item.kind), node, item.what};
}

void Walk::push(unsigned distance, const Item &item) {
    if (a.options.depth != 0 && distance > a.options.depth)
        return;
    distance = std::max<unsigned>(distance, static_cast<unsigned>(current));
    if (open.size() <= distance)
        open.resize(distance + 1);
    if (together)
        return pushTogether(distance, item);
    if (!nearest.lower(keyOf(item), distance))
        return; // has come this way before
    open[distance].push_back(item);
}

void Walk::value(Entered where, Node node, unsigned distance, Reason reason) {
    push(distance, {Item::Value, where, node, 0, reason});
}

void Walk::memory(Entered where, Node before, const LocationSet &what, unsigned distance, Reason reason) {
    if (!what.empty())
        push(distance, {Item::Memory, where, before, a.definitions.idOf(what), reason});
}

void Walk::execution(Entered where, Node node, unsigned distance) {
    if (!a.options.thin)
        push(distance, {Item::Execution, where, node, 0, {}});
}

void Walk::decision(Entered where, Node node, unsigned distance, Why why, std::uint32_t from, std::uint32_t sentence) {
    if (a.program.nodes[node].op == Op::Branch) {
        const Reason because{why, a.program.operand(node, 0), from};
        line(where, node, distance, {why, because.subject, from, sentence});
        value(where, a.program.operand(node, 0), distance, because);
        jumpsBehind(where, node, distance);
    } else if (a.program.nodes[node].op == Op::Call) { // an exception may leave it
        line(where, node, distance, {why, none, from});
        push(distance, {Item::Thrown, where, node, 0, {}});
    }
}

void Walk::line(Entered where, Node node, unsigned distance, Reason reason) {
    if (a.options.depth == 0 || distance <= a.options.depth)
        steps.add(a.program.nodes[node].place, distance, reason, a.program.nodes[node].function, activations[where].ranks);
}

void Walk::run() {
    for (current = 0; current < open.size(); ++current)
        for (std::size_t i = 0; i < open[current].size(); ++i) {
            if (a.deadline.passed())
                return;
            if (!together && nearest.size() >= a.options.keptApart)
                beginTogether();
            const auto item = open[current][i];
            if (together) {
                handleTogether(item, static_cast<unsigned>(current));
                continue;
            }
            if (nearest.find(keyOf(item)) == current) // else it was found nearer afterwards
                handle(item, static_cast<unsigned>(current));
        }
}

void Walk::handle(const Item &item, unsigned distance) {
    switch (item.kind) {
    case Item::Value:
        return handleValue(item, distance);
    case Item::Memory:
        return handleMemory(item, distance);
    case Item::Execution:
        return handleExecution(item, distance);
    case Item::Thrown:
        return handleThrown(item, distance);
    }
}

void Walk::handleValue(const Item &item, unsigned distance) {
    const auto &node = a.program.nodes[item.node];
    switch (node.op) {
    case Op::Argument:
        if (together) {
            for (const auto call : a.effects.callersOf(node.function))
                if (together->mayRun(call))
                    argument(item.where, call, node.function, node.extra, distance, item.reason);
            return;
        }
        addFact(item.where, true, node.extra, distance, item.reason);
        return;
    case Op::Load: {
        const auto pointer = a.program.operand(item.node, 0);
        if (!a.program.nodes[pointer].unnamed)
            line(item.where, item.node, distance, item.reason);
        const Reason because{Why::Data, item.node, node.place == none ? item.reason.from : node.place};
        memory(item.where, item.node, a.effects.readBy(item.node), distance,
               a.program.nodes[pointer].unnamed ? item.reason : because);
        address(item.where, pointer, distance, item.reason);
        return;
    }
    case Op::Offset:
    case Op::Copy:
    case Op::Compute:
        line(item.where, item.node, distance, item.reason);
        for (const auto operand : a.program.operandsOf(item.node))
            value(item.where, operand, distance, item.reason);
        return;
    case Op::Phi:
        return handlePhi(item, distance);
    case Op::Call:
        return callValue(item, distance);
    default:
        return;
    }
}

/// How the place is found that is read or written: indices with it, pointers that are followed to there one further away, as
/// they mostly explain less (Sridharan, Fink, Bodik: Thin slicing, PLDI 2007).
void Walk::address(Entered where, Node pointer, unsigned distance, Reason reason) {
    if (a.options.thin)
        return;
    while (a.program.nodes[pointer].op == Op::Offset) {
        line(where, pointer, distance, reason);
        for (unsigned i = 1; i < a.program.nodes[pointer].count; ++i)
            value(where, a.program.operand(pointer, i), distance, reason);
        pointer = a.program.operand(pointer, 0);
    }
    value(where, pointer, a.program.nodes[pointer].op == Op::Load ? distance + 1 : distance, reason);
}

/// `a && b`, `c ? x : y`: the values, and what chooses between them.
void Walk::handlePhi(const Item &item, unsigned distance) {
    const auto &node = a.program.nodes[item.node];
    const auto &flow = a.flows.around(node.function, node.block);
    const auto &own = flow.controllers[node.block];
    line(item.where, item.node, distance, item.reason);
    for (unsigned i = 0; i < node.count; ++i) {
        value(item.where, a.program.operand(item.node, i), distance, item.reason);
        const auto from = a.program.incoming[node.extra + i];
        auto choosing = flow.controllers[from];
        choosing.push_back(from);
        for (const auto block : choosing)
            if (const auto branch = terminator(node.function, block); branch != none &&
                                                                      a.program.nodes[branch].op == Op::Branch &&
                                                                      std::find(own.begin(), own.end(), block) == own.end())
                value(item.where, a.program.operand(branch, 0), distance, item.reason);
    }
}

Node Walk::terminator(std::uint32_t function, std::uint32_t block) const {
    const auto &data = a.program.blocks[a.program.functions[function].firstBlock + block];
    return data.count < 2 || data.firstNode == data.endNode ? none : data.endNode - 1;
}

void Walk::callValue(const Item &item, unsigned distance) {
    line(item.where, item.node, distance, item.reason);
    const auto callee = a.program.operand(item.node, 0);
    if (!a.options.thin && a.program.nodes[callee].op != Op::Function)
        value(item.where, callee, distance, item.reason);
    for (const auto function : a.effects.calleesOf(item.node))
        if (a.program.functions[function].defined() && isDirect(item.node, function))
            enter(function, Kind::Value, 0, distance, {item.where, item.node, distance}, item.reason);
    if (a.effects.ruleOf(item.node) != nullptr)
        outsideInputs(item.where, item.node, nullptr, distance, item.reason);
    jumpedHere(item.where, item.node, nullptr, distance, item.reason);
}

/// Whether a function is called by the call itself, not by a function without code that it was handed to.
bool Walk::isDirect(Node call, std::uint32_t function) const {
    const auto &callee = a.program.nodes[a.program.operand(call, 0)];
    return callee.op != Op::Function || callee.extra == function;
}

void Walk::handleMemory(const Item &item, unsigned distance) {
    if (together && item.what == 0)
        return writersTogether(item, distance);
    const auto &reaching = item.node == atReturn || item.node == atThrow
                               ? a.definitions.atExit(activations[item.where].function, item.what, item.node == atThrow)
                               : a.definitions.before(item.node, item.what);
    for (const auto &found : reaching.definitions)
        definition(item, found, distance);
    if (!a.definitions.setOf(reaching.entry).empty() && !together)
        addFact(item.where, false, reaching.entry, distance, item.reason);
}

void Walk::definition(const Item &item, const Reaching::Definition &found, unsigned distance) {
    if (found.before != 0)
        push(distance, {Item::Memory, item.where, found.at, found.before, item.reason});
    if (a.program.nodes[found.at].op == Op::Store)
        return store(item, found.at, distance);
    const auto &what = a.definitions.setOf(found.what);
    if (const auto outside = what.intersection(a.effects.writtenBy(found.at)); !outside.empty())
        outsideCall(item, found.at, outside, distance + 1);
    jumpedHere(item.where, found.at, &what, distance, item.reason);
    for (const auto callee : a.effects.calleesOf(found.at)) {
        const auto inside = what.intersection(a.effects.changedIn(callee));
        if (inside.empty())
            continue;
        auto because = item.reason;
        because.why = Why::Call;
        because.callee = callee;
        line(item.where, found.at, distance + 1, because);
        execution(item.where, found.at, distance + 1);
        const auto pointer = a.program.operand(found.at, 0);
        if (!a.options.thin && a.program.nodes[pointer].op != Op::Function)
            value(item.where, pointer, distance + 1, item.reason);
        enter(callee, found.byException ? Kind::MemoryThrown : Kind::Memory, a.definitions.idOf(inside), distance,
              {item.where, found.at, distance}, item.reason);
    }
}

/// A store of what was only read or handed over somewhere: `x = y;`
bool Walk::isPlainCopy(Node node) const {
    for (;; node = a.program.operand(node, 0)) {
        const auto op = a.program.nodes[node].op;
        if (op == Op::Load || op == Op::Argument)
            return true;
        if (op != Op::Copy)
            return false;
    }
}

void Walk::store(const Item &item, Node at, unsigned distance) {
    const auto stored = a.program.operand(at, 0), pointer = a.program.operand(at, 1);
    const auto next = isPlainCopy(stored) ? distance : distance + 1;
    line(item.where, at, next, item.reason);
    value(item.where, stored, next, item.reason);
    address(item.where, pointer, next, item.reason);
    execution(item.where, at, next);
}

void Walk::outsideCall(const Item &item, Node call, const LocationSet &what, unsigned distance) {
    line(item.where, call, distance, item.reason);
    execution(item.where, call, distance);
    outsideInputs(item.where, call, &what, distance, item.reason);
}

/// What a call without code makes its result of, or (`what`) the memory that it writes.
void Walk::outsideInputs(Entered where, Node call, const LocationSet *what, unsigned distance, Reason reason) {
    const auto *rule = a.effects.ruleOf(call);
    if (rule == nullptr)
        return;
    if (a.effects.outsideName(call) == "llvm.va_start")
        return restOfArguments(where, call, distance, reason);
    const auto place = a.program.nodes[call].place;
    bool receives = false, onlyRequest = what != nullptr;
    for (unsigned i = 0; i + 1 < a.program.nodes[call].count && what != nullptr; ++i) {
        if (!has(rule->of(i), Use::Writes) || has(rule->of(i), Use::Later) || !a.effects.writtenBehind(call, i).intersects(*what))
            continue;
        receives = receives || has(rule->of(i), Use::Receives);
        onlyRequest = onlyRequest && has(rule->of(i), Use::Makes);
        if (has(rule->of(i), Use::CopyTo))
            return copiedMemory(where, call, i, *what, distance, reason);
    }
    if (what != nullptr && !a.effects.completedBy(call).empty())
        receives = true;
    // What one rank sends becomes what it has received itself in collectives only.
    const bool joins = rule->kind == CallKind::Collective || outsideJoins(*rule);
    for (unsigned i = 0; i + 1 < a.program.nodes[call].count; ++i) {
        const auto use = rule->of(i);
        const auto argument = a.program.operand(call, i + 1);
        const Reason because{Why::Data, argument, place};
        if (has(use, Use::Value) && !has(use, Use::Reads))
            value(where, argument, distance, because);
        if (!has(use, Use::Reads) || (has(use, Use::Sends) && (onlyRequest || !joins)))
            continue;
        memory(where, call, a.effects.readBehind(call, i), distance, because);
        if (!a.options.thin)
            value(where, argument, distance, because);
    }
    for (const auto function : a.effects.calleesOf(call)) // what it calls back decides what it does
        if (a.program.functions[function].defined() && !isDirect(call, function))
            enter(function, Kind::Value, 0, distance, {where, call, distance}, reason);
    if (rule->result == ResultKind::FirstArgument && what == nullptr && a.program.nodes[call].count > 1)
        value(where, a.program.operand(call, 1), distance, reason);
    if (receives)
        overMessages(where, call, distance, reason);
}

bool Walk::outsideJoins(const CallRule &rule) const {
    bool sends = false, later = false;
    for (const auto use : rule.arguments) {
        sends = sends || has(use, Use::Sends);
        later = later || has(use, Use::Later);
    }
    return sends && later;
}

/// memcpy(to, from, n): the same bytes there.
void Walk::copiedMemory(Entered where, Node call, unsigned to, const LocationSet &what, unsigned distance, Reason reason) {
    const auto *rule = a.effects.ruleOf(call);
    const auto &points = a.effects.points();
    for (unsigned i = 0; i + 1 < a.program.nodes[call].count; ++i) {
        if (!has(rule->of(i), Use::CopyFrom))
            continue;
        const auto source = a.program.operand(call, i + 1);
        const auto readable = a.effects.readBehind(call, i);
        LocationSet same;
        bool exact = true;
        const auto from = points.of(source).only(), target = points.of(a.program.operand(call, to + 1)).only();
        what.forEach([&](std::uint32_t location) {
            if (from == none || target == none || points.locations[from].stride != 0 || points.locations[target].stride != 0 ||
                points.locations[location].object != points.locations[target].object || points.locations[location].stride != 0) {
                exact = false;
                return;
            }
            const auto offset =
                points.locations[location].offset - points.locations[target].offset + points.locations[from].offset;
            readable.forEach([&](std::uint32_t other) {
                const auto &place = points.locations[other];
                if (place.offset == offset || place.stride != 0)
                    same.insert(other);
            });
        });
        memory(where, call, exact && !same.empty() ? same : readable, distance, {Why::Data, source, a.program.nodes[call].place});
        if (!a.options.thin)
            value(where, source, distance, reason);
    }
}

void Walk::handleExecution(const Item &item, unsigned distance) {
    const auto &node = a.program.nodes[item.node];
    jumpAfter(item.where, item.node, distance);
    const auto &flow = a.flows.around(node.function, node.block);
    for (const auto block : flow.controllers[node.block]) {
        const auto branch = terminator(node.function, block);
        if (branch == none)
            continue;
        decision(item.where, branch, distance + conditionDistance, Why::Control, node.place);
        execution(item.where, branch, distance + conditionDistance);
    }
    if (together)
        return comeTo(item.where, node.function, distance, {Why::Call, none, node.place});
    if (activations[item.where].kind != Kind::Frame)
        return; // the call itself has been asked why it is executed
    for (const auto &caller : activations[item.where].callers) {
        line(caller.where, caller.call, distance + conditionDistance, {Why::Call, none, node.place});
        execution(caller.where, caller.call, distance + conditionDistance);
    }
}

/// Why a call was left by an exception.
void Walk::handleThrown(const Item &item, unsigned distance) {
    for (const auto function : a.effects.calleesOf(item.node))
        if (a.program.functions[function].defined() && a.effects.mayThrow(function))
            enter(function, Kind::Exception, 0, distance, {item.where, item.node, distance}, item.reason);
    if (a.effects.outsideName(item.node) == "__cxa_throw")
        outsideInputs(item.where, item.node, nullptr, distance, item.reason);
}

void Walk::enter(std::uint32_t function, Kind kind, SetId what, unsigned distance, const Caller &caller, Reason reason) {
    if (together)
        return enterTogether(function, kind, what, distance, caller, reason);
    const auto ranks = ranksIdOf(activations[caller.where].ranks);
    const auto [found, isNew] =
        entered.try_emplace({function, static_cast<std::uint32_t>(kind), what, ranks}, static_cast<Entered>(activations.size()));
    if (isNew) {
        auto &made = activations.emplace_back();
        made.function = function;
        made.kind = kind;
        made.ranks = activations[caller.where].ranks;
        made.start = distance;
        ask(found->second, function, kind, what, distance, a.program.nodes[caller.call].place, reason);
    }
    auto &activation = activations[found->second];
    if (!activation.knownCallers.insert(std::uint64_t{caller.where} << 32 | caller.call).second)
        return;
    activation.callers.push_back(caller);
    for (const auto &fact : activation.facts)
        handOut(caller, fact, function);
    matchesAlong(found->second, distance);
}

void Walk::ask(Entered where, std::uint32_t function, Kind kind, SetId what, unsigned distance, std::uint32_t from,
               Reason reason) {
    if (kind == Kind::Memory || kind == Kind::MemoryThrown) {
        if (kind == Kind::Memory && returnsStruct(function, what))
            returnLines(where, function, distance, reason);
        push(distance, {Item::Memory, where, kind == Kind::Memory ? atReturn : atThrow, what, reason});
        return;
    }
    if (kind == Kind::Value)
        returnLines(where, function, distance, reason);
    const auto &data = a.program.functions[function];
    for (auto node = data.firstNode; node < data.endNode; ++node) {
        if (kind == Kind::Value && a.program.nodes[node].op == Op::Return && a.program.nodes[node].count == 1)
            value(where, a.program.operand(node, 0), distance, reason);
        if (kind != Kind::Exception || a.program.nodes[node].op != Op::Call)
            continue;
        const auto &callees = a.effects.calleesOf(node);
        if (a.effects.outsideName(node) == "__cxa_throw" ||
            std::any_of(callees.begin(), callees.end(), [&](auto callee) { return a.effects.mayThrow(callee); })) {
            line(where, node, distance + 1, {Why::Control, none, from});
            push(distance + 1, {Item::Thrown, where, node, 0, reason});
            execution(where, node, distance + 1);
        }
    }
}

void Walk::addFact(Entered where, bool isArgument, std::uint32_t what, unsigned distance, Reason reason) {
    auto &activation = activations[where];
    if (!activation.knownFacts.insert(std::uint64_t{isArgument} << 32 | what).second)
        return;
    const Fact fact{isArgument, what, distance - std::min(distance, activation.start), reason};
    activation.facts.push_back(fact);
    const auto function = activation.function;
    if (activation.callers.empty() && !isArgument)
        initialValues(a.definitions.setOf(what), distance + 1, where, reason);
    for (const auto &caller : activation.callers)
        handOut(caller, fact, function);
}

void Walk::handOut(const Caller &caller, const Fact &fact, std::uint32_t function) {
    const auto distance = caller.distance + fact.distance;
    if (!fact.isArgument) {
        push(distance, {Item::Memory, caller.where, caller.call, fact.what, fact.reason});
        return;
    }
    argument(caller.where, caller.call, function, fact.what, distance, fact.reason);
}

/// What a call hands to a function as one of its arguments; of a call by what was handed it, any of them.
void Walk::argument(Entered where, Node call, std::uint32_t function, std::uint32_t number, unsigned distance, Reason reason) {
    const bool direct = isDirect(call, function), isRest = number >= a.program.functions[function].arguments;
    for (unsigned i = 1; i < a.program.nodes[call].count; ++i) {
        if (direct && (isRest ? i < number + 1 : i != number + 1))
            continue;
        const auto handed = a.program.operand(call, i);
        if (a.program.nodes[handed].op == Op::Function && !direct)
            continue;
        const auto next = isPlainCopy(handed) ? distance : distance + 1;
        const Reason because{Why::Call, handed, reason.from};
        line(where, call, next, because);
        value(where, handed, next, because);
    }
}

/// Nobody has written there: the value is the one that the variable starts with.
void Walk::initialValues(const LocationSet &what, unsigned distance, Entered where, Reason reason) {
    if (a.options.depth != 0 && distance > a.options.depth)
        return;
    what.forEach([&](std::uint32_t location) {
        const auto &object = a.effects.points().locations.objectAt(location);
        if (object.kind == ObjectKind::Global) {
            const auto &global = a.program.globals[a.program.nodes[object.site].extra];
            steps.add(global.place, distance, reason, none, activations[where].ranks);
        }
    });
}

std::uint32_t Walk::ranksIdOf(const std::string &ranks) {
    const auto [entry, isNew] = ranksIds.try_emplace(ranks, static_cast<std::uint32_t>(ranksIds.size()));
    (void)isNew;
    return entry->second;
}

} // namespace laggard::slice
