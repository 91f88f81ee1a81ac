// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "ingest/recording/Symbols.h"
#include "trace/Trace.h"

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace laggard::recording {

/// The regions and call sites of all files of a recording. Workers share it while they read, and number what they find in the
/// order in which they come; `settle` gives numbers that depend on the content alone.
class CodeTables {
  public:
    CodeTables(std::uint64_t recordedUtc, KnownPlaces given, DebugSources sources)
        : symbols(recordedUtc, std::move(given), sources) {}

    Symbols symbols;

    RegionId region(const CodeFrame &frame);
    RegionId operation(const std::string &name);
    /// `none` where nothing is known.
    CallSiteId site(const std::string &file, std::uint32_t line, const std::string &datatype = {});
    /// The same place (may be `none`), called with a datatype.
    CallSiteId withDatatype(CallSiteId site, const std::string &datatype);

    /// A line of the function's file, with the datatype of `like` (may be `none`).
    CallSiteId lineIn(RegionId function, std::uint32_t line, CallSiteId like);

    /// In `Trace::names`; `none` for an empty one.
    std::uint32_t name(const std::string &text);

    /// The function, and the line in it that is at `place` (may be `none`).
    [[nodiscard]] Frame frameOf(RegionId function, CallSiteId place);

    /// Sorts what was found into `trace` and renumbers the call paths in `tables` and the sites in `trace`.
    void settle(Trace &trace, std::vector<CallPathTable> &tables);

  private:
    void settleNames(Trace &trace);
    struct RegionKey {
        bool isOperation;
        std::string name;
        std::string file;
        std::uint32_t line;
        auto operator<=>(const RegionKey &) const = default;
    };
    std::mutex m_mutex;
    std::map<RegionKey, RegionId> m_regionOf;
    std::vector<Region> m_regions;
    std::map<std::string, std::uint32_t> m_names;
    using SiteKey = std::tuple<std::string, std::uint32_t, std::string>; // file, line, datatype
    std::map<SiteKey, CallSiteId> m_siteOf;
    std::vector<const SiteKey *> m_sites;
};

/// A function on a stack.
struct StackFrame {
    RegionId region = none;
    CallSiteId site = none; ///< where its caller calls it
    bool operator==(const StackFrame &) const = default;
};

/// A call path of a file: the functions, outermost first, and the MPI operation that the innermost calls.
struct CodePath {
    std::vector<StackFrame> frames;
    CallSiteId place = none;               ///< where the innermost function is: calls the operation, or was seen
    RegionId operation = none;             ///< `none`: the stack of a thread outside MPI
    std::uint32_t operationName = nothing; ///< number of the definition
    std::uint32_t datatype = nothing;
    bool isOfLibrary = false;      ///< the operation is a function of the C library, not MPI's
    std::uint32_t handlerFrom = 0; ///< frames outside the innermost signal handler; 0: there is none
};

/// What the addresses and call paths of one file stand for. Looked up when asked for.
class FileCode {
  public:
    FileCode(const FileDefinitions &definitions, CodeTables &tables);

    /// nullptr for a path that is not defined.
    const CodePath *path(std::uint32_t number);
    /// The instrumented function at an address; `none` if it is not defined.
    RegionId function(std::uint32_t address);
    CallSiteId lineIn(RegionId function, std::uint32_t line, CallSiteId like) {
        return function == none ? CallSiteId{none} : m_tables.lineIn(function, line, like);
    }
    /// The same call path among those of a trace whose events were read: instrumented functions once and without call sites.
    /// `none` for a path that is not defined, or does not end in an operation.
    CallPathId intern(std::uint32_t path, CallPathTable &callPaths);
    /// A collective of the operation with this number: what is `known`, and what the operation, the datatype (as the file numbers
    /// it) and the operator say.
    CollectiveKind collective(std::uint32_t operation, const CollectiveKind &known, std::uint32_t datatype, Reduction reduction);
    /// Name of an operation's definition: "MPI_Send"; empty where not defined.
    [[nodiscard]] const std::string &operationName(std::uint32_t number) const;
    /// The functions of a stack that was unwound, innermost first, as a path without operation.
    CodePath unwound(std::span<const CodeFrames> frames);

  private:
    struct Function {
        RegionId region = none;
        CallSiteId at = none; ///< the place in it
    };
    struct Address {
        bool isKnown = false;
        bool isHidden = false;
        bool isRuntime = false;
        std::vector<Function> functions; ///< outermost first
    };
    Address &address(std::uint32_t number);
    void addFunctions(const CodeFrames &place, bool hasLines, Address &address);
    static void append(const Address &address, CodePath &path, bool isOutermost);

    const FileDefinitions &m_definitions;
    CodeTables &m_tables;
    std::vector<Address> m_addresses;
    std::vector<std::unique_ptr<CodePath>> m_paths;
    std::map<std::uint32_t, CollectiveKind> m_collectives; ///< by operation: what it says
    std::map<std::uint32_t, std::uint32_t> m_basicTypes;   ///< names, by datatype
    std::map<Reduction, std::uint32_t> m_reductions;       ///< names
    std::optional<std::set<RegionId>> m_instrumented;      ///< regions of instrumented functions
};

} // namespace laggard::recording
