// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/walk/StackFrames.h"

#include <algorithm>

namespace laggard::slice {

namespace {

/// Copies of one function that a stack may begin in where its outer frames are not known. A few stand for all.
constexpr std::size_t mostBeginnings = 64;

struct KnownFrame {
    std::vector<std::uint32_t> functions; ///< that it may be of; no copies
    const SourcePlace *place = nullptr;
};

bool isAmong(const std::vector<std::uint32_t> &functions, std::uint32_t function) {
    return std::find(functions.begin(), functions.end(), function) != functions.end();
}

std::vector<KnownFrame> knownFrames(const Analysis &analysis, const TaskStack &stack, std::vector<std::string> *warnings) {
    std::vector<KnownFrame> known;
    bool mainWasSeen = false;
    for (const auto &frame : stack.frames) {
        auto functions = analysis.lookup.find(frame);
        if (!functions.empty())
            known.push_back({std::move(functions), &frame});
        else if (warnings != nullptr && !mainWasSeen && !isMpiName(frame.function) &&
                 !(known.empty() && analysis.effects.isLibrary(frame.function))) // outside of main is what starts a program
            warnings->push_back("The stack has " + frame.function +
                                ", of which there is no code: the next frame that is known is used.");
        mainWasSeen = mainWasSeen || frame.function == "main";
    }
    return known;
}

/// Keeps, of the functions that a frame may be of, those that call what the next inner one may be of, if there are such.
void keepCallers(const Analysis &analysis, std::vector<KnownFrame> &known) {
    for (std::size_t at = 1; at < known.size(); ++at) {
        auto kept = known[at].functions;
        std::erase_if(kept, [&](std::uint32_t function) {
            const auto &instances = analysis.lookup.instancesOf(function);
            const auto some = std::min(instances.size(), mostBeginnings);
            return std::all_of(instances.begin(), instances.begin() + static_cast<std::ptrdiff_t>(some), [&](auto instance) {
                return callsTo(analysis, instance, *known[at].place, known[at - 1].functions).empty();
            });
        });
        if (!kept.empty())
            known[at].functions = std::move(kept);
    }
}

std::vector<Node> nodesAt(const Analysis &analysis, std::uint32_t instance, const SourcePlace &place) {
    std::vector<Node> nodes;
    const auto &data = analysis.program.functions[instance];
    for (auto node = data.firstNode; node < data.endNode && place.line != 0; ++node)
        if (analysis.program.nodes[node].block != none && analysis.lookup.isAt(node, place.file, place.line))
            nodes.push_back(node);
    return nodes;
}

/// The calls of MPI of that name in a function.
std::vector<Node> callsOf(const Analysis &analysis, std::uint32_t instance, const std::string &mpi) {
    std::vector<Node> nodes;
    const auto &data = analysis.program.functions[instance];
    for (auto node = data.firstNode; node < data.endNode; ++node)
        if (analysis.program.nodes[node].op == Op::Call) {
            const auto name = analysis.effects.outsideName(node);
            if (name == mpi || (name.starts_with('P') && name.substr(1) == mpi))
                nodes.push_back(node);
        }
    return nodes;
}

} // namespace

std::vector<std::pair<Node, std::uint32_t>> callsTo(const Analysis &analysis, std::uint32_t instance, const SourcePlace &place,
                                                    const std::vector<std::uint32_t> &next) {
    std::vector<std::pair<Node, std::uint32_t>> atLine, anywhere;
    const auto &data = analysis.program.functions[instance];
    for (auto node = data.firstNode; node < data.endNode; ++node) {
        if (analysis.program.nodes[node].op != Op::Call)
            continue;
        for (const auto callee : analysis.effects.calleesOf(node)) {
            if (!isAmong(next, analysis.program.functions[callee].origin))
                continue;
            anywhere.emplace_back(node, callee);
            if (place.line != 0 && analysis.lookup.isAt(node, place.file, place.line))
                atLine.emplace_back(node, callee);
        }
    }
    return atLine.empty() ? anywhere : atLine;
}

bool comesAlong(const Analysis &analysis, std::uint32_t instance, std::span<const SourcePlace> outside,
                const std::vector<Node> *callers) {
    const auto &calls = callers != nullptr ? *callers : analysis.effects.callersOf(instance);
    if (outside.empty() || calls.empty())
        return true;
    const auto functions = analysis.lookup.find(outside.front());
    if (functions.empty())
        return true; // code that is not here: nothing is known of what it calls
    const std::vector<std::uint32_t> own{analysis.program.functions[instance].origin};
    return std::any_of(calls.begin(), calls.end(), [&](Node call) {
        const auto caller = analysis.program.nodes[call].function;
        if (!isAmong(functions, analysis.program.functions[caller].origin))
            return false;
        const auto atLine = callsTo(analysis, caller, outside.front(), own);
        return std::any_of(atLine.begin(), atLine.end(), [&](const auto &entry) { return entry.first == call; }) &&
               comesAlong(analysis, caller, outside.subspan(1));
    });
}

std::string mpiCallOf(const TaskStack &stack) {
    std::string name;
    for (const auto &frame : stack.frames) {
        if (isMpiName(frame.function))
            name = frame.function; // the outermost of them is what the program called
        else if (!name.empty())
            break;
    }
    return name.starts_with('P') ? name.substr(1) : name;
}

std::vector<Standing> enterStack(Analysis &analysis, Walk &walk, const TaskStack &stack, std::uint32_t key,
                                 std::vector<std::string> *warnings, std::vector<StackedCall> *calls) {
    auto known = knownFrames(analysis, stack, warnings);
    keepCallers(analysis, known);
    std::vector<std::pair<std::uint32_t, Walk::Entered>> current; // instances of the frame's function
    std::uint32_t depth = 0;
    const auto begin = [&](const std::vector<std::uint32_t> &functions) {
        current.clear();
        for (const auto function : functions)
            for (const auto instance : analysis.lookup.instancesOf(function))
                if (current.size() < mostBeginnings && !analysis.program.functions[instance].replaced)
                    current.emplace_back(instance, walk.frame(instance, stack.ranks, key << 8 | depth));
    };
    for (auto at = known.size(); at-- > 0; ++depth) {
        if (at + 1 == known.size()) {
            begin(known[at].functions);
            continue;
        }
        std::vector<std::pair<std::uint32_t, Walk::Entered>> inner;
        for (const auto &[instance, entered] : current)
            for (const auto &[call, callee] : callsTo(analysis, instance, *known[at + 1].place, known[at].functions)) {
                const auto frame = walk.frame(callee, stack.ranks, key << 8 | depth);
                walk.addCaller(frame, entered, call);
                if (calls != nullptr)
                    calls->push_back({depth - 1, entered, call});
                if (std::none_of(inner.begin(), inner.end(), [&](const auto &entry) { return entry.second == frame; }))
                    inner.emplace_back(callee, frame);
            }
        if (inner.empty()) {
            if (warnings != nullptr)
                warnings->push_back("No call of " + known[at].place->function + " was found in " + known[at + 1].place->function +
                                    ": what is outside of it is left out.");
            begin(known[at].functions);
        } else {
            current = std::move(inner);
        }
    }
    std::vector<Standing> standing;
    const auto mpi = mpiCallOf(stack);
    for (const auto &[instance, entered] : current) {
        const auto &place = *known.front().place;
        standing.push_back({entered, nodesAt(analysis, instance, place)});
        if (standing.back().nodes.empty() && !mpi.empty()) {
            standing.back().nodes = callsOf(analysis, instance, mpi);
            if (warnings != nullptr && place.line != 0 && place.line != analysis.program.functions[instance].firstLine)
                warnings->push_back("There is no code in line " + std::to_string(place.line) + " of " + place.file +
                                    ", where the stack is: the calls of " + mpi + " in " + place.function + " are used.");
        }
        walk.standAt(entered, standing.back().nodes);
    }
    return standing;
}

} // namespace laggard::slice
