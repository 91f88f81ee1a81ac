// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/StandingRanks.h"

#include "analysis/stacks/AwaitedRanks.h"
#include "analysis/stacks/PlaceOrder.h"
#include "analysis/stacks/SampledRanks.h"
#include "trace/MpiName.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace laggard {
namespace {

using Kind = StandingRank::Kind;
using Answer = StacksJudgement::Kind;

/// Ranks of each kind, and the rules that name some of them.
class Rules {
  public:
    Rules(const Trace &job, const MpiCallTable &calls, StacksJudgement &answer, const PlaceOrder *order)
        : m_job(job), m_calls(calls), m_order(order), m_answer(answer), m_waits(findAwaited(job, calls, answer.standing)) {
        for (Rank rank = 0; rank < answer.standing.size(); ++rank)
            if (answer.standing[rank].kind != Kind::Unknown)
                m_ranks[answer.standing[rank].kind].push_back(rank);
    }

    void apply() {
        if (const RankSet crashed = crashedRanks(); !crashed.empty())
            return name(Answer::Crashed, crashed, 0.9);
        if (!of(Kind::Stopped).empty())
            return name(Answer::Stopped, of(Kind::Stopped), 0.9);
        if (!of(Kind::Moving).empty())
            return name(Answer::Running, of(Kind::Moving), 0.9);
        if (seen() == 0)
            return;
        if (!of(Kind::Computing).empty())
            return outsideMpi();
        if (awaited())
            return;
        if (!of(Kind::Finalizing).empty() && of(Kind::Finalizing).size() < seen())
            return leftEarly();
        RankSet collective;
        RankSet others = of(Kind::Polling);
        for (const Rank rank : of(Kind::InCall)) {
            const MpiCall &call = m_calls[m_answer.standing[rank].mpiCall];
            (call.isCollective() && !call.neighbours ? collective : others).push_back(rank); // neighbours are a few single ones
        }
        std::ranges::sort(others);
        if (others.empty())
            betweenCollectives(collective);
        if (m_answer.kind != Answer::Unclear || byEarlierRun() || others.empty())
            return;
        if (collective.empty())
            betweenCalls(others);
        else
            behindCollective(collective, others);
    }

  private:
    // The figures are set by hand, below what a recording gives for the like (docs/algorithms.md): bench/attach counts how often
    // they hold.

    void outsideMpi() {
        const RankSet &outside = of(Kind::Computing);
        if (outside.size() == seen())
            return name(Answer::Running, outside, 0.6);
        if (outside.size() * 2 > seen()) // most are at work, or ask for something again and again between naps
            return;
        const bool isAtWork = std::ranges::any_of(outside, [&](Rank rank) { return m_answer.standing[rank].moves; });
        // What is at work may come to an end by itself.
        name(Answer::Computing, outside, isAtWork ? 0.45 : outside.size() == 1 ? 0.8 : 0.6);
    }

    /// By the arguments of calls that wait for messages. False if they do not tell.
    bool awaited() {
        const AwaitedRanks &waits = m_waits;
        RankSet ends; // that have got further than those who wait for them
        for (const Rank rank : waits.ends) {
            const StandingRank &each = m_answer.standing[rank];
            const bool isFurther =
                each.kind == Kind::Finalizing || (each.kind == Kind::InCall && m_calls[each.mpiCall].isCollective());
            if (isFurther)
                ends.push_back(rank);
        }
        // Of several, those that stand in a collective because another of them has not come to it are no end.
        const auto isLast = [&](Rank rank) { return contains(waits.last, rank); };
        if (std::ranges::any_of(ends, isLast))
            std::erase_if(ends, [&](Rank rank) { return !isLast(rank); });
        if (!ends.empty() && ends.size() * 2 <= seen()) {
            for (Rank rank = 0; rank < waits.waits.size(); ++rank)
                if (std::ranges::any_of(waits.waits[rank].messages, [&](Rank to) { return contains(ends, to); }))
                    m_answer.awaiting.push_back(rank);
            name(Answer::Awaited, ends, ends.size() == 1 && isTheirDoing(ends.front()) ? 0.6 : 0.45);
            return true;
        }
        if (areAllSending()) {
            name(Answer::Cycle, of(Kind::InCall), 0.6);
            return true;
        }
        if (waits.cycles.size() != 1)
            return ledTo();
        const RankSet &members = waits.cycles.front();
        // All of a ring that wait to receive: one of them has not sent, and nobody knows which. All that send: none can go on.
        const bool areSenders = std::ranges::all_of(
            members, [&](Rank rank) { return m_calls[m_answer.standing[rank].mpiCall].kind == MpiCall::Kind::Send; });
        if (!areSenders && members.size() != 2 && members.size() * 2 > seen())
            return false;
        // Where they stand at different places to receive, one of them may have left out a message and gone on.
        const StandingRank &first = m_answer.standing[members.front()];
        const bool areAlike = std::ranges::all_of(members, [&](Rank rank) {
            const StandingRank &each = m_answer.standing[rank];
            const MpiCall::Kind kind = m_calls[each.mpiCall].kind;
            return m_job.isSameCall(each.mpiCall, first.mpiCall) ||
                   (kind != MpiCall::Kind::Receive && kind != MpiCall::Kind::SendReceive);
        });
        // Of a longer round that receives, one or two have left something out: the others are named with them.
        name(Answer::Cycle, members, areSenders || (areAlike && members.size() == 2) ? 0.6 : 0.45);
        return true;
    }

