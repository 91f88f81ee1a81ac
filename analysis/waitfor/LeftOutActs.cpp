// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LeftOutActs.h"

#include "analysis/waitfor/ReceivedMessages.h"

#include <algorithm>
#include <functional>
#include <map>

namespace laggard {
namespace {

using What = LeftOutAct::What;

constexpr std::size_t mostRounds = 16;   ///< assumed: older ones may be of another part of the program
constexpr std::size_t fewestRounds = 2;  ///< one round is no habit
constexpr std::size_t mostDebtors = 256; ///< each costs a look at its calls

/// The rounds of a rank: the calls that it made at the call path of its open one or, where these are too few, of its last one
/// before; the latest, in order.
struct Rounds {
    const LocationEvents *events = nullptr;
    std::uint32_t open = none; ///< row of the open call
    std::vector<std::uint32_t>
        rows; ///< rows of the calls between which the rounds lie; what follows the last one is a round as well …
    bool isLastClosed = false;     ///< … unless this is set: what was done since then counts to the last one
    bool isFirstOfItsKind = false; ///< the open call is the first at its path
    [[nodiscard]] std::size_t earlier() const {
        const std::size_t last = isLastClosed ? 2 : 1;
        return rows.size() < last ? 0 : rows.size() - last;
    }
};

std::vector<std::uint32_t> latestAt(const Track &track, CallPathId path, std::uint32_t before) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = before; row-- > 0 && rows.size() <= mostRounds;)
        if (track.callPath[row] == path)
            rows.push_back(row);
    std::ranges::reverse(rows);
    return rows;
}

/// The last MPI call before the open one; `none` if there is none near.
std::uint32_t callBefore(const JobView &job, const Track &track, std::uint32_t open) {
    constexpr std::uint32_t near = 4096; // rows: functions may have been recorded between
    for (std::uint32_t row = open; row-- > 0 && open - row < near;)
        if (job.trace.region(track.callPath[row]).isMpi())
            return row;
    return none;
}

Rounds roundsOf(const JobView &job, Rank rank) {
    Rounds rounds;
    rounds.open = job.openRow(rank);
    if (rounds.open == none)
        return rounds;
    rounds.events = &job.events(rank);
    const Track &track = rounds.events->track;
    rounds.rows = latestAt(track, track.callPath[rounds.open], rounds.open);
    rounds.isFirstOfItsKind = rounds.rows.empty();
    if (rounds.earlier() >= fewestRounds)
        return rounds;
    if (const std::uint32_t before = callBefore(job, track, rounds.open); before != none) {
        rounds.rows = latestAt(track, track.callPath[before], rounds.open);
        rounds.isLastClosed = true;
    }
    return rounds;
}

/// What a rank owes: how often it was done between two moments, and by which call it was done last before a moment.
struct Act {
    What what = What::Send;
    Rank creditor = none;
    /// For acts that the open call itself does as it begins (sends): a round ends as the call returns. Else as it is entered.
    bool isDoneOnEntry = false;
    std::function<std::uint32_t(Tick, Tick)> count{}; ///< after the first, up to the second
    std::function<CallPathId(Tick)> lastCallBefore{};
};

/// How often an act was done in each round, and in the one that counts.
struct Habit {
    std::size_t rounds = 0;  ///< the others
    std::uint32_t least = 0; ///< in any of them
    std::uint32_t now = 0;
    [[nodiscard]] bool isBroken() const { return rounds >= fewestRounds && now < least; }
};

Habit habitOf(const Rounds &rounds, const Act &act, Tick at) {
    const Track &track = rounds.events->track;
    const auto edge = [&](std::uint32_t row) { return act.isDoneOnEntry ? track.end[row] : track.start[row]; };
    const Tick last = act.isDoneOnEntry ? at : track.start[rounds.open];
    std::vector<std::uint32_t> counts;
    for (std::size_t i = 0; i + 1 < rounds.rows.size(); ++i)
        counts.push_back(act.count(edge(rounds.rows[i]), edge(rounds.rows[i + 1])));
    if (!rounds.rows.empty()) {
        const std::uint32_t since = act.count(edge(rounds.rows.back()), last);
        if (rounds.isLastClosed && !counts.empty())
            counts.back() += since;
        else
            counts.push_back(since);
    }
    if (counts.size() <= fewestRounds)
        return {};
    // Who goes on after it has left something out shows that in an earlier round, and is one short for good. What was not done in
    // the first round may have begun later, with a new neighbour.
    if (const auto odd = std::ranges::min_element(counts.rbegin(), counts.rend()).base() - 1; odd != counts.begin())
        std::swap(*odd, counts.back());
    return {counts.size() - 1, *std::min_element(counts.begin(), counts.end() - 1), counts.back()};
}

