// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <cstdint>
#include <optional>

namespace laggard {

/// Percentage of the machine's memory that a trace may take where nothing else was chosen.
inline constexpr int budgetPercent = 60;

/// Bytes of memory that the machine has; 0 where it does not say.
[[nodiscard]] std::uint64_t physicalMemory();

/// `budgetPercent` of the machine's memory, in bytes.
[[nodiscard]] std::uint64_t defaultMemoryBudget();

/// What the environment variable LAGGARD_MEMORY_BUDGET_MB says, in bytes; nothing where it is not a number.
[[nodiscard]] std::optional<std::uint64_t> memoryBudgetOfEnvironment();

/// Bytes that a trace may take without the window asking first: what the environment says, else the preferences, else the
/// default. 0: never ask.
[[nodiscard]] std::uint64_t memoryBudget();

/// "1.5 GB"
[[nodiscard]] QString sizeText(std::uint64_t bytes);

} // namespace laggard
