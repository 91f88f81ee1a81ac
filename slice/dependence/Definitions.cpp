// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/dependence/Definitions.h"

#include <algorithm>

namespace laggard::slice {

struct Definitions::Search {
    std::uint32_t function = none;
    const Flow *flow = nullptr;
    struct Open {
        std::uint32_t block = none;
        LocationSet set;
        bool isExceptional = false;
    };
    std::vector<Open> open;
    std::vector<LocationSet> seen; ///< by block whose end was reached, twice: as it is left usually, and by an exception
    struct Found {
        Node at = none;
        bool isExceptional = false;
        LocationSet what, before;
    };
    std::vector<Found> found;
    LocationSet entry;

    Found &at(Node node, bool isExceptional) {
        for (auto &known : found)
            if (known.at == node && known.isExceptional == isExceptional)
                return known;
        return found.emplace_back(Found{node, isExceptional, {}, {}});
    }
};

Definitions::Definitions(const Program &known, Effects &effect, Flows &flow, Deadline &until)
    : program(known), effects(effect), flows(flow), deadline(until), visited(known.blocks.size() * 2, 0) {
    (void)idOf({});
}

SetId Definitions::idOf(const LocationSet &set) {
    auto &same = ids[set.hash()];
    for (const auto id : same)
        if (*sets[id] == set)
            return id;
    same.push_back(static_cast<SetId>(sets.size()));
    sets.push_back(&storage.emplace_back(set));
    return same.back();
}

/// Whether the node changes something of the set; then the way ends there for those locations.
bool Definitions::pass(Search &search, Node node, LocationSet &set, bool isExceptional) {
    const auto op = program.nodes[node].op;
    if (op != Op::Store && op != Op::Call)
        return false;
    const auto &changed = effects.changedBy(node);
    if (!changed.intersects(set))
        return false;
    const auto hit = changed.intersection(set);
    set = set.without(hit);
    auto &found = search.at(node, isExceptional);
    found.before.unite(isExceptional ? hit : hit.without(effects.surelyChangedBy(node)));
    found.what.unite(hit);
    return true;
}

void Definitions::backward(Search &search, std::uint32_t block, Node from, LocationSet set, bool isExceptional) {
    const auto &data = program.functions[search.function];
    const auto &nodes = program.blocks[data.firstBlock + block];
    const bool mayChange = from != nodes.endNode || effects.changedInBlock(search.function, block).intersects(set);
    for (auto node = from; mayChange && node-- > nodes.firstNode && !set.empty();)
        pass(search, node, set, isExceptional && node + 1 == nodes.endNode);
    if (set.empty())
        return;
    if (block == 0)
        search.entry.unite(set);
    for (const auto previous : search.flow->predecessors[block]) {
        const bool byUnwinding = program.blocks[data.firstBlock + previous].unwind == block;
        if (search.seen.empty())
            search.seen.resize(std::size_t{data.blocks} * 2);
        auto &seen = search.seen[std::size_t{previous} * 2 + (byUnwinding ? 1 : 0)];
        auto fresh = seen.empty() ? set : set.without(seen);
        if (fresh.empty())
            continue;
        seen.unite(fresh);
        search.open.push_back({previous, std::move(fresh), byUnwinding});
    }
}

/// A variable of the function itself has no value when it is entered.
bool Definitions::isUnset(std::uint32_t location, std::uint32_t function) const {
    const auto &object = effects.points().locations.objectAt(location);
    return object.kind == ObjectKind::Variable && program.nodes[object.site].function == function &&
           !effects.isRecursive(function);
}

bool Definitions::passOne(Reaching &reaching, Node node, std::uint32_t location, bool isExceptional) {
    const auto op = program.nodes[node].op;
    if ((op != Op::Store && op != Op::Call) || !effects.changedBy(node).contains(location))
        return false;
    for (const auto &known : reaching.definitions)
        if (known.at == node && known.byException == isExceptional)
            return true;
    LocationSet one;
    one.insert(location);
    const auto id = idOf(one);
    const bool isOver = !isExceptional && effects.surelyChangedBy(node).contains(location);
    reaching.definitions.push_back({node, id, isOver ? idOf({}) : id, isExceptional});
    return true;
}

/// backward() and run() for a single location, which most questions are about: without sets on the way.
void Definitions::ofOne(Reaching &reaching, std::uint32_t function, std::uint32_t block, Node from, std::uint32_t location) {
    const auto &data = program.functions[function];
    const auto &flow = flows.around(function, block);
    const auto leave = [&](std::uint32_t at) {
        if (at == 0 && !isUnset(location, function)) {
            LocationSet one;
            one.insert(location);
            reaching.entry = idOf(one);
        }
        for (const auto previous : flow.predecessors[at]) {
            const bool byUnwinding = program.blocks[data.firstBlock + previous].unwind == at;
            auto &last = visited[(std::size_t{data.firstBlock} + previous) * 2 + (byUnwinding ? 1 : 0)];
            if (last == searches)
                continue;
            last = searches;
            openBlocks.push_back({previous, byUnwinding});
        }
    };
    const auto passes = [&](std::uint32_t at, Node end, bool isExceptional) {
        const auto &nodes = program.blocks[data.firstBlock + at];
        if (end == nodes.endNode && !effects.changedInBlock(function, at).contains(location))
            return true;
        for (auto node = end; node-- > nodes.firstNode;)
            if (passOne(reaching, node, location, isExceptional && node + 1 == nodes.endNode))
                return false;
        return true;
    };
    openBlocks.clear();
    if (passes(block, from, false))
        leave(block);
    while (!openBlocks.empty() && !deadline.passed()) {
        const auto next = openBlocks.back();
        openBlocks.pop_back();
        if (passes(next.block, program.blocks[data.firstBlock + next.block].endNode, next.isExceptional))
            leave(next.block);
    }
}

void Definitions::run(Search &search) {
    const auto &data = program.functions[search.function];
    while (!search.open.empty() && !deadline.passed()) {
        auto next = std::move(search.open.back());
        search.open.pop_back();
        backward(search, next.block, program.blocks[data.firstBlock + next.block].endNode, std::move(next.set),
                 next.isExceptional);
    }
}

void Definitions::finish(Search &search, Reaching &reaching) {
    for (const auto &found : search.found)
        reaching.definitions.push_back({found.at, idOf(found.what), idOf(found.before), found.isExceptional});
    LocationSet entry;
    search.entry.forEach([&](std::uint32_t location) {
        if (!isUnset(location, search.function))
            entry.insert(location);
    });
    reaching.entry = idOf(entry);
}

const Reaching &Definitions::before(Node node, SetId what) {
    const auto [known, isNew] = beforeNode.try_emplace(std::uint64_t{node} << 32 | what);
    auto &reaching = known->second;
    if (!isNew)
        return reaching;
    const auto block = program.nodes[node].block;
    if (const auto location = setOf(what).only(); location != none) {
        ++searches;
        ofOne(reaching, program.nodes[node].function, block, node, location);
        return reaching;
    }
    Search search;
    search.function = program.nodes[node].function;
    search.flow = &flows.around(search.function, block);
    backward(search, block, node, setOf(what), false);
    run(search);
    finish(search, reaching);
    return reaching;
}

const Reaching &Definitions::atExit(std::uint32_t function, SetId what, bool byException) {
    const auto [known, isNew] = (byException ? atThrow : atEnd).try_emplace(std::uint64_t{function} << 32 | what);
    auto &reaching = known->second;
    if (!isNew)
        return reaching;
    const auto &data = program.functions[function];
    const auto location = setOf(what).only();
    Search search;
    search.function = function;
    ++searches;
    for (std::uint32_t block = 0; block < data.blocks; ++block) {
        const auto &nodes = program.blocks[data.firstBlock + block];
        if (nodes.firstNode == nodes.endNode || program.nodes[nodes.endNode - 1].op != (byException ? Op::End : Op::Return))
            continue;
        if (location != none) {
            ofOne(reaching, function, block, nodes.endNode, location);
            continue;
        }
        search.flow = &flows.around(function, block);
        backward(search, block, nodes.endNode, setOf(what), false);
        run(search);
    }
    if (location == none)
        finish(search, reaching);
    return reaching;
}

} // namespace laggard::slice
