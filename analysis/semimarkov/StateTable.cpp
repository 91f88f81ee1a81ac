// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/StateTable.h"

#include <algorithm>

namespace laggard {

std::string describe(const SmmState &state) {
    switch (state.kind) {
    case SmmState::Kind::Start:
        return "start";
    case SmmState::Kind::Finished:
        return "finished";
    case SmmState::Kind::NotReturned:
        return "not returned";
    case SmmState::Kind::Communication:
    case SmmState::Kind::Computation:
        break;
    }
    std::string text = state.kind == SmmState::Kind::Computation ? "after " : "";
    if (state.path.empty())
        return text + "an unknown call";
    text += state.path.back().function;
    if (state.tellDatatype)
        text += " of " + (state.path.back().datatype.empty() ? "an unknown datatype" : state.path.back().datatype);
    if (state.path.size() > 1)
        text += " in " + state.path[state.path.size() - 2].function;
    const std::string &site = state.path.back().site;
    return site.empty() ? text : text + " (" + site.substr(site.find_last_of('/') + 1) + ")";
}

std::uint32_t StateTable::find(std::uint32_t from, std::uint32_t to) const {
    const auto entry = std::lower_bound(transitions.begin(), transitions.end(), SmmTransition{from, to});
    return entry != transitions.end() && *entry == SmmTransition{from, to}
               ? static_cast<std::uint32_t>(entry - transitions.begin())
               : none;
}

std::string describeTransition(const StateTable &table, std::uint32_t transition) {
    return describe(table.from(transition)) + " → " + describe(table.to(transition));
}

} // namespace laggard
