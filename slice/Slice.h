// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// A place in the sources: a function by its plain or linkage name, the file as far as it is known (compared by its last
/// path components), the line (0: unknown).
struct SourcePlace {
    std::string function, file;
    std::uint32_t line = 0;
};

/// Where some tasks stand: their call stack, innermost frame first. `ranks` as in "0-2,4-15", may be empty.
struct TaskStack {
    std::string ranks;
    std::vector<SourcePlace> frames;
    std::string end = {}; ///< how they ended there: "SIGSEGV", "exit"; empty: they did not, they wait or compute
};

/// A receive (or collective) that a run has matched, and where its data came from. Stacks as in TaskStack: the innermost
/// frame is the caller of MPI.
struct MatchedMessage {
    std::string kind; ///< "p2p" or "collective"
    std::string toRanks;
    std::vector<SourcePlace> receive;
    std::string fromRanks;
    std::vector<SourcePlace> send;
    std::uint64_t count = 0; ///< how often it was seen
};

/// How a line came into the slice.
enum class Why { Criterion, Data, Control, Call, Message };

/// One line of the slice.
struct SliceStep {
    std::string file;
    std::uint32_t line = 0;
    unsigned distance = 0; ///< number of dependences from the criterion
    Why why = Why::Criterion;
    std::string variable; ///< whose value it is (Data), or the condition (Control)
    std::string function;
    unsigned step = 0;  ///< from 1
    std::string detail; ///< why, in words
    std::string ranks;  ///< whose code it is: changes over a message
    std::string code;   ///< the line itself; not filled by sliceBackward()
};

struct SliceOptions {
    unsigned depth = 0; ///< greatest distance; 0: all
    bool thin =
        false; ///< values only: neither what pointers point to nor what decides about execution (Sridharan et al., PLDI 2007)
    std::chrono::milliseconds limit{10000};
    /// While fewer questions than this have been asked (of a value, of what is in memory, why a line is executed), each is
    /// followed for each caller by itself, in the order of writes. What comes later, and is further away, is asked of the whole
    /// program at once: without this, a whole slice of 40,000 lines did not end in a minute (bench/README.md).
    std::size_t keptApart = 25'000;
    /// So many of the files, the first ones, come from somebody else: they are tried out first, in processes that may crash. The
    /// others are what the compiler has just made, or its output kept with a checksum.
    std::size_t doubtful = ~std::size_t{0};
};

struct SliceResult {
    std::vector<SliceStep> steps;
    bool truncated = false; ///< the time was not enough: there is more than `steps`
    std::vector<std::string> warnings;
};

/// What made tasks stop where they stand: the lines that their state depends on, nearest first (PDI §4.4).
/// @param bitcodeFiles LLVM 14 bitcode of the program's compile units, with debug information, not optimised
/// @param stacks       one for each group of tasks, the least progressed first
/// @param messages     matches that the run has seen; the slice goes on at the sender of a value that came by one of them
/// Never throws for what it reads: what cannot be used is a sentence in `warnings`.
SliceResult sliceBackward(const std::vector<std::string> &bitcodeFiles, const std::vector<TaskStack> &stacks,
                          const std::vector<MatchedMessage> &messages, const SliceOptions &options);

} // namespace laggard