/// The acts that a wait shows its debtors to owe.
class Owed {
  public:
    explicit Owed(const JobView &job) : m_job(job) {}

    /// Acts of `debtor`, any of which is the one that the wait is for: with the more special first.
    [[nodiscard]] std::vector<Act> actsOf(const Wait &wait, Rank debtor, Rank creditor) const {
        switch (wait.kind) {
        case Wait::Kind::PointToPoint:
            return wait.isSend ? std::vector{received(debtor, creditor)} : sent(wait, debtor, creditor);
        case Wait::Kind::Collective:
            return wait.communicator == none ? std::vector<Act>() : std::vector{collective(wait.communicator, debtor, creditor)};
        case Wait::Kind::OneSided:
            return epochEnds(debtor, creditor);
        case Wait::Kind::FileLock:
            return {}; // how often it is given back is not recorded
        }
        return {};
    }

  private:
    using Accept = std::function<bool(const Envelope &)>;

    [[nodiscard]] Act message(What what, Rank debtor, Rank creditor, Accept accept) const {
        const auto endsOf = [what](const LocationEvents &events) -> const MessageEnds & {
            return what == What::Send ? events.sends : events.receives;
        };
        Act act{.what = what, .creditor = creditor, .isDoneOnEntry = what == What::Send};
        act.count = [this, debtor, accept, endsOf](Tick from, Tick to) {
            std::uint32_t count = 0;
            for (const LocationIndex location : m_job.trace.processes[debtor].locations) {
                const LocationEvents &events = m_job.trace.locations[location].events;
                const MessageEnds &ends = endsOf(events);
                auto time = std::upper_bound(ends.time.begin(), ends.time.end(), from);
                for (; time != ends.time.end() && *time <= to; ++time)
                    count += accept(events.envelopes[ends.envelope[static_cast<std::size_t>(time - ends.time.begin())]]) ? 1 : 0;
            }
            return count;
        };
        act.lastCallBefore = [this, what, debtor, accept, endsOf](Tick before) {
            CallPathId call = none;
            Tick last = 0; // of any thread
            for (const LocationIndex location : m_job.trace.processes[debtor].locations) {
                const LocationEvents &events = m_job.trace.locations[location].events;
                const MessageEnds &ends = endsOf(events);
                for (auto i = static_cast<std::size_t>(std::ranges::lower_bound(ends.time, before) - ends.time.begin());
                     i-- > 0 && ends.time[i] >= last;)
                    if (accept(events.envelopes[ends.envelope[i]])) {
                        call = what == What::Send ? callAt(events.track, ends.time[i])
                                                  : receivingCall(events, static_cast<std::uint32_t>(i));
                        last = ends.time[i];
                        break;
                    }
            }
            return call;
        };
        return act;
    }

    [[nodiscard]] std::vector<Act> sent(const Wait &wait, Rank debtor, Rank creditor) const {
        CommunicatorId communicator = none;
        for (const ExpectedReceive &each : m_job.open(creditor).receives)
            if (each.from == debtor)
                communicator = each.communicator;
        const auto isTo = [=](const Envelope &e) {
            return e.peer == creditor && (communicator == none || e.communicator == communicator);
        };
        std::vector<Act> acts;
        if (const std::uint32_t tag = wait.tag; tag != none)
            acts.push_back(message(What::Send, debtor, creditor, [=](const Envelope &e) { return isTo(e) && e.tag == tag; }));
        acts.push_back(message(What::Send, debtor, creditor, isTo));
        return acts;
    }

    [[nodiscard]] Act received(Rank debtor, Rank creditor) const {
        return message(What::Receive, debtor, creditor, [=](const Envelope &e) { return e.peer == creditor; });
    }

