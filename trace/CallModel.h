// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Ids.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace laggard {

/// What a stretch of an event-driven process is (thesis §6.1.2).
enum class UnitKind : std::uint8_t {
    Initializer, ///< from the beginning to the event loop; in a process without such a loop, all
    Handler,     ///< in the event loop: one accept, or one message and what is done about it
    Turn,        ///< a turn of the event loop that receives nothing (a timer, room to write); the thesis has no word for it
    Finalizer,   ///< from the event loop to the end
    Thread,      ///< what a thread beside the main one does outside an event loop of its own
};
[[nodiscard]] std::string_view nameOf(UnitKind kind);
[[nodiscard]] std::optional<UnitKind> unitKindNamed(std::string_view name);

/// How a program's processes behave when all is well: which functions are called in the execution units of which kind, and how
/// often (thesis §6.1.3, §6.1.4). Only names and lines are in it, so it fits other runs and machines, and its size depends on the
/// program, not on the number of processes. File form: docs/call-model.md.
struct CallModel {
    /// Names of calls from the outermost to the innermost: "recv @ server.c:41", where the line is that of the call, or "recv".
    using Stack = std::vector<std::string>;

    /// A node of a call tree: a function called from one place (§6.1.3). No two with the same caller are the same.
    struct Call {
        std::uint32_t parent = none; ///< position in `UnitModel::calls`, smaller than its own; `none` at the outermost level
        std::string function;
        std::string site;        ///< "server.c:41": where it is called; empty where unknown
        std::string file;        ///< where the function is, without folders; empty where unknown
        std::uint32_t line = 0;  ///< where the function is, in `file`
        std::uint64_t units = 0; ///< in which it was called: n_g

        /// What tells it from others with the same caller. Functions of one name may be called from one site, through a pointer:
        /// they are told apart by where they are.
        [[nodiscard]] auto identity() const { return std::tie(function, site, file, line); }
        bool operator==(const Call &) const = default;
    };

    /// The units of one kind and connection.
    struct UnitModel {
        UnitKind kind = UnitKind::Handler;
        /// A handler's: the calls that set up the connection, sorted (§6.1.3); none: it was inherited or is not known. A
        /// thread's: its outermost function.
        std::vector<Stack> connection;
        std::uint64_t units = 0; ///< how many were seen
        std::vector<Call> calls; ///< parents first; children of a call by identity

        /// p = n_g / n_f (§6.1.3).
        [[nodiscard]] double probability(std::uint32_t call) const;
        bool operator==(const UnitModel &) const = default;
    };

    /// The processes that set up the same connections (§6.1.4).
    struct Role {
        std::vector<Stack> signature; ///< calls of bind, connect, listen and accept in the initializer; sorted
        std::uint64_t processes = 0;
        std::vector<Stack> loops;     ///< where event loops wait (select …); sorted
        std::vector<UnitModel> units; ///< by kind, then connection

        /// What its handlers call, of whatever connection they are, as one model without a connection.
        [[nodiscard]] UnitModel anyHandler() const;
        bool operator==(const Role &) const = default;
    };

    std::uint64_t runs = 0;
    std::vector<Role> roles; ///< by signature
    bool operator==(const CallModel &) const = default;

    /// Adds what another model has seen. Counts add up, so that the order of merging does not matter.
    void merge(const CallModel &other);
    [[nodiscard]] const Role *roleWith(const std::vector<Stack> &signature) const;
};

/// "recv @ server.c:41"; "recv" without a site.
[[nodiscard]] std::string callName(const std::string &function, const std::string &site);
/// The name of a source file without its folders.
[[nodiscard]] std::string withoutFolders(const std::string &file);

} // namespace laggard
