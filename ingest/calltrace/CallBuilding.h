// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/calltrace/Record.h"
#include "trace/CallPathTable.h"
#include "trace/Column.h"
#include "trace/Location.h"

namespace laggard::calltrace {

/// The records of one thread, in order of the file.
struct ThreadRecords {
    Column<Tick> time;
    Column<std::uint32_t> what; ///< number of the function, times two; plus one for an entry
    void add(Tick at, std::uint32_t function, bool isEnter) {
        time.push_back(at);
        what.push_back(function << 1U | (isEnter ? 1U : 0U));
    }
    /// Adds fields to the record that was added last.
    void addFields(const RecordFields &said) { fields.emplace_back(static_cast<std::uint32_t>(time.size() - 1), said); }
    std::vector<std::pair<std::uint32_t, RecordFields>> fields; ///< for those records that have any, in order
    [[nodiscard]] std::size_t size() const { return time.size(); }
};

/// What was odd about a thread's records.
struct Oddities {
    std::uint64_t stepsBack = 0;    ///< stamps earlier than the one before
    std::uint64_t callsBefore = 0;  ///< calls that were open before the first record
    std::uint64_t neverLeft = 0;    ///< calls without a return whose caller has returned
    std::uint64_t strayReturns = 0; ///< returns from calls that were not open; dropped
    std::uint64_t tooDeep = 0;      ///< records of calls nested deeper than `deepestCall`; dropped
};

inline constexpr std::size_t deepestCall = 1000; ///< levels; damage nests without end

/// Puts stamps into order. One that lies above those after it is lowered to the next; others are raised to the one before.
void orderTimes(ThreadRecords &records, std::uint64_t &stepsBack);

/// The calls of the records, whose times must be in order. A return where no recorded call is open ends a call that was
/// open before the first record: these are entered at the time of the first record, outermost first. The regions of call paths
/// are the functions' numbers, and their call sites lines of the caller's file. The records are spent.
[[nodiscard]] LocationEvents buildCalls(ThreadRecords records, std::size_t functions, CallPathTable &callPaths, Oddities &odd);

} // namespace laggard::calltrace
