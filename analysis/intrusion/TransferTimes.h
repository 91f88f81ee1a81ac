// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <array>
#include <cstdint>
#include <optional>

namespace laggard {

/// How long messages take from their send to the completion of a receive that waits for them (Kranzlmüller et al. 2000, §2:
/// t_trans = (t_recv - t_exit) - (t_send - t_init)): the shortest time that was seen, by size (powers of two), and whether both
/// ranks are on one machine. In ticks.
class TransferTimes {
  public:
    /// A message that a receive waited for took so long.
    void seen(std::uint64_t bytes, bool sameHost, Tick time);
    /// For a size that was never waited for: the time of the next smaller one, else of the next larger one, else 0.
    [[nodiscard]] Tick of(std::uint64_t bytes, bool sameHost) const;
    [[nodiscard]] bool empty() const { return m_count == 0; }
    [[nodiscard]] std::uint64_t count() const { return m_count; }

  private:
    static constexpr std::size_t sizes = 65; ///< 0, and numbers of bits of a size
    std::array<std::array<Tick, sizes>, 2> m_shortest = filled();
    std::uint64_t m_count = 0;

    static constexpr std::array<std::array<Tick, sizes>, 2> filled() {
        std::array<std::array<Tick, sizes>, 2> all{};
        for (auto &times : all)
            times.fill(openEnd);
        return all;
    }
};

} // namespace laggard
