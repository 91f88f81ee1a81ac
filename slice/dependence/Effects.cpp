// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/dependence/Effects.h"

#include <algorithm>

namespace laggard::slice {

Effects::Effects(const Program &known, const CallTable &rules, const PointsTo &points, Flows &flow, Deadline &deadline)
    : program(known),
      table(rules),
      pointers(points),
      flows(flow),
      writeIds(known.nodes.size(), none),
      allWriteIds(known.nodes.size(), none),
      blockIds(known.blocks.size(), none),
      changed(known.functions.size()),
      surely(known.functions.size()),
      surelyKnown(known.functions.size(), false) {
    indexCallees();
    findCallers();
    findRecursion();
    findOnce();
    findThrowing();
    findJumps();
    findChanged(deadline);
}

void Effects::indexCallees() {
    calleeIds.assign(program.nodes.size(), 0);
    calleeLists.emplace_back(); // for nodes that call nobody
    for (const auto &[call, callees] : pointers.callees) {
        calleeIds[call] = static_cast<std::uint32_t>(calleeLists.size());
        calleeLists.push_back(callees);
    }
}

const CallRule *Effects::ruleOf(Node call) const {
    const auto &callees = calleesOf(call);
    if (callees.empty())
        return &table.unknown();
    for (const auto callee : callees)
        if (!program.functions[callee].defined()) {
            const auto *rule = table.find(program.functions[callee].name);
            return rule == nullptr ? &table.unknown() : rule;
        }
    return nullptr;
}

std::string_view Effects::outsideName(Node call) const {
    for (const auto callee : calleesOf(call))
        if (!program.functions[callee].defined())
            return program.functions[callee].name;
    return {};
}

void Effects::findCallers() {
    callers.resize(program.functions.size());
    for (const auto &[call, callees] : pointers.callees)
        for (const auto callee : callees)
            callers[callee].push_back(call);
    for (auto &calls : callers)
        std::sort(calls.begin(), calls.end());
}

/// Tarjan's strongly connected components over the calls; functions come out callees first.
void Effects::findRecursion() {
    const auto count = static_cast<std::uint32_t>(program.functions.size());
    std::vector<std::vector<std::uint32_t>> calls(count);
    recursive.assign(count, false);
    for (std::uint32_t callee = 0; callee < count; ++callee)
        for (const auto call : callers[callee]) {
            calls[program.nodes[call].function].push_back(callee);
            if (program.nodes[call].function == callee)
                recursive[callee] = true;
        }
    std::vector<std::uint32_t> index(count, 0), low(count, 0), stack;
    std::vector<bool> onStack(count, false);
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    std::uint32_t next = 1;
    const auto enter = [&](std::uint32_t function) {
        index[function] = low[function] = next++;
        stack.push_back(function);
        onStack[function] = true;
        path.emplace_back(function, 0);
    };
    for (std::uint32_t root = 0; root < count; ++root) {
        if (index[root] == 0)
            enter(root);
        while (!path.empty()) {
            const auto function = path.back().first;
            if (path.back().second < calls[function].size()) {
                const auto to = calls[function][path.back().second++];
                if (index[to] == 0)
                    enter(to);
                else if (onStack[to])
                    low[function] = std::min(low[function], index[to]);
                continue;
            }
            path.pop_back();
            if (!path.empty())
                low[path.back().first] = std::min(low[path.back().first], low[function]);
            if (low[function] != index[function])
                continue;
            const bool several = stack.back() != function;
            for (auto member = none; member != function;) {
                member = stack.back();
                stack.pop_back();
                onStack[member] = false;
                recursive[member] = recursive[member] || several;
                order.push_back(member);
            }
        }
    }
}

/// Functions that are called at most once in a run: main, and what is called at one place only, outside of loops, by such a one.
void Effects::findOnce() {
    once.assign(program.functions.size(), false);
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const auto &data = program.functions[*at];
        if (!data.defined() || recursive[*at])
            continue;
        if (callers[*at].empty()) {
            once[*at] = data.name == "main";
        } else if (callers[*at].size() == 1 && !data.addressTaken) {
            const auto call = callers[*at].front();
            const auto caller = program.nodes[call].function;
            once[*at] = once[caller] && flows.around(caller, program.nodes[call].block).around(program.nodes[call].block).empty();
        }
    }
}

