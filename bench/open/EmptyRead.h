// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace laggard::bench {

struct EmptyReadResult {
    std::uint64_t locations = 0;
    std::uint64_t events = 0;
};

/// Reads everything in an OTF2 archive on this thread, location by location, through libotf2, and does nothing with it: local
/// definitions first, so that clock offsets and id mappings are applied, then the events with an empty callback for each kind.
/// The fastest reader possible through the library; its CPU time is N. Throws std::runtime_error.
///
/// libotf2 searches lists of a handle's locations, and with more than some thousands this takes longer than the reading: a new
/// handle is opened after `locationsPerHandle`.
EmptyReadResult emptyRead(const std::string &anchor, std::size_t locationsPerHandle);

} // namespace laggard::bench
