// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/clocks/Dependences.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <string>
#include <vector>

namespace laggard {

/// For each send to some locations: up to when its sender knew what the receiving location had done (happened-before over
/// messages and collectives; Lamport 1978). Vector clocks, of which only the receivers' entries are kept, a few at a time.
class CausalReach {
  public:
    /// `receivers`: locations that are asked about, one for each process at most. `dependences` must be of the trace. Throws
    /// Cancelled.
    CausalReach(const Dependences &dependences, const std::vector<LocationIndex> &receivers, const Work &work);

    /// The time of the latest event of the receiving location that happened before the send; 0: none did.
    [[nodiscard]] Tick known(LocationIndex sender, std::uint32_t send) const { return m_known[sender][send]; }
    /// Receivers that there was no room to ask about: nothing is known of sends to them. Sorted.
    [[nodiscard]] const std::vector<LocationIndex> &leftOut() const { return m_leftOut; }
    /// As Dependences::inOrder: then nothing is known.
    [[nodiscard]] const std::string &problem() const { return m_problem; }

  private:
    std::vector<std::vector<Tick>> m_known; ///< by location and send
    std::vector<LocationIndex> m_leftOut;
    std::string m_problem;
};

} // namespace laggard
