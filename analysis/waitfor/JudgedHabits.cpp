// SPDX-License-Identifier: GPL-3.0-or-later
// What the waits do not tell: who keeps a lock, or a message, and who did something else than ever.
#include "analysis/waitfor/Judge.h"

#include "analysis/waitfor/HabitBreaks.h"
#include "analysis/waitfor/HeldLocks.h"
#include "analysis/waitfor/KeptMessages.h"
#include "analysis/waitfor/OddTag.h"
#include "analysis/waitfor/OwedAnswers.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace laggard {

bool Judge::isOfHabits() const {
    return m_verdict.kind == Kind::MissingSend || m_verdict.kind == Kind::LeftOut || m_verdict.kind == Kind::OddReceive ||
           m_verdict.kind == Kind::Misfit;
}

bool Judge::isPairOfDeadlock() const { return m_verdict.kind == Kind::Deadlock && m_verdict.ranks.size() == 2; }

bool Judge::holdsOthersUp(Rank rank) const {
    WaitEnd alone;
    alone.ranks = {rank};
    describeWaiting(m_job.size(), m_waits, alone);
    return alone.waiting != 0 || m_verdict.waiting == 0;
}

const HabitBreaks &Judge::habits() {
    if (!m_habits)
        m_habits.emplace(m_job, m_work);
    return *m_habits;
}

std::optional<HabitBreak> Judge::habitBreak() {
    if (isPairOfDeadlock())
        return habits().oddOf(m_verdict.ranks);
    std::optional<HabitBreak> odd = habits().odd();
    const bool isOfEnds = m_verdict.kind == Kind::Misfit && m_verdict.ranks.size() == 2; // one of the two is wrong
    return isOfEnds && !(odd && contains(m_verdict.ranks, odd->rank)) ? habits().oddOf(m_verdict.ranks) : odd;
}

void Judge::narrowTo(Rank rank, double confidence) {
    if (m_verdict.ranks.size() != 1) {
        nameTogether(m_verdict.kind, {rank}, confidence);
        std::erase_if(m_verdict.loops, [rank](const IdleLoop &loop) { return loop.rank != rank; });
    } else {
        m_verdict.confidence = std::max(m_verdict.confidence, confidence);
    }
}

void Judge::weighLocks() {
    std::optional<HeldLock> held = onlyHeldLock(m_job, m_waits);
    if (!held || !contains(m_verdict.ranks, held->holder) || m_verdict.kind == Kind::Mismatch)
        return;
    // Where it is not known how it used the lock before, what somebody else did as never before tells more.
    if (held->takenBy == none)
        if (const std::optional<HabitBreak> other = habits().odd(); other && other->rank != held->holder)
            return;
    narrowTo(held->holder, held->confidence);
    m_verdict.why = describeRankSet({held->holder}) + " keeps a lock for which " + describeRankSet(held->waiters) +
                    (held->waiters.size() == 1 ? " waits" : " wait") + "; " + waitingClause();
    m_verdict.heldLock = std::move(held);
}

bool Judge::weighKept() {
    if (m_verdict.kind == Kind::Finished || m_verdict.kind == Kind::Mismatch || m_verdict.heldLock || m_verdict.habitBreak)
        return false;
    const bool isOne = m_verdict.ranks.size() == 1;
    const bool isSure = m_verdict.confidence >= agreed;
    if ((isOne && isSure) || isPairOfDeadlock())
        return false;
    std::optional<HabitBreak> kept = onlyKeptMessage(m_job, m_waits, m_verdict.loops, m_work);
    if (!kept)
        return false;
    const bool isNamed = contains(m_verdict.ranks, kept->rank);
    const bool mayBeAnother = !isSure && !isOfHabits();
    const bool isAsked = m_verdict.ranks.empty() || (isNamed && isOne) || awaitMessage(*kept);
    if ((!isNamed && !m_verdict.ranks.empty() && !mayBeAnother) || !isAsked || !holdsOthersUp(kept->rank))
        return false;
    // It may be at work on what it has.
    const double confidence = std::min(agreed, growing(m_job.trace.seconds(m_job.state.at) - m_job.trace.seconds(kept->time)));
    kept->amongst = m_verdict.ranks;
    kept->waiting = m_verdict.waiting;
    if (!isNamed) {
        const Tick since = m_verdict.ranks.empty() ? kept->time : std::max(m_verdict.since, kept->time);
        nameInstead(std::move(*kept), std::min(confidence, rather));
        m_verdict.since = since;
        return true;
    }
    narrowTo(kept->rank, confidence);
    m_verdict.why = isOne ? m_verdict.why : describe(*kept);
    m_verdict.habitBreak = std::move(*kept);
    return true;
}

