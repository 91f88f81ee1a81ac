// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/Overdue.h"

#include "analysis/verdict/Standstill.h"
#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/IdleLoop.h"
#include "trace/MpiCall.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

using Than = Overdue::Than;

constexpr std::uint64_t fewest = 3; ///< earlier times, as for other habits (Judge)

/// What a time is compared with.
struct Past {
    std::uint64_t own = 0; ///< earlier times of the rank itself
    Tick longest = 0;      ///< the longest of any rank
};

Overdue compare(Rank rank, Tick now, const Past &past) {
    const auto n = static_cast<double>(past.own);
    if (now <= past.longest)
        return {.than = Than::Usual, .rank = rank, .earlier = past.own, .confidence = 0};
    if (past.own < fewest)
        return {.than = Than::New, .rank = rank, .earlier = past.own, .confidence = Overdue::undecided};
    return {.than = now / 2 < past.longest ? Than::Unusual : Than::Long,
            .rank = rank,
            .earlier = past.own,
            .confidence = (n + 1) / (n + 2)};
}

/// A call that is open, or that has returned and after which nothing of MPI was called; and since when.
struct Point {
    CallPathId path = none;
    Tick since = 0;
    bool isAfter = false; ///< the time after the call counts, until the next one of MPI; otherwise the time in it
    Past past = {};
};

/// False where functions are not recorded: those that have returned are callers of MPI calls, and those that are open and call
/// nothing were seen on a stack alone, and have no past.
bool recordsFunctions(const Trace &trace, const Track &track) {
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        const bool isLeaf = row + 1 == track.size() || track.parent[row + 1] != row;
        if (isLeaf && !track.isOpen(row) && !trace.region(track.callPath[row]).isMpi())
            return true;
    }
    return false;
}

/// The MPI call that is open; else the one that the rank has left last, if any, and the functions that it has entered since, the
/// outermost one first.
std::vector<Point> pointsOf(const Trace &trace, const Track &track, Tick at) {
    std::vector<Point> points;
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), at);
    Tick returned = 0;
    for (auto row = static_cast<std::uint32_t>(entered - track.start.begin()); row-- > 0;)
        if (isOutermostMpi(trace, track, row)) {
            if (track.end[row] > at)
                return {{track.callPath[row], track.start[row], false}};
            returned = track.end[row];
            points.push_back({track.callPath[row], returned, true});
            break;
        }
    std::uint32_t row = recordsFunctions(trace, track) ? track.innermostAt(at) : none;
    for (; row != none && track.start[row] >= returned; row = track.parent[row])
        points.push_back({track.callPath[row], track.start[row], false});
    std::reverse(points.begin() + (!points.empty() && points.front().isAfter ? 1 : 0), points.end());
    constexpr std::size_t most = 31; // bits of a number; who is deeper is in a recursion
    points.resize(std::min(points.size(), most));
    return points;
}

/// For each call path, the points that it is a call of, as bits.
std::vector<std::uint32_t> pointsByPath(const Trace &trace, const std::vector<Point> &points) {
    std::vector<std::uint32_t> bits(trace.callPaths.size(), 0);
    for (CallPathId path = 0; path < bits.size(); ++path)
        for (std::size_t i = 0; i < points.size(); ++i)
            bits[path] |= trace.isSameCall(path, points[i].path) ? 1U << i : 0U;
    return bits;
}

/// Adds what one location did before `at` to the pasts. `isOwn`: it is the one that the points are of.
void addPast(const Trace &trace, const Location &location, bool isOwn, Tick at, const std::vector<std::uint32_t> &pointsOfPath,
             std::vector<Point> &points) {
    const Track &track = location.events.track;
    const Tick from = trace.processes[location.rank].eventsFrom; // before that calls are missing
    const auto add = [&](Point &point, Tick time) {
        point.past.longest = std::max(point.past.longest, time);
        point.past.own += isOwn ? 1 : 0;
    };
    Point *left = nullptr; // a call after which MPI was not called yet
    Tick leftAt = 0;
    const auto first = std::lower_bound(track.start.begin(), track.start.end(), from);
    for (auto row = static_cast<std::uint32_t>(first - track.start.begin()); row < track.size() && track.start[row] <= at;
         ++row) {
        const std::uint32_t bits = pointsOfPath[track.callPath[row]];
        const bool isMpi = (left != nullptr || (bits & 1U) != 0) && isOutermostMpi(trace, track, row);
        if (isMpi && left != nullptr)
            add(*left, track.start[row] - std::min(track.start[row], leftAt));
        left = isMpi ? nullptr : left;
        for (std::size_t i = 0; bits >> i != 0 && track.end[row] <= at; ++i) {
            if ((bits >> i & 1U) == 0)
                continue;
            if (!points[i].isAfter) {
                add(points[i], track.end[row] - track.start[row]);
            } else if (isMpi) {
                left = &points[i];
                leftAt = track.end[row];
            }
        }
    }
}

