// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/delays/WaitCharges.h"

#include "analysis/delays/InnermostCalls.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <tuple>

namespace laggard {
namespace {

constexpr int mostSteps = 16; // from rank to rank: beyond, what is left is charged to the rank where it stands

/// From a moment on so many more ranks (or fewer) wait for a rank.
struct Change {
    Tick time = 0;
    std::int64_t waiting = 0;
};

/// A change for another rank.
struct PassedOn {
    Rank to = none;
    Change change;
};

/// Sums by call path; zero between two ranks.
class PathSums {
  public:
    explicit PathSums(std::size_t paths) : m_sums(2 * (paths + 1)) {}
    void add(CallPathId path, bool once, Tick ticks) {
        if (ticks == 0)
            return;
        const std::size_t place = 2 * (path == none ? m_sums.size() / 2 - 1 : path) + (once ? 1 : 0);
        if (m_sums[place] == 0)
            m_used.push_back(place);
        m_sums[place] += ticks;
    }
    void moveTo(std::vector<WaitCharge> &charges) {
        for (const std::size_t place : m_used) {
            const bool isOutside = place / 2 + 1 == m_sums.size() / 2;
            charges.push_back(
                {isOutside ? none : static_cast<CallPathId>(place / 2), place % 2 == 1, std::exchange(m_sums[place], 0)});
        }
        m_used.clear();
    }

  private:
    std::vector<Tick> m_sums;
    std::vector<std::size_t> m_used;
};

/// One step of one rank: goes through its time with all that wait for it.
class Step {
  public:
    Step(const Trace &trace, Rank rank, const WaitSegments &waits, TimeRange part, bool isLast, PathSums &sums,
         std::vector<PassedOn> &passedOn)
        : m_rank(rank),
          m_wait(waits.begin()),
          m_waitsEnd(waits.end()),
          m_part(part),
          m_isLast(isLast),
          m_calls(trace.mainEvents(rank) == nullptr ? nullptr : &trace.mainEvents(rank)->track),
          m_sums(sums),
          m_passedOn(passedOn) {}

    void run(std::vector<Change> &changes) {
        std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.time < b.time; });
        std::int64_t waiting = 0;
        for (std::size_t i = 0; i < changes.size(); ++i) {
            waiting += changes[i].waiting;
            if (waiting > 0 && changes[i].time < changes[i + 1].time)
                charge({changes[i].time, changes[i + 1].time}, waiting);
        }
    }

  private:
    void charge(TimeRange time, std::int64_t waiting) {
        Tick now = time.begin;
        while (m_wait != m_waitsEnd && m_wait->end <= now)
            ++m_wait;
        while (now < time.end) {
            const bool inWait = m_wait != m_waitsEnd && m_wait->begin <= now;
            const Tick next = m_wait == m_waitsEnd ? openEnd : inWait ? m_wait->end : m_wait->begin;
            const Tick until = std::min(time.end, next);
            if (inWait && !m_isLast && m_wait->cause != m_rank)
                passOn(m_wait->cause, {now, until}, waiting);
            else
                spread({now, until}, waiting);
            now = until;
            if (inWait && until == next)
                ++m_wait;
        }
    }

    void passOn(Rank to, TimeRange time, std::int64_t waiting) {
        // What is passed on for the stretch directly before goes on here.
        if (!m_passedOn.empty() && m_passedOn.back().to == to && m_passedOn.back().change.time == time.begin)
            m_passedOn.back().change.waiting += waiting;
        else
            m_passedOn.push_back({to, {time.begin, waiting}});
        m_passedOn.push_back({to, {time.end, -waiting}});
    }

    /// Charges a stretch of the rank's time to the call paths that were innermost then.
    void spread(TimeRange time, std::int64_t waiting) {
        const auto ranks = static_cast<Tick>(waiting);
        for (Tick now = time.begin; now < time.end;) {
            m_calls.moveTo(now);
            const Tick until = std::min(time.end, m_calls.until());
            const Tick begin = std::max(now, m_part.begin);
            const Tick end = std::min(until, m_part.end);
            const Tick within = std::max(begin, end) - begin;
            m_sums.add(m_calls.callPath(), false, ranks * within);
            m_sums.add(m_calls.callPath(), true, ranks * (until - now - within));
            now = until;
        }
    }

    Rank m_rank;
    WaitSegments::const_iterator m_wait;
    WaitSegments::const_iterator m_waitsEnd;
    TimeRange m_part;
    bool m_isLast;
    InnermostCalls m_calls;
    PathSums &m_sums;
    std::vector<PassedOn> &m_passedOn;
};

/// By call path, each once.
void joinEqual(std::vector<WaitCharge> &charges) {
    const auto key = [](const WaitCharge &charge) { return std::tuple(charge.callPath, charge.once); };
    std::sort(charges.begin(), charges.end(), [&](const WaitCharge &a, const WaitCharge &b) { return key(a) < key(b); });
    std::size_t kept = 0;
    for (const WaitCharge &charge : charges)
        if (kept > 0 && key(charges[kept - 1]) == key(charge))
            charges[kept - 1].ticks += charge.ticks;
        else
            charges[kept++] = charge;
    charges.resize(kept);
    charges.shrink_to_fit();
}

} // namespace

std::vector<std::vector<WaitCharge>> chargeWaits(const Trace &trace, const std::vector<WaitSegments> &waits,
                                                 const std::vector<TimeRange> &parts, const Work &work) {
    const std::size_t ranks = waits.size();
    std::vector<std::vector<Change>> changes(ranks);
    for (const WaitSegments &segments : waits)
        for (const WaitSegment &segment : segments) {
            changes[segment.cause].push_back({segment.begin, 1});
            changes[segment.cause].push_back({segment.end, -1});
        }
    std::vector<std::vector<WaitCharge>> result(ranks);
    std::vector<PathSums> sums(work.threadCount(), PathSums(trace.callPaths.size()));
    const auto isEmpty = [](const std::vector<Change> &of) { return of.empty(); };
    for (int step = 0; !std::all_of(changes.begin(), changes.end(), isEmpty); ++step) {
        std::vector<std::vector<PassedOn>> passedOn(ranks);
        forEachParallel(ranks, work, [&](std::size_t rank, unsigned worker) {
            throwIfCancelled(work);
            Step(trace, static_cast<Rank>(rank), waits[rank], parts[rank], step == mostSteps, sums[worker], passedOn[rank])
                .run(changes[rank]);
            changes[rank] = {};
            sums[worker].moveTo(result[rank]);
        });
        for (std::vector<PassedOn> &ofRank : passedOn) {
            for (const PassedOn &one : ofRank)
                if (one.change.waiting != 0)
                    changes[one.to].push_back(one.change);
            ofRank = {};
        }
    }
    forEachParallel(ranks, work, [&](std::size_t rank, unsigned) { joinEqual(result[rank]); });
    return result;
}

} // namespace laggard
