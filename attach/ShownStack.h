// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/CalledFunction.h"
#include "attach/LoadedModules.h"
#include "attach/StackWalk.h"
#include "ingest/recording/Symbols.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace laggard::attach {

/// A function on a stack, as people want to see it.
struct ShownFrame {
    std::string function; ///< MPI's as in C: MPI_Send, whatever the language and the symbol
    std::string symbol;
    std::string file; ///< where it is declared; empty where unknown
    std::uint32_t line = 0;
    std::string atFile; ///< where in it the thread is; empty where unknown
    std::uint32_t atLine = 0;
    std::string module; ///< path, as the process knows it
    bool isMpi = false;
};

/// A thread's stack without what nobody wants to see: what runs before main, the inside of MPI, and of other libraries all but
/// the function that the program calls. What MPI calls of the program (an operator of a reduction) is there.
struct ShownStack {
    std::vector<ShownFrame> frames; ///< outermost first; functions that were inlined are frames
    /// So many of `frames`, from the outermost on, were not left since the sample before; meaningless in the first one.
    std::size_t notLeft = 0;
    bool moves = false;                 ///< the innermost frame did something since, though it was not left
    std::optional<std::size_t> mpiCall; ///< which of the walked frames is the outermost of MPI
    std::string mpiSymbol;              ///< its name, as the linker knows it
};

/// What a process is shown by.
struct ShownProcess {
    const LoadedModules &modules;
    recording::Symbols &symbols;
    std::string interpreter; ///< path of Python's binary, as the process knows it; empty: it has none
    CalledFunctions &called; ///< asked where a frame of MPI's library has no name of MPI's
};

/// `notLeft`: of the walked frames, from the outermost on. `python`: what Python had in that thread; nullptr: nothing. Its
/// functions take the place of the interpreter's.
[[nodiscard]] ShownStack shownStack(const std::vector<WalkedFrame> &frames, std::size_t notLeft, const PythonThread *python,
                                    const ShownProcess &process);

} // namespace laggard::attach
