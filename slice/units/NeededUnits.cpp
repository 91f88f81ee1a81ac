// SPDX-License-Identifier: GPL-3.0-or-later
#include "slice/units/NeededUnits.h"

#include "slice/units/DefinedNames.h"
#include "slice/units/ModuleNames.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <numeric>

namespace laggard {
namespace {

constexpr std::uint64_t mostSourceBytes = std::uint64_t{64} << 20U; // generated tables; larger ones define little

} // namespace

NeededUnits::NeededUnits(const FoundUnits &found, const std::vector<TaskStack> &stacks,
                         std::chrono::steady_clock::time_point until)
    : m_ofStacks(found.ofStacks), m_isOut(found.units.size(), false) {
    read(found, until);
    for (const TaskStack &stack : stacks)
        for (const SourcePlace &frame : stack.frames) // bodies in headers are in units that the stack does not name
            want(m_names, frame.function.starts_with("_Z") ? sourceName(frame.function).name : plainName(frame.function));
}

void NeededUnits::read(const FoundUnits &found, std::chrono::steady_clock::time_point until) {
    std::vector<DefinedNames> defined(found.units.size());
    forEachParallel(found.units.size(), {}, [&](std::size_t i, unsigned) {
        if (std::chrono::steady_clock::now() >= until)
            return;
        if (const auto text = contentOf(found.units[i].source, mostSourceBytes))
            defined[i] = definedNames(*text);
    });
    for (std::size_t i = 0; i < defined.size(); ++i) {
        for (const std::string &name : defined[i].names)
            m_names[name].push_back(i);
        for (const std::string &scope : defined[i].scopes)
            m_scopes[scope].push_back(i);
    }
}

std::vector<std::size_t> NeededUnits::first() {
    for (std::size_t i = 0; i < m_ofStacks; ++i)
        if (!m_isOut[i]) {
            m_isOut[i] = true;
            m_wanted.push_back(i);
        }
    return next();
}

void NeededUnits::compiled(const std::string &bitcodeFile) {
    if (bitcodeFile.empty())
        return;
    const ModuleNames names = namesOfModule(bitcodeFile);
    m_looked.insert(names.defined.begin(), names.defined.end());
    for (const std::string &needed : names.needed)
        if (m_looked.insert(needed).second) {
            const SourceName name = sourceName(needed);
            want(name.isScope ? m_scopes : m_names, name.name);
        }
}

void NeededUnits::want(const Index &index, const std::string &name) {
    const auto at = index.find(name);
    if (at == index.end())
        return;
    for (const std::size_t unit : at->second)
        if (!m_isOut[unit]) {
            m_isOut[unit] = true;
            m_wanted.push_back(unit);
        }
}

std::vector<std::size_t> NeededUnits::next() { return std::exchange(m_wanted, {}); }

} // namespace laggard
