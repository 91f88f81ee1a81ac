// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace laggard::slice {

/// What a call does with one argument. Several may hold at once.
enum class Use : std::uint32_t {
    Nothing = 0,
    Value = 1 << 0,     ///< it decides what the call writes or returns
    Partner = 1 << 1,   ///< it decides with whom the call communicates: peer, tag, communicator, root
    Reads = 1 << 2,     ///< memory behind it is read
    Writes = 1 << 3,    ///< memory behind it is written
    Many = 1 << 4,      ///< not only the element it points to: all from there on
    Later = 1 << 5,     ///< the write happens when the request of the same call completes
    Makes = 1 << 6,     ///< a new request is put there
    Completes = 1 << 7, ///< the request there completes
    Sends = 1 << 8,     ///< the memory becomes a message
    Receives = 1 << 9,  ///< the memory comes by a message
    Maybe = 1 << 10,    ///< the write may not happen: what was there before may be there still
    Count = 1 << 11,    ///< how many elements the buffer has
    CopyTo = 1 << 12,
    CopyFrom = 1 << 13,
    Callback = 1 << 14, ///< a function that the call calls
    Handed = 1 << 15,   ///< handed to the function that the call calls
    Fresh = 1 << 16,    ///< a pointer to new memory is put there
    Jumps = 1 << 18,    ///< the call goes on where this was filled in (longjmp)
    Within = 1 << 19,   ///< for Partner: the communicator, among whose ranks the other arguments choose
    Links = 1 << 17, ///< pointers to this struct and to others that are handed over may be put into its fields: nodes of a tree
};
constexpr Use operator|(Use a, Use b) { return static_cast<Use>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b)); }
constexpr bool has(Use use, Use what) { return (static_cast<std::uint32_t>(use) & static_cast<std::uint32_t>(what)) != 0; }

enum class CallKind : std::uint8_t {
    Plain,
    Ends,       ///< the program ends
    Blocking,   ///< MPI: returns when others have done their part
    Polls,      ///< MPI: asks, and returns at once
    Collective, ///< MPI: a blocking collective
    Other,      ///< MPI, local
};

enum class ResultKind : std::uint8_t {
    OfArguments, ///< computed from what is read
    Outside,     ///< comes from outside the program: time, input
    Fresh,       ///< a pointer to new memory
    Opened,      ///< a pointer to something new that is not only memory: a file, which may be missing
    FirstArgument,
    SecondArgument,
    WithinFirst, ///< points somewhere into what the first argument points to
    PartOfFirst, ///< points to the object that the first argument is a part of, or to another part of it
    Exception,   ///< the exception in flight
    Jumped,      ///< what a jump to there was called with (setjmp)
    Linked,      ///< the first argument, or what the fields of its struct point to
};

/// A call whose code is not at hand.
struct CallRule {
    std::vector<Use> arguments;
    Use rest = Use::Nothing; ///< how the arguments behind those are used
    ResultKind result = ResultKind::OfArguments;
    CallKind kind = CallKind::Plain;
    bool isMpi = false;
    [[nodiscard]] Use of(std::size_t argument) const { return argument < arguments.size() ? arguments[argument] : rest; }
};

/// One line of a table: "outs count value" names the uses of the arguments in order; the last word may end in * (and all that
/// follow).
struct CallRow {
    std::string_view name, arguments;
    CallKind kind = CallKind::Plain;
    ResultKind result = ResultKind::OfArguments;
};

[[nodiscard]] std::span<const CallRow> mpiCalls();
[[nodiscard]] std::span<const CallRow> libraryCalls();

/// What is known of calls into MPI, the C and C++ libraries and the compiler's run-time.
class CallTable {
  public:
    CallTable();
    /// The rule for a function by its linkage name, PMPI_ and fortified spellings included; null where the table has none.
    [[nodiscard]] const CallRule *find(std::string_view name) const;
    /// For functions of which nothing is known: they may read and write what they are handed.
    [[nodiscard]] const CallRule &unknown() const { return handed; }

  private:
    void add(std::span<const CallRow> rows, bool isMpi);
    std::unordered_map<std::string_view, CallRule> rules;
    CallRule handed;
};

/// Whether people would say that a rank is inside MPI: "MPI_Recv", "PMPI_Recv", "mpi_recv_".
[[nodiscard]] bool isMpiName(std::string_view function);

} // namespace laggard::slice
