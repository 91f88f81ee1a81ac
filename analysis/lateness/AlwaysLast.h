// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/lateness/LateOccasions.h"

#include <cstdint>
#include <string>
#include <vector>

namespace laggard {

/// How often a rank, or the ranks of a host, came last.
struct LateCount {
    std::uint64_t occasions = 0; ///< occasions that it took part in and that somebody came last in
    std::uint64_t last = 0;      ///< how many of those it came last in
    double expected = 0;         ///< how many of those it would be, if each member were as likely
    double seconds = 0;          ///< rank-seconds that others waited for it there
    bool recurs = false;         ///< more often than chance has it
    [[nodiscard]] double share() const { return occasions == 0 ? 0 : static_cast<double>(last) / static_cast<double>(occasions); }
    bool operator==(const LateCount &) const = default;
};

/// The same of a machine.
struct LateHost {
    std::string host;
    RankSet ranks;
    LateCount count;
};

/// Who came last on occasions of one kind.
struct Lateness {
    enum class Pattern : std::uint8_t {
        TooFew,    ///< even who always came last could not be told from chance
        Rotating,  ///< nobody came last more often than chance has it
        Recurring, ///< `recurring`
    };
    LateOccasions::Kind kind = LateOccasions::Kind::Collectives;
    std::uint64_t occasions = 0;  ///< with somebody who came last
    std::uint64_t undecided = 0;  ///< occasions on which times do not tell who came last
    double seconds = 0;           ///< rank-seconds that others waited for the last one
    std::vector<LateCount> ranks; ///< by rank
    std::vector<LateHost> hosts;  ///< where there are two or more, in order of their lowest rank
    Pattern pattern = Pattern::TooFew;
    RankSet recurring;
};

/// Counts, and tells what recurs. Is each of the m members as likely to come last as any other, a rank does so in the mean of its
/// 1/m; with p the binomial tail at that mean (binomialTail: an upper bound where m differs), a rank recurs if
///
/// * p times the number of ranks is at most 0.01 (Bonferroni's correction; the level of RankShift and TransitionShift);
/// * it came last at least twice as often as expected: what is sure in ten thousand steps may still be small;
/// * and more often than expected in the earlier and in the later half of its occasions: noise comes in bursts, and occasions
/// that
///   follow each other are not independent.
///
/// Hosts are counted and tested alike, with the number of hosts. Linear in members. Throws Cancelled.
[[nodiscard]] Lateness countLateness(const Trace &trace, const LateOccasions &occasions, const Work &work);

/// Who is always last: in collectives, then in steps; without phases (`nullptr` or none), in calls that receive messages of
/// several ranks, and these beside collectives that are enough to tell only if somebody recurs in them. Kinds without occasions
/// are left out. `waits`: those of findWaitSegments in `window`, by rank.
/// Who came last may itself have been held up: whose doing it was, delays tell. Throws Cancelled.
[[nodiscard]] std::vector<Lateness> findAlwaysLast(const Trace &trace, TimeRange window, const std::vector<WaitSegments> &waits,
                                                   const PhaseTable *phases, const Work &work);

/// "collectives", "steps", "messages": as in the JSON report.
[[nodiscard]] const char *name(LateOccasions::Kind kind);
/// "too_few", "rotating", "recurring": as in the JSON report.
[[nodiscard]] const char *name(Lateness::Pattern pattern);
/// "collective", "step", "receiving call": to be counted for people.
[[nodiscard]] const char *noun(LateOccasions::Kind kind);

} // namespace laggard
