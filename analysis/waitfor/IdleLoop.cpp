// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/IdleLoop.h"

#include "analysis/waitfor/JobView.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

namespace laggard {
namespace {

using CallKind = MpiCall::Kind;

constexpr std::uint64_t fewestTurns = 10;      ///< assumed: a call made less often is a step, and no loop
constexpr std::uint32_t mostLoopRows = 200000; ///< looked at; a loop that fills as many is one
constexpr std::size_t mostCalls = 4;           ///< kept, of those in the loop
/// Times as many turns as ever in a row before; assumed: who sleeps between two turns makes more of them on a slow machine.
constexpr std::uint64_t farMore = 10;

/// Calls that may ask for what never comes, or exchange messages with the rank itself. Not those that make something which all
/// make, or that move data to files: these are work.
bool mayIdle(const MpiCall &call) {
    if (call.kind != CallKind::Other)
        return call.kind == CallKind::Collective || (call.isPointToPoint() && call.kind != CallKind::Flush) ||
               (call.kind == CallKind::Post && !call.ofFile);
    return call.accessesWindow || call.asks;
}

/// How often each call of a loop was made.
using TurnsOf = std::map<CallPathId, std::uint64_t>;

/// Who writes into others' memory in most of its turns, and asks for nothing in most of them, is at work.
bool isWriting(const JobView &job, const TurnsOf &turns) {
    std::uint64_t writes = 0;
    std::uint64_t questions = 0;
    std::uint64_t most = 0;
    for (const auto &[path, number] : turns) {
        const MpiCall &call = job.calls[path];
        // MPI_Win_sync is for looking into the rank's own window.
        const bool asks = call.isPoll() || (call.accessesWindow && !call.onlyWrites) || call.function == MpiFunction::WinSync;
        writes = std::max(writes, call.onlyWrites ? number : 0);
        questions = std::max(questions, asks ? number : 0);
        most = std::max(most, number);
    }
    return writes > most / 2 && questions <= most / 2;
}

bool isOfSeveral(const Trace &trace, const CollectiveKind &kind) {
    return kind.communicator == none || !trace.communicators[kind.communicator].isSelf;
}

std::uint64_t pollsOf(const LocationEvents &events, std::uint32_t row) {
    const auto run = std::ranges::lower_bound(events.polls, row, {}, &PollRun::row);
    return run != events.polls.end() && run->row == row ? std::max<std::uint64_t>(run->count, 1) : 1;
}

/// True if the open call concerns other ranks.
bool awaitsOthers(const JobView &job, Rank rank) {
    const OpenCall &open = job.open(rank);
    const bool isOfSeveral = open.isCollective && (open.collective.communicator == none ||
                                                   !job.trace.communicators[open.collective.communicator].isSelf);
    const bool isOther = job.activity(rank).kind == Activity::Kind::Collective && !open.isCollective;
    return !open.receives.empty() || !open.sends.empty() || isOfSeveral || isOther;
}

/// The most turns of the call that the rank made between two exchanges with others before `row`: work with such calls in it has
/// its length, counted in turns also where the machine is slow.
std::uint64_t mostTurnsBefore(const Trace &trace, const Location &location, std::uint32_t row, CallPathId path) {
    const LocationEvents &events = location.events;
    const Track &track = events.track;
    std::uint64_t most = 0;
    std::uint64_t turns = 0;
    Tick stretch = openEnd; // begin of the one that is counted
    for (std::uint32_t seen = 0; row-- > 0 && seen < mostLoopRows; ++seen) {
        if (stretch == openEnd || track.start[row] <= stretch) {
            stretch = lastCommunication(trace, location, track.start[row]);
            turns = 0;
        }
        turns += track.callPath[row] == path ? pollsOf(events, row) : 0;
        most = std::max(most, turns);
    }
    return most;
}

/// The turns of a loop: from the begin of the first to the end of the last one, and the time in their calls.
struct Turns {
    Tick first = 0;
    Tick last = 0;
    Tick inside = 0;
    std::uint64_t number = 0;
};

/// Who asks again and again does little in between; work takes longer.
bool doesLittleBetween(const Trace &trace, const Turns &turns) {
    constexpr double longest = 100e-6; // seconds between two turns, on average. Assumed: a poll and a look at its result
    const double between =
        trace.seconds(turns.last) - trace.seconds(turns.first) - (trace.seconds(turns.inside) - trace.seconds(0));
    return between / static_cast<double>(turns.number) <= longest;
}

/// What came after the last turn is another matter.
bool isOver(const JobView &job, const Turns &turns) {
    constexpr double longestAfter = 0.1; // as a share of the time since the first turn
    const double at = job.trace.seconds(job.state.at);
    return at - job.trace.seconds(turns.last) > longestAfter * (at - job.trace.seconds(turns.first));
}

/// Recordings tell what a call is for; and who is known to wait for others makes no turns.
bool mayLoop(const JobView &job, Rank rank) {
    return job.trace.tellsOpenCalls && !job.trace.isSummary && job.location(rank) < job.trace.locations.size() &&
           !(job.isInMpi(rank) && awaitsOthers(job, rank));
}

/// Rows of the outermost MPI calls, the latest first.
std::vector<std::uint32_t> latestCalls(const JobView &job, const Track &track) {
    std::vector<std::uint32_t> rows;
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), job.state.at);
    auto row = static_cast<std::uint32_t>(entered - track.start.begin());
    for (std::uint32_t seen = 0; row-- > 0 && seen < mostLoopRows; ++seen)
        if (isOutermostMpi(job.trace, track, row))
            rows.push_back(row);
    return rows;
}

