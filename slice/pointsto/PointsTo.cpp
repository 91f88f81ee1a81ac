// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/pointsto/PointsTo.h"

#include "slice/pointsto/Solver.h"

#include <algorithm>
#include <array>
#include <set>

namespace laggard::slice {

namespace {

/// Somewhere in what a pointer points to: strchr and the like.
OffsetData anywhere() {
    OffsetData by;
    by.varying.push_back({1, 0});
    return by;
}

/// The first fields of a node: a tree's has a colour and three links.
std::array<OffsetData, 4> firstFields() {
    std::array<OffsetData, 4> fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
        fields[i].bytes = static_cast<std::int64_t>(i * sizeof(void *));
    return fields;
}

/// Parts of an object that a virtual base may be; classes have a few.
std::array<OffsetData, 8> firstParts() {
    std::array<OffsetData, 8> parts;
    for (std::uint32_t i = 0; i < parts.size(); ++i)
        parts[i].part = i + 1;
    return parts;
}

/// Makes the constraints of a program, and those of calls as they are found.
class Constraints {
  public:
    Constraints(const Program &known, const CallTable &rules, PointsTo &target)
        : program(known),
          table(rules),
          result(target),
          solver(known, target.locations),
          within(anywhere()),
          fields(firstFields()),
          parts(firstParts()) {}

    void solve(Deadline &deadline) {
        exceptions = solver.newVariable();
        findReturns();
        makeObjects();
        for (Node node = 0; node < program.nodes.size() && !deadline.passed(); ++node)
            if (!isReplaced(node)) // what only it hands to others would mix what the copies keep apart
                constrain(node);
        for (auto found = solver.run(deadline); !found.empty(); found = solver.run(deadline))
            for (const auto &[call, function, tag] : found)
                connect(call, function, tag);
        finish();
    }

  private:
    /// Tags of calls: that of the callee itself, else the number of the argument that is called back.
    static constexpr std::uint32_t direct = 0;

    [[nodiscard]] bool isReplaced(Node node) const {
        const auto function = program.nodes[node].function;
        return function != none && program.functions[function].replaced;
    }

    void findReturns() {
        returns.resize(program.functions.size());
        for (Node node = 0; node < program.nodes.size(); ++node)
            if (program.nodes[node].op == Op::Return && program.nodes[node].count == 1)
                returns[program.nodes[node].function].push_back(program.operand(node, 0));
            else if (program.nodes[node].op == Op::Call && isCallOf(node, "llvm.va_start"))
                findRest(node);
    }

    [[nodiscard]] bool isCallOf(Node call, std::string_view name) const {
        const auto &callee = program.nodes[program.operand(call, 0)];
        return callee.op == Op::Function && program.functions[callee.extra].name == name;
    }

    /// The arguments that a function takes by va_arg lie in memory of their own, to which its va_list points.
    void findRest(Node start) {
        const auto [rest, isNew] = rests.try_emplace(program.nodes[start].function, 0);
        if (isNew) {
            rest->second = solver.newVariable();
            pointTo(rest->second, result.locations.objectOf(ObjectKind::Heap, start, 0));
        }
        for (const auto &field : fields) {
            const auto place = solver.newVariable();
            solver.offset(program.operand(start, 1), place, &field);
            solver.store(rest->second, place);
        }
    }

    void makeObjects() {
        for (Node node = 0; node < program.nodes.size(); ++node) {
            const auto &data = program.nodes[node];
            if (data.op == Op::Alloca && !isReplaced(node))
                pointTo(node, result.locations.objectOf(ObjectKind::Variable, node, data.extra));
            else if (data.op == Op::Global)
                pointTo(node, result.locations.objectOf(ObjectKind::Global, node, program.globals[data.extra].shape));
            else if (data.op == Op::Function)
                pointTo(node, result.locations.objectOf(ObjectKind::Function, node, 0));
        }
        for (const auto &initial : program.initialPointers) {
            const auto object = result.locations.objectOf(ObjectKind::Global, program.globals[initial.global].node, 0);
            if (const auto place = result.locations.locationOf({object, initial.offset, 0, 0}); place != none)
                solver.copy(initial.value, solver.storedAt(place));
        }
    }

    void pointTo(Solver::Variable variable, std::uint32_t object) {
        if (const auto place = result.locations.locationOf({object, 0, 0, 0}); place != none)
            solver.include(variable, place);
    }

