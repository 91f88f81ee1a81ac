// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/slice/SliceQuestion.h"
#include "ingest/assembly/BinaryState.h"
#include "views/source/PathMap.h"

#include <chrono>

namespace laggard {

/// What a user has chosen about slices.
struct SliceSettings {
    unsigned depth = 0;                     ///< greatest distance from the criterion, in dependences; 0: any
    bool thin = false;                      ///< values only (Sridharan et al., PLDI 2007)
    std::chrono::milliseconds time{10'000}; ///< for compiling and slicing; then what is there
    QString compileCommands;                ///< a compile_commands.json; empty: as the slicer finds it
    QStringList binaries;                   ///< programs and libraries by hand, in place of those that the trace names
    bool operator==(const SliceSettings &) const = default;
};

/// From what the program of a trace can be sliced on this machine.
struct SliceInput {
    enum class From { Nothing, CompileCommands, Binaries, Sources };
    /// What keeps the slice from being made unasked.
    enum class Lack {
        None,     ///< the recorded program and the source of the place lie here
        Stack,    ///< nobody is named, or no source line is known of who is
        Language, ///< the place is not in C or C++
        Sources,  ///< the source of the place is not on this machine
        Program,  ///< the program is not here, is another one, or is not told: sources can be compiled if the user wants it
    };
    From from = From::Nothing;
    QStringList files; ///< the files that `from` stands for
    PathMap paths;     ///< where sources lie here; with rules for those that lie elsewhere than recorded
    Lack lack = Lack::Stack;
    QString sentence; ///< the lack, for people; empty for None

    /// A slice can be made, if the user wants one.
    [[nodiscard]] bool isPossible() const { return from != From::Nothing; }
};

/// Looks for what `settings` name, for the binaries of the trace, for its sources. Touches files, and compiles nothing.
[[nodiscard]] SliceInput findSliceInput(const Trace &trace, const std::vector<SliceStack> &stacks, const PathMap &paths,
                                        const SliceSettings &settings);

} // namespace laggard
