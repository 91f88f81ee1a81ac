// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/UnitSearch.h"

#include <chrono>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace laggard {

/// Chooses, from many units, those that hold the stacks' functions, then those that define what these need, and so on. Which unit
/// defines a name is taken from the texts of all (definedNames()), which are read once.
class NeededUnits {
  public:
    /// Texts that cannot be read until `until` are not looked at.
    NeededUnits(const FoundUnits &found, const std::vector<TaskStack> &stacks, std::chrono::steady_clock::time_point until);

    /// Indices into FoundUnits::units.
    [[nodiscard]] std::vector<std::size_t> first();
    /// Takes in what a unit needs; an empty file is one that could not be compiled.
    void compiled(const std::string &bitcodeFile);
    /// Units that define something that is needed and not given out before. Empty at the end.
    [[nodiscard]] std::vector<std::size_t> next();

  private:
    using Index = std::unordered_map<std::string, std::vector<std::size_t>>;

    void read(const FoundUnits &found, std::chrono::steady_clock::time_point until);
    void want(const Index &index, const std::string &name);

    std::size_t m_ofStacks = 0;
    std::vector<bool> m_isOut;
    Index m_names, m_scopes;
    std::unordered_set<std::string> m_looked; ///< linkage names
    std::vector<std::size_t> m_wanted;
};

} // namespace laggard
