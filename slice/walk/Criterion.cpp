// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/Criterion.h"

#include <algorithm>

namespace laggard::slice {

namespace {

class Criterion {
  public:
    Criterion(Analysis &analysis, Walk &target, Steps &lines) : a(analysis), walk(target), steps(lines) {}

    bool standing(const TaskStack &stack, std::vector<std::string> &warnings) {
        std::vector<StackedCall> calls;
        const auto places = enterStack(a, walk, stack, 0, &warnings, &calls);
        const auto mpi = mpiCallOf(stack);
        for (const auto &place : places)
            if (stack.end.empty() && !callsTheEnd(place))
                standAt(place, mpi);
            else
                endedAt(place, stack.end);
        // Loops of the functions outside: whoever calls again and again may be what does not end.
        if (isSpinning || loops == 0)
            for (auto call = calls.rbegin(); call != calls.rend(); ++call)
                loopsAround(call->where, {call->call});
        for (auto call = calls.rbegin(); call != calls.rend() && loops == 0; ++call)
            walk.line(call->where, call->call, conditionDistance * (calls.back().depth - call->depth + 1),
                      {Why::Call, none, steps.standing()});
        path = std::move(calls);
        for (const auto &place : places)
            for (const auto node : place.nodes)
                path.push_back({path.empty() ? 0 : path.back().depth + 1, place.where, node});
        return !places.empty();
    }

    /// The conditions that send others another way, in the innermost function that both have come through.
    void parting(const TaskStack &other, std::uint32_t key) {
        std::vector<StackedCall> calls;
        const auto places = enterStack(a, walk, other, key, nullptr, &calls);
        for (const auto &place : places)
            for (const auto node : place.nodes)
                calls.push_back({calls.empty() ? 0 : calls.back().depth + 1, place.where, node});
        for (const auto &mine : path)
            for (const auto &theirs : calls) {
                const auto here = mine.call, there = theirs.call;
                if (mine.depth == theirs.depth && a.program.nodes[here].function == a.program.nodes[there].function &&
                    a.program.nodes[here].block != a.program.nodes[there].block)
                    partAt(mine.where, here, there);
            }
    }

  private:
    void standAt(const Standing &place, const std::string &mpi) {
        std::vector<Node> mpiCalls;
        for (const auto node : place.nodes) {
            steps.standAt(a.program.nodes[node].place);
            walk.line(place.where, node, 0, {Why::Criterion, none, none});
            if (isMpiCall(node, mpi))
                mpiCalls.push_back(node);
        }
        bool polls = mpiCalls.empty();
        for (const auto call : mpiCalls) {
            partnersOf(place.where, call);
            polls = polls || a.effects.ruleOf(call)->kind == CallKind::Polls;
        }
        for (const auto node : place.nodes)
            walk.execution(place.where, node, 0);
        if (!polls)
            return;
        isSpinning = true;
        if (place.nodes.empty())
            allLoops(place.where);
        else
            loopsAround(place.where, place.nodes);
        if (mpiCalls.empty() && loops == 0)
            valuesAt(place);
    }

    [[nodiscard]] bool isCallOfTheEnd(Node node) const {
        const auto *rule = a.program.nodes[node].op == Op::Call ? a.effects.ruleOf(node) : nullptr;
        return rule != nullptr && rule->kind == CallKind::Ends;
    }

    [[nodiscard]] bool callsTheEnd(const Standing &place) const {
        return std::any_of(place.nodes.begin(), place.nodes.end(), [&](Node node) { return isCallOfTheEnd(node); });
    }

    /// A line in which the program was ended: the addresses that it uses, the numbers that it divides by, what it hands to a
    /// function without code; for a call that ends the program, the condition that leads to it.
    void endedAt(const Standing &place, const std::string &end) {
        const auto here = steps.sentence(end.empty() ? "Here the program is ended." : "Here it ended: " + end + ".");
        for (const auto node : place.nodes) {
            steps.standAt(a.program.nodes[node].place);
            walk.line(place.where, node, 0, {Why::Criterion, none, none, here});
            const auto &data = a.program.nodes[node];
            const Reason because{Why::Data, node, data.place};
            const bool isCall = data.op == Op::Call;
            if (isCallOfTheEnd(node))
                conditionsOf(place.where, node);
            else if (data.op == Op::Load || data.op == Op::Store)
                address(place.where, a.program.operand(node, data.op == Op::Load ? 0 : 1), because);
            else if (isCall || (data.op == Op::Compute && end == "SIGFPE"))
                for (unsigned i = isCall && a.program.nodes[a.program.operand(node, 0)].op == Op::Function ? 1 : 0;
                     i < data.count; ++i)
                    walk.value(place.where, a.program.operand(node, i), 0, {Why::Data, a.program.operand(node, i), data.place});
            walk.execution(place.where, node, 0);
        }
        if (place.nodes.empty())
            allLoops(place.where);
    }

    /// That of a variable is sure to be right.
    void address(Walk::Entered where, Node pointer, const Reason &because) {
        const auto op = a.program.nodes[pointer].op;
        if (op != Op::Alloca && op != Op::Global)
            walk.value(where, pointer, 0, {Why::Data, pointer, because.from});
    }

    void conditionsOf(Walk::Entered where, Node node) {
        const auto &data = a.program.nodes[node];
        const auto first = a.program.functions[data.function].firstBlock;
        for (const auto block : a.flows.around(data.function, data.block).controllers[data.block]) {
            const auto &deciding = a.program.blocks[first + block];
            if (deciding.firstNode == deciding.endNode)
                continue;
            const auto branch = deciding.endNode - 1;
            auto name = a.program.nodes[branch].count == 0 ? std::string() : a.names.value(a.program.operand(branch, 0));
            walk.decision(where, branch, 0, Why::Criterion, none,
                          steps.sentence((name.empty() ? std::string("A condition") : "`" + name + "`") +
                                         " decides here whether the program is ended."));
            walk.execution(where, branch, 0);
        }
    }