    /// One message that is missing between two ranks may be the doing of either: it was not sent, or another one was taken, or
    /// asked for (bench/README.md). Who has ended, or whom several wait for, has left it out.
    [[nodiscard]] bool isTheirDoing(Rank rank) const {
        return m_answer.standing[rank].kind == Kind::Finalizing || m_answer.awaiting.size() > 1;
    }

    /// All others wait, through however many, for a few whose own waits are not known: whatever these are, it is there that the
    /// chains end, or close. False if that is not so.
    bool ledTo() {
        const auto waitsForSomebody = [&](Rank rank) {
            return !m_waits.waits[rank].messages.empty() || !m_waits.waits[rank].inside.empty();
        };
        const auto isOpen = [&](Rank rank) {
            const StandingRank &each = m_answer.standing[rank];
            return each.kind == Kind::InCall && !m_calls[each.mpiCall].isCollective() && !isOfWindow(rank) &&
                   !waitsForSomebody(rank);
        };
        const RankSet &all = of(Kind::InCall);
        const RankSet &ends = m_waits.last;
        if (ends.empty() || ends.size() * 4 > seen() || all.size() != seen() || !std::ranges::all_of(ends, isOpen) ||
            !std::ranges::all_of(all, [&](Rank rank) { return contains(ends, rank) || waitsForSomebody(rank); }))
            return false;
        name(Answer::LedTo, ends, std::ranges::any_of(ends, [&](Rank rank) { return waitsForAny(rank); }) ? 0.35 : 0.45);
        return true;
    }

    /// Every rank of the job stands in a send: whomever it goes to, nobody takes it.
    [[nodiscard]] bool areAllSending() const {
        const RankSet &all = of(Kind::InCall);
        return all.size() > 1 && all.size() == m_answer.standing.size() && std::ranges::all_of(all, [&](Rank rank) {
                   const MpiCall &call = m_calls[m_answer.standing[rank].mpiCall];
                   return call.kind == MpiCall::Kind::Send && !call.buffered && !m_answer.standing[rank].othersInMpi;
               });
    }

    static void joinAlike(std::vector<CollectivePlace> &places) {
        std::vector<CollectivePlace> joined;
        for (CollectivePlace &place : places) {
            const auto same = std::ranges::find(joined, place.lacking, &CollectivePlace::lacking);
            if (same == joined.end()) {
                joined.push_back(std::move(place));
                continue;
            }
            same->ranks.insert(same->ranks.end(), place.ranks.begin(), place.ranks.end());
            std::ranges::sort(same->ranks);
        }
        places = std::move(joined);
    }