Overdue overdueOf(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const LocationIndex thread = waits.activities[rank].thread;
    const LocationIndex own = thread != none ? thread : trace.processes[rank].mainLocation;
    Overdue overdue = compare(rank, 1, {});
    if (own >= trace.locations.size())
        return overdue;
    std::vector<Point> points = pointsOf(trace, trace.locations[own].events.track, waits.at);
    const std::vector<std::uint32_t> pointsOfPath = pointsByPath(trace, points);
    for (LocationIndex each = 0; each < trace.locations.size(); ++each)
        if (trace.locations[each].rank < trace.processes.size())
            addPast(trace, trace.locations[each], each == own, waits.at, pointsOfPath, points);
    for (const Point &point : points) {
        const Overdue here = compare(rank, waits.at - point.since, point.past);
        // A function that takes far longer than ever tells it, however new what called it is, and however long other work takes.
        if (here.than == Than::Long && !point.isAfter) {
            overdue = here;
            overdue.isOfFunction = true;
            return overdue;
        }
        // How long it took without a function that it never called there before is no measure.
        if (&point == points.data() || here.than == Than::New)
            overdue = here;
    }
    return overdue;
}

/// True if a waiting rank came to its open call from the call before it as in earlier rounds: three times or more, and now not
/// far later than ever.
bool isOnUsualWay(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const LocationIndex thread = waits.activities[rank].thread;
    const LocationEvents *events = thread != none ? &trace.locations[thread].events : trace.mainEvents(rank);
    if (events == nullptr)
        return false;
    const Track &track = events->track;
    std::uint32_t next = none; // the call after `row`
    std::uint32_t open = none; // the last one
    std::uint32_t left = none; // the one before it
    Past past;
    const auto between = [&](std::uint32_t from, std::uint32_t to) {
        return track.start[to] - std::min(track.start[to], track.end[from]);
    };
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), waits.at);
    for (auto row = static_cast<std::uint32_t>(entered - track.start.begin()); row-- > 0;) {
        if (!isOutermostMpi(trace, track, row))
            continue;
        if (open == none) {
            open = row;
        } else if (left == none) {
            left = row;
        } else if (trace.isSameCall(track.callPath[next], track.callPath[open]) &&
                   trace.isSameCall(track.callPath[row], track.callPath[left])) {
            ++past.own;
            past.longest = std::max(past.longest, between(row, next));
        }
        next = row;
    }
    if (left == none)
        return false;
    // As a share of the time for which it has stood since, and at most some milliseconds, for which a busy machine may keep a
    // process from its processor. Assumed: less says nothing.
    constexpr double noMatter = 0.01;
    constexpr double turn = 0.01; // seconds
    const auto second = static_cast<double>(trace.clock.ticksPerSecond);
    const auto standing = static_cast<double>(waits.at - std::min(waits.at, track.start[open]));
    const Tick way = between(left, open);
    const bool isFarLater =
        compare(rank, way, past).than == Than::Long && static_cast<double>(way) > std::min(noMatter * standing, turn * second);
    return past.own >= fewest && !isFarLater;
}

/// True if most of those who wait have left their rounds, too, or were far later than ever: then all do what they never did.
bool isNewToOthers(const Trace &trace, const WaitForGraph &waits) {
    constexpr std::size_t mostAsked = 16; // ranks: more do not say more, and each costs its history
    std::size_t asked = 0;
    std::size_t usual = 0;
    for (const Wait &wait : waits.waits)
        for (const Rank rank : wait.waiters)
            if (asked < mostAsked) {
                ++asked;
                usual += isOnUsualWay(trace, waits, rank) ? 1 : 0;
            }
    return 2 * usual < asked;
}

/// For a loop of MPI calls that bring nothing: the time between two exchanges with others.
Overdue overdueOf(const Trace &trace, const WaitForGraph &waits, const IdleLoop &loop) {
    if (loop.rowsBefore != 0) // such rows are compared with each other
        return compare(loop.rank, waits.at - std::min(waits.at, loop.since),
                       {.own = loop.rowsBefore, .longest = loop.longestBefore});
    Past past;
    std::vector<Tick> times;
    for (Rank rank = 0; rank < trace.processes.size(); ++rank) {
        times.clear();
        for (const LocationIndex each : trace.processes[rank].locations)
            addCommunications(trace, trace.locations[each], loop.since, times);
        std::erase_if(times, [&](Tick time) { return time < trace.processes[rank].eventsFrom; }); // before that some are missing
        std::sort(times.begin(), times.end());
        for (std::size_t i = 1; i < times.size(); ++i)
            past.longest = std::max(past.longest, times[i] - times[i - 1]);
        past.own = rank == loop.rank && !times.empty() ? times.size() - 1 : past.own;
    }
    return compare(loop.rank, waits.at - std::min(waits.at, loop.since), past);
}

/// How many seconds pass between two polls of an open run, on average; nothing where that is not known.
std::optional<double> betweenPolls(const Trace &trace, const WaitForGraph &waits, Rank rank) {
    const Activity &activity = waits.activities[rank];
    const LocationEvents *events = activity.thread != none ? &trace.locations[activity.thread].events : trace.mainEvents(rank);
    if (events == nullptr || activity.row == none)
        return std::nullopt;
    const auto run = std::ranges::lower_bound(events->polls, activity.row, {}, &PollRun::row);
    if (run == events->polls.end() || run->row != activity.row || run->count == 0)
        return std::nullopt;
    return (trace.seconds(waits.at) - trace.seconds(activity.since)) / static_cast<double>(run->count);
}

