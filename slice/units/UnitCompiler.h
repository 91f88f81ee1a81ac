// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/units/BitcodeCache.h"
#include "slice/units/CompileUnit.h"
#include "slice/units/FileHashes.h"
#include "slice/units/MemoryFile.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace laggard {

/// What became of a unit.
struct Compilation {
    enum class Kind { Cached, Compiled, Failed, OutOfTime };
    Kind kind = Kind::Failed;
    std::string bitcode;            ///< file; empty unless there is bitcode
    std::optional<MemoryFile> held; ///< what is behind that name, if it is not in the cache
    std::string error;              ///< the compiler's first one, or why it did not run
};

/// Makes LLVM 14 bitcode of units, with debug information and not optimised: every assignment of the source is still there. Clang
/// is started directly, in an environment of its own, can write nothing but what it hands over, and ends with this process.
/// Thread-safe.
class UnitCompiler {
  public:
    /// `program`: Clang 14; `cache` outlives this object; `headerFolders`: where the program's units have headers, for those that
    /// miss one.
    UnitCompiler(std::string program, BitcodeCache &cache, std::vector<std::string> headerFolders = {});

    /// Takes it from the cache if it is there. At most half of the time until `until` is used up by one unit.
    [[nodiscard]] Compilation compile(const CompileUnit &unit, std::chrono::steady_clock::time_point until,
                                      const std::stop_token &stop);

  private:
    struct Attempt;
    Attempt attempt(const CompileUnit &unit, const std::vector<std::string> &more, std::chrono::steady_clock::time_point until,
                    const std::stop_token &stop);

    std::string m_program;
    std::string m_identity; ///< changes with the program
    BitcodeCache &m_cache;
    std::vector<std::string> m_headerFolders;
    FileHashes m_hashes;
};

/// Clang 14 on the user's path or where Debian puts it; empty if it is not there.
[[nodiscard]] std::string findClang(const std::string &searchPath);

} // namespace laggard
