// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/PythonRuntime.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace laggard::attach {

/// Registers in the numbering of DWARF (System V ABI: x86-64 Figure 3.36; AArch64 DWARF §4.1), without the program counter.
#if defined(__aarch64__)
inline constexpr std::size_t registerCount = 32;
inline constexpr unsigned stackRegister = 31;
inline constexpr std::array<unsigned, 11> keptRegisters = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29}; ///< that a call keeps
#else
inline constexpr std::size_t registerCount = 16;
inline constexpr unsigned stackRegister = 7;
inline constexpr std::array<unsigned, 6> keptRegisters = {3, 6, 12, 13, 14, 15};
#endif

inline constexpr std::uint64_t redZone = 128; ///< bytes below the stack pointer, still in use (x86-64 ABI §3.2.2)

/// What a thread had when it was stopped.
struct ThreadSnapshot {
    pid_t thread = 0;
    std::string name;
    std::array<std::uint64_t, registerCount> registers{};
    std::uint64_t counter = 0;
    std::uint64_t pthread = 0;        ///< pthread_self(); 0: not known
    bool isRunnable = false;          ///< at work, or waiting for a processor, before it was stopped
    std::uint64_t stackAddress = 0;   ///< address of the first byte of `stack`
    std::vector<unsigned char> stack; ///< from the stack pointer to where the mapping ends, or the limit
};

/// A process at one moment. It runs again.
struct ProcessSnapshot {
    std::vector<ThreadSnapshot> threads; ///< the main thread first; empty if nothing could be read
    std::string maps;                    ///< /proc/PID/maps
    std::vector<PythonThread> python;    ///< what interpreters had
    std::chrono::nanoseconds stopped{};  ///< how long the process stood
    std::string complaint;               ///< a sentence; empty if all went well
};

/// Stops the threads of a process, copies their registers and stacks, and lets them go, as they were: a process that was stopped
/// by a signal stays so, signals that arrive meanwhile are delivered. Should this program end in the midst, the kernel lets them
/// go (ptrace(2): PTRACE_SEIZE without PTRACE_O_EXITKILL).
/// `python`: the interpreter that it has; nullptr: none.
[[nodiscard]] ProcessSnapshot takeSnapshot(pid_t process, const PythonRuntime *python = nullptr);

/// Why one process may not look into another, and what to do; `error` is errno.
[[nodiscard]] std::string permissionHelp(pid_t process, int error);

} // namespace laggard::attach
