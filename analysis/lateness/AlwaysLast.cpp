// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/lateness/AlwaysLast.h"

#include "analysis/lateness/BinomialTail.h"
#include "analysis/stacks/Hosts.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr double mostChance = 0.01;   // chance that any of all ranks is called recurring without being it
constexpr double timesExpected = 2.0; // half of its lateness at least is more than everybody's share

/// What is counted for a rank or a host, with its halves.
struct Tally {
    LateCount count;
    Tick waited = 0;
    double surplus[2] = {0, 0}; ///< in the earlier and later half: times last, less those expected

    void add(bool isLast, double expected, Tick ticks, bool later) {
        ++count.occasions;
        count.last += isLast ? 1 : 0;
        count.expected += expected;
        waited += isLast ? ticks : 0;
        surplus[later ? 1 : 0] += (isLast ? 1 : 0) - expected;
    }
    /// Among so many that are tested.
    void judge(std::size_t tests, double ticksPerSecond) {
        count.seconds = static_cast<double>(waited) / ticksPerSecond;
        count.recurs = static_cast<double>(count.last) >= timesExpected * count.expected && surplus[0] > 0 && surplus[1] > 0 &&
                       chance(count.last) * static_cast<double>(tests) <= mostChance;
    }
    /// Even always being last would be no proof.
    [[nodiscard]] bool isTooFew(std::size_t tests) const {
        return chance(count.occasions) * static_cast<double>(std::max<std::size_t>(tests, 1)) > mostChance;
    }
    [[nodiscard]] double chance(std::uint64_t last) const {
        return count.occasions == 0 ? 1
                                    : binomialTail(count.occasions, count.expected / static_cast<double>(count.occasions), last);
    }
};

Tick middleOf(const LateOccasions &occasions) {
    std::vector<Tick> times;
    for (const LateOccasion &occasion : occasions.all)
        if (occasion.last != none)
            times.push_back(occasion.when);
    if (times.empty())
        return 0;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Adds all occasions to tallies: `groupOf[rank]` is whose tally counts for a rank.
void tallyAll(const LateOccasions &occasions, const std::vector<std::uint32_t> &groupOf, std::vector<Tally> &tallies,
              const Work &work) {
    const Tick middle = middleOf(occasions);
    std::vector<std::uint32_t> present(tallies.size()); // members of each group on the occasion
    std::vector<std::uint32_t> touched;
    for (std::size_t i = 0; i < occasions.all.size(); ++i) {
        if (i % 4096 == 0)
            throwIfCancelled(work);
        const LateOccasion &occasion = occasions.all[i];
        if (occasion.last == none)
            continue;
        touched.clear();
        for (std::uint32_t m = occasion.begin; m < occasion.end; ++m)
            if (const std::uint32_t group = groupOf[occasions.members[m]]; present[group]++ == 0)
                touched.push_back(group);
        for (const std::uint32_t group : touched) {
            tallies[group].add(group == groupOf[occasion.last], static_cast<double>(present[group]) / occasion.size(),
                               occasion.waited, occasion.when >= middle);
            present[group] = 0;
        }
    }
}

void countHosts(const Trace &trace, const LateOccasions &occasions, Lateness &lateness, const Work &work) {
    std::vector<HostRanks> hosts = ranksByHost(trace);
    if (hosts.size() < 2)
        return;
    std::vector<std::uint32_t> hostOf(trace.processes.size());
    for (std::uint32_t host = 0; host < hosts.size(); ++host)
        for (const Rank rank : hosts[host].ranks)
            hostOf[rank] = host;
    std::vector<Tally> tallies(hosts.size());
    tallyAll(occasions, hostOf, tallies, work);
    for (std::size_t host = 0; host < hosts.size(); ++host) {
        tallies[host].judge(hosts.size(), static_cast<double>(trace.clock.ticksPerSecond));
        lateness.hosts.push_back({std::move(hosts[host].host), std::move(hosts[host].ranks), tallies[host].count});
    }
}

} // namespace

const char *name(LateOccasions::Kind kind) {
    return kind == LateOccasions::Kind::Collectives ? "collectives" : kind == LateOccasions::Kind::Steps ? "steps" : "messages";
}

const char *name(Lateness::Pattern pattern) {
    return pattern == Lateness::Pattern::TooFew ? "too_few" : pattern == Lateness::Pattern::Rotating ? "rotating" : "recurring";
}

const char *noun(LateOccasions::Kind kind) {
    return kind == LateOccasions::Kind::Collectives ? "collective"
           : kind == LateOccasions::Kind::Steps     ? "step"
                                                    : "receiving call";
}

Lateness countLateness(const Trace &trace, const LateOccasions &occasions, const Work &work) {
    Lateness lateness;
    lateness.kind = occasions.kind;
    const auto ticksPerSecond = static_cast<double>(trace.clock.ticksPerSecond);
    for (const LateOccasion &occasion : occasions.all) {
        ++(occasion.last == none ? lateness.undecided : lateness.occasions);
        lateness.seconds += static_cast<double>(occasion.waited) / ticksPerSecond;
    }
    std::vector<std::uint32_t> self(trace.processes.size());
    for (Rank rank = 0; rank < self.size(); ++rank)
        self[rank] = rank;
    std::vector<Tally> tallies(self.size());
    tallyAll(occasions, self, tallies, work);
    const auto tests =
        static_cast<std::size_t>(std::ranges::count_if(tallies, [](const Tally &tally) { return tally.count.occasions > 0; }));
    bool isTooFew = true;
    for (Rank rank = 0; rank < tallies.size(); ++rank) {
        tallies[rank].judge(tests, ticksPerSecond);
        isTooFew = isTooFew && tallies[rank].isTooFew(tests);
        if (tallies[rank].count.recurs)
            lateness.recurring.push_back(rank);
        lateness.ranks.push_back(tallies[rank].count);
    }
    lateness.pattern = !lateness.recurring.empty() ? Lateness::Pattern::Recurring
                       : isTooFew                  ? Lateness::Pattern::TooFew
                                                   : Lateness::Pattern::Rotating;
    countHosts(trace, occasions, lateness, work);
    return lateness;
}

std::vector<Lateness> findAlwaysLast(const Trace &trace, TimeRange window, const std::vector<WaitSegments> &waits,
                                     const PhaseTable *phases, const Work &work) {
    std::vector<LateOccasions> kinds{lateInCollectives(trace, window, work)};
    if (phases != nullptr)
        kinds.push_back(lateInSteps(trace, waits, *phases, work));
    std::vector<Lateness> found;
    for (const LateOccasions &kind : kinds)
        if (!kind.all.empty())
            found.push_back(countLateness(trace, kind, work));
    if (kinds.back().kind == LateOccasions::Kind::Steps && !kinds.back().all.empty())
        return found;
    // Calls that receive are many and small: beside collectives that tell something, only what recurs in them is news.
    const LateOccasions messages = lateInMessages(trace, window, work);
    if (messages.all.empty())
        return found;
    const bool isTold =
        std::ranges::any_of(found, [](const Lateness &each) { return each.pattern != Lateness::Pattern::TooFew; });
    Lateness ofMessages = countLateness(trace, messages, work);
    if (!isTold || ofMessages.pattern == Lateness::Pattern::Recurring)
        found.push_back(std::move(ofMessages));
    return found;
}

} // namespace laggard
