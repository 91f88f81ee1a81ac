// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/CompileUnit.h"
#include "slice/units/SourceFiles.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// What a compile database ("JSON Compilation Database Format Specification", Clang) says, and which of it cannot be used. Of
/// many entries few are needed: what each says of switches is read when it is asked for. Thread-safe.
class CompileDatabase {
  public:
    /// Goes through the entries one by one: what follows a damaged one is read as well, and the file may be larger than memory.
    /// Stops at `until`, and says so. Throws ReadError if the file cannot be read or is no compile database.
    CompileDatabase(std::string file, PathMap paths, std::chrono::steady_clock::time_point until);
    ~CompileDatabase();
    CompileDatabase(const CompileDatabase &) = delete;
    CompileDatabase &operator=(const CompileDatabase &) = delete;

    /// One for each source in C and C++, in the order of the file; the first of several counts. Without switches and standard.
    [[nodiscard]] const std::vector<CompileUnit> &units() const { return m_units; }
    /// One of them with all that its entry says; as it was, if the file has changed in between.
    [[nodiscard]] CompileUnit completed(const CompileUnit &unit) const;

    [[nodiscard]] const std::vector<std::string> &warnings() const { return m_warnings; } ///< sentences
    [[nodiscard]] std::size_t fortran() const { return m_fortran; }                       ///< entries left out for their language

  private:
    struct Place {
        std::uint64_t offset;
        std::uint32_t bytes;
    };
    class Reader;

    std::string m_file;
    std::string m_folder; ///< the file's folder; relative paths in it begin there
    PathMap m_paths;
    int m_descriptor = -1;
    std::vector<CompileUnit> m_units;
    std::vector<Place> m_places; ///< by CompileUnit::entry
    std::vector<std::string> m_warnings;
    std::size_t m_fortran = 0;
};

/// Paths of the compile databases that may be those of `source` (absolute), nearest first: in its folder and each folder above
/// it, and in folders there whose names begin with "build", and one below these. Only files that belong to the user, to root or
/// to the owner of the source.
[[nodiscard]] std::vector<std::string> compileDatabasesNear(const std::string &source);

} // namespace laggard
