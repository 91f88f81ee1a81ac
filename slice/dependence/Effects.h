// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "slice/calls/CallTable.h"
#include "slice/dependence/Flow.h"
#include "slice/pointsto/PointsTo.h"

#include <deque>
#include <unordered_map>

namespace laggard::slice {

/// What instructions and functions read and write.
class Effects {
  public:
    Effects(const Program &program, const CallTable &table, const PointsTo &pointers, Flows &flows, Deadline &deadline);

    /// Locations that a load sees.
    [[nodiscard]] const LocationSet &readBy(Node load);
    /// Locations that a store, or a call of a function whose code is not at hand, may change at once.
    [[nodiscard]] const LocationSet &writtenBy(Node node);
    /// Those of them that hold nothing of what was there before.
    [[nodiscard]] const LocationSet &overwrittenBy(Node node);
    /// The same with what the functions change that a call calls.
    [[nodiscard]] const LocationSet &changedBy(Node node);
    [[nodiscard]] const LocationSet &surelyChangedBy(Node node);
    /// Locations that any instruction of a block may change.
    [[nodiscard]] const LocationSet &changedInBlock(std::uint32_t function, std::uint32_t block);
    /// Locations that a function and those that it calls may change, its own variables left out.
    [[nodiscard]] const LocationSet &changedIn(std::uint32_t function) const { return changed[function]; }

    [[nodiscard]] const std::vector<std::uint32_t> &calleesOf(Node call) const { return calleeLists[calleeIds[call]]; }
    [[nodiscard]] const std::vector<Node> &callersOf(std::uint32_t function) const { return callers[function]; }
    /// The rule of a call if a function without code may be called there; null otherwise.
    [[nodiscard]] const CallRule *ruleOf(Node call) const;
    /// Whether the name is in the tables of calls.
    [[nodiscard]] bool isLibrary(std::string_view name) const { return table.find(name) != nullptr; }
    /// The function without code that is called there; empty if there is none.
    [[nodiscard]] std::string_view outsideName(Node call) const;
    /// Memory behind an argument that the call reads.
    [[nodiscard]] LocationSet readBehind(Node call, unsigned argument) const;
    [[nodiscard]] LocationSet writtenBehind(Node call, unsigned argument);
    /// The calls that made the requests that a call completes.
    [[nodiscard]] const std::vector<Node> &completedBy(Node call) const;
    /// The calls of longjmp that go on at a call of setjmp; none for other calls.
    [[nodiscard]] const std::vector<Node> &jumpsTo(Node call);
    /// Whether a call of the function may end with an exception.
    [[nodiscard]] bool mayThrow(std::uint32_t function) const { return throws[function]; }
    [[nodiscard]] bool isRecursive(std::uint32_t function) const { return recursive[function]; }
    [[nodiscard]] const PointsTo &points() const { return pointers; }

  private:
    struct Writes {
        LocationSet changed, overwritten;
    };
    [[nodiscard]] Writes &allWritesOf(Node node);
    void addJumps(Writes &writes, Node call);
    void findJumps();
    [[nodiscard]] const LocationSet &surelyChangedIn(std::uint32_t function);
    /// From the entry to a return.
    [[nodiscard]] LocationSet overwrittenOnAllWays(std::uint32_t function);
    void findCallers();
    void findRecursion();
    void findChanged(Deadline &deadline);
    [[nodiscard]] bool happensOnce(std::uint32_t function) const { return once[function]; }
    void findOnce();
    void findThrowing();
    [[nodiscard]] bool isSingle(std::uint32_t location, std::uint32_t function) const;
    [[nodiscard]] Writes &writesOf(Node node);
    [[nodiscard]] std::uint64_t bytesBehind(Node call, unsigned argument, const CallRule &rule) const;
    [[nodiscard]] const LocationSet &writtenThrough(Node pointer, std::uint64_t bytes);
    void indexCallees();
    void addWrite(Writes &writes, Node pointer, std::uint64_t bytes, bool surely, std::uint32_t function);
    void addCall(Writes &writes, Node call);

    const Program &program;
    const CallTable &table;
    const PointsTo &pointers;
    Flows &flows;
    struct HashOfAccess {
        [[nodiscard]] std::size_t operator()(const std::pair<std::uint32_t, std::uint64_t> &access) const {
            return (access.first * 0x9e3779b97f4a7c15ULL) ^ access.second;
        }
    };
    /// By the number of the pointer's set and bytes: what accesses read and change, which many have in common.
    using ByAccess = std::unordered_map<std::pair<std::uint32_t, std::uint64_t>, LocationSet, HashOfAccess>;
    ByAccess readThrough, changedThrough;
    std::vector<std::uint32_t> calleeIds; ///< by node: index into calleeLists
    std::vector<std::vector<std::uint32_t>> calleeLists;
    std::vector<std::uint32_t> writeIds; ///< by node
    std::deque<Writes> writes;
    std::vector<std::uint32_t> allWriteIds;                        ///< by node, with what callees write
    std::vector<std::uint32_t> blockIds;                           ///< by block: index into writes
    std::vector<LocationSet> changed;                              ///< by function
    std::vector<LocationSet> surely;                               ///< by function: overwritten on every way through it
    std::vector<bool> surelyKnown;                                 ///< as far as it was asked for
    mutable std::unordered_map<Node, std::vector<Node>> completed; ///< by call, as far as it was asked for
    std::vector<Node> jumps;                                       ///< calls of longjmp
    std::unordered_map<Node, std::vector<Node>> jumpsByTarget;
    std::vector<std::vector<Node>> callers;
    std::vector<bool> recursive, once, throws;
    std::vector<std::uint32_t> order; ///< functions, callees first
};

} // namespace laggard::slice