/// Functions that throw, and those that call them: what is caught on the way counts as well, as a handler may not fit.
void Effects::findThrowing() {
    throws.assign(program.functions.size(), false);
    std::vector<std::uint32_t> open;
    for (std::uint32_t function = 0; function < throws.size(); ++function)
        if (const auto &name = program.functions[function].name; name == "__cxa_throw" || name == "__cxa_rethrow")
            open.push_back(function);
    while (!open.empty()) {
        const auto function = open.back();
        open.pop_back();
        throws[function] = true;
        for (const auto call : callers[function])
            if (const auto caller = program.nodes[call].function; !throws[caller])
                open.push_back(caller);
    }
}

void Effects::findJumps() {
    for (std::uint32_t function = 0; function < program.functions.size(); ++function) {
        const auto *rule = program.functions[function].defined() ? nullptr : table.find(program.functions[function].name);
        if (rule != nullptr && has(rule->of(0), Use::Jumps))
            jumps.insert(jumps.end(), callers[function].begin(), callers[function].end());
    }
}

const std::vector<Node> &Effects::jumpsTo(Node call) {
    static const std::vector<Node> nowhere;
    if (jumps.empty() || program.nodes[call].op != Op::Call)
        return nowhere;
    const auto *rule = ruleOf(call);
    if (rule == nullptr || rule->result != ResultKind::Jumped || program.nodes[call].count < 2)
        return nowhere;
    const auto [known, isNew] = jumpsByTarget.try_emplace(call);
    if (isNew)
        for (const auto jump : jumps)
            if (program.nodes[jump].count > 1 &&
                pointers.of(program.operand(jump, 1)).intersects(pointers.of(program.operand(call, 1))))
                known->second.push_back(jump);
    return known->second;
}

/// What is in memory when a jump arrives: all that the functions on the way to it may have written.
void Effects::addJumps(Writes &made, Node call) {
    const auto target = program.nodes[call].function;
    std::vector<bool> seen(program.functions.size(), false);
    std::vector<std::uint32_t> open;
    for (const auto jump : jumpsTo(call))
        open.push_back(program.nodes[jump].function);
    while (!open.empty()) {
        const auto function = open.back();
        open.pop_back();
        if (seen[function])
            continue;
        seen[function] = true;
        made.changed.unite(changed[function]);
        for (const auto caller : callers[function])
            if (function != target)
                open.push_back(program.nodes[caller].function);
    }
}

/// Whether a location stands for one place in memory, as far as the code of `function` can tell.
bool Effects::isSingle(std::uint32_t location, std::uint32_t function) const {
    if (pointers.locations[location].stride != 0)
        return false;
    const auto &object = pointers.locations.objectAt(location);
    if (object.kind == ObjectKind::Global)
        return true;
    const auto owner = program.nodes[object.site].function;
    if (object.kind == ObjectKind::Variable)
        return !recursive[owner] || owner == function;
    const auto block = program.nodes[object.site].block;
    return object.kind == ObjectKind::Heap && once[owner] && flows.around(owner, block).around(block).empty();
}

const LocationSet &Effects::readBy(Node load) {
    const auto pointer = program.operand(load, 0);
    const auto [known, isNew] = readThrough.try_emplace({pointers.setOf[pointer], std::uint64_t{program.nodes[load].size}});
    if (isNew)
        pointers.of(pointer).forEach(
            [&](std::uint32_t location) { known->second.unite(pointers.locations.readBy(location, program.nodes[load].size)); });
    return known->second;
}

const LocationSet &Effects::writtenThrough(Node pointer, std::uint64_t bytes) {
    const auto [known, isNew] = changedThrough.try_emplace({pointers.setOf[pointer], bytes});
    if (isNew)
        pointers.of(pointer).forEach(
            [&](std::uint32_t location) { known->second.unite(pointers.locations.writtenBy(location, bytes)); });
    return known->second;
}

void Effects::addWrite(Writes &made, Node pointer, std::uint64_t bytes, bool surely, std::uint32_t function) {
    const auto &all = writtenThrough(pointer, bytes);
    made.changed.unite(all);
    const auto only = pointers.of(pointer).only();
    if (!surely || only == none || !isSingle(only, function))
        return;
    all.forEach([&](std::uint32_t location) {
        if (pointers.locations[location].stride == 0)
            made.overwritten.insert(location);
    });
}

std::uint64_t Effects::bytesBehind(Node call, unsigned argument, const CallRule &rule) const {
    const auto use = rule.of(argument);
    const std::uint64_t element = program.pointees[program.nodes[call].extra + argument + 1];
    if (!has(use, Use::Many))
        return std::max<std::uint64_t>(element, 1);
    constexpr std::uint64_t largestScalar = 8; // a pointer to a number may be one to an array, or to the first of some fields
    if (&rule == &table.unknown() && element > largestScalar)
        return toPartEnd;
    const bool inBytes = !rule.isMpi;
    for (unsigned i = 0; i + 1 < program.nodes[call].count; ++i) {
        const auto &count = program.nodes[program.operand(call, i + 1)];
        if (!has(rule.of(i), Use::Count) || count.op != Op::Constant || count.size != 8)
            continue;
        const auto elements = static_cast<std::uint64_t>(std::max<std::int64_t>(program.constants[count.extra], 0));
        if (inBytes)
            return elements;
        if (element > 1) // one byte: void *, of which the datatype tells more than is known here
            return elements * element;
    }
    return toArrayEnd;
}