/// Calls of a loop in a row.
struct Run {
    TurnsOf turns;
    Tick since = 0; ///< the end of the call before
    [[nodiscard]] std::uint64_t most() const {
        std::uint64_t most = 0;
        for (const auto &[path, number] : turns)
            most = std::max(most, number);
        return most;
    }
};

/// The latest first; `rows` as latestCalls gives them.
std::vector<Run> runsOf(const LocationEvents &events, const std::vector<std::uint32_t> &rows,
                        const std::set<CallPathId> &inLoop) {
    std::vector<Run> runs(1);
    bool isIn = true;
    for (const std::uint32_t row : rows) {
        const CallPathId path = events.track.callPath[row];
        const bool wasIn = isIn;
        isIn = inLoop.contains(path);
        if (wasIn && !isIn)
            runs.back().since = events.track.end[row];
        if (!wasIn && isIn)
            runs.emplace_back();
        if (isIn)
            runs.back().turns[path] += pollsOf(events, row);
    }
    return runs;
}

/// Begin of the outermost call of MPI that the rank made last; `openEnd` if it made none.
Tick lastCallOf(const JobView &job, Rank rank) {
    const LocationIndex location = job.location(rank);
    if (location >= job.trace.locations.size())
        return openEnd;
    const Track &track = job.trace.locations[location].events.track;
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), job.state.at);
    for (auto row = static_cast<std::uint32_t>(entered - track.start.begin()); row-- > 0;)
        if (isOutermostMpi(job.trace, track, row))
            return track.start[row];
    return openEnd;
}

/// From when on the calls that are made tell what the loop is: half of the time for which others have stood, or, where nobody
/// stands, the last quarter of the run.
Tick beginOfLook(const JobView &job, const RankSet &ranks) {
    constexpr double leastStanding = 0.02; // assumed; as a share of the run
    Tick oldest = job.state.at;
    for (const Rank rank : ranks)
        oldest = std::min(oldest, lastCallOf(job, rank));
    const Tick standing = job.state.at - oldest;
    const Tick run = job.state.at - std::min(job.state.at, job.trace.range.begin);
    return static_cast<double>(standing) < leastStanding * static_cast<double>(run) ? job.state.at - run / 4
                                                                                    : job.state.at - standing / 2;
}

