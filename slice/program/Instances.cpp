// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/program/Instances.h"

#include <algorithm>
#include <limits>

namespace laggard::slice {

namespace {

/// How many nodes a program may have with its copies: what is analysed in a moment anyway, or half as many again.
/// (Assumed: a program of 40,000 lines stays below 300 MB with it, bench/README.md.)
constexpr std::uint64_t alwaysAffordable = 60'000;
std::uint64_t affordable(std::uint64_t nodes) { return std::max(alwaysAffordable, nodes + nodes / 2); }

class Instances {
  public:
    explicit Instances(Program &target) : program(target), originals(target.functions.size()) {
        findCalls();
        orderCalleesFirst();
    }

    void make() {
        const auto most = affordable(program.nodes.size());
        std::uint64_t largest = std::uint64_t{1} << 40;
        while (largest > 0 && total(largest) > most)
            largest /= 2;
        if (largest == 0)
            return;
        (void)total(largest); // leaves the sizes for this limit
        for (std::uint32_t function = 0; function < originals; ++function)
            if (isRoot(function, largest))
                copyCallees(function, largest);
            else
                program.functions[function].replaced = program.functions[function].defined();
    }

  private:
    [[nodiscard]] std::uint32_t calleeOf(Node call) const {
        const auto &callee = program.nodes[program.operand(call, 0)];
        return callee.op == Op::Function ? program.functions[callee.extra].origin : none;
    }

    void findCalls() {
        calls.resize(originals);
        called.assign(originals, false);
        for (Node node = 0; node < program.nodes.size(); ++node) {
            if (program.nodes[node].op != Op::Call)
                continue;
            const auto callee = calleeOf(node);
            if (callee == none || !program.functions[callee].defined())
                continue;
            calls[program.nodes[node].function].push_back(node);
            called[callee] = true;
        }
    }

    /// Depth first; a function met again while it is open calls itself.
    void orderCalleesFirst() {
        enum class State : std::uint8_t { New, Open, Done };
        std::vector<State> state(originals, State::New);
        recursive.assign(originals, false);
        std::vector<std::pair<std::uint32_t, std::size_t>> open;
        for (std::uint32_t root = 0; root < originals; ++root) {
            if (state[root] != State::New)
                continue;
            open.emplace_back(root, 0);
            state[root] = State::Open;
            while (!open.empty()) {
                auto &[function, next] = open.back();
                if (next == calls[function].size()) {
                    state[function] = State::Done;
                    order.push_back(function);
                    open.pop_back();
                    continue;
                }
                const auto callee = calleeOf(calls[function][next++]);
                if (state[callee] == State::New) {
                    state[callee] = State::Open;
                    open.emplace_back(callee, 0);
                } else if (state[callee] == State::Open) {
                    recursive[callee] = true;
                }
            }
        }
    }

    [[nodiscard]] bool isCopied(std::uint32_t function, std::uint64_t largest) const {
        return !recursive[function] && sizes[function] <= largest;
    }

    [[nodiscard]] bool isRoot(std::uint32_t function, std::uint64_t largest) const {
        const auto &data = program.functions[function];
        return data.defined() && (!called[function] || data.addressTaken || !isCopied(function, largest));
    }

    /// Nodes of the program where every call of a function of at most `largest` nodes, copies in it included, has its own.
    std::uint64_t total(std::uint64_t largest) {
        constexpr auto most = std::numeric_limits<std::uint64_t>::max() / 4;
        sizes.assign(originals, 0);
        for (const auto function : order) {
            auto size = std::uint64_t{program.functions[function].endNode} - program.functions[function].firstNode;
            for (const auto call : calls[function])
                if (isCopied(calleeOf(call), largest))
                    size = std::min(most, size + sizes[calleeOf(call)]);
            sizes[function] = size;
        }
        std::uint64_t sum = 0;
        for (std::uint32_t function = 0; function < originals; ++function)
            if (isRoot(function, largest))
                sum = std::min(most, sum + sizes[function]);
        return sum;
    }

    void copyCallees(std::uint32_t root, std::uint64_t largest) {
        std::vector<std::uint32_t> open{root};
        while (!open.empty()) {
            const auto function = open.back();
            open.pop_back();
            const auto origin = program.functions[function].origin;
            for (const auto original : calls[origin]) {
                const auto call = original - program.functions[origin].firstNode + program.functions[function].firstNode;
                const auto callee = calleeOf(call);
                if (!isCopied(callee, largest))
                    continue;
                const auto copy = copyOf(callee);
                program.operands[program.nodes[call].operands] = program.functions[copy].address;
                open.push_back(copy);
            }
        }
    }

    std::uint32_t copyOf(std::uint32_t origin) {
        const auto id = static_cast<std::uint32_t>(program.functions.size());
        auto data = program.functions[origin];
        NodeData address = program.nodes[data.address];
        address.extra = id;
        data.address = static_cast<Node>(program.nodes.size());
        program.nodes.push_back(address);
        const auto begin = data.firstNode, end = data.endNode, first = static_cast<Node>(program.nodes.size());
        for (auto node = begin; node < end; ++node)
            copyNode(node, begin, end, first, id);
        data.firstNode = first;
        data.endNode = static_cast<Node>(program.nodes.size());
        const auto blocks = data.firstBlock;
        data.firstBlock = static_cast<std::uint32_t>(program.blocks.size());
        for (std::uint32_t i = 0; i < data.blocks; ++i) {
            auto block = program.blocks[blocks + i];
            block.firstNode += first - begin;
            block.endNode += first - begin;
            program.blocks.push_back(block);
        }
        data.addressTaken = data.replaced = false;
        data.origin = origin;
        program.functions.push_back(std::move(data));
        return id;
    }

    void copyNode(Node node, Node begin, Node end, Node first, std::uint32_t function) {
        auto copy = program.nodes[node];
        copy.function = function;
        const auto from = copy.operands;
        copy.operands = static_cast<std::uint32_t>(program.operands.size());
        for (unsigned i = 0; i < copy.count; ++i) {
            const auto operand = program.operands[from + i];
            program.operands.push_back(operand >= begin && operand < end ? operand - begin + first : operand);
        }
        program.nodes.push_back(copy);
    }

    Program &program;
    const std::uint32_t originals;
    std::vector<std::vector<Node>> calls; ///< by function: its calls of functions that are there
    std::vector<bool> called, recursive;
    std::vector<std::uint32_t> order;
    std::vector<std::uint64_t> sizes; ///< by function: its nodes and those of copies in it
};

} // namespace

void makeInstances(Program &program) { Instances(program).make(); }

} // namespace laggard::slice
