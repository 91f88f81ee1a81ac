// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/pointsto/Solver.h"

#include <algorithm>

namespace laggard::slice {

Solver::Solver(const Program &known, Locations &places)
    : program(known), locations(places), all(known.nodes.size()), leader(known.nodes.size()) {
    for (Variable variable = 0; variable < leader.size(); ++variable)
        leader[variable] = variable;
    nextCollapse = all.size();
}

Solver::Variable Solver::newVariable() {
    all.emplace_back();
    leader.push_back(static_cast<Variable>(leader.size()));
    return leader.back();
}

Solver::Variable Solver::find(Variable variable) const {
    while (leader[variable] != variable)
        variable = leader[variable] = leader[leader[variable]];
    return variable;
}

Solver::Variable Solver::storedAt(std::uint32_t location) {
    if (stored.size() <= location)
        stored.resize(location + 1, none);
    if (stored[location] == none) {
        const auto variable = newVariable();
        stored[location] = variable;
        for (const auto other : locations.objectAt(location).locations)
            if (other < seen.size() && seen[other] != none && Locations::overlap(locations[location], locations[other]))
                copy(variable, seen[other]);
    }
    return stored[location];
}

Solver::Variable Solver::seenAt(std::uint32_t location) {
    if (seen.size() <= location)
        seen.resize(location + 1, none);
    if (seen[location] == none) {
        const auto variable = newVariable();
        seen[location] = variable;
        for (const auto other : locations.objectAt(location).locations)
            if (other < stored.size() && stored[other] != none && Locations::overlap(locations[location], locations[other]))
                copy(stored[other], variable);
    }
    return seen[location];
}

void Solver::queue(Variable variable) {
    if (!all[variable].queued) {
        all[variable].queued = true;
        open.push_back(variable);
    }
}

void Solver::add(Variable variable, const LocationSet &what) {
    variable = find(variable);
    auto &data = all[variable];
    if (data.set.unite(what, data.fresh))
        queue(variable);
}

void Solver::include(Variable variable, std::uint32_t location) {
    variable = find(variable);
    auto &data = all[variable];
    if (data.set.insert(location)) {
        data.fresh.insert(location);
        queue(variable);
    }
}

void Solver::copy(Variable from, Variable to) {
    from = find(from);
    to = find(to);
    if (from == to)
        return;
    auto &targets = all[from].targets;
    if (!targets.empty() && targets.back() == to)
        return;
    targets.push_back(to);
    if (!all[from].set.empty())
        add(to, LocationSet(all[from].set));
}

void Solver::addUse(Variable variable, Use use) {
    variable = find(variable);
    all[variable].uses.push_back(use);
    if (!all[variable].set.empty())
        apply(use, LocationSet(all[variable].set));
}

void Solver::load(Variable pointer, Variable to) { addUse(pointer, {Use::Load, to, nullptr, 0}); }
void Solver::store(Variable from, Variable pointer) { addUse(pointer, {Use::Store, from, nullptr, 0}); }
void Solver::offset(Variable base, Variable to, const OffsetData *by) { addUse(base, {Use::Offset, to, by, 0}); }
void Solver::call(Variable callee, Node call, std::uint32_t tag) { addUse(callee, {Use::Call, tag, nullptr, call}); }

void Solver::copyMemory(Variable to, Variable from, std::uint64_t bytes) {
    addUse(to, {Use::CopyTo, from, nullptr, bytes});
    addUse(from, {Use::CopyFrom, to, nullptr, bytes});
}

void Solver::apply(const Use &use, const LocationSet &fresh) {
    fresh.forEach([&](std::uint32_t location) {
        const auto kind = locations.objectAt(location).kind;
        if (use.kind == Use::Call) {
            if (kind == ObjectKind::Function)
                calls.push_back(
                    {static_cast<Node>(use.bytes), program.nodes[locations.objectAt(location).site].extra, use.other});
            return;
        }
        if (kind == ObjectKind::Function || kind == ObjectKind::Request)
            return;
        if (use.kind == Use::Load) {
            copy(seenAt(location), use.other);
        } else if (use.kind == Use::Store) {
            copy(use.other, storedAt(location));
        } else if (use.kind == Use::Offset) {
            if (const auto shifted = locations.shifted(location, *use.by); shifted != none)
                include(use.other, shifted);
        } else {
            const LocationSet others(all[find(use.other)].set);
            others.forEach([&](std::uint32_t other) {
                if (use.kind == Use::CopyTo)
                    copyObject(other, location, use.bytes);
                else
                    copyObject(location, other, use.bytes);
            });
        }
    });
}

void Solver::copyObject(std::uint32_t from, std::uint32_t to, std::uint64_t bytes) {
    for (const auto location : {from, to})
        if (locations.objectAt(location).kind == ObjectKind::Function || locations.objectAt(location).kind == ObjectKind::Request)
            return;
    if (from == to)
        return;
    const auto object = locations[from].object;
    if (copiesFrom.size() <= object)
        copiesFrom.resize(object + 1);
    const MemoryCopy copy{from, to, bytes};
    auto &copies = copiesFrom[object];
    if (std::find(copies.begin(), copies.end(), copy) != copies.end())
        return;
    copies.push_back(copy);
    const auto places = locations.object(object).locations; // copying makes more
    for (const auto place : places)
        copyPlace(copy, place);
}

void Solver::copyPlace(const MemoryCopy &copy, std::uint32_t place) {
    const auto from = locations[copy.from], to = locations[copy.to], at = locations[place];
    const auto reach = copy.bytes == toArrayEnd ? ~std::uint64_t{0} / 2 : copy.bytes;
    const bool varies = from.stride != 0 || to.stride != 0;
    auto delta = static_cast<std::int64_t>(at.offset) - static_cast<std::int64_t>(from.offset);
    if (from.stride != 0) // one of the elements: the same byte of it
        delta = ((delta % static_cast<std::int64_t>(from.stride)) + static_cast<std::int64_t>(from.stride)) %
                static_cast<std::int64_t>(from.stride);
    if (delta < 0 || static_cast<std::uint64_t>(delta) >= reach)
        return;
    Location target{to.object, to.offset + static_cast<std::uint64_t>(delta), at.stride, at.count};
    if (varies) {
        target.stride = to.stride;
        target.count = to.count;
    }
    if (const auto id = locations.locationOf(target); id != none)
        this->copy(seenAt(place), storedAt(id));
}

void Solver::noticeNewLocations() {
    for (; noticed < locations.size(); ++noticed) {
        const auto object = locations[static_cast<std::uint32_t>(noticed)].object;
        if (object >= copiesFrom.size())
            continue;
        const auto copies = copiesFrom[object];
        for (const auto &copy : copies)
            copyPlace(copy, static_cast<std::uint32_t>(noticed));
    }
}

std::vector<Solver::Called> Solver::run(Deadline &deadline) {
    calls.clear();
    while (!deadline.passed()) {
        noticeNewLocations();
        if (open.empty())
            break;
        const auto variable = open.front();
        open.pop_front();
        all[variable].queued = false;
        if (find(variable) != variable || all[variable].fresh.empty())
            continue;
        const auto fresh = std::move(all[variable].fresh);
        all[variable].fresh = {};
        for (std::size_t i = 0; i < all[variable].targets.size(); ++i)
            if (const auto to = find(all[variable].targets[i]); to != variable)
                add(to, fresh);
        for (std::size_t i = 0; i < all[variable].uses.size(); ++i)
            apply(Use(all[variable].uses[i]), fresh);
        if (++steps >= nextCollapse) {
            collapseCycles();
            nextCollapse = steps + 2 * all.size();
        }
    }
    return std::move(calls);
}

/// Variables that include each other are one (Tarjan 1972, without recursion).
void Solver::collapseCycles() {
    std::vector<std::uint32_t> index(all.size(), 0), low(all.size(), 0);
    std::vector<bool> onStack(all.size(), false);
    std::vector<Variable> stack;
    std::vector<std::pair<Variable, std::size_t>> path;
    std::uint32_t next = 1;
    const auto enter = [&](Variable variable) {
        index[variable] = low[variable] = next++;
        stack.push_back(variable);
        onStack[variable] = true;
        path.emplace_back(variable, 0);
    };
    for (Variable root = 0; root < all.size(); ++root) {
        if (index[root] != 0 || find(root) != root || all[root].targets.empty())
            continue;
        enter(root);
        while (!path.empty()) {
            const auto variable = path.back().first;
            if (path.back().second < all[variable].targets.size()) {
                const auto to = find(all[variable].targets[path.back().second++]);
                if (index[to] == 0)
                    enter(to);
                else if (onStack[to])
                    low[variable] = std::min(low[variable], index[to]);
                continue;
            }
            path.pop_back();
            if (!path.empty())
                low[path.back().first] = std::min(low[path.back().first], low[variable]);
            if (low[variable] != index[variable])
                continue;
            for (Variable member = none; member != variable;) {
                member = stack.back();
                stack.pop_back();
                onStack[member] = false;
                if (member == variable)
                    continue;
                leader[member] = variable;
                auto &gone = all[member];
                auto &kept = all[variable];
                kept.targets.insert(kept.targets.end(), gone.targets.begin(), gone.targets.end());
                kept.uses.insert(kept.uses.end(), gone.uses.begin(), gone.uses.end());
                kept.set.unite(gone.set);
                kept.fresh = kept.set; // each had its own uses: all see all
                gone = {};
                queue(variable);
            }
        }
    }
}

} // namespace laggard::slice