bool Judge::weighAnswers() {
    const bool isOne = m_verdict.ranks.size() == 1;
    const bool isSure = m_verdict.confidence >= agreed;
    if (m_verdict.kind == Kind::Finished || m_verdict.kind == Kind::Mismatch || m_verdict.heldLock || m_verdict.habitBreak ||
        (isOne && isSure) || isPairOfDeadlock())
        return false;
    std::optional<MissingSend> owed = onlyOwedAnswer(m_job, m_waits, m_work);
    if (!owed || !holdsOthersUp(owed->from) || doing(owed->from) == Doing::Computing) // who computes may come to it
        return false;
    const Rank rank = owed->from;
    const bool isNamed = contains(m_verdict.ranks, rank);
    if (!isNamed && !m_verdict.ranks.empty() && (isSure || isOfHabits()))
        return false;
    // It may be at work on the answer.
    const double most = isNamed ? agreed : rather;
    owed->confidence =
        std::min({most, owed->confidence, growing(m_job.trace.seconds(m_job.state.at) - m_job.trace.seconds(owed->due))});
    if (isOne && isNamed && m_verdict.confidence >= owed->confidence)
        return false;
    const Tick since = m_verdict.ranks.empty() ? owed->due : std::max(m_verdict.since, owed->due);
    const bool everybodyWaits = m_verdict.everybodyWaits;
    const std::string why = owed->evidence;
    m_verdict = {};
    nameDebtor(std::move(*owed), why);
    m_verdict.since = since;
    m_verdict.everybodyWaits = everybodyWaits;
    return true;
}

bool Judge::awaitMessage(const HabitBreak &kept) const {
    return std::ranges::all_of(m_verdict.ranks, [&](Rank rank) {
        const bool isLooking = std::ranges::any_of(m_verdict.loops, [&](const IdleLoop &loop) {
            return loop.rank == rank && std::ranges::any_of(loop.calls, [&](CallPathId call) {
                       return m_job.calls[call].kind == MpiCall::Kind::ProbeOnce;
                   });
        });
        return rank == kept.rank || isLooking || std::ranges::any_of(m_waits, [&](const Wait &wait) {
                   return wait.kind == Wait::Kind::PointToPoint && !wait.isSend && contains(wait.waiters, rank) &&
                          (wait.tag == none || kept.usual.tag == none || wait.tag == kept.usual.tag);
               });
    });
}

void Judge::weighHabits() {
    const bool isOne = m_verdict.ranks.size() == 1;
    const bool isSure = m_verdict.confidence >= agreed;
    const bool isMismatch = m_verdict.kind == Kind::Mismatch;
    if (m_verdict.kind == Kind::Finished || m_verdict.ranks.empty() || m_verdict.heldLock || m_verdict.habitBreak ||
        ((isSure || isMismatch) && isOne))
        return;
    constexpr std::uint32_t striking = 10; // assumed: an end of a part of its own, or another way, by itself once in twelve
    std::optional<HabitBreak> odd = habitBreak();
    if (!odd || odd->share < rather || (!odd->isSharedCall && odd->times < striking))
        return;
    HabitBreak found = std::move(*odd);
    // Of two that wait for each other both are at hand, and what each misses is said; who only looks whether something has come
    // does not wait.
    const bool onlyLooks = m_job.isInMpi(found.rank) && m_job.mpiCall(found.rank).kind == MpiCall::Kind::ProbeOnce;
    const bool isOnlyBreak = m_job.size() > 2 && !haveExchangedSince(m_verdict.ranks, found.time) && found.share == 1 &&
                             found.times >= striking && found.isSharedCall && !found.isOneOfSeveral;
    if (isPairOfDeadlock() && !onlyLooks && !(isOnlyBreak && contains(m_verdict.ranks, found.rank)))
        return;
    if ((isMismatch && !isAwaitedByNamed(found.rank)) || !holdsOthersUp(found.rank))
        return;
    // A rank with a part of its own may have come to its end.
    // So has who is not the one whose message does not fit.
    const bool isOfAnother = m_verdict.misfit && m_verdict.misfit->from != found.rank && m_verdict.misfit->to != found.rank;
    const double most = !found.isSharedCall || isOfAnother ? either : found.share == 1 ? agreed : rather;
    found.amongst = m_verdict.ranks;
    found.waiting = m_verdict.waiting;
    if (!contains(m_verdict.ranks, found.rank)) {
        // By chance less than one of all ranks does so.
        const bool isNoChance = found.times >= striking && found.times + 2 > m_job.size() && !found.isOneOfSeveral;
        if (isNoChance && (most > m_verdict.confidence || (found.share == 1 && !isSure)))
            nameInstead(std::move(found), std::min(most, rather));
        return;
    }
    // That these hold each other up is sure. Everybody is no answer, and of the two ends of a message one is wrong.
    const bool tellsOne =
        m_verdict.kind == Kind::Misfit || isMismatch || isPairOfDeadlock() || m_verdict.ranks.size() == m_job.size();
    if ((isSure && (most == either || !tellsOne)) || (isOne && isOfHabits()))
        return;
    narrowTo(found.rank, isOne ? most : std::min(std::max(m_verdict.confidence, rather), most));
    if (!isOne && !isMismatch) // in what they disagree is said besides
        m_verdict.why = describe(found);
    m_verdict.habitBreak = std::move(found);
}

