// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <otf2/otf2.h>
#include <string_view>

namespace laggard::otf2 {

/// Kinds of event records that are counted and not kept (metrics, RMA, I/O, parameters, threads, samples …).
inline constexpr std::size_t unshownKinds = 64;
using UnshownCounts = std::array<std::uint64_t, unshownKinds>;

/// The kind's name as otf2-print writes it ("METRIC").
[[nodiscard]] std::string_view unshownName(std::size_t kind);

/// Sets callbacks for these kinds that count the record in an EventSink (the callbacks' user data).
void registerUnshown(OTF2_EvtReaderCallbacks *callbacks);

} // namespace laggard::otf2
