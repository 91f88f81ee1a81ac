// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/CallModel.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

constexpr std::array<std::pair<UnitKind, std::string_view>, 5> kindNames{{{UnitKind::Initializer, "initializer"},
                                                                          {UnitKind::Handler, "handler"},
                                                                          {UnitKind::Turn, "turn"},
                                                                          {UnitKind::Finalizer, "finalizer"},
                                                                          {UnitKind::Thread, "thread"}}};

using Identity = std::tuple<std::string, std::string, std::string, std::uint32_t>;

/// Children of each call, by identity; those of the outermost level at the end.
using Children = std::vector<std::map<Identity, std::uint32_t>>;

Children childrenOf(const CallModel::UnitModel &model) {
    Children children(model.calls.size() + 1);
    for (std::uint32_t i = 0; i < model.calls.size(); ++i) {
        const CallModel::Call &call = model.calls[i];
        children[call.parent == none ? model.calls.size() : call.parent].emplace(call.identity(), i);
    }
    return children;
}

/// Calls in the order that depends on what they are alone: depth first, children by identity.
std::vector<CallModel::Call> inOrder(const CallModel::UnitModel &model) {
    const Children children = childrenOf(model);
    std::vector<CallModel::Call> ordered;
    ordered.reserve(model.calls.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open; // a call, and its parent's new position
    const auto openChildren = [&](std::size_t of, std::uint32_t parent) {
        for (auto child = children[of].rbegin(); child != children[of].rend(); ++child)
            open.emplace_back(child->second, parent);
    };
    openChildren(model.calls.size(), none);
    while (!open.empty()) {
        const auto [call, parent] = open.back();
        open.pop_back();
        ordered.push_back(model.calls[call]);
        ordered.back().parent = parent;
        openChildren(call, static_cast<std::uint32_t>(ordered.size() - 1));
    }
    return ordered;
}

void mergeUnits(CallModel::UnitModel &into, const CallModel::UnitModel &other) {
    into.units += other.units;
    Children children = childrenOf(into);
    auto outermost = std::move(children.back());
    children.pop_back();
    std::vector<std::uint32_t> positions(other.calls.size());
    for (std::uint32_t i = 0; i < other.calls.size(); ++i) {
        const CallModel::Call &call = other.calls[i];
        auto &siblings = call.parent == none ? outermost : children[positions[call.parent]];
        const auto [entry, isNew] = siblings.try_emplace(call.identity(), static_cast<std::uint32_t>(into.calls.size()));
        positions[i] = entry->second;
        if (isNew) {
            into.calls.push_back(call);
            into.calls.back().parent = call.parent == none ? none : positions[call.parent];
            children.emplace_back();
            continue;
        }
        into.calls[positions[i]].units += call.units;
    }
    into.calls = inOrder(into);
}

void mergeRoles(CallModel::Role &into, const CallModel::Role &other) {
    into.processes += other.processes;
    for (const CallModel::Stack &loop : other.loops)
        if (const auto place = std::lower_bound(into.loops.begin(), into.loops.end(), loop);
            place == into.loops.end() || *place != loop)
            into.loops.insert(place, loop);
    for (const CallModel::UnitModel &unit : other.units) {
        const auto comesBefore = [](const CallModel::UnitModel &a, const CallModel::UnitModel &b) {
            return std::tie(a.kind, a.connection) < std::tie(b.kind, b.connection);
        };
        auto place = std::lower_bound(into.units.begin(), into.units.end(), unit, comesBefore);
        if (place == into.units.end() || comesBefore(unit, *place)) {
            place = into.units.insert(place, CallModel::UnitModel());
            place->kind = unit.kind;
            place->connection = unit.connection;
        }
        mergeUnits(*place, unit);
    }
}

} // namespace

std::string_view nameOf(UnitKind kind) {
    for (const auto &[known, name] : kindNames)
        if (known == kind)
            return name;
    return "unit";
}

std::optional<UnitKind> unitKindNamed(std::string_view name) {
    for (const auto &[kind, known] : kindNames)
        if (known == name)
            return kind;
    return std::nullopt;
}

std::string callName(const std::string &function, const std::string &site) {
    return site.empty() ? function : function + " @ " + site;
}

std::string withoutFolders(const std::string &file) { return file.substr(file.rfind('/') + 1); }

CallModel::UnitModel CallModel::Role::anyHandler() const {
    UnitModel any;
    for (const UnitModel &unit : units)
        if (unit.kind == UnitKind::Handler)
            mergeUnits(any, unit);
    return any;
}

double CallModel::UnitModel::probability(std::uint32_t call) const {
    const std::uint32_t parent = calls[call].parent;
    const std::uint64_t of = parent == none ? units : calls[parent].units;
    return of == 0 ? 0 : static_cast<double>(calls[call].units) / static_cast<double>(of);
}

void CallModel::merge(const CallModel &other) {
    runs += other.runs;
    for (const Role &role : other.roles) {
        auto place = std::lower_bound(roles.begin(), roles.end(), role,
                                      [](const Role &a, const Role &b) { return a.signature < b.signature; });
        if (place == roles.end() || place->signature != role.signature) {
            place = roles.insert(place, Role());
            place->signature = role.signature;
        }
        mergeRoles(*place, role);
    }
}

const CallModel::Role *CallModel::roleWith(const std::vector<Stack> &signature) const {
    const auto place =
        std::lower_bound(roles.begin(), roles.end(), signature,
                         [](const Role &role, const std::vector<Stack> &wanted) { return role.signature < wanted; });
    return place == roles.end() || place->signature != signature ? nullptr : &*place;
}

} // namespace laggard