bool Judge::haveExchangedSince(const RankSet &ranks, Tick time) const {
    return std::ranges::any_of(ranks, [&](Rank rank) {
        const LocationEvents &events = m_job.events(rank);
        for (std::size_t i = events.receives.size(); i-- > 0 && events.receives.time[i] > time;)
            if (const Rank peer = events.envelopes[events.receives.envelope[i]].peer;
                events.receives.time[i] <= m_job.state.at && peer != rank && contains(ranks, peer))
                return true;
        return false;
    });
}

void Judge::narrowBy(HabitBreak odd, double confidence) {
    odd.amongst = m_verdict.ranks;
    odd.waiting = m_verdict.waiting;
    narrowTo(odd.rank, confidence);
    m_verdict.why = describe(odd);
    m_verdict.habitBreak = std::move(odd);
}

void Judge::weighTagSteps() {
    if (isPairOfDeadlock() && !m_verdict.habitBreak) {
        // Who goes on by another step may be right, and the other one have missed the change.
        if (std::optional<HabitBreak> odd = oddOfTwoByTagStep(m_job, m_waits, m_verdict.ranks))
            narrowBy(std::move(*odd), rather);
        return;
    }
    if (m_verdict.kind != Kind::Misfit || m_verdict.ranks.size() != 2 || !m_verdict.misfit)
        return;
    const std::optional<Rank> odd = oddEndByTagStep(m_job, *m_verdict.misfit);
    if (!odd)
        return;
    const std::string why = m_verdict.why + "; the tags of " + describeRankSet({*odd}) +
                            " went from one to the next otherwise each time before, and those of the other end still do";
    nameTogether(Kind::Misfit, {*odd}, std::min(m_verdict.confidence, either));
    m_verdict.why = why;
}

bool Judge::isAwaitedByNamed(Rank rank) const {
    return contains(m_verdict.ranks, rank) && std::ranges::all_of(m_verdict.ranks, [&](Rank other) {
               return other == rank || std::ranges::any_of(m_waits, [&](const Wait &wait) {
                          return wait.kind == Wait::Kind::Collective && wait.mismatch == Wait::Mismatch::None &&
                                 wait.on == RankSet{rank} && contains(wait.waiters, other);
                      });
           });
}

std::string Judge::describe(const HabitBreak &habit) const {
    if (habit.isKept)
        return describeRankSet({habit.rank}) + " has a message of " + describeRankSet({habit.did.peer}) + " (tag " +
               std::to_string(habit.did.tag) + ") that it has not passed on, as it did each of " + plural(habit.times, "time") +
               " before; " + (m_waiting.empty() ? "nobody else has one" : waitingClause());
    return describeRankSet({habit.rank}) + " made " + m_job.trace.region(habit.made).name + ", where it made " +
           (habit.made == habit.expected ? std::string("it otherwise") : m_job.trace.region(habit.expected).name) +
           (habit.isOneOfSeveral ? std::string(" or another of the calls that come there")
                                 : " each of " + plural(habit.times, "time")) +
           " before; " + waitingClause();
}

void Judge::nameInstead(HabitBreak habit, double confidence) {
    const Tick since = m_verdict.since;
    const bool everybodyWaits = m_verdict.everybodyWaits;
    m_verdict = {};
    nameTogether(Kind::HabitBreak, {habit.rank}, confidence);
    m_verdict.since = since;
    m_verdict.everybodyWaits = everybodyWaits;
    m_verdict.why = describe(habit);
    m_verdict.habitBreak = std::move(habit);
}

} // namespace laggard