    [[nodiscard]] Act collective(CommunicatorId communicator, Rank debtor, Rank creditor) const {
        const LocationEvents &events = m_job.events(debtor);
        const auto isOn = [&events, communicator](std::size_t i) {
            return events.collectiveKinds[events.collectives.kind[i]].communicator == communicator;
        };
        Act act{.what = What::Collective, .creditor = creditor};
        act.count = [&events, isOn](Tick from, Tick to) {
            const auto &ends = events.collectives.end;
            std::uint32_t count = 0;
            auto i = static_cast<std::size_t>(std::ranges::upper_bound(ends, from) - ends.begin());
            for (; i < ends.size() && ends[i] <= to; ++i)
                count += isOn(i) ? 1 : 0;
            return count;
        };
        act.lastCallBefore = [this, &events, isOn](Tick before) {
            const auto &ends = events.collectives.end;
            for (auto i = static_cast<std::size_t>(std::ranges::upper_bound(ends, before) - ends.begin()); i-- > 0;)
                if (isOn(i)) {
                    // The call that began it: what completes it is made all the same, perhaps for no request.
                    const std::uint32_t row = events.collectives.row[i];
                    const CallPathId began = row == none ? CallPathId{none} : events.track.callPath[row];
                    return began != none && !m_job.calls[began].isWait() && !m_job.calls[began].isPoll()
                               ? began
                               : callAt(events.track, std::max<Tick>(ends[i], 1) - 1); // within the call, which ends then
                }
            return CallPathId{none};
        };
        return act;
    }

    /// The call of the debtor for which the creditor's call waits (MPI 3.1 §11.5).
    static MpiFunction endingCall(MpiFunction waiting) {
        switch (waiting) {
        case MpiFunction::WinWait:
        case MpiFunction::WinTest:
            return MpiFunction::WinComplete;
        case MpiFunction::WinStart:
        case MpiFunction::WinComplete:
            return MpiFunction::WinPost;
        default:
            return MpiFunction::WinUnlock;
        }
    }

    [[nodiscard]] std::vector<Act> epochEnds(Rank debtor, Rank creditor) const {
        const MpiFunction ending = endingCall(m_job.calls[m_job.state.tasks[creditor].mpiPath].function);
        const Track &track = m_job.events(debtor).track;
        const auto isOne = [this, &track, ending](std::uint32_t row) {
            return m_job.calls[track.callPath[row]].function == ending;
        };
        const auto firstAfter = [&track](Tick time) {
            return static_cast<std::uint32_t>(std::ranges::upper_bound(track.start, time) - track.start.begin());
        };
        Act act{.what = What::Call, .creditor = creditor};
        act.count = [&track, isOne, firstAfter](Tick from, Tick to) {
            std::uint32_t count = 0;
            for (std::uint32_t row = firstAfter(from); row < track.size() && track.start[row] <= to; ++row)
                count += isOne(row) ? 1 : 0;
            return count;
        };
        act.lastCallBefore = [&track, isOne, firstAfter](Tick before) {
            for (std::uint32_t row = firstAfter(before); row-- > 0;)
                if (isOne(row))
                    return track.callPath[row];
            return CallPathId{none};
        };
        return {act};
    }

    static CallPathId callAt(const Track &track, Tick time) {
        const std::uint32_t row = track.innermostAt(time);
        return row == none ? none : track.callPath[row];
    }

    const JobView &m_job;
};

class ActFinder {
  public:
    ActFinder(const JobView &job, const std::vector<Wait> &waits, const RankSet &members)
        : m_job(job), m_waits(waits), m_members(members), m_owed(job) {}

    std::vector<LeftOutAct> find() {
        std::vector<LeftOutAct> acts;
        RankSet debtors;
        for (const Wait &wait : m_waits)
            if (isWithin(wait))
                std::ranges::copy_if(wait.on, std::back_inserter(debtors), [&](Rank rank) { return contains(m_members, rank); });
        std::ranges::sort(debtors);
        debtors.erase(std::unique(debtors.begin(), debtors.end()), debtors.end());
        if (debtors.size() > mostDebtors)
            return acts;
        for (const Rank debtor : debtors)
            if (const std::optional<LeftOutAct> act = leftOutBy(debtor))
                acts.push_back(*act);
        return acts;
    }

