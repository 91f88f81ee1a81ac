// SPDX-License-Identifier: GPL-3.0-or-later
#include "collect/store/Settings.h"

#include "collect/store/JobEnvironment.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace laggard::collect {

namespace {

const char *variable(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::uint64_t hangTimeout(const char *text) {
    if (*text == '\0' || std::strcmp(text, "auto") == 0)
        return Settings::inferHang;
    const double seconds = std::strtod(text, nullptr);
    if (!(seconds > 0))
        return 0;
    return seconds > 1e9 ? std::uint64_t{1'000'000'000'000'000'000} : static_cast<std::uint64_t>(seconds * 1e9);
}

} // namespace

Settings settingsFromEnvironment() {
    Settings settings;
    if (std::strlen(variable("LAGGARD_RECORD_DIR")) < sizeof settings.folder)
        std::snprintf(settings.folder, sizeof settings.folder, "%s", variable("LAGGARD_RECORD_DIR"));
    const std::uint64_t bytes = std::strtoull(variable("LAGGARD_RECORD_BUFFER"), nullptr, 10);
    // Two chunks at least: one that is written, one that has the time before.
    if (bytes > 0)
        settings.eventBytes = bytes < 2 * recording::chunkUnit ? 2 * recording::chunkUnit : bytes;
    settings.spill = std::strcmp(variable("LAGGARD_RECORD_SPILL"), "1") == 0;
    settings.pool = std::strcmp(variable("LAGGARD_RECORD_POOL"), "1") == 0;
    if (const char *readers = variable("LAGGARD_RECORD_READERS"); *readers != '\0')
        settings.poolReaders = static_cast<std::uint32_t>(std::strtoul(readers, nullptr, 10));
    settings.stacks = std::strcmp(variable("LAGGARD_RECORD_STACKS"), "off") != 0;
    settings.libc = std::strcmp(variable("LAGGARD_RECORD_LIBC"), "1") == 0;
    settings.fingerprints = std::strcmp(variable("LAGGARD_RECORD_FINGERPRINTS"), "off") != 0;
    const char *mode = variable("LAGGARD_RECORD_MODE");
    if (std::strcmp(mode, "trace") == 0)
        settings.mode = recording::Mode::Trace;
    else if (std::strcmp(mode, "model") == 0)
        settings.mode = recording::Mode::Model;
    settings.hangTimeout = hangTimeout(variable("LAGGARD_RECORD_HANG_TIMEOUT"));
    settings.parent = getppid();
    // Ranks are of one job; with the C library's calls, launchers and whatever else they start are recorded beside them.
    settings.rank = settings.libc ? -1 : environmentRank();
    std::snprintf(settings.job, sizeof settings.job, "%s", variable("LAGGARD_RECORD_JOB"));
    if (settings.job[0] == '\0')
        environmentJob(settings.job);
    return settings;
}

} // namespace laggard::collect
