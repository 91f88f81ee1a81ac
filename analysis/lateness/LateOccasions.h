// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/delays/WaitSegments.h"
#include "analysis/semimarkov/Phases.h"

#include <cstdint>
#include <vector>

namespace laggard {

/// Something that two or more ranks come to and where the last one makes others wait.
struct LateOccasion {
    Tick when = 0;           ///< when the last one came; of a step its end
    Rank last = none;        ///< `none`: several came last, as their times have no order (Clock::resolution)
    Tick waited = 0;         ///< rank-ticks that others waited for the last one
    std::uint32_t begin = 0; ///< who took part: LateOccasions::members [begin, end)
    std::uint32_t end = 0;
    [[nodiscard]] std::uint32_t size() const { return end - begin; }
};

/// Occasions of one kind.
struct LateOccasions {
    enum class Kind : std::uint8_t { Collectives, Steps, Messages };
    Kind kind = Kind::Collectives;
    std::vector<LateOccasion> all;
    std::vector<Rank> members; ///< by rank on each occasion; occasions that follow each other share a list that is the same
    /// Adds an occasion whose members are those from `begin` on.
    void add(LateOccasion occasion);
};

/// Collectives in `window` that all their members completed: those that nobody leaves before all have come, and MPI_Reduce and
/// MPI_Gather(v), where the root waits. In a broadcast, scatter or scan a late member holds up nobody for sure; of a non-blocking
/// one the time of coming is not known; both are left out. Throws Cancelled.
[[nodiscard]] LateOccasions lateInCollectives(const Trace &trace, TimeRange window, const Work &work);

/// Steps: instances of the function that delimits phases (or MPI_Pcontrol). Last came whom the ranks waited for longest in the
/// step, as `waits` have it (findWaitSegments, by rank); `waited` is that. Who has the step took part. Steps in which nobody
/// waited are none. Empty where there are no phases. Throws Cancelled.
[[nodiscard]] LateOccasions lateInSteps(const Trace &trace, const std::vector<WaitSegments> &waits, const PhaseTable &phases,
                                        const Work &work);

/// Steps of a program without phases: calls of main threads in which messages of two or more ranks were received, the last of
/// them sent after the call had begun. The senders took part. Throws Cancelled.
[[nodiscard]] LateOccasions lateInMessages(const Trace &trace, TimeRange window, const Work &work);

} // namespace laggard
