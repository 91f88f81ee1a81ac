// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/InnermostCalls.h"
#include "trace/MpiCall.h"

namespace laggard {

/// Where the call at `row` is inside other MPI calls, the outermost one; `none` where it is in none.
[[nodiscard]] std::uint32_t outermostMpi(const MpiCallTable &calls, const Track &track, std::uint32_t row);

/// The outermost MPI call that made a record at `time`, which may be the very time at which the call ends.
[[nodiscard]] std::uint32_t mpiCallAt(const MpiCallTable &calls, const Track &track, Tick time);

/// The same for times that rise.
class MpiCallsAlong {
  public:
    MpiCallsAlong(const MpiCallTable &calls, const Track &track)
        : m_calls(calls), m_track(track), m_now(&track), m_before(&track) {}
    [[nodiscard]] std::uint32_t at(Tick time);

  private:
    const MpiCallTable &m_calls;
    const Track &m_track;
    InnermostCalls m_now;
    InnermostCalls m_before;
};

} // namespace laggard
