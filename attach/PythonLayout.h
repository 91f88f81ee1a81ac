// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace laggard::attach {

/// Where CPython keeps what a stack consists of, in bytes, on 64-bit machines (Include/cpython/pystate.h, Include/internal/
/// pycore_frame.h, pycore_interp.h, pycore_runtime.h and Include/cpython/code.h of each version).
struct PythonLayout {
    unsigned minor = 0;                                                          ///< the 11 of 3.11
    std::uint16_t interpretersHead = 0;                                          ///< in _PyRuntime
    std::uint16_t nextInterpreter = 0, threadsHead = 0;                          ///< in PyInterpreterState
    std::uint16_t nextThread = 0, interpreter = 0, frameHolder = 0;              ///< in PyThreadState
    std::uint16_t pthread = 0, native = 0;                                       ///< native 0: it has none
    bool isHeld = false;                                                         ///< `frameHolder` leads to a _PyCFrame
    std::uint16_t heldFrame = 0;                                                 ///< in that
    std::uint16_t previous = 0, code = 0, instruction = 0, entry = 0, owner = 0; ///< in a frame; entry or owner 0: it has none
    std::uint16_t fileName = 0, name = 0, lineTable = 0, firstLine = 0;          ///< in PyCodeObject
    std::uint16_t instructions = 0;               ///< in PyCodeObject; 0: `instruction` is a number
    std::uint16_t instructionSize = 1;            ///< bytes that one step of that number stands for
    std::uint16_t asciiText = 48, otherText = 72; ///< in PyASCIIObject and PyCompactUnicodeObject
};

/// Owner of a frame that only says that the interpreter's loop begins (FRAME_OWNED_BY_CSTACK, 3.12 and 3.13).
inline constexpr unsigned char ownedByLoop = 3;

inline constexpr PythonLayout upTo3_9 = {.minor = 8,
                                         .interpretersHead = 32,
                                         .nextInterpreter = 0,
                                         .threadsHead = 8,
                                         .nextThread = 8,
                                         .interpreter = 16,
                                         .frameHolder = 24,
                                         .pthread = 176,
                                         .previous = 24,
                                         .code = 32,
                                         .instruction = 104,
                                         .fileName = 104,
                                         .name = 112,
                                         .lineTable = 120,
                                         .firstLine = 40};

constexpr PythonLayout withMinor(PythonLayout layout, unsigned minor) {
    layout.minor = minor;
    return layout;
}

constexpr PythonLayout layoutOf3_10() {
    PythonLayout layout = withMinor(upTo3_9, 10);
    layout.instruction = 96;
    layout.instructionSize = 2;
    return layout;
}

inline constexpr std::array pythonLayouts = {
    upTo3_9,
    withMinor(upTo3_9, 9),
    layoutOf3_10(),
    PythonLayout{.minor = 11,
                 .interpretersHead = 40,
                 .nextInterpreter = 0,
                 .threadsHead = 16,
                 .nextThread = 8,
                 .interpreter = 16,
                 .frameHolder = 56,
                 .pthread = 152,
                 .native = 160,
                 .isHeld = true,
                 .heldFrame = 8,
                 .previous = 48,
                 .code = 32,
                 .instruction = 56,
                 .entry = 68,
                 .fileName = 112,
                 .name = 120,
                 .lineTable = 136,
                 .firstLine = 72,
                 .instructions = 184},
    PythonLayout{.minor = 12,
                 .interpretersHead = 40,
                 .nextInterpreter = 0,
                 .threadsHead = 72,
                 .nextThread = 8,
                 .interpreter = 16,
                 .frameHolder = 56,
                 .pthread = 136,
                 .native = 144,
                 .isHeld = true,
                 .heldFrame = 0,
                 .previous = 8,
                 .code = 0,
                 .instruction = 56,
                 .owner = 70,
                 .fileName = 112,
                 .name = 120,
                 .lineTable = 136,
                 .firstLine = 68,
                 .instructions = 192,
                 .asciiText = 40,
                 .otherText = 56},
};

/// 3.13 tells its own layout, at the beginning of _PyRuntime (_Py_DebugOffsets, Include/internal/pycore_runtime.h): here is where
/// in that the offsets are.
struct PythonOffsets {
    static constexpr std::uint16_t version = 8, freeThreaded = 16, interpretersHead = 40, nextInterpreter = 64, threadsHead = 72,
                                   nextThread = 168, interpreter = 176, currentFrame = 184, pthread = 192, native = 200,
                                   previous = 232, executable = 240, instruction = 248, owner = 264, fileName = 280, name = 288,
                                   lineTable = 304, firstLine = 312, instructions = 344;
};

} // namespace laggard::attach
