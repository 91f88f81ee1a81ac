// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <optional>
#include <string>

namespace laggard {

/// One moment of this run and one of the other that are taken for the same: times between the two follow from it, in seconds.
class RunAlignment {
  public:
    RunAlignment() = default;
    RunAlignment(const Trace &here, Tick atHere, const Trace &there, Tick atThere);

    /// Ticks of the other run's clock. What would be before its tick 0 is its tick 0.
    [[nodiscard]] Tick toThere(Tick here) const;
    [[nodiscard]] Tick toHere(Tick there) const;
    [[nodiscard]] TimeRange toThere(TimeRange here) const { return {toThere(here.begin), toThere(here.end)}; }
    [[nodiscard]] TimeRange toHere(TimeRange there) const { return {toHere(there.begin), toHere(there.end)}; }
    /// False where a time would lie before the other clock's tick 0, so that the two cannot be drawn one below the other.
    [[nodiscard]] bool reaches(Tick here) const;

  private:
    Tick m_here = 0;
    Tick m_there = 0;
    double m_ticksThere = 1; ///< ticks of the other clock for one tick of this one
};

/// When the first rank entered call number `instance` (from 0) of the function of this name; nothing if no rank made so many
/// calls. Calls within calls of the function do not count. Linear in calls.
[[nodiscard]] std::optional<Tick> instanceOf(const Trace &trace, const std::string &function, std::uint32_t instance);

} // namespace laggard