    void constrain(Node node) {
        const auto &data = program.nodes[node];
        const auto operands = program.operandsOf(node);
        switch (data.op) {
        case Op::Load:
            if (data.pointer)
                solver.load(operands[0], node);
            break;
        case Op::Store:
            if (mayPoint(operands[0]))
                solver.store(operands[0], operands[1]);
            break;
        case Op::Offset:
            if (program.offsets[data.extra].toPart)
                toParts(operands[0], node);
            else
                solver.offset(operands[0], node, &program.offsets[data.extra]);
            break;
        case Op::Copy:
        case Op::Compute:
        case Op::Phi:
            if (data.pointer || data.op == Op::Copy)
                for (const auto operand : operands)
                    if (mayPoint(operand))
                        solver.copy(operand, node);
            break;
        case Op::Call:
            if (program.nodes[operands[0]].op == Op::Function)
                connect(node, program.nodes[operands[0]].extra, direct);
            else
                solver.call(operands[0], node, direct);
            break;
        default:
            break;
        }
    }

    void toParts(Node from, Node to) {
        for (const auto &part : parts)
            solver.offset(from, to, &part);
    }

    [[nodiscard]] bool mayPoint(Node node) const { return program.nodes[node].pointer || program.nodes[node].op == Op::Copy; }

    void connect(Node call, std::uint32_t function, std::uint32_t tag) {
        auto &callees = result.callees[call];
        if (!connected.emplace(call, function, tag).second)
            return;
        if (std::find(callees.begin(), callees.end(), function) == callees.end())
            callees.push_back(function);
        const auto &data = program.functions[function];
        if (tag != direct) {
            if (data.defined())
                callBack(call, data);
        } else if (data.defined()) {
            for (unsigned i = 0; i < data.arguments && i + 1 < program.nodes[call].count; ++i)
                if (mayPoint(program.operand(call, i + 1)))
                    solver.copy(program.operand(call, i + 1), data.firstNode + i);
            for (const auto value : returns[function])
                if (mayPoint(value))
                    solver.copy(value, call);
            if (const auto rest = rests.find(function); rest != rests.end())
                for (unsigned i = data.arguments + 1; i < program.nodes[call].count; ++i)
                    if (mayPoint(program.operand(call, i)))
                        solver.store(program.operand(call, i), rest->second);
        } else {
            const auto *rule = table.find(data.name);
            callOutside(call, rule == nullptr ? table.unknown() : *rule, rule == nullptr);
        }
    }

    /// If a function is called back, each of its parameters may be anything that was handed along with it.
    void callBack(Node call, const FunctionData &function) {
        for (unsigned i = 0; i < function.arguments; ++i)
            for (unsigned argument = 1; argument < program.nodes[call].count; ++argument)
                if (program.nodes[program.operand(call, argument)].op != Op::Function &&
                    mayPoint(program.operand(call, argument)))
                    solver.copy(program.operand(call, argument), function.firstNode + i);
    }

    void callOutside(Node call, const CallRule &rule, bool isUnknown) {
        const auto operands = program.operandsOf(call);
        for (unsigned i = 1; i < operands.size(); ++i) {
            const auto use = rule.of(i - 1);
            if (has(use, Use::Makes))
                storeNew(ObjectKind::Request, call, operands[i]);
            if (has(use, Use::Fresh))
                storeNew(ObjectKind::Heap, call, operands[i]);
            if ((has(use, Use::Callback) || isUnknown) && program.nodes[operands[i]].pointer)
                solver.call(operands[i], call, i);
            if (isUnknown && program.nodes[call].pointer && mayPoint(operands[i]))
                solver.copy(operands[i], call);
        }
        link(call, rule);
        copyMemory(call, rule);
        giveResult(call, rule);
    }

    /// The fields of a struct that hold pointers, as far as they lie where links of nodes do.
    template <typename Field> void forFields(Node call, unsigned argument, Field field) {
        const std::uint64_t bytes = program.pointees[program.nodes[call].extra + argument];
        for (std::size_t i = 0; i < fields.size() && i * sizeof(void *) < bytes; ++i) {
            const auto place = solver.newVariable();
            solver.offset(program.operand(call, argument), place, &fields[i]);
            field(place);
        }
    }