LocationSet Effects::readBehind(Node call, unsigned argument) const {
    LocationSet seen;
    const auto *rule = ruleOf(call);
    if (rule == nullptr || argument + 1 >= program.nodes[call].count)
        return seen;
    const auto bytes = bytesBehind(call, argument, *rule);
    pointers.of(program.operand(call, argument + 1)).forEach([&](std::uint32_t location) {
        seen.unite(pointers.locations.readBy(location, bytes));
    });
    return seen;
}

LocationSet Effects::writtenBehind(Node call, unsigned argument) {
    Writes made;
    const auto *rule = ruleOf(call);
    if (rule != nullptr && argument + 1 < program.nodes[call].count)
        addWrite(made, program.operand(call, argument + 1), bytesBehind(call, argument, *rule), false, none);
    return made.changed;
}

const std::vector<Node> &Effects::completedBy(Node call) const {
    const auto [known, isNew] = completed.try_emplace(call);
    auto &made = known->second;
    const auto *rule = isNew ? ruleOf(call) : nullptr;
    if (rule == nullptr)
        return made;
    LocationSet requests;
    for (unsigned i = 0; i + 1 < program.nodes[call].count; ++i) {
        if (!has(rule->of(i), Use::Completes))
            continue;
        if (has(rule->of(i), Use::Reads))
            readBehind(call, i).forEach([&](std::uint32_t location) { requests.unite(pointers.contents[location]); });
        else
            requests.unite(pointers.of(program.operand(call, i + 1)));
    }
    requests.forEach([&](std::uint32_t location) {
        const auto &object = pointers.locations.objectAt(location);
        if (object.kind == ObjectKind::Request)
            made.push_back(object.site);
    });
    return made;
}

void Effects::addCall(Writes &made, Node call) {
    const auto *rule = ruleOf(call);
    const auto function = program.nodes[call].function;
    if (rule == nullptr)
        return;
    const bool isOnlyCallee = calleesOf(call).size() <= 1;
    for (unsigned i = 0; i + 1 < program.nodes[call].count; ++i) {
        const auto use = rule->of(i);
        if (!has(use, Use::Writes) || has(use, Use::Later))
            continue;
        const auto bytes = bytesBehind(call, i, *rule);
        const bool all = !has(use, Use::Many) || bytes != toArrayEnd || !rule->isMpi;
        addWrite(made, program.operand(call, i + 1), bytes, isOnlyCallee && all && !has(use, Use::Maybe), function);
    }
    const auto &makers = completedBy(call);
    for (const auto maker : makers) {
        const auto *its = ruleOf(maker);
        for (unsigned i = 0; its != nullptr && i + 1 < program.nodes[maker].count; ++i)
            if (has(its->of(i), Use::Later)) {
                const auto bytes = bytesBehind(maker, i, *its);
                const bool surely =
                    rule->kind == CallKind::Blocking && makers.size() == 1 && bytes != toArrayEnd && !has(its->of(i), Use::Sends);
                addWrite(made, program.operand(maker, i + 1), bytes, surely, function);
            }
    }
}

Effects::Writes &Effects::writesOf(Node node) {
    if (writeIds[node] != none)
        return writes[writeIds[node]];
    writeIds[node] = static_cast<std::uint32_t>(writes.size());
    auto &made = writes.emplace_back();
    if (program.nodes[node].op == Op::Store)
        addWrite(made, program.operand(node, 1), program.nodes[node].size, true, program.nodes[node].function);
    else if (program.nodes[node].op == Op::Call)
        addCall(made, node);
    return made;
}

const LocationSet &Effects::writtenBy(Node node) { return writesOf(node).changed; }
const LocationSet &Effects::overwrittenBy(Node node) { return writesOf(node).overwritten; }

