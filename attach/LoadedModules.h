// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attach/Memory.h"
#include "ingest/recording/Symbols.h"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace laggard::attach {

/// A program or library that a process has loaded.
struct LoadedModule {
    recording::ModuleKey key; ///< a path that can be opened from here, and the build-id in the file
    std::string shownPath;    ///< as the process knows it
    std::uint64_t begin = 0;  ///< addresses that it takes: begin <= address < end
    std::uint64_t end = 0;
    std::uint64_t bias = 0; ///< what is added to the file's own addresses
};

/// Where the files are that a process has mapped.
struct ModuleSources {
    pid_t process = 0;       ///< one that is there; 0: a core file's
    std::string sysroot;     ///< for a core file: where its machine's files lie; empty: where they lay there
    std::string executable;  ///< for a core file: in place of the path that it tells
    std::uint64_t entry = 0; ///< where the executable begins; 0: not known
};

/// The modules of a process by address, from its /proc/PID/maps. Files that are gone or in a container's tree are opened by
/// way of /proc/PID. The kernel's own (vdso) is copied to a file in memory, which is open as long as this object lives.
class LoadedModules {
  public:
    LoadedModules(const ModuleSources &sources, const Memory &memory, const std::string &maps);
    ~LoadedModules();
    LoadedModules(const LoadedModules &) = delete;
    LoadedModules &operator=(const LoadedModules &) = delete;

    [[nodiscard]] const std::vector<LoadedModule> &all() const { return m_modules; }
    /// nullptr if the address is in none.
    [[nodiscard]] const LoadedModule *at(std::uint64_t address) const;
    /// The executable, by the path that its module is opened with; empty if it is not known.
    [[nodiscard]] const std::string &program() const { return m_program; }
    /// Sentences about files that are gone, or are not those that the process had.
    [[nodiscard]] const std::vector<std::string> &notes() const { return m_notes; }

  private:
    struct Mapping;
    static std::optional<Mapping> mappingOf(const std::string &line);
    [[nodiscard]] std::string openablePath(const Mapping &mapping) const;
    [[nodiscard]] bool isProgram(const Mapping &mapping, const std::string &path) const;
    void add(const Mapping &mapping);
    void addKernelsOwn(std::uint64_t begin, std::uint64_t end);

    const ModuleSources &m_sources;
    const Memory &m_memory;
    std::string m_program;
    std::vector<std::string> m_notes;
    std::vector<LoadedModule> m_modules;
    int m_kernelsOwn = -1;
};

} // namespace laggard::attach
