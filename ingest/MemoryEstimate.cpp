// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/MemoryEstimate.h"

#include <algorithm>

namespace laggard {
namespace {

// Measured as peak resident size on Score-P-like archives of 0.3 MB to 414 MB and 10 to 32,768 locations: the columns took 0.85
// to 1.1 bytes for a byte of event file (0.1 to 0.3 of this are messages and collectives), and the level of detail 0.2 to 0.33.
constexpr double bytesPerEventByte = 1.25;
constexpr double messageShare = 0.25; // messages and collectives are needed whole until they are linked, whatever the time
constexpr std::uint64_t bytesPerLocation = 3'000;
constexpr std::uint64_t fixedBytes = 2'000'000;

} // namespace

std::uint64_t estimateMemory(const TraceOutline &outline, const OpenOptions &options, unsigned threads) {
    std::uint64_t eventBytes = 0;
    std::uint64_t largest = 0;
    const auto add = [&](std::uint64_t bytes) {
        eventBytes += bytes;
        largest = std::max(largest, bytes);
    };
    if (options.ranks) {
        for (const Rank rank : *options.ranks)
            if (rank < outline.eventBytes.size())
                add(outline.eventBytes[rank]);
    } else {
        std::for_each(outline.eventBytes.begin(), outline.eventBytes.end(), add);
        eventBytes += outline.otherEventBytes;
    }
    double bytes = bytesPerEventByte * static_cast<double>(eventBytes);
    if (options.time && outline.seconds > 0) {
        const double begin = std::clamp(options.time->begin, 0.0, outline.seconds);
        const double share = std::clamp((std::min(options.time->end, outline.seconds) - begin) / outline.seconds, 0.0, 1.0);
        // Each thread holds one location whole before it cuts it.
        const double whole = bytesPerEventByte * static_cast<double>(std::min(eventBytes, threads * largest));
        bytes = std::min(bytes, bytes * (messageShare + share * (1 - messageShare)) + whole * (1 - share) * (1 - messageShare));
    }
    return static_cast<std::uint64_t>(bytes) + bytesPerLocation * outline.locations + threads * outline.bufferBytes + fixedBytes;
}

} // namespace laggard
