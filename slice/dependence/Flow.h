// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/calls/CallTable.h"
#include "slice/program/Program.h"

#include <memory>
#include <vector>

namespace laggard::slice {

/// Where control goes in a function. Blocks are numbered within it; copies of a function share one.
struct Flow {
    struct Loop {
        std::uint32_t header = none;
        std::vector<bool> body;           ///< by block
        std::vector<std::uint32_t> exits; ///< blocks of the body whose branch may leave it
    };
    std::vector<std::vector<std::uint32_t>> predecessors; ///< without blocks that only end the program
    std::vector<std::vector<std::uint32_t>> controllers;  ///< by block: those whose branch decides whether it is executed
    std::vector<bool> ends;                               ///< by block: from there the program only ends
    std::vector<Loop> loops;                              ///< smaller ones first

    /// The loops around a block, innermost first.
    [[nodiscard]] std::vector<const Loop *> around(std::uint32_t block) const;
};

/// The flow of all functions, made when asked for (control dependence: Ferrante, Ottenstein, Warren, TOPLAS 1987). Paths on which
/// the program only ends, or on which an allocation has failed and the function returns, are left out: they do not decide about
/// anything else. A block on such a path has the flow of the whole function.
class Flows {
  public:
    Flows(const Program &program, const CallTable &table);

    [[nodiscard]] const Flow &of(std::uint32_t function) { return flow(function, true); }
    /// For a block: that of the function, or the one in which paths that end the program are left in if it lies on one.
    [[nodiscard]] const Flow &around(std::uint32_t function, std::uint32_t block);
    /// Whether a call of the function never comes back.
    [[nodiscard]] bool neverReturns(std::uint32_t function) const { return dead[program.functions[function].origin]; }

  private:
    [[nodiscard]] const Flow &flow(std::uint32_t function, bool pruned);
    [[nodiscard]] bool endsInside(std::uint32_t function, const Block &block) const;
    [[nodiscard]] std::vector<bool> endingBlocks(std::uint32_t function) const;
    void markFailedAllocations(std::uint32_t function, std::vector<bool> &ends) const;
    [[nodiscard]] bool isAllocation(Node value, Node before) const;
    [[nodiscard]] bool samePlace(Node a, Node b, unsigned depth) const;
    void findFunctionsThatEnd();

    const Program &program;
    const CallTable &table;
    std::vector<bool> dead; ///< by function
    std::vector<std::unique_ptr<Flow>> pruned, whole;
};

} // namespace laggard::slice
