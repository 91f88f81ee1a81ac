// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/MpiCall.h"
#include "trace/Trace.h"

#include <span>
#include <vector>

namespace laggard {

/// A member's completed call of a collective instance.
struct Arrival {
    Rank rank = none;
    Tick enter = 0;
    Tick end = 0;
    bool comes = true; ///< false: a wait or test completed what an earlier call had posted, so that `enter` is not when it came
};

/// The calls of main threads that completed each of `Trace::collectives`.
class CollectiveArrivals {
  public:
    CollectiveArrivals(const Trace &trace, const MpiCallTable &calls);
    /// The arrivals at one instance, by rank.
    [[nodiscard]] std::span<const Arrival> of(std::size_t instance) const {
        return {m_all.data() + m_begin[instance], m_all.data() + m_begin[instance + 1]};
    }

  private:
    std::vector<std::uint32_t> m_begin; ///< those of instance i are [begin[i], begin[i + 1])
    std::vector<Arrival> m_all;
};

} // namespace laggard