    /// By whom the collectives wait for: those few whom many wait for, and who have gone on to another one. False if that does
    /// not tell.
    bool lackedByCollectives(const RankSet &collective) {
        std::vector<CollectivePlace> places = collectivePlaces(m_job, m_calls, m_answer.standing, collective, m_waits);
        std::erase_if(places, [](const CollectivePlace &place) { return place.lacking.empty(); });
        if (places.size() < 2)
            return false;
        // Whoever waits for others in turn is not the last, and several collectives may wait for the same.
        std::erase_if(places, [&](const CollectivePlace &place) {
            return std::ranges::none_of(place.lacking, [&](Rank rank) { return contains(m_waits.last, rank); });
        });
        joinAlike(places);
        if (places.empty())
            return false;
        const auto waiting = [&](const CollectivePlace &place) { // for any of them, in whatever collective
            return std::ranges::count_if(m_waits.waits, [&](const RankWaits &each) {
                return std::ranges::any_of(each.inside, [&](Rank rank) { return contains(place.lacking, rank); });
            });
        };
        const auto isBetter = [&](const CollectivePlace &a, const CollectivePlace &b) {
            return a.lacking.size() != b.lacking.size() ? a.lacking.size() < b.lacking.size()
                   : a.ranks.size() != b.ranks.size()   ? a.ranks.size() > b.ranks.size()
                                                        : waiting(a) > waiting(b);
        };
        std::ranges::sort(places, isBetter);
        // Whoever gives its part to one rank leaves early: that few stand in such a collective does not speak against them, if
        // that one is among them. It leaves last: where it is elsewhere, nobody has left.
        const auto isToOne = [&](const CollectivePlace &place) {
            const StandingRank &first = m_answer.standing[place.ranks.front()];
            const CollectiveOperation operation = m_calls[first.mpiCall].operation;
            if (operation != CollectiveOperation::Gather && operation != CollectiveOperation::Reduce)
                return false;
            const std::optional<std::int64_t> root =
                first.arguments ? first.arguments->rankOfJob(first.arguments->root) : std::nullopt;
            return !root || std::ranges::any_of(place.ranks, [&](Rank rank) { return *root == rank; });
        };
        const auto toOne = std::ranges::find_if(places, isToOne);
        const bool isDoubtful =
            toOne != places.end() && toOne != places.begin() && toOne->lacking.size() == places.front().lacking.size();
        const CollectivePlace &best = isDoubtful ? *toOne : places.front();
        if ((!isDoubtful && places.size() > 1 && !isBetter(best, places[1])) || best.lacking.size() * 2 > seen())
            return false;
        const bool areGoneOn = std::ranges::all_of(best.lacking, [&](Rank rank) { return contains(collective, rank); });
        if (!areGoneOn)
            return false;
        constexpr double ofOne = 0.6, ofSeveral = 0.45;
        m_answer.awaiting = best.ranks;
        name(Answer::Lacking, best.lacking, best.lacking.size() == 1 && !isDoubtful ? ofOne : ofSeveral);
        return true;
    }

    [[nodiscard]] RankSet crashedRanks() const {
        RankSet crashed;
        for (Rank rank = 0; rank < m_job.processes.size(); ++rank)
            if (m_job.processes[rank].end.kind == ProcessEnd::Kind::Signalled)
                crashed.push_back(rank);
        return crashed;
    }

    void leftEarly() {
        const RankSet &leavers = of(Kind::Finalizing);
        // Several may have left because one of them did not wait for the others: that one, if its collective tells.
        RankSet missed;
        for (const Rank rank : leavers)
            if (std::ranges::any_of(m_waits.waits, [&](const RankWaits &each) { return contains(each.inside, rank); }))
                missed.push_back(rank);
        if (!missed.empty() && missed.size() < leavers.size() && missed.size() * 2 <= seen()) {
            for (Rank rank = 0; rank < m_waits.waits.size(); ++rank)
                if (std::ranges::any_of(m_waits.waits[rank].inside, [&](Rank of) { return contains(missed, of); }))
                    m_answer.awaiting.push_back(rank);
            return name(Answer::Lacking, missed, missed.size() == 1 ? 0.6 : 0.45);
        }
        if (leavers.size() * 2 <= seen())
            return name(Answer::LeftEarly, leavers, leavers.size() == 1 ? 0.75 : 0.55);
        RankSet behind = of(Kind::InCall);
        behind.insert(behind.end(), of(Kind::Polling).begin(), of(Kind::Polling).end());
        std::ranges::sort(behind);
        name(Answer::Behind, behind, 0.45);
    }

