// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/units/JudgeUnits.h"

#include <map>
#include <optional>
#include <string>

namespace laggard {

/// Judges the units of a run that goes on (thesis §7.3), look by look: each is what was recorded up to a moment, and may lack
/// what was overwritten before it. Each unit is judged once, when it is there from beginning to end. What is kept between looks
/// is, for each process, up to where it was judged and the names of what set up its connections, so that memory does not grow
/// with time.
class UnitFollower {
  public:
    /// `atLeast`: the score from which a unit is told.
    UnitFollower(const CallModel &model, double atLeast) : m_model(model), m_atLeast(atLeast) {}

    struct Look {
        UnitReport report;     ///< what no earlier look has judged; `units` in order of their starts
        RankSet overwritten;   ///< processes of which something was overwritten between the look before and this one
        bool hasEnded = false; ///< every process has come to an end: there will be nothing more
    };
    /// Looks may number ranks and locations differently: processes are known by host and process number. Throws Cancelled.
    [[nodiscard]] Look look(const Trace &trace, const Work &work);

  private:
    using ProcessKey = std::pair<std::string, std::int32_t>; ///< host, process number
    struct Known {
        std::optional<std::vector<CallModel::Stack>> signature; ///< where its beginning was seen, up to its event loop
        std::map<std::uint64_t, Tick> judgedTo;                 ///< by location id: UnitsWanted::startedFrom
        Tick seenTo = 0;                                        ///< its last event of the look before
    };
    [[nodiscard]] UnitsWanted wantedOf(const Trace &trace);

    const CallModel &m_model;
    double m_atLeast;
    std::map<ProcessKey, Known> m_processes;
};

} // namespace laggard
