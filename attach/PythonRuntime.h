// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/LoadedModules.h"
#include "attach/Memory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace laggard::attach {

struct PythonLayout;

/// A function of Python that runs.
struct PythonFrame {
    std::string function;
    std::string file;
    std::uint32_t firstLine = 0; ///< the function's first line
    std::uint32_t line = 0;      ///< where it is; 0: not known
    /// The interpreter's loop was entered for it: it and what it has called in the same loop share a frame of the native stack.
    bool isEntry = false;
};

/// A thread of an interpreter.
struct PythonThread {
    std::uint64_t pthread = 0;       ///< pthread_self()
    std::uint64_t native = 0;        ///< the kernel's number; 0: not known (before 3.11)
    std::vector<PythonFrame> frames; ///< innermost first
    bool isCut = false;              ///< memory was not as it should be: frames may be missing
};

/// The interpreter of a process, CPython 3.8 to 3.13, by its memory alone. Nothing in it is believed: what does not fit ends a
/// list, and there is a limit to all that is read.
class PythonRuntime {
  public:
    /// `layout`: of its version; `address`: of _PyRuntime.
    PythonRuntime(const PythonLayout &layout, std::uint64_t address, std::string module)
        : m_layout(&layout), m_address(address), m_module(std::move(module)) {}

    /// All threads of all interpreters.
    [[nodiscard]] std::vector<PythonThread> threads(const Memory &memory) const;
    /// Path of the binary that it is in, as the process knows it.
    [[nodiscard]] const std::string &module() const { return m_module; }

  private:
    const PythonLayout *m_layout;
    std::uint64_t m_address;
    std::string m_module;
};

/// Finds the interpreters of processes; each binary is looked at once.
class PythonFinder {
  public:
    /// Nothing if the process has none. `complaint`: why one that it has cannot be read.
    [[nodiscard]] std::optional<PythonRuntime> find(const ModuleSources &sources, const Memory &memory, const std::string &maps,
                                                    std::string &complaint);

  private:
    struct Library {
        unsigned minor = 0;        ///< the 11 of 3.11; 0: not known
        std::uint64_t runtime = 0; ///< address of _PyRuntime in the file; 0: it has none
    };
    [[nodiscard]] const Library &libraryAt(const std::string &path);

    std::map<std::string, Library> m_libraries;
};

/// The line of an instruction of a Python function. `table`: its line table; `offset`: the instruction's, in bytes.
[[nodiscard]] std::uint32_t pythonLine(unsigned minor, const std::vector<unsigned char> &table, std::uint32_t firstLine,
                                       std::uint64_t offset);

} // namespace laggard::attach
