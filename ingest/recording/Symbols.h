// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace laggard::recording {

/// A function of the source at some place in the code.
struct CodeFrame {
    std::string function; ///< demangled; "app+0x1234" where nothing more is known
    std::string linkage;  ///< as the linker knows it
    std::string file;     ///< in which the function is declared; empty where unknown
    std::uint32_t line = 0;
    std::string atFile; ///< where in the function the place is; empty where unknown
    std::uint32_t atLine = 0;
    std::string module; ///< path of the binary; frames that were inlined share one
};

/// What a place in the code belongs to, innermost first: functions that were inlined there, then the one that contains them.
/// Never empty.
using CodeFrames = std::vector<CodeFrame>;

/// A binary that a process had loaded.
struct ModuleKey {
    std::string path;
    std::string buildId; ///< bytes; may be empty
    auto operator<=>(const ModuleKey &) const = default;
};

enum class PlaceKind : std::uint8_t {
    Entry,         ///< the first instruction of a function: that function, nothing inlined
    ReturnAddress, ///< the instruction behind a call: the call
    Instruction,
};

/// Where debug information that is not in a binary itself may be looked for.
enum class DebugSources : std::uint8_t {
    ThisMachine,   ///< beside the binary and below /usr/lib/debug
    ServersAsWell, ///< also on the servers that DEBUGINFOD_URLS names, which so learn what binaries are asked for
};

/// Places that were looked up before, by module, then kind and offset.
using KnownPlaces = std::map<ModuleKey, std::map<std::pair<PlaceKind, std::uint64_t>, CodeFrames>>;

/// Functions and lines for addresses in binaries (elfutils), each looked up once. Thread-safe; modules do not wait for each
/// other.
class Symbols {
  public:
    /// `recordedUtc`: nanoseconds since 1970; a binary without build-id that is newer than this is not trusted. 0: trust all.
    /// `given`: places that are known without their binaries.
    explicit Symbols(std::uint64_t recordedUtc = 0, KnownPlaces given = {}, DebugSources sources = DebugSources::ThisMachine);
    ~Symbols();
    Symbols(const Symbols &) = delete;
    Symbols &operator=(const Symbols &) = delete;

    [[nodiscard]] DebugSources sources() const;

    /// `offset`: the address in the file's own numbering, that is without the bias at which it was loaded.
    std::shared_ptr<const CodeFrames> find(const ModuleKey &module, std::uint64_t offset, PlaceKind kind);

    /// The file of the module, if it is there and is the one that was recorded.
    [[nodiscard]] std::optional<std::string> binaryOf(const ModuleKey &module);

    /// Everything that was found until now and has a name, the given places among it.
    [[nodiscard]] KnownPlaces found() const;

    /// The programs and libraries of which a source line is known, the recorder's own apart.
    [[nodiscard]] std::vector<Binary> binariesWithLines() const;

    /// One for each module whose binary is gone or another one, by path.
    [[nodiscard]] std::vector<Warning> warnings() const;

  private:
    class Module;
    Module &moduleOf(const ModuleKey &key);
    struct Impl;
    std::unique_ptr<Impl> m;
};

/// "libm.so.6" for "/lib/x86_64-linux-gnu/libm.so.6"; "[unknown]" for an empty path.
[[nodiscard]] std::string moduleName(const std::string &path);

/// True for the recorder's own libraries, whose frames nobody wants to see.
[[nodiscard]] bool isRecorder(const std::string &modulePath);

/// True for what runs before and around main and the functions of threads: _start, __libc_start_main, start_thread, clone …
[[nodiscard]] bool isRuntimeStart(const std::string &function);

} // namespace laggard::recording
