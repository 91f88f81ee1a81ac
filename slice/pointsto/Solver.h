// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/Deadline.h"
#include "slice/pointsto/Locations.h"

#include <deque>

namespace laggard::slice {

/// Solves inclusion constraints between sets of locations. Variables: the program's nodes, two for each location (what is stored
/// there; what a read there sees, which other places that overlap it contribute to), and others that are asked for.
class Solver {
  public:
    Solver(const Program &known, Locations &places);

    using Variable = std::uint32_t;
    [[nodiscard]] Variable newVariable();
    [[nodiscard]] Variable storedAt(std::uint32_t location);
    [[nodiscard]] Variable seenAt(std::uint32_t location);

    void include(Variable variable, std::uint32_t location);
    void copy(Variable from, Variable to);
    void load(Variable pointer, Variable to);
    void store(Variable from, Variable pointer);
    void offset(Variable base, Variable to, const OffsetData *by);
    void copyMemory(Variable to, Variable from, std::uint64_t bytes);
    /// Whenever a function comes into the set, `call` is reported by called().
    void call(Variable callee, Node call, std::uint32_t tag);

    struct Called {
        Node call = none;
        std::uint32_t function = none;
        std::uint32_t tag = 0;
    };
    /// Propagates until nothing changes, or a call has found a function that it had not before.
    [[nodiscard]] std::vector<Called> run(Deadline &deadline);

    [[nodiscard]] const LocationSet &set(Variable variable) const { return all[find(variable)].set; }
    [[nodiscard]] Variable find(Variable variable) const;

  private:
    struct Use {
        enum Kind : std::uint8_t { Load, Store, Offset, CopyTo, CopyFrom, Call } kind = Load;
        std::uint32_t other = 0; ///< the other variable; Call: its tag
        const OffsetData *by = nullptr;
        std::uint64_t bytes = 0; ///< Call: the node
    };
    struct Data {
        LocationSet set, fresh;
        std::vector<Variable> targets;
        std::vector<Use> uses;
        bool queued = false;
    };
    /// Memory copied from a place to another: what is stored behind the one is behind the other.
    struct MemoryCopy {
        std::uint32_t from = 0, to = 0;
        std::uint64_t bytes = 0;
        [[nodiscard]] bool operator==(const MemoryCopy &) const = default;
    };

    void queue(Variable variable);
    void add(Variable variable, const LocationSet &locations);
    void addUse(Variable variable, Use use);
    void apply(const Use &use, const LocationSet &fresh);
    void copyObject(std::uint32_t from, std::uint32_t to, std::uint64_t bytes);
    void copyPlace(const MemoryCopy &copy, std::uint32_t place);
    void noticeNewLocations();
    void collapseCycles();

    const Program &program;
    Locations &locations;
    std::vector<Data> all;
    mutable std::vector<Variable> leader;
    std::vector<Variable> stored, seen;              ///< by location
    std::vector<std::vector<MemoryCopy>> copiesFrom; ///< by object
    std::size_t noticed = 0;                         ///< locations that overlapping ones know of
    std::deque<Variable> open;
    std::vector<Called> calls;
    std::size_t steps = 0, nextCollapse = 0;
};

} // namespace laggard::slice
