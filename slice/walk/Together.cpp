// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Together.h"

#include <utility>

namespace laggard::slice {

Together::Together(const Program &known, Effects &effect, Flows &flow)
    : program(known),
      effects(effect),
      flows(flow),
      runs(known.blocks.size(), false),
      isAllowed(known.functions.size(), false),
      writers(effect.points().locations.size()) {
    for (const auto question : {Question::Value, Question::Thrown})
        asked[index(question)].assign(known.nodes.size(), ~0U);
    asked[index(Question::Place)].assign(writers.size(), ~0U);
    asked[index(Question::Execution)].assign(known.blocks.size(), ~0U);
    for (const auto question : {Question::Coming, Question::Result, Question::Throwing})
        asked[index(question)].assign(known.functions.size(), ~0U);
}

bool Together::lower(Question question, std::uint32_t about, unsigned distance) {
    auto &known = asked[index(question)][about];
    if (known <= distance)
        return false;
    known = distance;
    return true;
}

void Together::allowBlock(std::uint32_t function, std::uint32_t block) {
    const auto number = program.functions[function].firstBlock + block;
    if (runs[number])
        return;
    runs[number] = true;
    fresh.push_back(number);
    for (auto node = program.blocks[number].firstNode; node < program.blocks[number].endNode; ++node) {
        const auto op = program.nodes[node].op;
        if (op == Op::Store || op == Op::Call)
            effects.writtenBy(node).forEach([&](std::uint32_t location) { writers[location].push_back(node); });
        if (op == Op::Call)
            for (const auto callee : effects.calleesOf(node))
                if (!isAllowed[callee]) {
                    isAllowed[callee] = true;
                    open.push_back(callee);
                }
    }
}

/// Paths that end in an exception are among them: it may be caught further out.
void Together::allowAll(std::uint32_t function) {
    for (std::uint32_t block = 0; block < program.functions[function].blocks; ++block)
        allowBlock(function, block);
}

void Together::allowCalled() {
    while (!open.empty()) {
        const auto function = open.back();
        open.pop_back();
        allowAll(function);
    }
}

std::vector<std::uint32_t> Together::allow(Node standing) {
    const auto function = program.nodes[standing].function;
    const auto &flow = flows.around(function, program.nodes[standing].block);
    std::vector<bool> seen(program.functions[function].blocks, false);
    std::vector<std::uint32_t> ways{program.nodes[standing].block};
    while (!ways.empty()) {
        const auto block = ways.back();
        ways.pop_back();
        if (seen[block])
            continue;
        seen[block] = true;
        allowBlock(function, block);
        ways.insert(ways.end(), flow.predecessors[block].begin(), flow.predecessors[block].end());
    }
    allowCalled();
    return std::exchange(fresh, {});
}

std::vector<std::uint32_t> Together::allowWhole(std::uint32_t function) {
    allowAll(function);
    allowCalled();
    return std::exchange(fresh, {});
}

} // namespace laggard::slice