/// The last row of calls of the loop, with what came before it.
std::optional<IdleLoop> endlessRowOf(const JobView &job, Rank rank, Tick look) {
    const LocationEvents &events = job.events(rank);
    const Track &track = events.track;
    const auto first = static_cast<std::uint32_t>(std::ranges::lower_bound(track.start, look) - track.start.begin());
    const auto entered = std::ranges::upper_bound(track.start, job.state.at) - track.start.begin();
    std::set<CallPathId> inLoop;
    for (std::uint32_t row = first; row < entered; ++row)
        if (isOutermostMpi(job.trace, track, row) && inLoop.insert(track.callPath[row]).second &&
            !mayIdle(job.calls[track.callPath[row]]))
            return std::nullopt;
    IdleLoop loop;
    loop.rank = rank;
    loop.mayWork = true;
    TurnsOf turns;
    Tick last = 0; // end of the call before
    const auto most = [&turns] {
        return turns.empty() ? 0 : std::ranges::max_element(turns, {}, [](const auto &entry) { return entry.second; })->second;
    };
    for (std::uint32_t row = 0; row < entered; ++row) {
        if (!isOutermostMpi(job.trace, track, row))
            continue;
        const CallPathId path = track.callPath[row];
        if (inLoop.contains(path)) {
            if (turns.empty())
                loop.since = last;
            turns[path] += pollsOf(events, row);
        } else if (!turns.empty()) {
            ++loop.rowsBefore;
            loop.mostBefore = std::max(loop.mostBefore, most());
            loop.longestBefore = std::max(loop.longestBefore, last - loop.since);
            turns.clear();
        }
        last = std::min(track.end[row], job.state.at);
    }
    loop.turns = most();
    loop.calls.assign(inLoop.begin(), inLoop.end());
    std::ranges::stable_sort(loop.calls, std::ranges::greater{}, [&](CallPathId path) { return turns[path]; });
    loop.calls.resize(std::min(loop.calls.size(), mostCalls));
    constexpr std::uint32_t fewestRows = 3; // as for habits (Judge)
    const bool isEndless = loop.rowsBefore >= fewestRows && loop.turns >= fewestTurns && loop.turns > farMore * loop.mostBefore;
    return isEndless && !isWriting(job, turns) && !isOver(job, {.first = loop.since, .last = last}) ? std::optional(loop)
                                                                                                    : std::nullopt;
}

/// Which of a communicator's members make such loops; found once for each communicator, as all of its members ask.
class LoopingMembers {
  public:
    LoopingMembers(const JobView &job, const std::vector<IdleLoop> &loops) : m_job(job), m_loops(loops) {}
    [[nodiscard]] bool contains(Rank rank) const { return std::ranges::binary_search(m_loops, rank, {}, &IdleLoop::rank); }
    struct Members {
        bool areSeveral = false;
        bool allLoop = false;
    };
    const Members &of(CommunicatorId communicator) {
        const auto [entry, isNew] = m_known.try_emplace(communicator);
        if (isNew) {
            const RankSet members = m_job.membersOf(communicator);
            entry->second = {members.size() > 1, std::ranges::all_of(members, [&](Rank each) { return contains(each); })};
        }
        return entry->second;
    }

  private:
    const JobView &m_job;
    const std::vector<IdleLoop> &m_loops;
    std::map<CommunicatorId, Members> m_known;
};

/// Whether the rank has exchanged something with others since its loop began; nothing if it has with one that makes no such loop.
std::optional<bool> exchangesAmong(const JobView &job, LoopingMembers &looping, const IdleLoop &loop) {
    bool hasPartner = false;
    for (const LocationIndex each : job.trace.processes[loop.rank].locations) {
        const LocationEvents &events = job.trace.locations[each].events;
        for (const MessageEnds *ends : {&events.sends, &events.receives})
            for (std::size_t i = ends->time.size(); i-- > 0 && ends->time[i] > loop.since;) {
                const Rank peer = events.envelopes[ends->envelope[i]].peer;
                if (!looping.contains(peer))
                    return std::nullopt;
                hasPartner |= peer != loop.rank;
            }
        for (std::size_t i = events.collectives.size(); i-- > 0 && events.collectives.end[i] > loop.since;) {
            const auto &members = looping.of(events.collectiveKinds[events.collectives.kind[i]].communicator);
            if (!members.allLoop)
                return std::nullopt;
            hasPartner |= members.areSeveral;
        }
    }
    return hasPartner;
}

/// True if these exchange with each other alone, each with one or more of them, or all with nobody; marks them as which.
bool areClosed(const JobView &job, std::vector<IdleLoop> &loops) {
    LoopingMembers looping(job, loops);
    for (IdleLoop &loop : loops) {
        const std::optional<bool> exchanges = exchangesAmong(job, looping, loop);
        if (!exchanges)
            return false;
        loop.isExchange = *exchanges;
    }
    return std::ranges::all_of(loops, [&](const IdleLoop &loop) { return loop.isExchange == loops.front().isExchange; });
}

} // namespace

Tick lastCommunication(const Trace &trace, const Location &location, Tick at) {
    const LocationEvents &events = location.events;
    Tick last = 0;
    for (const MessageEnds *ends : {&events.sends, &events.receives}) {
        auto i = static_cast<std::size_t>(std::upper_bound(ends->time.begin(), ends->time.end(), at) - ends->time.begin());
        while (i-- > 0 && ends->time[i] > last)
            if (events.envelopes[ends->envelope[i]].peer != location.rank)
                last = ends->time[i];
    }
    const CollectiveCalls &calls = events.collectives;
    auto i = static_cast<std::size_t>(std::upper_bound(calls.end.begin(), calls.end.end(), at) - calls.end.begin());
    while (i-- > 0 && calls.end[i] > last) {
        if (isOfSeveral(trace, events.collectiveKinds[calls.kind[i]]))
            last = calls.end[i];
    }
    return last;
}

