// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace laggard::collect {

/// A program or library that is loaded.
struct Module {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    std::uint64_t bias = 0;            ///< its load address less that in the file
    std::uint32_t number = 0xFFFFFFFF; ///< number of its definition; `nothing` before it has one
    bool isHidden = false;             ///< the recorder, or an MPI library: frames in it are left out of stacks
    bool isSystem = false;             ///< the C library or the loader: they call main() and the first function of threads
    std::uint8_t buildId[32] = {};
    std::uint32_t buildIdBytes = 0;
    char path[1024] = {};
};

/// What is loaded, by address. Not thread-safe.
class Modules {
  public:
    /// The module that `address` lies in; nullptr if none does (generated code). Looks at the process again when something was
    /// loaded since.
    [[nodiscard]] Module *find(std::uintptr_t address);
    /// Something was unloaded: everything is looked at again. Numbers are lost.
    void forget() {
        m_count = 0;
        m_loads = ~0ULL;
    }

    /// Frames of an interpreter are its own: the module that holds `code`, and those with `part` (a literal) in their paths. As
    /// after forget().
    void hide(std::uintptr_t code, const char *part) {
        m_hiddenCode = code;
        m_hiddenPart = part;
        forget();
    }

    /// The same modules as `other` hides.
    void hideAs(const Modules &other) { hide(other.m_hiddenCode, other.m_hiddenPart); }

    /// Everything that is loaded now; valid until the next call.
    [[nodiscard]] std::span<Module> all() {
        scan();
        return {m_modules, m_count};
    }

  private:
    static constexpr std::size_t maxModules = 2048;
    [[nodiscard]] Module *search(std::uintptr_t address);
    void scan();

    Module *m_modules = nullptr; ///< sorted by address
    std::size_t m_count = 0;
    std::uintptr_t m_hiddenCode = 0;
    const char *m_hiddenPart = nullptr;
    unsigned long long m_loads = ~0ULL; ///< as the loader counts them, when last looked
};

} // namespace laggard::collect