Effects::Writes &Effects::allWritesOf(Node node) {
    if (allWriteIds[node] != none)
        return writes[allWriteIds[node]];
    const auto &own = writesOf(node);
    const auto &callees = calleesOf(node);
    if (!jumpsTo(node).empty()) {
        Writes all = own;
        addJumps(all, node);
        allWriteIds[node] = static_cast<std::uint32_t>(writes.size());
        return writes.emplace_back(std::move(all));
    }
    if (std::none_of(callees.begin(), callees.end(), [&](auto callee) { return program.functions[callee].defined(); })) {
        allWriteIds[node] = writeIds[node];
        return writes[allWriteIds[node]];
    }
    Writes all = own;
    bool first = ruleOf(node) == nullptr; // else what the call does itself is surely all that it does
    for (const auto callee : callees) {
        if (!program.functions[callee].defined())
            continue;
        all.changed.unite(changed[callee]);
        all.overwritten = first ? surelyChangedIn(callee) : all.overwritten.intersection(surelyChangedIn(callee));
        first = false;
    }
    allWriteIds[node] = static_cast<std::uint32_t>(writes.size());
    return writes.emplace_back(std::move(all));
}

const LocationSet &Effects::changedBy(Node node) { return allWritesOf(node).changed; }
const LocationSet &Effects::surelyChangedBy(Node node) { return allWritesOf(node).overwritten; }

const LocationSet &Effects::changedInBlock(std::uint32_t function, std::uint32_t block) {
    const auto index = program.functions[function].firstBlock + block;
    if (blockIds[index] == none) {
        Writes all;
        for (auto node = program.blocks[index].firstNode; node < program.blocks[index].endNode; ++node)
            if (const auto op = program.nodes[node].op; op == Op::Store || op == Op::Call)
                all.changed.unite(changedBy(node));
        blockIds[index] = static_cast<std::uint32_t>(writes.size());
        writes.push_back(std::move(all));
    }
    return writes[blockIds[index]].changed;
}

const LocationSet &Effects::surelyChangedIn(std::uint32_t function) {
    if (surelyKnown[function])
        return surely[function];
    surelyKnown[function] = true;
    if (program.functions[function].defined() && !recursive[function])
        surely[function] = overwrittenOnAllWays(function).intersection(changed[function]); // its own variables are left out
    return surely[function];
}

LocationSet Effects::overwrittenOnAllWays(std::uint32_t function) {
    const auto &data = program.functions[function];
    const auto &flow = flows.of(function);
    std::vector<LocationSet> gained(data.blocks), after(data.blocks);
    std::vector<bool> reached(data.blocks, false);
    for (std::uint32_t block = 0; block < data.blocks; ++block) {
        const auto &nodes = program.blocks[data.firstBlock + block];
        for (auto node = nodes.firstNode; node < nodes.endNode; ++node)
            if (const auto op = program.nodes[node].op; op == Op::Store || op == Op::Call)
                gained[block].unite(surelyChangedBy(node));
    }
    for (bool again = true; again;) {
        again = false;
        for (std::uint32_t block = 0; block < data.blocks; ++block) {
            LocationSet all;
            bool any = block == 0;
            for (const auto from : flow.predecessors[block])
                if (reached[from] && block != 0) {
                    all = any ? all.intersection(after[from]) : after[from];
                    any = true;
                }
            if (!any)
                continue;
            all.unite(gained[block]);
            if (reached[block] && all == after[block])
                continue;
            after[block] = std::move(all);
            reached[block] = again = true;
        }
    }
    LocationSet result;
    bool any = false;
    for (std::uint32_t block = 0; block < data.blocks; ++block) {
        const auto &nodes = program.blocks[data.firstBlock + block];
        if (!reached[block] || nodes.firstNode == nodes.endNode || program.nodes[nodes.endNode - 1].op != Op::Return)
            continue;
        result = any ? result.intersection(after[block]) : after[block];
        any = true;
    }
    return result;
}

void Effects::findChanged(Deadline &deadline) {
    const auto isOwn = [&](std::uint32_t location, std::uint32_t function) {
        const auto &object = pointers.locations.objectAt(location);
        return object.kind == ObjectKind::Variable && program.nodes[object.site].function == function && !recursive[function];
    };
    for (bool again = true; again && !deadline.passed();) {
        again = false;
        for (const auto function : order) {
            const auto &data = program.functions[function];
            LocationSet all;
            for (auto node = data.firstNode; node < data.endNode; ++node) {
                const auto op = program.nodes[node].op;
                if (op != Op::Store && op != Op::Call)
                    continue;
                all.unite(writtenBy(node));
                if (op == Op::Call)
                    for (const auto callee : calleesOf(node))
                        all.unite(changed[callee]);
            }
            LocationSet seen;
            all.forEach([&](std::uint32_t location) {
                if (!isOwn(location, function))
                    seen.insert(location);
            });
            if (changed[function].unite(seen) && recursive[function])
                again = true; // others in the cycle have not seen it yet
        }
    }
}

} // namespace laggard::slice