    void betweenCollectives(const RankSet &ranks) {
        const std::vector<RankSet> groups = byCall(ranks);
        RankSet odd;
        for (const Rank rank : ranks)
            if (!contains(groups.front(), rank))
                odd.push_back(rank);
        const bool hasMost = !odd.empty() && groups.front().size() * 2 > ranks.size();
        const bool isSameCall = hasMost && m_job.isSameCall(m_answer.standing[groups.front().front()].mpiCall,
                                                            m_answer.standing[odd.front()].mpiCall);
        if (!(isSameCall && odd.size() == 1) && lackedByCollectives(ranks))
            return;
        if (groups.size() < 2)
            return;
        if (hasMost) {
            // Several are often members of a smaller communicator that wait for one of them: none of two was right
            // (bench/README.md).
            constexpr double ofSeveral = 0.45;
            return name(isSameCall ? Answer::OtherArguments : Answer::OtherCollective, odd, odd.size() == 1 ? 0.7 : ofSeveral);
        }
        if (groups.size() == 2 && groups[0].size() == groups[1].size()) // neither is the odd one
            return name(Answer::OtherCollective, ranks, 0.35);
    }

    /// By the places of an earlier, sound run. False if there is none, or it does not tell.
    bool byEarlierRun() {
        if (m_order == nullptr || !of(Kind::Polling).empty())
            return false;
        std::map<std::uint32_t, RankSet> byPlace;
        RankSet astray;
        for (const Rank rank : of(Kind::InCall)) {
            const CallPathId call = m_answer.standing[rank].mpiCall;
            const std::vector<std::uint32_t> places = m_order->placesOf(m_job, call);
            if (places.size() > 1 || !isMpiName(m_job.region(call).canonicalName)) // it may be any
                return false;
            (places.empty() ? astray : byPlace[places.front()]).push_back(rank);
        }
        // Where it never was, something is done that a sound run does not do: but only rarely by many.
        if (!astray.empty() && astray.size() * 4 <= seen()) {
            name(Answer::Astray, astray, astray.size() == 1 ? 0.6 : 0.45);
            return true;
        }
        if (!astray.empty())
            return false;
        const auto isFirst = [&](const auto &each) {
            return std::ranges::all_of(byPlace, [&](const auto &other) {
                return other.first == each.first || m_order->compare(each.first, other.first) == PlaceOrder::Order::Before;
            });
        };
        const auto first = std::ranges::find_if(byPlace, isFirst);
        if (byPlace.size() < 2 || first == byPlace.end() || first->second.size() * 2 > seen())
            return false;
        // It is where it shows: they may wait for a message that another one has not sent.
        name(Answer::Earliest, first->second, first->second.size() == 1 ? 0.45 : 0.35);
        return true;
    }

    void behindCollective(const RankSet &collective, const RankSet &others) {
        // A few in a collective, while most wait for messages: it may be one of these few alone. And who waits for a window (a
        // lock, an epoch) waits for one that may be anywhere.
        if (collective.size() * 4 <= seen() || std::ranges::any_of(others, [&](Rank rank) { return isOfWindow(rank); }))
            return;
        RankSet ends; // not those that wait for another of them
        std::ranges::copy_if(others, std::back_inserter(ends), [&](Rank rank) {
            return std::ranges::none_of(m_waits.waits[rank].messages, [&](Rank to) { return contains(others, to); });
        });
        const RankSet &named = ends.empty() ? others : ends;
        name(Answer::Behind, named, named.size() == 1 && !waitsForAny(named.front()) ? 0.45 : 0.35);
    }

    [[nodiscard]] bool isOfWindow(Rank rank) const {
        const CallPathId call = m_answer.standing[rank].mpiCall;
        return call != none && m_calls[call].ofWindow && !m_calls[call].isCollective();
    }
    [[nodiscard]] bool waitsForAny(Rank rank) const {
        const MpiArguments *arguments = m_answer.standing[rank].arguments.get();
        return arguments != nullptr && arguments->from == MpiArguments::any;
    }

    void betweenCalls(const RankSet &ranks) {
        const std::vector<RankSet> groups = byCall(ranks);
        const bool isOdd = groups.size() > 1 && groups.back().size() * 4 <= ranks.size() &&
                           (groups.size() == 2 || groups[groups.size() - 2].size() > groups.back().size());
        if (isOdd && !isOfWindow(groups.back().front()))
            name(Answer::OddCall, groups.back(), 0.35);
    }

