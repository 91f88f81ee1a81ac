// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MemoryBudget.h"

#include <QSettings>

#include <unistd.h>

namespace laggard {
namespace {
constexpr std::uint64_t bytesPerMb = 1'000'000;
constexpr double defaultShare = 0.6;
} // namespace

std::uint64_t physicalMemory() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

std::uint64_t memoryBudget() {
    bool isNumber = false;
    if (const qulonglong megabytes = qEnvironmentVariable("LAGGARD_MEMORY_BUDGET_MB").toULongLong(&isNumber); isNumber)
        return megabytes * bytesPerMb;
    if (const qulonglong megabytes = QSettings().value("memoryBudgetMb").toULongLong(&isNumber); isNumber)
        return megabytes * bytesPerMb;
    return static_cast<std::uint64_t>(defaultShare * static_cast<double>(physicalMemory()));
}

} // namespace laggard
