// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/Symbols.h"

#include <cstdint>
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

/// The modules of a process by address, from its /proc/PID/maps. Files that are gone or in a container's tree are opened by way
/// of /proc/PID. The kernel's own (vdso) is copied to a file in memory, which is open as long as this object lives.
class LoadedModules {
  public:
    LoadedModules(pid_t process, const std::string &maps);
    ~LoadedModules();
    LoadedModules(const LoadedModules &) = delete;
    LoadedModules &operator=(const LoadedModules &) = delete;

    [[nodiscard]] const std::vector<LoadedModule> &all() const { return m_modules; }
    /// nullptr if the address is in none.
    [[nodiscard]] const LoadedModule *at(std::uint64_t address) const;

  private:
    void addKernelsOwn(std::uint64_t begin, std::uint64_t end);

    pid_t m_process;
    std::vector<LoadedModule> m_modules;
    int m_kernelsOwn = -1;
};

} // namespace laggard::attach