void addCommunications(const Trace &trace, const Location &location, Tick until, std::vector<Tick> &times) {
    const LocationEvents &events = location.events;
    for (const MessageEnds *ends : {&events.sends, &events.receives})
        for (std::size_t i = 0; i < ends->time.size() && ends->time[i] <= until; ++i)
            if (events.envelopes[ends->envelope[i]].peer != location.rank)
                times.push_back(ends->time[i]);
    for (std::size_t i = 0; i < events.collectives.size() && events.collectives.end[i] <= until; ++i)
        if (isOfSeveral(trace, events.collectiveKinds[events.collectives.kind[i]]))
            times.push_back(events.collectives.end[i]);
}

std::optional<IdleLoop> idleRunOf(const JobView &job, Rank rank) {
    if (!mayLoop(job, rank))
        return std::nullopt;
    const LocationEvents &events = job.events(rank);
    const Track &track = events.track;
    const std::vector<std::uint32_t> rows = latestCalls(job, track);
    // Calls; assumed: a loop that asks has fewer in it. This and `farMore`, halved or doubled together, change none of 249
    // verdicts (bench/README.md, "What hangs on three constants").
    constexpr std::size_t lastTurns = 32;
    if (rows.size() <= lastTurns)
        return std::nullopt;
    std::set<CallPathId> inLoop;
    for (std::size_t i = 0; i < lastTurns; ++i)
        inLoop.insert(track.callPath[rows[i]]);
    if (!std::ranges::all_of(inLoop, [&](CallPathId path) { return mayIdle(job.calls[path]); }))
        return std::nullopt;
    std::vector<Run> runs = runsOf(events, rows, inLoop);
    IdleLoop loop;
    loop.rank = rank;
    loop.calls.assign(inLoop.begin(), inLoop.end());
    std::ranges::stable_sort(loop.calls, std::ranges::greater{}, [&](CallPathId path) { return runs.front().turns[path]; });
    loop.calls.resize(std::min(loop.calls.size(), mostCalls));
    loop.turns = runs.front().most();
    loop.since = runs.front().since;
    loop.mayWork = true;
    for (const LocationIndex each : job.trace.processes[rank].locations)
        if (lastCommunication(job.trace, job.trace.locations[each], job.state.at) > loop.since)
            return std::nullopt;
    std::uint64_t most = 0;
    for (std::size_t i = 1; i < runs.size(); ++i)
        most = std::max(most, runs[i].most());
    const Turns turns{.first = loop.since, .last = std::min(track.end[rows.front()], job.state.at)};
    const bool isIdle = most != 0 && loop.turns >= fewestTurns && loop.turns > farMore * most && !isOver(job, turns) &&
                        !isWriting(job, runs.front().turns);
    return isIdle ? std::optional(loop) : std::nullopt;
}

std::vector<IdleLoop> endlessLoopsOf(const JobView &job) {
    std::vector<IdleLoop> loops;
    RankSet live;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (job.activity(rank).kind != Activity::Kind::Finished)
            live.push_back(rank);
    if (!job.trace.tellsOpenCalls || job.trace.isSummary || job.trace.part.ranks || job.trace.part.time)
        return loops;
    const Tick look = beginOfLook(job, live);
    constexpr double latest = 0.1; // of the time that is looked at: as for what came after the last turn
    const auto moves = [&](Rank rank) {
        const Tick last = lastCallOf(job, rank);
        return last != openEnd && static_cast<double>(job.state.at - last) <= latest * static_cast<double>(job.state.at - look);
    };
    for (const Rank rank : live) {
        if (job.activity(rank).kind == Activity::Kind::Unknown)
            return {};
        if (moves(rank)) {
            std::optional<IdleLoop> loop = endlessRowOf(job, rank, look);
            if (!loop)
                return {};
            loops.push_back(std::move(*loop));
        } else if (!job.isInMpi(rank) || !awaitsOthers(job, rank))
            return {};
    }
    return areClosed(job, loops) ? loops : std::vector<IdleLoop>();
}

