// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/dependence/Effects.h"

namespace laggard::slice {

/// A set of locations, by number.
using SetId = std::uint32_t;

/// The last writes on the ways to a point that may change some locations.
struct Reaching {
    struct Definition {
        Node at = none;           ///< a store or a call
        SetId what = 0;           ///< the locations that it may change
        SetId before = 0;         ///< those that may hold what they held before it: to be asked for there
        bool byException = false; ///< the call was left by an exception
    };
    std::vector<Definition> definitions;
    SetId entry = 0; ///< what may be as it was when the function was entered
};

/// Reaching definitions, asked for backwards and one write after the other (as the chains of a memory SSA form, so that what many
/// calls may change is not looked for again from each of them): flow-sensitive inside a function, with strong updates of single
/// places, and of those that a callee surely overwrites.
class Definitions {
  public:
    Definitions(const Program &program, Effects &effects, Flows &flows, Deadline &deadline);

    [[nodiscard]] SetId idOf(const LocationSet &set);
    [[nodiscard]] const LocationSet &setOf(SetId id) const { return *sets[id]; }
    /// What reaches locations, as they are just before a node is executed.
    [[nodiscard]] const Reaching &before(Node node, SetId what);
    /// As they are when the function returns, or is left by an exception.
    [[nodiscard]] const Reaching &atExit(std::uint32_t function, SetId what, bool byException);

  private:
    struct Search;
    void backward(Search &search, std::uint32_t block, Node from, LocationSet set, bool isExceptional);
    bool pass(Search &search, Node node, LocationSet &set, bool isExceptional);
    void run(Search &search);
    void finish(Search &search, Reaching &reaching);
    void ofOne(Reaching &reaching, std::uint32_t function, std::uint32_t block, Node from, std::uint32_t location);
    bool passOne(Reaching &reaching, Node node, std::uint32_t location, bool isExceptional);
    [[nodiscard]] bool isUnset(std::uint32_t location, std::uint32_t function) const;

    const Program &program;
    Effects &effects;
    Flows &flows;
    Deadline &deadline;
    std::unordered_map<std::size_t, std::vector<SetId>> ids; ///< by hash
    std::deque<LocationSet> storage;
    std::vector<std::uint32_t> visited; ///< by block, twice as in Search: the number of the search that was there last
    std::uint32_t searches = 0;
    struct OpenBlock {
        std::uint32_t block = none;
        bool isExceptional = false;
    };
    std::vector<OpenBlock> openBlocks;
    std::vector<const LocationSet *> sets;
    std::unordered_map<std::uint64_t, Reaching> beforeNode, atEnd, atThrow;
};

} // namespace laggard::slice