    [[nodiscard]] bool isMpiCall(Node node, const std::string &mpi) const {
        if (a.program.nodes[node].op != Op::Call)
            return false;
        const auto name = a.effects.outsideName(node);
        if (!mpi.empty())
            return name == mpi || (name.starts_with('P') && name.substr(1) == mpi);
        const auto *rule = a.effects.ruleOf(node);
        return rule != nullptr && rule->isMpi && rule->kind != CallKind::Other;
    }

    void partnersOf(Walk::Entered where, Node call) {
        const auto *rule = a.effects.ruleOf(call);
        const auto isPeer = [](Use use) { return has(use, Use::Partner) && !has(use, Use::Within); };
        const bool hasPeer = std::any_of(rule->arguments.begin(), rule->arguments.end(), isPeer);
        const bool manyRequests = std::any_of(rule->arguments.begin(), rule->arguments.end(),
                                              [](Use use) { return has(use, Use::Completes) && has(use, Use::Many); });
        for (unsigned i = 0; i + 1 < a.program.nodes[call].count; ++i) {
            const auto use = rule->of(i);
            const auto argument = a.program.operand(call, i + 1);
            const Reason because{Why::Data, argument, a.program.nodes[call].place};
            if (has(use, Use::Partner) || (manyRequests && has(use, Use::Value))) // whom first, then among whom
                walk.value(where, argument, hasPeer && has(use, Use::Within) ? 1 : 0, because);
            if (has(use, Use::Partner) && has(use, Use::Reads))
                walk.memory(where, call, a.effects.readBehind(call, i), 0, because);
        }
    }

    void loopsAround(Walk::Entered where, const std::vector<Node> &nodes) {
        std::vector<std::pair<const Flow::Loop *, std::uint32_t>> found;
        for (const auto node : nodes) {
            const auto &data = a.program.nodes[node];
            for (const auto *loop : a.flows.around(data.function, data.block).around(data.block))
                if (std::none_of(found.begin(), found.end(), [&](const auto &entry) { return entry.first == loop; }))
                    found.emplace_back(loop, data.function);
        }
        for (const auto &[loop, function] : found)
            exitsOf(where, *loop, function);
    }

    void allLoops(Walk::Entered where) {
        const auto function = walk.functionOf(where);
        for (const auto &loop : a.flows.of(function).loops)
            exitsOf(where, loop, function);
    }

    void exitsOf(Walk::Entered where, const Flow::Loop &loop, std::uint32_t function) {
        // Who waits for others is not kept by a loop: that is how it came there.
        const auto distance = conditionDistance * (loops++ + (isSpinning ? 0 : 1));
        for (const auto exit : loop.exits) {
            const auto &block = a.program.blocks[a.program.functions[function].firstBlock + exit];
            if (block.firstNode == block.endNode)
                continue;
            const auto branch = block.endNode - 1;
            steps.standAt(a.program.nodes[branch].place);
            walk.decision(where, branch, distance, Why::Criterion, none);
            walk.execution(where, branch, distance);
        }
    }

    /// In no loop and not in MPI: what the line computes.
    void valuesAt(const Standing &place) {
        for (const auto node : place.nodes) {
            const auto &data = a.program.nodes[node];
            const Reason because{Why::Data, node, data.place};
            if (data.op == Op::Store || data.op == Op::Branch)
                walk.value(place.where, a.program.operand(node, 0), 0, because);
            else if (data.op == Op::Call)
                for (unsigned i = 1; i < data.count; ++i)
                    walk.value(place.where, a.program.operand(node, i), 0, because);
        }
    }

    void partAt(Walk::Entered where, Node here, Node there) {
        const auto function = a.program.nodes[here].function;
        const auto &flow = a.flows.around(function, a.program.nodes[here].block);
        auto mine = flow.controllers[a.program.nodes[here].block], theirs = flow.controllers[a.program.nodes[there].block];
        std::sort(mine.begin(), mine.end());
        std::sort(theirs.begin(), theirs.end());
        std::vector<std::uint32_t> parting;
        std::set_symmetric_difference(mine.begin(), mine.end(), theirs.begin(), theirs.end(), std::back_inserter(parting));
        for (const auto block : parting) {
            const auto &data = a.program.blocks[a.program.functions[function].firstBlock + block];
            if (data.firstNode == data.endNode)
                continue;
            walk.decision(where, data.endNode - 1, conditionDistance, Why::Control, a.program.nodes[here].place);
            walk.execution(where, data.endNode - 1, conditionDistance);
        }
    }

    Analysis &a;
    Walk &walk;
    Steps &steps;
    unsigned loops = 0; ///< whose ends have been made criteria: each further out is one further away
    bool isSpinning = false;
    std::vector<StackedCall> path;
};

} // namespace

bool setCriterion(Analysis &analysis, Walk &walk, Steps &steps, const std::vector<TaskStack> &stacks,
                  std::vector<std::string> &warnings) {
    Criterion criterion(analysis, walk, steps);
    std::size_t first = 0;
    while (first < stacks.size() && !criterion.standing(stacks[first], warnings))
        ++first;
    for (std::size_t other = first + 1; other < stacks.size(); ++other)
        criterion.parting(stacks[other], static_cast<std::uint32_t>(other));
    return first < stacks.size();
}

} // namespace laggard::slice
