// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/MemoryBudget.h"

#include "app/window/Preferences.h"

#include <QLocale>
#include <QtGlobal>

#include <unistd.h>

namespace laggard {
namespace {
constexpr std::uint64_t bytesPerMb = 1'000'000;
} // namespace

std::uint64_t physicalMemory() {
    const long pages = ::sysconf(_SC_PHYS_PAGES);
    const long size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

std::uint64_t defaultMemoryBudget() { return physicalMemory() / 100 * budgetPercent; }

std::optional<std::uint64_t> memoryBudgetOfEnvironment() {
    bool isNumber = false;
    const qulonglong megabytes = qEnvironmentVariable("LAGGARD_MEMORY_BUDGET_MB").toULongLong(&isNumber);
    return isNumber ? std::optional<std::uint64_t>(megabytes * bytesPerMb) : std::nullopt;
}

std::uint64_t memoryBudget() {
    if (const auto bytes = memoryBudgetOfEnvironment())
        return *bytes;
    const std::optional<std::uint64_t> megabytes = loadPreferences().memoryBudgetMb;
    return megabytes ? *megabytes * bytesPerMb : defaultMemoryBudget();
}

QString sizeText(std::uint64_t bytes) {
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat);
}

} // namespace laggard
