// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Format.h"

#include <cstdint>

namespace laggard::collect {

/// What laggard-record asks of the recorder, by the environment (LAGGARD_RECORD_…).
struct Settings {
    char folder[3072] = {};                              ///< …_DIR; empty: do not record
    char job[64] = {};                                   ///< …_JOB, or as found in the environment
    std::uint64_t eventBytes = std::uint64_t{16} << 20U; ///< …_BUFFER: bytes of events of a thread
    bool spill = false;                                  ///< …_SPILL=1
    bool pool = false;                            ///< …_POOL=1: a pool of `eventBytes` for the process, which readers empty
    std::uint32_t poolReaders = 1;                ///< …_READERS: threads that do
    bool stacks = true;                           ///< …_STACKS=off
    bool libc = false;                            ///< …_LIBC=1: calls of the C library are recorded, and children as well
    bool fingerprints = true;                     ///< …_FINGERPRINTS=off
    recording::Mode mode = recording::Mode::Both; ///< …_MODE=trace|model|both
    /// …_HANG_TIMEOUT: nanoseconds; 0: no hang detection; `inferHang`: auto.
    std::uint64_t hangTimeout = inferHang;
    std::int32_t parent = 0; ///< process that this one is a child of; 0: not known
    std::int32_t rank = -1;  ///< by the launcher's environment; -1 if it says none

    static constexpr std::uint64_t inferHang = ~std::uint64_t{0};

    [[nodiscard]] bool keepsEvents() const { return mode != recording::Mode::Model; }
    [[nodiscard]] bool takesFingerprints() const { return fingerprints && keepsEvents(); }
    [[nodiscard]] bool keepsModel() const { return mode != recording::Mode::Trace; }
};

[[nodiscard]] Settings settingsFromEnvironment();

} // namespace laggard::collect