    /// Nothing where some debtor has no habit that tells whether it owes the message.
    [[nodiscard]] std::optional<LeftOutAct> onlyOneOf(const Wait &wait) const {
        std::optional<LeftOutAct> only;
        for (const Rank debtor : wait.on) {
            const Rounds rounds = roundsOf(m_job, debtor);
            if (rounds.open == none)
                return std::nullopt;
            bool isKnown = false;
            for (const Act &act : m_owed.actsOf(wait, debtor, wait.waiters.front())) {
                const Habit habit = habitOf(rounds, act, m_job.state.at);
                if (isKnown || habit.rounds < fewestRounds || habit.least == 0)
                    continue;
                isKnown = true;
                const bool hasStrayed = rounds.isFirstOfItsKind && m_job.activity(debtor).kind == Activity::Kind::PointToPoint;
                if (!habit.isBroken() && hasStrayed)
                    return std::nullopt; // to where it never was: it may be that one
                if (!habit.isBroken())
                    continue;
                if (only || hasGotAnotherKindLast(m_job, debtor, wait.waiters.front()))
                    return std::nullopt;
                only = made(act, debtor, habit.rounds, wait, act.lastCallBefore(rounds.events->track.start[rounds.open]),
                            wait.confidence);
            }
            if (!isKnown)
                return std::nullopt;
        }
        return only;
    }

  private:
    /// Waits of members, for ranks of which each one is needed.
    [[nodiscard]] bool isWithin(const Wait &wait) const {
        return (!wait.anyOf || wait.on.size() == 1) && wait.mismatch == Wait::Mismatch::None &&
               std::ranges::any_of(wait.waiters, [&](Rank rank) { return contains(m_members, rank); });
    }

    [[nodiscard]] std::optional<LeftOutAct> leftOutBy(Rank debtor) const {
        const Rounds rounds = roundsOf(m_job, debtor);
        if (rounds.open == none)
            return std::nullopt;
        const Tick began = rounds.events->track.start[rounds.open];
        for (const Wait &wait : m_waits) {
            if (!isWithin(wait) || !std::ranges::binary_search(wait.on, debtor))
                continue;
            const auto creditor = std::ranges::find_if(wait.waiters, [&](Rank rank) { return contains(m_members, rank); });
            for (const Act &act : m_owed.actsOf(wait, debtor, *creditor)) {
                const Habit habit = habitOf(rounds, act, m_job.state.at);
                if (habit.isBroken())
                    return made(act, debtor, habit.rounds, wait, act.lastCallBefore(began), wait.confidence);
                if (habit.rounds >= fewestRounds && habit.least != 0)
                    break; // it does this, and has done it
            }
        }
        return rounds.isFirstOfItsKind ? hasLeftItsRounds(debtor, began) : std::nullopt;
    }

    /// The call is the debtor's first of this kind, while those that wait for what it did again and again are in calls that they
    /// have made before.
    [[nodiscard]] std::optional<LeftOutAct> hasLeftItsRounds(Rank debtor, Tick began) const {
        RankSet creditors;
        std::optional<LeftOutAct> left;
        for (const Wait &wait : m_waits) {
            if (!isWithin(wait) || !std::ranges::binary_search(wait.on, debtor))
                continue;
            for (const Rank creditor : wait.waiters)
                if (contains(m_members, creditor) && roundsOf(m_job, creditor).rows.size() >= fewestRounds)
                    creditors.push_back(creditor);
            for (const Act &act : m_owed.actsOf(wait, debtor, wait.waiters.front()))
                if (const std::uint32_t times = act.count(0, began); !left && times >= fewestRounds) {
                    left = made(act, debtor, times, wait, act.lastCallBefore(began), 1);
                    left->isOver = true;
                    left->isForOthers = wait.kind == Wait::Kind::OneSided && times >= timesAsked(wait.waiters.front());
                }
        }
        // Those that wait for the creditors are held up by the same, if they are where they usually wait.
        for (const Rank member : m_members)
            if (!creditors.empty() && member != debtor && std::ranges::find(creditors, member) == creditors.end() &&
                roundsOf(m_job, member).rows.size() >= fewestRounds && !roundsOf(m_job, member).isFirstOfItsKind)
                creditors.push_back(member);
        constexpr double leftItsRounds = 0.7; // assumed: the others may have gone round once too often
        if (!left || creditors.size() < fewestRounds)
            return std::nullopt;
        left->confidence = leftItsRounds;
        return left;
    }

    /// How often the rank has made calls such as its open one, that one included.
    [[nodiscard]] std::uint32_t timesAsked(Rank rank) const {
        const MpiFunction asking = m_job.mpiCall(rank).function;
        const Track &track = m_job.events(rank).track;
        return static_cast<std::uint32_t>(
            std::ranges::count_if(track.callPath, [&](CallPathId path) { return m_job.calls[path].function == asking; }));
    }