    void link(Node call, const CallRule &rule) {
        const auto count = program.nodes[call].count;
        for (unsigned to = 1; to < count; ++to)
            for (unsigned from = 1; from < count; ++from)
                if (has(rule.of(to - 1), Use::Links) && has(rule.of(from - 1), Use::Links))
                    forFields(call, to, [&](Solver::Variable place) { solver.store(program.operand(call, from), place); });
    }

    void storeNew(ObjectKind kind, Node call, Node pointer) {
        const auto variable = solver.newVariable();
        pointTo(variable, result.locations.objectOf(kind, call, 0));
        solver.store(variable, pointer);
    }

    void copyMemory(Node call, const CallRule &rule) {
        const auto operands = program.operandsOf(call);
        Node to = none, from = none;
        std::uint64_t bytes = toArrayEnd;
        for (unsigned i = 1; i < operands.size(); ++i) {
            const auto use = rule.of(i - 1);
            if (has(use, Use::CopyTo))
                to = operands[i];
            else if (has(use, Use::CopyFrom))
                from = operands[i];
            else if (has(use, Use::Count) && program.nodes[operands[i]].op == Op::Constant &&
                     program.nodes[operands[i]].size == 8)
                bytes = static_cast<std::uint64_t>(program.constants[program.nodes[operands[i]].extra]);
        }
        if (to != none && from != none)
            solver.copyMemory(to, from, bytes);
    }

    void giveResult(Node call, const CallRule &rule) {
        const auto operands = program.operandsOf(call);
        switch (rule.result) {
        case ResultKind::Fresh:
        case ResultKind::Opened:
            pointTo(call, result.locations.objectOf(ObjectKind::Heap, call, 0));
            break;
        case ResultKind::FirstArgument:
            if (operands.size() > 1)
                solver.copy(operands[1], call);
            break;
        case ResultKind::SecondArgument:
            if (operands.size() > 2)
                solver.copy(operands[2], call);
            break;
        case ResultKind::WithinFirst:
            if (operands.size() > 1)
                solver.offset(operands[1], call, &within);
            break;
        case ResultKind::PartOfFirst:
            if (operands.size() > 1)
                toParts(operands[1], call);
            break;
        case ResultKind::Linked:
            if (operands.size() > 1) {
                solver.copy(operands[1], call);
                forFields(call, 1, [&](Solver::Variable place) { solver.load(place, call); });
            }
            break;
        case ResultKind::Exception:
            solver.copy(exceptions, call);
            break;
        default:
            break;
        }
        if (operands.size() > 1 && program.nodes[operands[0]].op == Op::Function &&
            program.functions[program.nodes[operands[0]].extra].name == "__cxa_throw")
            solver.copy(operands[1], exceptions);
    }

    void finish() {
        std::unordered_map<Solver::Variable, std::uint32_t> indices;
        result.sets.emplace_back(); // the empty one
        result.setOf.assign(program.nodes.size(), 0);
        for (Node node = 0; node < program.nodes.size(); ++node) {
            const auto variable = solver.find(node);
            if (solver.set(variable).empty())
                continue;
            const auto [entry, isNew] = indices.try_emplace(variable, static_cast<std::uint32_t>(result.sets.size()));
            if (isNew)
                result.sets.push_back(solver.set(variable));
            result.setOf[node] = entry->second;
        }
        const auto count = static_cast<std::uint32_t>(result.locations.size());
        for (std::uint32_t location = 0; location < count; ++location)
            result.contents.push_back(solver.set(solver.seenAt(location)));
    }

    const Program &program;
    const CallTable &table;
    PointsTo &result;
    Solver solver;
    const OffsetData within;
    const std::array<OffsetData, 4> fields;
    const std::array<OffsetData, 8> parts;
    Solver::Variable exceptions = 0;
    std::vector<std::vector<Node>> returns;
    std::unordered_map<std::uint32_t, Solver::Variable> rests; ///< by function: points to its arguments without a name
    std::set<std::tuple<Node, std::uint32_t, std::uint32_t>> connected;
};

} // namespace

PointsTo pointsTo(const Program &program, const CallTable &table, Deadline &deadline) {
    PointsTo result(program);
    Constraints(program, table, result).solve(deadline);
    return result;
}

} // namespace laggard::slice