std::optional<CallsShort> onlyShortOfCalls(const JobView &job, const std::vector<IdleLoop> &loops) {
    constexpr std::size_t fewestOthers = 2;      // of two ranks, either may be the odd one
    constexpr std::size_t mostNumbers = 1 << 20; // of all ranks and paths
    if (loops.size() <= fewestOthers)
        return std::nullopt;
    std::map<CallPathId, std::vector<std::uint32_t>> times; // by path, of each of these ranks
    for (std::size_t i = 0; i < loops.size(); ++i) {
        if (job.trace.processes[loops[i].rank].eventsFrom != 0 || job.trace.isDamaged(loops[i].rank))
            return std::nullopt;
        const Track &track = job.events(loops[i].rank).track;
        for (std::uint32_t row = 0; row < track.size() && track.start[row] <= loops[i].since; ++row)
            if (isOutermostMpi(job.trace, track, row) &&
                std::ranges::find(loops[i].calls, track.callPath[row]) == loops[i].calls.end()) {
                ++times.try_emplace(track.callPath[row], loops.size(), 0U).first->second[i];
                if (times.size() * loops.size() > mostNumbers)
                    return std::nullopt;
            }
    }
    std::optional<CallsShort> only;
    for (const auto &[path, counts] : times) {
        const auto least = std::ranges::min_element(counts);
        const auto odd = static_cast<std::size_t>(least - counts.begin());
        const bool areAlike =
            std::ranges::all_of(counts, [&](const std::uint32_t &each) { return &each == &*least || each == *least + 1; });
        if (!areAlike)
            continue;
        if (only && only->rank != loops[odd].rank)
            return std::nullopt;
        if (!only || *least > only->times)
            only = {.rank = loops[odd].rank, .callPath = path, .times = *least};
    }
    return only;
}

std::optional<IdleLoop> idleLoopOf(const JobView &job, Rank rank) {
    const LocationIndex location = job.location(rank);
    if (!mayLoop(job, rank))
        return std::nullopt;
    IdleLoop loop;
    loop.rank = rank;
    for (const LocationIndex each : job.trace.processes[rank].locations)
        loop.since = std::max(loop.since, lastCommunication(job.trace, job.trace.locations[each], job.state.at));
    const LocationEvents &events = job.trace.locations[location].events;
    const Track &track = events.track;
    TurnsOf turns;
    Turns all{.first = job.state.at};
    const auto entered = std::upper_bound(track.start.begin(), track.start.end(), job.state.at);
    auto row = static_cast<std::uint32_t>(entered - track.start.begin());
    loop.isCut = job.trace.processes[rank].eventsFrom > loop.since;
    for (std::uint32_t seen = 0; row-- > 0 && track.start[row] > loop.since; ++seen) {
        loop.isCut |= seen == mostLoopRows;
        if (seen == mostLoopRows)
            break;
        if (!isOutermostMpi(job.trace, track, row))
            continue;
        const MpiCall &call = job.calls[track.callPath[row]];
        if (!mayIdle(call)) {
            loop.since = track.end[row]; // a step: what came before it is another matter
            break;
        }
        loop.asksOthers |= call.ofWindow || call.accessesWindow || call.function == MpiFunction::RequestGetStatus;
        turns[track.callPath[row]] += pollsOf(events, row);
        const Tick end = std::min(track.end[row], job.state.at);
        all.last = std::max(all.last, end);
        all.first = track.start[row];
        all.inside += end - std::min(end, track.start[row]);
    }
    for (const auto &[path, count] : turns) {
        loop.calls.push_back(path);
        loop.turns = std::max(loop.turns, count);
    }
    std::ranges::stable_sort(loop.calls, std::ranges::greater{}, [&](CallPathId path) { return turns[path]; });
    loop.calls.resize(std::min(loop.calls.size(), mostCalls));
    all.number = loop.turns;
    if (loop.turns < fewestTurns || isOver(job, all) || isWriting(job, turns))
        return std::nullopt;
    loop.mayWork = !doesLittleBetween(job.trace, all);
    constexpr std::uint64_t unlike = 2; // times as many as ever before, as for the time (analysis/verdict/Overdue)
    const auto first = std::upper_bound(track.start.begin(), track.start.end(), loop.since);
    const auto before = static_cast<std::uint32_t>(first - track.start.begin());
    const std::uint64_t most = mostTurnsBefore(job.trace, job.trace.locations[location], before, loop.calls.front());
    // Turns that are long for want of a processor are few: whether the loop takes too long, its time tells then.
    return (loop.mayWork ? most == 0 : loop.turns <= unlike * most) ? std::nullopt : std::optional(loop);
}

} // namespace laggard