/// Who asks, if those named do nothing else: they themselves, or, where one is named for what all others have sent, who asks for
/// it.
RankSet askersOf(const WaitForVerdict &verdict) {
    const bool isByOthers = verdict.kind == WaitForVerdict::Kind::MissingSend && !verdict.missingSends.front().others.empty();
    return isByOthers ? RankSet{verdict.missingSends.front().to} : verdict.ranks;
}

/// For ranks that ask again and again: the time since they last exchanged anything, as for a loop of calls that bring nothing.
Overdue overdueOfAsking(const Trace &trace, const WaitForGraph &waits) {
    Overdue least = {.than = Than::Long, .confidence = 1};
    for (const Rank rank : askersOf(waits.verdict)) {
        IdleLoop loop;
        loop.rank = rank;
        for (const LocationIndex each : trace.processes[rank].locations)
            loop.since = std::max(loop.since, lastCommunication(trace, trace.locations[each], waits.at));
        Overdue own = overdueOf(trace, waits, loop);
        // Who does more between two polls than look at the answer may work, and go on when that is done; and who only looks
        // whether a message has come, of which none may be due, may do so for a time.
        constexpr double look = 100e-6; // seconds, as for a loop of calls that bring nothing (IdleLoop)
        const auto between = betweenPolls(trace, waits, rank);
        const bool isProbe = mpiCallOf(trace.region(waits.activities[rank].callPath)).kind == MpiCall::Kind::ProbeOnce;
        if (isProbe || (between && *between > look))
            own.confidence = std::min(own.confidence, Overdue::undecided);
        own.confidence =
            std::min(own.confidence, growing(trace.seconds(waits.at) - trace.seconds(std::min(waits.at, loop.since))));
        if (least.rank == none || own.than < least.than || (own.than == least.than && own.confidence < least.confidence))
            least = own;
    }
    return least;
}

} // namespace

bool areAsking(const Trace &trace, const WaitForGraph &waits) {
    using Kind = WaitForVerdict::Kind;
    const WaitForVerdict &verdict = waits.verdict;
    // That one has not sent what all others have is no fault while the receiver only looks for it, and does its work in between.
    const bool isByOthers = verdict.kind == Kind::MissingSend && !verdict.missingSends.front().others.empty();
    const RankSet askers = askersOf(verdict);
    return trace.tellsOpenCalls && (verdict.kind == Kind::Deadlock || verdict.kind == Kind::NoSender || isByOthers) &&
           !askers.empty() && std::ranges::all_of(askers, [&](Rank rank) {
               const CallPathId path = waits.activities[rank].callPath;
               return path != none && mpiCallOf(trace.region(path)).isPoll();
           });
}

Overdue overdueOf(const Trace &trace, const WaitForGraph &waits) {
    // What the recorder has noticed of one of them needs no comparison, and who was stopped does not go on by itself. Only after
    // as long as it waits by itself: work of some seconds is no hang because its user asked for a shorter time.
    constexpr double noticedByItself = 60; // seconds (collect/store/Monitor.h)
    const bool isLong = trace.seconds(waits.at) - trace.seconds(std::min(waits.at, waits.verdict.since)) >= noticedByItself;
    const RankSet stopped = stoppedRanks(trace);
    const bool isNoticed = hangWasNoticed(trace, waits) || std::ranges::any_of(waits.verdict.ranks, [&](Rank rank) {
                               return trace.processes[rank].hangNoticed <= waits.at;
                           });
    const auto wasStopped = [&](Rank rank) { return std::ranges::binary_search(stopped, rank); };
    if ((isLong && isNoticed) || std::ranges::any_of(waits.verdict.ranks, wasStopped))
        return {.than = Than::Long};
    if (areAsking(trace, waits)) {
        Overdue asking = overdueOfAsking(trace, waits);
        asking.isNoticed = isNoticed;
        return asking;
    }
    Overdue most = {.confidence = 0};
    const auto consider = [&](const Overdue &overdue) { most = most.rank == none || overdue.than > most.than ? overdue : most; };
    for (const IdleLoop &loop : waits.verdict.loops)
        consider(overdueOf(trace, waits, loop));
    if (waits.verdict.loops.empty())
        for (const Rank rank : waits.verdict.ranks)
            consider(overdueOf(trace, waits, rank));
    // What follows a call may be anything, also work that comes every hundred rounds, and for the first time: then only the time
    // tells that it does not end.
    if (most.than == Than::Long && !most.isOfFunction && waits.verdict.loops.empty())
        most.confidence = std::min(most.confidence, growing(trace.seconds(waits.at) - trace.seconds(waits.verdict.since)));
    if (most.than == Than::Long && !most.isOfFunction && isNewToOthers(trace, waits))
        most = {.than = Than::New, .rank = most.rank, .isNewToAll = true, .confidence = Overdue::undecided};
    most.isNoticed = isNoticed;
    return most;
}

} // namespace laggard
