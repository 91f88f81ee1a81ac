// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace laggard {

/// Bytes of memory that the machine has; 0 where it does not say.
[[nodiscard]] std::uint64_t physicalMemory();

/// Bytes that a trace may take without the window asking first: the environment variable LAGGARD_MEMORY_BUDGET_MB, else the
/// setting "memoryBudgetMb", else 60 % of the machine's memory. 0: never ask.
[[nodiscard]] std::uint64_t memoryBudget();

} // namespace laggard
