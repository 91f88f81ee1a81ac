// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/dependence/Flow.h"

#include "slice/dependence/Dominators.h"

#include <algorithm>

namespace laggard::slice {

namespace {

/// Natural loops: those of one header are one loop.
std::vector<Flow::Loop> loopsOf(const Graph &graph, const Flow &flow) {
    const auto dominator = immediateDominators(graph, 0);
    const auto dominates = [&](std::uint32_t a, std::uint32_t b) {
        while (b != a && b != 0 && b != none)
            b = dominator[b];
        return a == b;
    };
    std::vector<Flow::Loop> loops;
    for (std::uint32_t header = 0; header < graph.size(); ++header) {
        Flow::Loop loop{header, std::vector<bool>(graph.size(), false), {}};
        std::vector<std::uint32_t> open;
        for (const auto from : flow.predecessors[header])
            if (dominator[from] != none && dominates(header, from))
                open.push_back(from);
        if (open.empty())
            continue;
        loop.body[header] = true;
        while (!open.empty()) {
            const auto block = open.back();
            open.pop_back();
            if (loop.body[block])
                continue;
            loop.body[block] = true;
            for (const auto from : flow.predecessors[block])
                if (dominator[from] != none)
                    open.push_back(from);
        }
        for (std::uint32_t block = 0; block < graph.size(); ++block)
            if (loop.body[block] &&
                std::any_of(graph[block].begin(), graph[block].end(), [&](auto to) { return !loop.body[to]; }))
                loop.exits.push_back(block);
        loops.push_back(std::move(loop));
    }
    const auto size = [](const Flow::Loop &loop) { return std::count(loop.body.begin(), loop.body.end(), true); };
    std::stable_sort(loops.begin(), loops.end(), [&](const auto &a, const auto &b) { return size(a) < size(b); });
    return loops;
}

/// By block: the blocks on whose branch it depends whether it is executed.
std::vector<std::vector<std::uint32_t>> controllersOf(const Graph &graph) {
    const auto exit = static_cast<std::uint32_t>(graph.size());
    auto reversed = reverseWithExit(graph);
    const auto postDominator = immediateDominators(reversed, exit);
    std::vector<std::vector<std::uint32_t>> controllers(graph.size());
    for (std::uint32_t block = 0; block < graph.size(); ++block) {
        if (graph[block].size() < 2)
            continue;
        for (const auto to : graph[block])
            for (auto at = to; at != postDominator[block] && at != exit && at != none; at = postDominator[at])
                if (controllers[at].empty() || controllers[at].back() != block)
                    controllers[at].push_back(block);
    }
    return controllers;
}

} // namespace

std::vector<const Flow::Loop *> Flow::around(std::uint32_t block) const {
    std::vector<const Loop *> found;
    for (const auto &loop : loops)
        if (loop.body[block])
            found.push_back(&loop);
    return found;
}

Flows::Flows(const Program &known, const CallTable &rules)
    : program(known),
      table(rules),
      dead(known.functions.size(), false),
      pruned(known.functions.size()),
      whole(known.functions.size()) {
    findFunctionsThatEnd();
}

void Flows::findFunctionsThatEnd() {
    for (std::uint32_t function = 0; function < program.functions.size(); ++function) {
        const auto *rule = program.functions[function].defined() ? nullptr : table.find(program.functions[function].name);
        dead[function] = rule != nullptr && rule->kind == CallKind::Ends;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t function = 0; function < program.functions.size(); ++function) {
            const auto &data = program.functions[function];
            if (!data.defined() || data.origin != function || dead[function] || !endingBlocks(function)[0])
                continue;
            dead[function] = changed = true;
        }
    }
}

bool Flows::endsInside(std::uint32_t function, const Block &block) const {
    const auto &data = program.functions[function];
    for (auto node = block.firstNode; node < block.endNode; ++node) {
        if (program.nodes[node].op == Op::End)
            return true;
        if (program.nodes[node].op != Op::Call || program.nodes[program.operand(node, 0)].op != Op::Function)
            continue;
        const auto callee = program.functions[program.nodes[program.operand(node, 0)].extra].origin;
        const bool caught = block.unwind != none && node + 1 == block.endNode && program.functions[callee].defined();
        if (dead[callee] && !caught && data.defined())
            return true;
    }
    return false;
}

std::vector<bool> Flows::endingBlocks(std::uint32_t function) const {
    const auto &data = program.functions[function];
    std::vector<bool> ends(data.blocks, false);
    for (std::uint32_t i = 0; i < data.blocks; ++i)
        ends[i] = endsInside(function, program.blocks[data.firstBlock + i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::uint32_t i = data.blocks; i-- > 0;) {
            const auto successors = program.successorsOf(program.blocks[data.firstBlock + i]);
            if (!ends[i] && !successors.empty() &&
                std::all_of(successors.begin(), successors.end(), [&](auto to) { return ends[to]; }))
                ends[i] = changed = true;
        }
    }
    return ends;
}