    /// False if the arguments of a collective cannot go together. Handles of one communicator differ between ranks: without its
    /// number and members, only MPI_COMM_WORLD is known for what it is.
    static bool agree(const StandingRank &a, const StandingRank &b) {
        if (!a.arguments || !b.arguments || a.arguments->communicator.empty() || b.arguments->communicator.empty())
            return true;
        if (!a.arguments->members.empty() && !b.arguments->members.empty() && !a.arguments->isOfWorld() &&
            !b.arguments->isOfWorld())
            return a.arguments->members == b.arguments->members &&
                   a.arguments->communicatorNumber == b.arguments->communicatorNumber;
        if (a.arguments->isOfWorld() != b.arguments->isOfWorld())
            return false;
        return !a.arguments->isOfWorld() || !a.arguments->root || !b.arguments->root || a.arguments->root == b.arguments->root;
    }

    /// Ranks in the same call, the most first.
    [[nodiscard]] std::vector<RankSet> byCall(const RankSet &ranks) const {
        std::map<std::tuple<CallPathId, std::string, std::vector<std::uint32_t>, std::int64_t>, RankSet> byPath;
        for (const Rank rank : ranks) {
            const StandingRank &each = m_answer.standing[rank];
            const MpiArguments *arguments = each.arguments.get();
            const bool isWorld = arguments != nullptr && arguments->isOfWorld();
            byPath[{each.mpiCall, arguments == nullptr ? "" : arguments->communicator,
                    arguments == nullptr ? std::vector<std::uint32_t>() : arguments->members,
                    isWorld ? arguments->root.value_or(-1) : -1}]
                .push_back(rank);
        }
        std::vector<RankSet> groups;
        for (auto &[key, each] : byPath) {
            const auto same = std::ranges::find_if(groups, [&, &each = each, call = std::get<0>(key)](const RankSet &group) {
                const CallPathId other = m_answer.standing[group.front()].mpiCall;
                return call != none && other != none && m_job.isSameCall(call, other) &&
                       agree(m_answer.standing[each.front()], m_answer.standing[group.front()]);
            });
            if (same == groups.end())
                groups.push_back(std::move(each));
            else {
                same->insert(same->end(), each.begin(), each.end());
                std::ranges::sort(*same);
            }
        }
        std::ranges::stable_sort(groups, [](const RankSet &a, const RankSet &b) { return a.size() > b.size(); });
        return groups;
    }

    [[nodiscard]] const RankSet &of(Kind kind) const {
        static const RankSet nobody;
        const auto found = m_ranks.find(kind);
        return found == m_ranks.end() ? nobody : found->second;
    }
    [[nodiscard]] std::size_t seen() const {
        std::size_t count = 0;
        for (const auto &[kind, ranks] : m_ranks)
            count += ranks.size();
        return count;
    }
    void name(Answer kind, RankSet ranks, double confidence) {
        m_answer.kind = kind;
        m_answer.ranks = std::move(ranks);
        m_answer.confidence = confidence;
    }

    const Trace &m_job;
    const MpiCallTable &m_calls;
    const PlaceOrder *m_order;
    StacksJudgement &m_answer;
    AwaitedRanks m_waits;
    std::map<Kind, RankSet> m_ranks;
};

} // namespace

StacksJudgement judgeStacks(const Trace &job, const StackSamples &samples, const PlaceOrder *order) {
    const MpiCallTable calls(job);
    StacksJudgement answer;
    answer.isOneSample = samples.times.size() < 2;
    answer.standing = standingRanks(job, calls, samples);
    for (const StandingRank &each : answer.standing)
        answer.unseen += each.kind == Kind::Unknown ? 1 : 0;
    Rules(job, calls, answer, order).apply();
    constexpr double fromOneSample = 0.6;   // whether anything moves is not known
    constexpr double withUnseenRanks = 0.7; // any of them may be the one
    if (answer.kind != Answer::Running && answer.isOneSample)
        answer.confidence *= fromOneSample;
    if (answer.kind != Answer::Running && answer.unseen != 0)
        answer.confidence *= withUnseenRanks;
    return answer;
}

} // namespace laggard