    static LeftOutAct made(const Act &act, Rank debtor, std::size_t rounds, const Wait &wait, CallPathId path, double waits) {
        const auto n = static_cast<double>(rounds);
        return {.what = act.what,
                .debtor = debtor,
                .creditor = act.creditor,
                .callPath = path,
                .rounds = static_cast<std::uint32_t>(rounds),
                .tag = wait.tag,
                .confidence = waits * (n + 1) / (n + 2)};
    }

    const JobView &m_job;
    const std::vector<Wait> &m_waits;
    const RankSet &m_members;
    Owed m_owed;
};

std::optional<LeftOutAct> leftOutStart(const JobView &job, Rank rank) {
    const Rounds rounds = roundsOf(job, rank);
    if (rounds.open == none || rounds.rows.size() <= fewestRounds)
        return std::nullopt;
    const Track &track = rounds.events->track;
    // In a call of its own, the round that counts ends with the last of the usual calls.
    std::vector<std::uint32_t> edges = rounds.rows;
    if (!rounds.isLastClosed)
        edges.push_back(rounds.open);
    std::map<CallPathId, std::vector<std::uint32_t>> counts;
    std::size_t round = 0;
    for (std::uint32_t row = edges.front(); row < edges.back(); ++row) {
        while (round + 1 < edges.size() && row >= edges[round + 1])
            ++round;
        const MpiCall &call = job.calls[track.callPath[row]];
        if (!call.startsRequest && !call.marksPartitions)
            continue;
        std::vector<std::uint32_t> &each = counts[track.callPath[row]];
        each.resize(edges.size() - 1, 0);
        ++each[round];
    }
    for (const auto &[path, each] : counts) {
        const std::uint32_t least = *std::min_element(each.begin(), each.end() - 1);
        if (each.size() > fewestRounds && each.back() < least) {
            const auto n = static_cast<double>(each.size() - 1);
            return LeftOutAct{.what = LeftOutAct::What::Call,
                              .debtor = rank,
                              .callPath = path,
                              .rounds = static_cast<std::uint32_t>(each.size() - 1),
                              .confidence = (n + 1) / (n + 2)};
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<LeftOutAct> onlyLeftOutStart(const JobView &job, const RankSet &among) {
    std::optional<LeftOutAct> only;
    if (job.trace.isSummary || among.size() > mostDebtors)
        return only;
    for (const Rank rank : among)
        if (const std::optional<LeftOutAct> act = leftOutStart(job, rank)) {
            if (only)
                return std::nullopt;
            only = act;
        }
    return only;
}

std::optional<LeftOutAct> startLeftOutOnce(const JobView &job, Rank debtor, CallPathId start, CallPathId completion) {
    const LocationEvents *events = job.trace.mainEvents(debtor);
    if (events == nullptr || job.trace.isSummary || job.trace.processes[debtor].eventsFrom != 0)
        return std::nullopt;
    const Track &track = events->track;
    std::uint32_t starts = 0; // since the last completion
    std::uint32_t rounds = 0;
    std::uint32_t without = none;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        starts += track.callPath[row] == start ? 1 : 0;
        if (track.callPath[row] != completion)
            continue;
        if (starts == 0 && without != none)
            return std::nullopt;
        if (starts == 0)
            without = row;
        else
            ++rounds;
        starts = 0;
    }
    if (without == none || rounds < fewestRounds)
        return std::nullopt;
    const auto n = static_cast<double>(rounds);
    return LeftOutAct{.what = LeftOutAct::What::Call,
                      .debtor = debtor,
                      .callPath = start,
                      .rounds = rounds,
                      .isOver = true,
                      .missed = track.start[without],
                      .confidence = (n + 1) / (n + 2)};
}

std::vector<LeftOutAct> leftOutActs(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    return job.trace.isSummary ? std::vector<LeftOutAct>() : ActFinder(job, waits, members).find();
}

std::optional<LeftOutAct> onlyLeftOutSend(const JobView &job, const Wait &wait) {
    if (job.trace.isSummary || wait.kind != Wait::Kind::PointToPoint || wait.isSend || wait.on.size() > mostDebtors)
        return std::nullopt;
    return ActFinder(job, {}, {}).onlyOneOf(wait);
}

} // namespace laggard