/// Two computations of an address that give the same one if nothing is written between them.
bool Flows::samePlace(Node a, Node b, unsigned depth) const {
    constexpr unsigned deepest = 8; // p->q->r: two levels for each arrow
    if (a == b)
        return true;
    const auto &left = program.nodes[a], &right = program.nodes[b];
    if (depth > deepest || left.op != right.op || left.count != right.count || left.count == 0)
        return false;
    if (left.op == Op::Offset) {
        const auto &x = program.offsets[left.extra], &y = program.offsets[right.extra];
        if (x.bytes != y.bytes || x.stepBytes != y.stepBytes)
            return false;
    } else if (left.op != Op::Load && left.op != Op::Copy) {
        return false;
    }
    for (unsigned i = 0; i < left.count; ++i)
        if (!samePlace(program.operand(a, i), program.operand(b, i), depth + 1))
            return false;
    return true;
}

/// Whether a value is what an allocation gave: the call itself, or a variable that the block before was written with it.
bool Flows::isAllocation(Node value, Node before) const {
    while (program.nodes[value].op == Op::Copy)
        value = program.operand(value, 0);
    if (program.nodes[value].op == Op::Call) {
        const auto &callee = program.nodes[program.operand(value, 0)];
        const auto *rule = callee.op == Op::Function ? table.find(program.functions[callee.extra].name) : nullptr;
        return rule != nullptr && rule->result == ResultKind::Fresh;
    }
    if (program.nodes[value].op != Op::Load)
        return false;
    for (auto node = before; node-- > program.functions[program.nodes[value].function].firstNode;)
        if (program.nodes[node].op == Op::Store && samePlace(program.operand(node, 1), program.operand(value, 0), 0))
            return program.nodes[program.operand(node, 0)].op != Op::Load && isAllocation(program.operand(node, 0), node);
    return false;
}

/// `if (p == NULL) { …; return -1; }`: what does nothing but return when memory is used up.
void Flows::markFailedAllocations(std::uint32_t function, std::vector<bool> &ends) const {
    const auto &data = program.functions[function];
    for (std::uint32_t i = 0; i < data.blocks; ++i) {
        const auto &block = program.blocks[data.firstBlock + i];
        if (block.count != 2 || block.firstNode == block.endNode || program.nodes[block.endNode - 1].op != Op::Branch)
            continue;
        auto test = program.operand(block.endNode - 1, 0);
        const bool onNull = program.nodes[test].op == Op::Compute && program.nodes[test].extra == isNull;
        const bool onOther = program.nodes[test].op == Op::Compute && program.nodes[test].extra == isNotNull;
        if ((!onNull && !onOther) || !isAllocation(program.operand(test, 0), test))
            continue;
        const auto successors = program.successorsOf(block);
        std::vector<std::uint32_t> chain;
        for (auto at = successors[onNull ? 0 : 1]; chain.size() < data.blocks;) {
            const auto &next = program.blocks[data.firstBlock + at];
            if (next.count == 0) { // the one block that returns, which others reach as well
                for (const auto failed : chain)
                    ends[failed] = true;
                break;
            }
            chain.push_back(at);
            if (next.count != 1)
                break;
            at = program.successorsOf(next)[0];
        }
    }
}

const Flow &Flows::around(std::uint32_t function, std::uint32_t block) {
    const auto &usual = flow(function, true);
    return usual.ends[block] ? flow(function, false) : usual;
}

const Flow &Flows::flow(std::uint32_t function, bool isPruned) {
    const auto origin = program.functions[function].origin;
    auto &made = (isPruned ? pruned : whole)[origin];
    if (made)
        return *made;
    made = std::make_unique<Flow>();
    const auto &data = program.functions[origin];
    made->ends.assign(data.blocks, false);
    if (isPruned) {
        made->ends = endingBlocks(origin);
        markFailedAllocations(origin, made->ends);
        if (made->ends[0]) // all of it ends: then nothing is left out
            made->ends.assign(data.blocks, false);
    }
    Graph graph(data.blocks);
    made->predecessors.resize(data.blocks);
    for (std::uint32_t i = 0; i < data.blocks; ++i)
        for (const auto to : program.successorsOf(program.blocks[data.firstBlock + i])) {
            if (made->ends[i] || made->ends[to] || std::find(graph[i].begin(), graph[i].end(), to) != graph[i].end())
                continue;
            graph[i].push_back(to);
            made->predecessors[to].push_back(i);
        }
    made->controllers = controllersOf(graph);
    made->loops = loopsOf(graph, *made);
    return *made;
}

} // namespace laggard::slice
