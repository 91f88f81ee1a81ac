// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/dependence/Effects.h"

namespace laggard::slice {

/// What is known of a program when it is asked as a whole, and no longer function by function for each caller: who writes a
/// place, wherever that is and whatever is written there afterwards; and which questions have been asked, at which distance.
/// Only code counts that may have been executed before the places where stacks stand.
class Together {
  public:
    Together(const Program &program, Effects &effects, Flows &flows);

    /// What is asked: of a value (by node), of what a place holds (by location), why a block is executed (by its number in the
    /// program), why a call threw (by node), how a function was come to, what it returns, why it throws (by function).
    enum class Question : std::uint8_t { Value, Place, Execution, Thrown, Coming, Result, Throwing };

    /// Whether the distance is less than any before; it is kept then.
    bool lower(Question question, std::uint32_t about, unsigned distance);
    /// All bits set for what was never asked.
    [[nodiscard]] unsigned find(Question question, std::uint32_t about) const { return asked[index(question)][about]; }

    /// Takes in what may have been executed when a stack stands at a node of one of its functions: the blocks on the ways to it,
    /// and the functions that are called there. Returns the blocks (by number in the program) that are new.
    std::vector<std::uint32_t> allow(Node standing);
    /// The same where only the function is known.
    std::vector<std::uint32_t> allowWhole(std::uint32_t function);
    [[nodiscard]] bool mayRun(Node node) const { return runs[blockOf(node)]; }

    /// Stores, and calls of functions without code, that may change a location.
    [[nodiscard]] const std::vector<Node> &writersOf(std::uint32_t location) const { return writers[location]; }
    [[nodiscard]] std::uint32_t blockOf(Node node) const {
        return program.functions[program.nodes[node].function].firstBlock + program.nodes[node].block;
    }

  private:
    static std::size_t index(Question question) { return static_cast<std::size_t>(question); }
    void allowBlock(std::uint32_t function, std::uint32_t block);
    void allowCalled();
    void allowAll(std::uint32_t function);

    const Program &program;
    Effects &effects;
    Flows &flows;
    std::vector<unsigned> asked[7]; ///< by Question
    std::vector<bool> runs;         ///< by block
    std::vector<bool> isAllowed;    ///< by function: all of it
    std::vector<std::uint32_t> open, fresh;
    std::vector<std::vector<Node>> writers; ///< by location
};

} // namespace laggard::slice
