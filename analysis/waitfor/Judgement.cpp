// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Judgement.h"

#include "analysis/waitfor/CommonCourse.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/waitfor/IdleLoop.h"
#include "analysis/waitfor/InterceptedMessages.h"
#include "analysis/waitfor/LeftOutActs.h"
#include "analysis/waitfor/MisfitMessages.h"
#include "analysis/waitfor/ReceivedMessages.h"
#include "analysis/waitfor/UnusualCall.h"
#include "analysis/waitfor/WaitComponents.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace laggard {
namespace {

using Kind = WaitForVerdict::Kind;
using Doing = Activity::Kind;

constexpr double convincing = 0.4; ///< a skipped send less sure than this is a hint, not the verdict

bool contains(const RankSet &sorted, Rank rank) { return std::binary_search(sorted.begin(), sorted.end(), rank); }

std::string nameRanks(const RankSet &ranks) { return (ranks.size() == 1 ? "rank " : "ranks ") + describeRanges(ranks); }

class Judge {
  public:
    Judge(const JobView &job, const std::vector<Wait> &waits, const MissingSendsOf &missingSends, const Work &work)
        : m_job(job), m_waits(waits), m_missingSends(missingSends), m_work(work), m_ends(findWaitEnds(job.size(), waits)) {}

    WaitForVerdict judge() {
        if (!isFinished() && !isMismatch() && !waitsForItself() && !leftEarly() && !isComputing() && !isStuckInCall() &&
            !isCycle() && !isTie() && !isEndOfWaits())
            isUnknown();
        describeTime();
        m_verdict.confidence = std::min(m_verdict.confidence, certaintyOfNamed()) * readableShare();
        return std::move(m_verdict);
    }

  private:
    [[nodiscard]] Doing doing(Rank rank) const { return m_job.activity(rank).kind; }
    [[nodiscard]] RankSet ranksDoing(std::initializer_list<Doing> kinds) const {
        RankSet ranks;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            if (std::find(kinds.begin(), kinds.end(), doing(rank)) != kinds.end())
                ranks.push_back(rank);
        return ranks;
    }
    /// How sure it is that the named do what they seem to: of several threads, which one counts may not be known.
    [[nodiscard]] double certaintyOfNamed() const {
        double least = 1;
        for (const Rank rank : m_verdict.ranks)
            least = std::min(least, m_job.activity(rank).certainty);
        return least;
    }
    [[nodiscard]] double readableShare() const {
        const double all = static_cast<double>(m_job.size());
        return all == 0 ? 0 : 1 - static_cast<double>(ranksDoing({Doing::Unknown}).size()) / all;
    }
    /// "MPI_Recv" or, of several, "MPI_Recv and MPI_Barrier"; at most three.
    [[nodiscard]] std::string functionsOf(const RankSet &ranks) const {
        std::set<std::string> names;
        for (const Rank rank : ranks)
            names.insert(m_job.functionOf(rank));
        std::string text;
        std::size_t shown = 0;
        for (const std::string &name : names) {
            if (shown++ == 3)
                return text + " and others";
            text += (shown == 1 ? "" : ", ") + name;
        }
        return text;
    }

    void name(Kind kind, WaitEnd end, double confidence) {
        m_verdict.kind = kind;
        m_verdict.ranks = std::move(end.ranks);
        m_verdict.waiting = end.waiting;
        m_verdict.confidence = confidence;
        m_waiting = std::move(end.waitingRanks);
    }

    /// Of the ends that `accept` holds for, those with the most waiting ranks, together.
    template <typename Accept> std::optional<WaitEnd> heaviest(Accept accept) const {
        WaitEnd best;
        for (const WaitEnd &end : m_ends)
            if (end.waiting != 0 && (best.ranks.empty() || end.waiting == best.waiting) && end.ranks.size() == 1 &&
                accept(end.ranks.front())) {
                best.ranks.push_back(end.ranks.front());
                best.waiting = end.waiting;
            }
        if (best.ranks.empty())
            return std::nullopt;
        std::sort(best.ranks.begin(), best.ranks.end());
        keepStopped(best.ranks);
        describeWaiting(m_job.size(), m_waits, best);
        return best;
    }

    /// Of several that may hold the others up, those that were seen to be stopped do. False if there are none.
    bool keepStopped(RankSet &ranks) const {
        RankSet stopped;
        std::ranges::copy_if(ranks, std::back_inserter(stopped), [&](Rank rank) {
            return rank < m_job.trace.processes.size() && m_job.trace.processes[rank].end.wasStopped();
        });
        if (!stopped.empty())
            ranks = stopped;
        return !stopped.empty();
    }

    [[nodiscard]] std::string waitingClause() const {
        return m_waiting.empty() ? "nobody waits for it"
                                 : plural(m_waiting.size(), "rank") + (m_waiting.size() == 1 ? " waits" : " wait") + " for " +
                                       (m_verdict.ranks.size() == 1 ? "it" : "them") + " in " + functionsOf(m_waiting);
    }

    bool isFinished() {
        const RankSet unfinished = ranksDoing(
            {Doing::NotStarted, Doing::Finalizing, Doing::Computing, Doing::Collective, Doing::PointToPoint, Doing::OtherMpi});
        const RankSet finished = ranksDoing({Doing::Finished});
        if (!unfinished.empty() || finished.empty())
            return false;
        m_verdict.kind = Kind::Finished;
        m_verdict.confidence = 1;
        const RankSet unknown = ranksDoing({Doing::Unknown});
        m_verdict.why = unknown.empty() ? "all " + plural(finished.size(), "rank") + " finished"
                                        : nameRanks(finished) + " finished; of " + nameRanks(unknown) +
                                              (m_job.trace.part.ranks ? " nothing was read" : " the end cannot be read");
        return true;
    }

    /// Ranks are in different collectives of one communicator, of which all members must do the same in the same order.
    bool isMismatch() {
        const auto wait =
            std::find_if(m_waits.begin(), m_waits.end(), [](const Wait &w) { return w.mismatch != Wait::Mismatch::None; });
        if (wait == m_waits.end())
            return false;
        WaitEnd end;
        end.ranks = wait->on;
        if (wait->mismatch == Wait::Mismatch::Even) // who is right cannot be told
            end.ranks.insert(end.ranks.end(), wait->waiters.begin(), wait->waiters.end());
        std::sort(end.ranks.begin(), end.ranks.end());
        describeWaiting(m_job.size(), m_waits, end);
        name(Kind::Mismatch, std::move(end), wait->confidence);
        m_verdict.why = wait->evidence;
        return true;
    }

    /// A rank waits for a message of its own, or for itself to receive one.
    bool waitsForItself() {
        RankSet ranks;
        for (const Wait &wait : m_waits)
            if (wait.waiters == wait.on && wait.on.size() == 1)
                ranks.push_back(wait.on.front());
        if (ranks.empty())
            return false;
        WaitEnd best = heaviestOf(ranks);
        const Rank rank = best.ranks.front();
        const auto own = std::find_if(m_waits.begin(), m_waits.end(),
                                      [&](const Wait &w) { return w.waiters == w.on && w.on.front() == rank; });
        name(Kind::Deadlock, std::move(best), own->confidence);
        m_verdict.why = nameRanks(m_verdict.ranks) + " waits for itself: " + own->evidence;
        return true;
    }

    [[nodiscard]] bool isGone(Rank rank) const { return doing(rank) == Doing::Finished || doing(rank) == Doing::Finalizing; }

    /// Somebody waits for ranks that will not communicate any more, and nobody is left who might explain it otherwise.
    bool leftEarly() {
        if (!ranksDoing({Doing::Computing}).empty())
            return false;
        RankSet gone;
        for (const Wait &wait : m_waits)
            if (doing(wait.waiters.front()) != Doing::Finalizing)
                std::copy_if(wait.on.begin(), wait.on.end(), std::back_inserter(gone), [&](Rank rank) { return isGone(rank); });
        std::sort(gone.begin(), gone.end());
        gone.erase(std::unique(gone.begin(), gone.end()), gone.end());
        if (gone.empty())
            return false;
        WaitEnd best = heaviestOf(gone);
        const double confidence = best.confidence;
        const RankSet waiting = best.waitingRanks;
        if (nameIntercepted(waiting, confidence) || nameEndsOfMisfit(best.ranks, waiting, confidence) ||
            nameStartLeftOutBy(gone, waiting) || nameUnserved(best.ranks) || nameUntaken(best.ranks) ||
            nameExtraCall(best.ranks) || nameSendLeftOut(gone, waiting))
            return true;
        if (nameMissingSendOf(best.ranks))
            return true;
        name(Kind::LeftEarly, std::move(best), confidence);
        const RankSet &ranks = m_verdict.ranks;
        const bool finalizing = doing(ranks.front()) == Doing::Finalizing;
        m_verdict.why = nameRanks(ranks) +
                        (finalizing ? (ranks.size() == 1 ? " is in MPI_Finalize" : " are in MPI_Finalize")
                                    : (ranks.size() == 1 ? " has finished" : " have finished")) +
                        " while " + waitingClause();
        return true;
    }

    void nameTogether(Kind kind, RankSet ranks, double confidence) {
        WaitEnd end;
        std::sort(ranks.begin(), ranks.end());
        ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
        end.ranks = std::move(ranks);
        describeWaiting(m_job.size(), m_waits, end);
        name(kind, std::move(end), confidence);
    }

    /// Both ends of the only message that does not fit what a rank waits for: which of them is wrong cannot be told.
    bool nameEndsOfMisfit(const RankSet &senders, const RankSet &receivers, double confidence) {
        const std::optional<Misfits> misfits = findMisfits(m_job, senders, receivers);
        if (!misfits)
            return false;
        const MisfitMessage misfit = misfits->first;
        const bool isOfOther = misfit.awaitedFrom != none && misfit.awaitedFrom != misfit.from;
        constexpr double eitherOrder = 0.5; // it may be for a later receive, and what is awaited was not sent
        nameTogether(Kind::Misfit, isOfOther ? RankSet{misfit.awaitedFrom, misfit.to} : RankSet{misfit.from, misfit.to},
                     isOfOther && !misfit.isHeld ? std::min(confidence, eitherOrder) : confidence);
        m_verdict.misfit = misfit;
        m_verdict.why = describe(misfit);
        return true;
    }

    /// A rank that waits for any of several which have all gone: who of them owed it a message cannot be told.
    bool nameUnserved(const RankSet &gone) {
        const auto wait = std::find_if(m_waits.begin(), m_waits.end(), [&](const Wait &w) {
            return w.anyOf && w.kind == Wait::Kind::PointToPoint && w.on.size() > 1 &&
                   std::any_of(w.on.begin(), w.on.end(), [&](Rank rank) { return contains(gone, rank); }) &&
                   std::all_of(w.on.begin(), w.on.end(), [&](Rank rank) { return isGone(rank); });
        });
        if (wait == m_waits.end())
            return false;
        if (nameUnusualSender(*wait))
            return true;
        nameTogether(Kind::NoSender, wait->waiters, wait->confidence);
        m_verdict.why = wait->evidence + "; they have finished, or are in MPI_Finalize";
        return true;
    }

    /// A receive that has taken what another one waits for. The other order would have been right as well, so that it is never
    /// certain.
    bool nameIntercepted(const RankSet &receivers, double confidence) {
        const std::optional<InterceptedMessage> found = findIntercepted(m_job, receivers);
        if (!found)
            return false;
        constexpr double thisOrder = 0.8;
        nameTogether(Kind::Intercepted, {found->receiver}, std::min(confidence, thisOrder));
        m_verdict.intercepted = found;
        m_verdict.why = "rank " + std::to_string(found->receiver) + " waits for a message of rank " +
                        std::to_string(found->taken) + ", and its receive " +
                        (found->anySource ? "from any source" : "with any tag") + " took one; the message of rank " +
                        std::to_string(found->left) + " lies unreceived";
        return true;
    }

    /// More ranks have gone than wait in a collective for them: those that wait may have made a call too many.
    bool nameExtraCall(const RankSet &gone) {
        RankSet waiters;
        const Wait *first = nullptr;
        for (const Wait &wait : m_waits) {
            if (doing(wait.waiters.front()) == Doing::Finalizing ||
                std::none_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(gone, rank); }))
                continue;
            if (wait.kind != Wait::Kind::Collective)
                return false;
            waiters.insert(waiters.end(), wait.waiters.begin(), wait.waiters.end());
            first = first == nullptr ? &wait : first;
        }
        if (first == nullptr || waiters.size() >= gone.size())
            return false;
        constexpr double fewerAreOdd = 0.8; // the others may have left out the call
        nameTogether(Kind::Mismatch, std::move(waiters), fewerAreOdd * first->confidence);
        m_verdict.why = (first->instance == none ? first->evidence : describeCollective(*first)) + ", to which " +
                        nameRanks(first->on) + (first->on.size() == 1 ? " has" : " have") +
                        " not come: they have finished, or are in MPI_Finalize";
        return true;
    }

    /// Ranks that have completed a collective: of a neighbourhood, or with a root, some leave before all have come.
    [[nodiscard]] RankSet passed(CommunicatorId communicator, std::uint32_t instance) const {
        RankSet ranks;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            if (m_job.completed(rank, communicator) > instance)
                ranks.push_back(rank);
        return ranks;
    }

    /// "ranks 0-2 are in MPI_Barrier (solve.c:12), collective 3 on MPI_COMM_WORLD".
    [[nodiscard]] std::string describeCollective(const Wait &wait) const {
        const Rank first = wait.waiters.front();
        const CallPathId path = m_job.state.tasks[first].mpiPath;
        const bool isOne = std::ranges::all_of(wait.waiters, [&](Rank r) { return m_job.state.tasks[r].mpiPath == path; });
        const CallPathId started = m_job.open(first).collectiveStartedBy;
        return nameRanks(wait.waiters) + (wait.waiters.size() == 1 ? " is in " : " are in ") + m_job.functionOf(first) +
               (isOne ? lineOf(path) : std::string()) +
               (isOne && started != none ? ", for the " + m_job.trace.region(started).name + lineOf(started) : "") +
               ", collective " + std::to_string(wait.instance + 1) + " on " +
               describeCommunicator(m_job.trace, wait.communicator);
    }

    /// " (solve.c:12)"
    [[nodiscard]] std::string lineOf(CallPathId path) const {
        const CallSite *site = path == none ? nullptr : m_job.trace.siteOf(path);
        if (site == nullptr)
            return {};
        Region place;
        place.file = site->file;
        place.line = site->line;
        return " (" + sourcePlace(place) + ")";
    }

    /// Members that wait for each other in collectives of their own, and in nothing else: the fewer ones are in another than
    /// those that most have come to, or the one that never made it at this point before.
    bool nameOddCollective(const RankSet &members) {
        std::map<std::pair<CommunicatorId, std::uint32_t>, RankSet> groups;
        std::vector<const Wait *> shown;
        double confidence = 1;
        for (const Wait &wait : m_waits) {
            const bool isWithin =
                std::any_of(wait.waiters.begin(), wait.waiters.end(), [&](Rank r) { return contains(members, r); }) &&
                std::any_of(wait.on.begin(), wait.on.end(), [&](Rank r) { return contains(members, r); });
            if (!isWithin)
                continue;
            if (wait.kind != Wait::Kind::Collective || wait.communicator == none)
                return false;
            RankSet &group = groups[{wait.communicator, wait.instance}];
            if (group.empty()) {
                shown.push_back(&wait);
                group = passed(wait.communicator, wait.instance);
            }
            group.insert(group.end(), wait.waiters.begin(), wait.waiters.end());
            confidence = std::min(confidence, wait.confidence);
        }
        if (groups.size() < 2)
            return false;
        std::set<Rank> all;
        auto most = groups.begin();
        for (auto group = groups.begin(); group != groups.end(); ++group) {
            std::sort(group->second.begin(), group->second.end());
            all.insert(group->second.begin(), group->second.end());
            most = group->second.size() > most->second.size() ? group : most;
        }
        RankSet odd;
        if (2 * most->second.size() > all.size()) {
            for (auto group = groups.begin(); group != groups.end(); ++group)
                if (group != most)
                    std::set_difference(group->second.begin(), group->second.end(), most->second.begin(), most->second.end(),
                                        std::back_inserter(odd));
        } else if (UnusualCall unusual; const auto only = onlyUnusual(m_job, members, unusual)) {
            odd = {*only};
            confidence = std::min(confidence, unusual.confidence);
            m_verdict.unusual = unusual;
        } else {
            return false;
        }
        nameTogether(Kind::Mismatch, std::move(odd), confidence);
        const auto isOdd = [&](const Wait *wait) { return contains(m_verdict.ranks, wait->waiters.front()); };
        std::ranges::stable_sort(shown, {}, isOdd);
        for (std::size_t i = 0; i < shown.size() && i < 4; ++i)
            m_verdict.why += (i == 0                                    ? ""
                              : isOdd(shown[i]) && !isOdd(shown[i - 1]) ? ", but "
                                                                        : "; ") +
                             describeCollective(*shown[i]);
        return true;
    }

    /// Senders inside the calls whose messages those who have gone never took: both are named.
    bool nameUntaken(const RankSet &gone) {
        RankSet ranks;
        double confidence = 1;
        std::string evidence;
        for (const Wait &wait : m_waits) {
            const bool concerns = std::any_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(gone, rank); });
            if (!concerns || doing(wait.waiters.front()) == Doing::Finalizing)
                continue;
            if (!wait.isSend)
                return false; // they were needed for other things as well
            ranks.insert(ranks.end(), wait.waiters.begin(), wait.waiters.end());
            ranks.insert(ranks.end(), wait.on.begin(), wait.on.end());
            confidence = std::min(confidence, wait.confidence);
            evidence += (evidence.empty() ? "" : "; ") + wait.evidence;
        }
        if (ranks.empty())
            return false;
        nameTogether(Kind::NeverReceived, std::move(ranks), confidence);
        m_verdict.why = evidence + ", which " + (gone.size() == 1 ? "has" : "have") + " finished, or finalizes";
        return true;
    }

    [[nodiscard]] static std::string describe(const MisfitMessage &misfit) {
        const bool isOfOther = misfit.awaitedFrom != none && misfit.awaitedFrom != misfit.from;
        if (misfit.awaitedBy != none)
            return "rank " + std::to_string(misfit.awaitedBy) + " waits for a message of rank " + std::to_string(misfit.from) +
                   ", which sent one with this tag to rank " + std::to_string(misfit.to) + ", which does not ask for it";
        return "rank " + std::to_string(misfit.to) + " waits for a message of " +
               (misfit.awaitedFrom == none ? "any rank" : "rank " + std::to_string(misfit.awaitedFrom)) +
               (misfit.awaitedTag == none ? "" : " with tag " + std::to_string(misfit.awaitedTag)) + ", and one " +
               (isOfOther || misfit.awaitedFrom == none ? "of rank " + std::to_string(misfit.from) + " " : "") + "with tag " +
               std::to_string(misfit.sentTag) + (misfit.otherCommunicator ? " on another communicator" : "") +
               " was sent that it does not ask for";
    }

    [[nodiscard]] WaitEnd heaviestOf(const RankSet &ranks) const {
        constexpr std::size_t mostCompared = 64; // each costs as much as the graph
        WaitEnd best;
        if (ranks.size() <= mostCompared)
            for (const Rank rank : ranks) {
                WaitEnd end;
                end.ranks = {rank};
                describeWaiting(m_job.size(), m_waits, end);
                if (best.ranks.empty() || end.waiting > best.waiting)
                    best = std::move(end);
                else if (end.waiting == best.waiting)
                    best.ranks.push_back(rank);
            }
        else
            best.ranks = ranks;
        describeWaiting(m_job.size(), m_waits, best);
        return best;
    }

    bool isComputing() {
        auto end = heaviest([&](Rank rank) {
            return doing(rank) == Doing::Computing || doing(rank) == Doing::NotStarted || idleLoopOf(m_job, rank).has_value();
        });
        if (!end)
            return false;
        const double confidence = end->confidence;
        name(Kind::Computing, std::move(*end), confidence);
        for (const Rank rank : m_verdict.ranks)
            if (std::optional<IdleLoop> loop = idleLoopOf(m_job, rank))
                m_verdict.loops.push_back(std::move(*loop));
        if (!m_verdict.loops.empty()) {
            nameLoops(confidence);
            return true;
        }
        if (m_verdict.ranks.size() > 1 &&
            std::ranges::all_of(m_verdict.ranks, [this](Rank rank) { return isInFileLock(rank); })) {
            constexpr double notTheHolder = 0.4; // they wait for each other, or for a process that is not among them
            m_verdict.confidence = std::min(m_verdict.confidence, notTheHolder);
        }
        const bool between = m_job.activity(m_verdict.ranks.front()).callPath == none;
        const bool one = m_verdict.ranks.size() == 1;
        m_verdict.why =
            nameRanks(m_verdict.ranks) + (one ? " is " : " are ") +
            (between ? "between the recorded calls: computing or gone" : "outside MPI, in " + functionsOf(m_verdict.ranks)) +
            "; " + waitingClause();
        return true;
    }

    /// The calls of the system that wait for a lock of a file. Who holds it is not recorded.
    [[nodiscard]] bool isInFileLock(Rank rank) const {
        const std::string name = m_job.functionOf(rank);
        return name.find("fcntl") != std::string::npos || name == "flock" || name == "lockf" || name == "lockf64";
    }

    /// What a loop of calls that return is for is not known: it may be work after which all goes on.
    void nameLoops(double confidence) {
        constexpr double mayBeWork = 0.9; // assumed; how long it takes, compared with earlier, is judged elsewhere
        constexpr double mayBeAccess = 0.6;
        const bool accesses = std::ranges::any_of(m_verdict.loops, &IdleLoop::accessesWindow);
        m_verdict.confidence = std::min(confidence, accesses ? mayBeAccess : mayBeWork);
        const IdleLoop &loop = m_verdict.loops.front();
        m_verdict.why = nameRanks({loop.rank}) + " makes " + m_job.trace.region(loop.calls.front()).name + " again and again, " +
                        plural(loop.turns, "time") + " so far, and nothing comes of it; " + waitingClause();
    }

    bool isStuckInCall() {
        auto end = heaviest([&](Rank rank) {
            const Activity &activity = m_job.activity(rank);
            return activity.kind == Doing::OtherMpi || activity.kind == Doing::Finalizing || activity.need == Activity::Need::Met;
        });
        if (!end)
            return false;
        if (nameIntercepted(end->ranks, end->confidence) || nameLeftOutStart(end->ranks))
            return true;
        double confidence = end->confidence;
        for (const Rank rank : end->ranks)
            confidence = std::min(confidence, end->confidence * m_job.activity(rank).confidence);
        name(Kind::StuckInCall, std::move(*end), confidence);
        const bool one = m_verdict.ranks.size() == 1;
        m_verdict.why = nameRanks(m_verdict.ranks) + (one ? " is" : " are") + " inside " + functionsOf(m_verdict.ranks) +
                        ", and nothing that the call needs of others is missing; " + waitingClause();
        if (one) {
            m_verdict.lostMessages = lostMessages(m_job, m_verdict.ranks.front());
            nameSenderInsideToo(confidence);
        }
        return true;
    }

    /// The message that the stuck rank waits for was sent, and its sender stands in the call that sends it: both halves are
    /// there, and either may be stuck in its call.
    void nameSenderInsideToo(double confidence) {
        const std::vector<LostMessage> lost = m_verdict.lostMessages;
        const auto inside = std::find_if(lost.begin(), lost.end(), [this](const LostMessage &message) {
            return std::any_of(m_waits.begin(), m_waits.end(), [&](const Wait &wait) {
                return wait.isSend && wait.waiters.front() == message.from && contains(wait.on, message.to);
            });
        });
        if (inside == lost.end())
            return;
        constexpr double oneOfTwo = 0.5; // nothing prefers either
        nameTogether(Kind::StuckInCall, {std::min(inside->from, inside->to), std::max(inside->from, inside->to)},
                     std::min(confidence, oneOfTwo));
        m_verdict.lostMessages = {*inside};
        m_verdict.why = "rank " + std::to_string(inside->from) + " is still inside " + functionsOf({inside->from}) +
                        ", which sends the message that rank " + std::to_string(inside->to) + " waits for in " +
                        functionsOf({inside->to}) + ": one of them is stuck in its call";
    }

    bool isCycle() {
        const auto cycle = std::find_if(m_ends.begin(), m_ends.end(), [](const WaitEnd &end) { return end.ranks.size() > 1; });
        if (cycle == m_ends.end())
            return false;
        WaitEnd end = *cycle;
        describeWaiting(m_job.size(), m_waits, end);
        const double closes = sureness(end.ranks);
        m_verdict.missingSends = missingSends(end.ranks);
        if (!m_verdict.missingSends.empty() && m_verdict.missingSends.front().confidence >= convincing && !isMutual()) {
            nameMissingSend();
            return true;
        }
        if (!nameIntercepted(end.ranks, closes) && !nameLeftOutStart(end.ranks) && !nameLeftOut(end.ranks) &&
            !nameOffCourse(end.ranks) && !nameOddReceive(end.ranks) && !nameMisfit(end.ranks, closes) && !nameHeld(end.ranks) &&
            !nameUnservedOfCycle(end.ranks) && !nameOddCollective(end.ranks))
            nameCycles(std::move(end), closes);
        return true;
    }

    /// The only one of those who wait for each other that has not done this time what another waits for, and what it did in each
    /// of its rounds before.
    bool nameLeftOut(const RankSet &members) {
        const std::vector<LeftOutAct> acts = leftOutActs(m_job, m_waits, members);
        if (acts.size() != 1)
            return false;
        const LeftOutAct &act = acts.front();
        nameTogether(act.what == LeftOutAct::What::Send ? Kind::MissingSend : Kind::LeftOut, {act.debtor}, act.confidence);
        if (act.what == LeftOutAct::What::Send) {
            addMisfitOf(act.debtor, members);
            std::string evidence = nameRanks({act.debtor}) + " sent to " + nameRanks({act.creditor}) +
                                   (act.isOver ? " again and again, " + plural(act.rounds, "message")
                                               : " in each of the " + plural(act.rounds, "round") + " before") +
                                   ", and has gone on to " + m_job.functionOf(act.debtor) + " without it";
            m_verdict.missingSends.insert(m_verdict.missingSends.begin(), {.from = act.debtor,
                                                                           .to = act.creditor,
                                                                           .due = m_job.activity(act.debtor).since,
                                                                           .callPath = act.callPath,
                                                                           .confidence = act.confidence,
                                                                           .evidence = std::move(evidence),
                                                                           .times = act.rounds,
                                                                           .tag = act.tag});
            m_verdict.why = "ranks wait for each other, and it began with a message that was not sent: " +
                            m_verdict.missingSends.front().evidence;
        } else {
            m_verdict.leftOut = act;
            m_verdict.why = nameRanks({act.debtor}) + " is in " + m_job.functionOf(act.debtor) + " without what " +
                            nameRanks({act.creditor}) + " waits for in " + m_job.functionOf(act.creditor) + ", and what it did " +
                            (act.isOver ? plural(act.rounds, "time") : "in each of the " + plural(act.rounds, "round")) +
                            " before";
        }
        return true;
    }

    /// The only one of these that did not start a request, or mark a partition ready, as in each of its rounds before.
    bool nameLeftOutStart(const RankSet &among) {
        std::optional<LeftOutAct> act = onlyLeftOutStart(m_job, among);
        if (!act)
            return false;
        nameTogether(Kind::LeftOut, {act->debtor}, act->confidence);
        for (const Wait &wait : m_waits)
            if (contains(wait.on, act->debtor))
                act->creditor = wait.waiters.front();
        if (act->creditor == none)
            for (const Rank rank : among)
                act->creditor = rank != act->debtor ? rank : act->creditor;
        if (act->creditor == none)
            return false;
        m_verdict.leftOut = act;
        m_verdict.why = nameRanks({act->debtor}) + " is in " + m_job.functionOf(act->debtor) + ", and has made " +
                        m_job.trace.region(act->callPath).name + " fewer times than in each of the " +
                        plural(act->rounds, "round") + " before";
        return true;
    }

    /// A member that waits for the message which it did not get, or for which nobody waits, is no cause: of one that went another
    /// way than all others, somebody must wait.
    bool nameOffCourse(const RankSet &members) {
        const std::optional<CourseLeft> left = onlyOneOffCourse(m_job, members);
        if (!left)
            return false;
        const auto wait = std::ranges::find_if(m_waits, [&](const Wait &each) {
            return contains(each.on, left->rank) && each.mismatch == Wait::Mismatch::None &&
                   std::ranges::any_of(each.waiters, [&](Rank rank) { return rank != left->rank; });
        });
        if (wait == m_waits.end())
            return false;
        const Rank creditor = *std::ranges::find_if(wait->waiters, [&](Rank rank) { return rank != left->rank; });
        const Track &track = m_job.trace.mainEvents(left->rank)->track;
        const std::string &expected = m_job.trace.region(left->expected).name;
        const std::string why = nameRanks({left->rank}) + " made the same calls as " + plural(left->alike, "other rank") +
                                ", and then " + m_job.trace.region(track.callPath[left->row]).name + " where these made " +
                                expected;
        const MpiCall &call = m_job.calls[left->expected];
        const bool isSend = wait->kind == Wait::Kind::PointToPoint && !wait->isSend &&
                            (call.kind == MpiCall::Kind::Send || call.kind == MpiCall::Kind::SendReceive ||
                             expected == "MPI_Isend" || expected == "MPI_Issend");
        nameTogether(isSend ? Kind::MissingSend : Kind::LeftOut, {left->rank}, left->confidence);
        if (isSend)
            m_verdict.missingSends.insert(m_verdict.missingSends.begin(), {.from = left->rank,
                                                                           .to = creditor,
                                                                           .due = track.start[left->row],
                                                                           .callPath = left->expected,
                                                                           .confidence = left->confidence,
                                                                           .evidence = why,
                                                                           .times = left->times,
                                                                           .tag = wait->tag});
        else
            m_verdict.leftOut = LeftOutAct{.what = LeftOutAct::What::Call,
                                           .debtor = left->rank,
                                           .creditor = creditor,
                                           .callPath = left->expected,
                                           .rounds = left->times,
                                           .isOver = true,
                                           .confidence = left->confidence};
        m_verdict.why = why;
        return true;
    }

    /// A rank that has gone, but left out a message of an earlier round, so that the receiver is one short for good.
    bool nameMissingSendOf(const RankSet &gone) {
        constexpr double fairlySure = 0.7; // that it went too early is what is seen
        std::vector<MissingSend> found = missingSends(gone);
        if (found.empty() || found.front().confidence < fairlySure)
            return false;
        m_verdict.missingSends = std::move(found);
        nameMissingSend();
        return true;
    }

    bool nameStartLeftOutBy(const RankSet &gone, const RankSet &waiting) {
        RankSet concerned = gone;
        concerned.insert(concerned.end(), waiting.begin(), waiting.end());
        std::ranges::sort(concerned);
        concerned.erase(std::unique(concerned.begin(), concerned.end()), concerned.end());
        const std::optional<LeftOutAct> act = onlyLeftOutStart(m_job, concerned);
        return act && nameLeftOutStart(concerned);
    }

    /// The only one of those who have gone that sent less in one of its rounds than in any other, while somebody waits for that.
    bool nameSendLeftOut(const RankSet &gone, const RankSet &waiting) {
        RankSet concerned = gone;
        concerned.insert(concerned.end(), waiting.begin(), waiting.end());
        std::sort(concerned.begin(), concerned.end());
        const std::vector<LeftOutAct> acts = leftOutActs(m_job, m_waits, concerned);
        return std::ranges::count_if(acts, [&](const LeftOutAct &act) { return contains(gone, act.debtor); }) == 1 &&
               acts.size() == 1 && acts.front().what == LeftOutAct::What::Send && !acts.front().isOver && nameLeftOut(concerned);
    }

    /// The only one of those who wait for each other that asks for another message than in its rounds before.
    bool nameOddReceive(const RankSet &members) {
        const std::optional<OddReceive> odd = onlyOddReceive(m_job, m_waits, members);
        if (!odd)
            return false;
        nameTogether(Kind::OddReceive, {odd->rank}, odd->confidence);
        addMisfitOf(odd->isTag ? odd->from : odd->usual, members);
        m_verdict.oddReceive = odd;
        m_verdict.why = nameRanks({odd->rank}) + " waits for a message of " + nameRanks({odd->from}) +
                        (odd->isTag ? " with tag " + std::to_string(odd->tag) : "") + ", and received one " +
                        (odd->isTag ? "with tag " : "of rank ") + std::to_string(odd->usual) + " here in " +
                        plural(odd->times, "round") + " before";
        return true;
    }

    /// A message of `from`, among those who wait for each other, that does not fit tells more of what went wrong. One of another
    /// rank may be for a later receive.
    void addMisfitOf(Rank from, const RankSet &members) {
        const std::optional<Misfits> misfits = findMisfits(m_job, members, members);
        m_verdict.misfit =
            misfits && misfits->first.from == from ? std::optional(misfits->first) : findMisdirected(m_job, members, members);
        if (m_verdict.misfit && m_verdict.misfit->from != from)
            m_verdict.misfit.reset();
    }

    /// Members that wait only for messages which have been begun, and fit what was posted for them, cannot block each other: one
    /// of them is stuck in its call.
    bool nameHeld(const RankSet &members) {
        for (const Wait &wait : m_waits)
            if (!wait.isHeld && contains(members, wait.waiters.front()) &&
                std::any_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(members, rank); }))
                return false;
        constexpr double oneOfTwo = 0.5;
        nameTogether(Kind::StuckInCall, members, oneOfTwo);
        m_verdict.why = nameRanks(members) + " are inside " + functionsOf(members) +
                        ", and the messages that they exchange fit together: one of them is stuck in its call; which one cannot "
                        "be told";
        return true;
    }

    /// Without the waits for any of several, in which one message would be enough: if the circle then ends at a rank that waits
    /// so, this rank is where it comes from.
    bool nameUnservedOfCycle(const RankSet &members) {
        std::vector<Wait> others;
        for (const Wait &wait : m_waits)
            if (!isForAnyOfSeveral(wait) || !contains(members, wait.waiters.front()))
                others.push_back(wait);
        if (others.size() == m_waits.size())
            return false;
        for (WaitEnd &end : findWaitEnds(m_job.size(), others)) {
            if (end.ranks.size() != 1 || !contains(members, end.ranks.front()))
                continue;
            const auto own = std::find_if(m_waits.begin(), m_waits.end(), [&](const Wait &w) {
                return isForAnyOfSeveral(w) && w.waiters.front() == end.ranks.front();
            });
            if (own == m_waits.end())
                continue;
            if (nameUnusualSender(*own))
                return true;
            nameTogether(Kind::NoSender, end.ranks, own->confidence * 0.8);
            m_verdict.why = own->evidence + "; " + waitingClause();
            return true;
        }
        return false;
    }

    /// Of those any of whom would do, the only one that is not in the call which its own history lets expect there, as it made a
    /// send at this point before.
    bool nameUnusualSender(const Wait &wait) {
        UnusualCall unusual;
        const std::optional<Rank> only = onlyUnusual(m_job, wait.on, unusual);
        if (!only)
            return false;
        const MpiCall &call = m_job.calls[unusual.expected];
        const std::string &name = m_job.trace.region(unusual.expected).name;
        if (call.kind != MpiCall::Kind::Send && call.kind != MpiCall::Kind::SendReceive && name != "MPI_Isend")
            return false;
        nameTogether(Kind::MissingSend, {*only}, unusual.confidence);
        const std::string why = nameRanks({*only}) + " is in " + m_job.functionOf(*only) + ", where it made " + name + " " +
                                plural(unusual.times, "time") + " before, and " + nameRanks(wait.waiters) +
                                " waits for a message of any rank";
        m_verdict.missingSends.insert(m_verdict.missingSends.begin(), {.from = *only,
                                                                       .to = wait.waiters.front(),
                                                                       .due = m_job.activity(*only).since,
                                                                       .callPath = unusual.expected,
                                                                       .confidence = unusual.confidence,
                                                                       .evidence = why,
                                                                       .times = unusual.times});
        m_verdict.why = why;
        return true;
    }

    static bool isForAnyOfSeveral(const Wait &wait) {
        return wait.kind == Wait::Kind::PointToPoint && wait.anyOf && wait.on.size() > 1;
    }

    /// All circles: each holds itself up, and none explains another.
    void nameCycles(WaitEnd end, double confidence) {
        std::vector<RankSet> cycles;
        for (const WaitEnd &each : m_ends)
            if (each.ranks.size() > 1)
                cycles.push_back(each.ranks);
        if (cycles.size() > 1) {
            end.ranks.clear();
            for (const RankSet &each : cycles) {
                end.ranks.insert(end.ranks.end(), each.begin(), each.end());
                confidence = std::min(confidence, sureness(each));
            }
            std::sort(end.ranks.begin(), end.ranks.end());
            describeWaiting(m_job.size(), m_waits, end);
        }
        name(Kind::Deadlock, std::move(end), confidence);
        const std::size_t shown = std::min<std::size_t>(cycles.size(), 3);
        m_verdict.why = nameRanks(cycles.front()) + " wait for each other in " + functionsOf(cycles.front());
        for (std::size_t i = 1; i < shown; ++i)
            m_verdict.why += (i == 1 ? ", and so do " : ", ") + nameRanks(cycles[i]);
        if (cycles.size() > shown)
            m_verdict.why += " and " + plural(cycles.size() - shown, "further group");
        if (m_verdict.waiting != 0)
            m_verdict.why +=
                "; " + plural(m_verdict.waiting, "further rank") + (m_verdict.waiting == 1 ? " waits" : " wait") + " for them";
        if (m_verdict.misfit)
            m_verdict.why += "; " + describe(*m_verdict.misfit);
        if (cycles.size() > 1)
            m_verdict.cycles = std::move(cycles);
    }

    /// Two ranks that both lack a message to the other have come to wait before they send: neither has left one out, nor any
    /// other message that was due at the same place.
    [[nodiscard]] bool isMutual() const {
        const std::vector<MissingSend> &all = m_verdict.missingSends;
        const auto hasAnswer = [&](const MissingSend &one) {
            return std::any_of(all.begin(), all.end(), [&](const MissingSend &other) {
                return other.from == one.to && other.to == one.from && other.confidence >= convincing;
            });
        };
        return std::any_of(all.begin(), all.end(), [&](const MissingSend &one) {
            return one.from == all.front().from && one.due == all.front().due && hasAnswer(one);
        });
    }

    /// The two with a message between them that does not fit, among many that wait for each other: if they do so since one of
    /// them waits for any of several, or if the receiver never waited for such a message before.
    bool nameMisfit(const RankSet &members, double confidence) {
        const std::optional<Misfits> misfits = findMisfits(m_job, members, members);
        if (!misfits) {
            m_verdict.misfit = findMisdirected(m_job, members, members);
            return false;
        }
        const MisfitMessage misfit = misfits->first;
        if (misfit.awaitedFrom != none && misfit.awaitedFrom != misfit.from) { // it may be for a later receive
            m_verdict.misfit = findMisdirected(m_job, members, members);
            if (!m_verdict.misfit && isNewToReceiver(m_job, misfit))
                m_verdict.misfit = misfit;
            return false;
        }
        m_verdict.misfit = misfit;
        const bool hasAnyOf = std::any_of(m_waits.begin(), m_waits.end(),
                                          [&](const Wait &w) { return w.anyOf && contains(members, w.waiters.front()); });
        if (!misfit.isHeld && (members.size() == 2 || !((hasAnyOf && misfits->isOnly) || isNewToReceiver(m_job, misfit))))
            return false;
        nameTogether(Kind::Misfit, {misfit.from, misfit.to}, confidence);
        m_verdict.why = nameRanks(members) + " wait for each other in " + functionsOf(members) + ": " + describe(misfit);
        return true;
    }

    void nameMissingSend() {
        const MissingSend &first = m_verdict.missingSends.front();
        WaitEnd end;
        end.ranks = {first.from};
        describeWaiting(m_job.size(), m_waits, end);
        name(Kind::MissingSend, std::move(end), first.confidence);
        m_verdict.why = "ranks wait for each other, and it began with a message that was not sent: " + first.evidence;
    }

    /// A cycle is as sure as its weakest link. That a send waits for its receiver is a guess, but members that are all in sends
    /// to each other bear each other out.
    [[nodiscard]] double sureness(const RankSet &members) const {
        constexpr double allInSends = 0.9;
        const bool onlySends = m_job.trace.tellsOpenCalls && std::all_of(members.begin(), members.end(), [&](Rank rank) {
                                   const OpenCall &open = m_job.open(rank);
                                   return doing(rank) == Doing::PointToPoint && open.receives.empty() && !open.sends.empty();
                               });
        return onlySends ? std::max(allInSends, weakestLink(members)) : weakestLink(members);
    }

    /// The least sure of its members' best reasons to wait within it.
    [[nodiscard]] double weakestLink(const RankSet &members) const {
        std::vector<double> best(m_job.size(), 0);
        for (const Wait &wait : m_waits)
            if (std::any_of(wait.on.begin(), wait.on.end(), [&](Rank rank) { return contains(members, rank); }))
                for (const Rank rank : wait.waiters)
                    best[rank] = std::max(best[rank], wait.confidence);
        double weakest = 1;
        for (const Rank rank : members)
            weakest = std::min(weakest, best[rank]);
        return weakest;
    }

    /// Sends that members of a cycle owe to ranks that wait for them.
    [[nodiscard]] std::vector<MissingSend> missingSends(const RankSet &members) const {
        std::vector<OwedSend> owed;
        for (const Wait &wait : m_waits)
            if (wait.kind == Wait::Kind::PointToPoint)
                for (const Rank rank : wait.on)
                    if (contains(members, rank))
                        owed.push_back({rank, wait.waiters.front()});
        std::sort(owed.begin(), owed.end());
        RankSet debtors;
        for (const OwedSend &each : owed)
            if (debtors.empty() || debtors.back() != each.from)
                debtors.push_back(each.from);
        std::vector<std::vector<MissingSend>> found(debtors.size());
        forEachParallel(debtors.size(), m_work, [&](std::size_t i, unsigned) { found[i] = m_missingSends(debtors[i], owed); });
        std::vector<MissingSend> all;
        for (auto &some : found)
            std::move(some.begin(), some.end(), std::back_inserter(all));
        ReceivedMessages received(m_job);
        for (MissingSend &send : all)
            corroborate(send, received);
        std::stable_sort(all.begin(), all.end(), [](const MissingSend &a, const MissingSend &b) {
            return a.confidence != b.confidence ? a.confidence > b.confidence : a.due > b.due;
        });
        return all;
    }

    /// The sender's history and the receiver's call know nothing of each other: if the call is known to wait for just this
    /// message, half of the doubt goes. Not for hints, which a deadlock gives as well, unless the receiver, which takes messages
    /// of anybody, has got just this one not. What a dump holds was weighed when it was made.
    void corroborate(MissingSend &send, ReceivedMessages &received) const {
        if (m_job.trace.isSummary)
            return;
        const OpenCall &open = m_job.open(send.to);
        const bool isAwaited = open.source == OpenCall::Source::Recorded &&
                               std::any_of(open.receives.begin(), open.receives.end(), [&](const ExpectedReceive &r) {
                                   return r.from == send.from && r.communicator == send.communicator &&
                                          (r.anyTag || r.tag == send.tag || send.tag == none);
                               });
        const bool isMissed = !isAwaited && received.isOneShort(send);
        if (!isMissed && (!isAwaited || send.confidence < convincing))
            return;
        send.confidence = 1 - (1 - send.confidence) / 2;
        send.evidence += "; rank " + std::to_string(send.to) +
                         (isMissed ? ", which waits for a message of any rank, has got one more of each of the others"
                                   : " is known to wait for just this message");
    }

    /// Nobody misses anything, and nobody computes: all have come to a call that nobody leaves.
    bool isTie() {
        if (!m_ends.empty() || !ranksDoing({Doing::Computing, Doing::NotStarted, Doing::Unknown}).empty())
            return false;
        RankSet all;
        std::size_t unfinished = 0;
        for (Rank rank = 0; rank < m_job.size(); ++rank) {
            unfinished += doing(rank) == Doing::Finished ? 0 : 1;
            if (m_job.activity(rank).need == Activity::Need::Met)
                all.push_back(rank);
        }
        if (all.empty())
            return false;
        constexpr double seen = 0.9; // the process was seen to be stopped, but not since when
        if (RankSet stopped = all; keepStopped(stopped)) {
            nameTogether(Kind::StuckInCall, std::move(stopped), seen);
            m_verdict.why = nameRanks(m_verdict.ranks) + (m_verdict.ranks.size() == 1 ? " was" : " were") + " stopped, in " +
                            functionsOf(m_verdict.ranks);
            return true;
        }
        const std::string inside = nameRanks(all) + (all.size() == 1 ? " is" : " are") + " inside " + functionsOf(all) +
                                   ", and nothing that the calls need of others is missing";
        constexpr double oneOfThem = 0.2;
        if (all.size() == 1 || all.size() < unfinished)
            nameTogether(Kind::StuckInCall, all, oneOfThem);
        m_verdict.why = all.size() == 1 ? inside : inside + "; which of them holds the call up cannot be told";
        return true;
    }

    /// The only other rank whose history lets expect it in the call of these, of which it is not known whom it waits for, and
    /// which is in another one.
    bool nameElsewhere(const RankSet &inCall) {
        const CallPathId path = m_job.isInMpi(inCall.front()) ? m_job.state.tasks[inCall.front()].mpiPath : none;
        constexpr std::size_t mostAsked = 256; // each costs its history
        if (path == none || m_job.size() > mostAsked)
            return false;
        std::optional<Rank> only;
        UnusualCall found;
        for (Rank rank = 0; rank < m_job.size(); ++rank) {
            UnusualCall unusual;
            if (contains(inCall, rank) || habitOf(m_job, rank, unusual) != CallHabit::Unusual || unusual.expected != path)
                continue;
            if (only)
                return false;
            only = rank;
            found = unusual;
        }
        if (!only)
            return nameShortOfCalls(inCall, path);
        nameTogether(Kind::LeftOut, {*only}, found.confidence);
        m_verdict.leftOut = LeftOutAct{.what = LeftOutAct::What::Call,
                                       .debtor = *only,
                                       .creditor = inCall.front(),
                                       .callPath = path,
                                       .rounds = found.times,
                                       .isOver = true,
                                       .confidence = found.confidence};
        m_verdict.why = nameRanks({*only}) + " is in " + m_job.functionOf(*only) + ", where it made " +
                        m_job.trace.region(path).name + " " + plural(found.times, "time") + " before; " + nameRanks(inCall) +
                        (inCall.size() == 1 ? " is" : " are") + " in that call, and nothing tells whom else it waits for";
        return true;
    }

    /// How often the rank had entered the call before now, the open one left out.
    [[nodiscard]] std::uint32_t timesIn(Rank rank, CallPathId path) const {
        const LocationIndex location = m_job.location(rank);
        if (location >= m_job.trace.locations.size())
            return 0;
        const Track &track = m_job.trace.locations[location].events.track;
        const std::uint32_t open = m_job.openRow(rank);
        std::uint32_t times = 0;
        for (std::uint32_t row = 0; row < track.size() && track.start[row] <= m_job.state.at; ++row)
            times += track.callPath[row] == path && row != open ? 1 : 0;
        return times;
    }

    /// The only other rank that has made the call of these as often as they had before, and does not make it now.
    bool nameShortOfCalls(const RankSet &inCall, CallPathId path) {
        const std::uint32_t times = timesIn(inCall.front(), path);
        const bool areAlike = std::ranges::all_of(inCall, [&](Rank rank) {
            return m_job.isInMpi(rank) && m_job.state.tasks[rank].mpiPath == path && timesIn(rank, path) == times;
        });
        if (times == 0 || !areAlike || m_job.trace.isSummary)
            return false;
        RankSet without;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            if (!contains(inCall, rank) && (!m_job.isInMpi(rank) || m_job.state.tasks[rank].mpiPath != path) &&
                timesIn(rank, path) == times)
                without.push_back(rank);
        if (without.size() != 1)
            return false;
        const auto n = static_cast<double>(times);
        nameTogether(Kind::LeftOut, without, (n + 1) / (n + 2)); // the rule of succession
        m_verdict.leftOut = LeftOutAct{.what = LeftOutAct::What::Call,
                                       .debtor = without.front(),
                                       .creditor = inCall.front(),
                                       .callPath = path,
                                       .rounds = times,
                                       .isOver = true,
                                       .confidence = (n + 1) / (n + 2)};
        m_verdict.why = nameRanks(without) + " has made " + m_job.trace.region(path).name + " " + plural(times, "time") +
                        ", as often as " + nameRanks(inCall) + " before this time, and is in " +
                        m_job.functionOf(without.front());
        return true;
    }

    /// The only one that went another way than these, at the call in which they are, and of which it is not known whom it waits
    /// for.
    bool nameOffCourseOf(const RankSet &inCall) {
        RankSet others;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            if (!contains(inCall, rank))
                others.push_back(rank);
        const std::optional<CourseLeft> left = onlyOneOffCourse(m_job, others);
        if (!left || left->expected != m_job.state.tasks[inCall.front()].mpiPath)
            return false;
        nameTogether(Kind::LeftOut, {left->rank}, left->confidence);
        m_verdict.leftOut = LeftOutAct{.what = LeftOutAct::What::Call,
                                       .debtor = left->rank,
                                       .creditor = inCall.front(),
                                       .callPath = left->expected,
                                       .rounds = left->times,
                                       .isOver = true,
                                       .confidence = left->confidence};
        m_verdict.why = nameRanks({left->rank}) + " made the same calls as " + plural(left->alike, "other rank") +
                        ", and then another one where these made " + m_job.functionOf(inCall.front());
        return true;
    }

    /// What its own wait is, is not known, but all chains of waits end here: stuck in the call, or in what the call waits for.
    bool isEndOfWaits() {
        auto end = heaviest([&](Rank rank) { return doing(rank) != Doing::Unknown; });
        if (!end)
            return false;
        if (nameIntercepted(end->ranks, end->confidence) || nameElsewhere(end->ranks) || nameOffCourseOf(end->ranks))
            return true;
        // Of 88 such verdicts on archives without our attributes 74 were right (bench/README.md); the first rounds, in which the
        // fewest are, are half of them.
        constexpr double unclearWait = 0.7;
        const double confidence = end->confidence * unclearWait;
        name(Kind::StuckInCall, std::move(*end), confidence);
        m_verdict.why = waitingClause() + "; " + nameRanks(m_verdict.ranks) + (m_verdict.ranks.size() == 1 ? " is" : " are") +
                        " in " + functionsOf(m_verdict.ranks) + ", and whom that call waits for is not known";
        return true;
    }

    void isUnknown() {
        m_verdict.kind = Kind::Unknown;
        const RankSet computing = ranksDoing({Doing::Computing});
        if (m_ends.empty()) {
            m_verdict.why = "no rank is known to wait for another";
            if (!computing.empty())
                m_verdict.why += "; " + nameRanks(computing) + (computing.size() == 1 ? " is" : " are") + " outside MPI";
            return;
        }
        const WaitEnd &end = m_ends.front();
        const bool unread = doing(end.ranks.front()) == Doing::Unknown;
        m_verdict.why = plural(end.waiting, "rank") + (end.waiting == 1 ? " waits" : " wait") + " for " + nameRanks(end.ranks) +
                        (unread ? ", whose end cannot be read"
                                : ", in " + functionsOf(end.ranks) + ", of which it is not known whom it waits for");
    }

    void describeTime() {
        RankSet concerned = m_verdict.ranks;
        concerned.insert(concerned.end(), m_waiting.begin(), m_waiting.end());
        std::sort(concerned.begin(), concerned.end());
        // Who asks again and again begins anew all the time, and nothing changes by that.
        const auto asks = [this](Rank rank) { return m_job.isInMpi(rank) && m_job.mpiCall(rank).isPoll(); };
        const bool allAsk = std::all_of(concerned.begin(), concerned.end(), asks);
        m_verdict.since = concerned.empty() ? m_job.state.at : 0;
        for (const Rank rank : concerned) {
            const auto loop = std::ranges::find(m_verdict.loops, rank, &IdleLoop::rank);
            if (loop != m_verdict.loops.end())
                m_verdict.since = std::max(m_verdict.since, loop->since);
            else if (allAsk || !asks(rank))
                m_verdict.since = std::max(m_verdict.since, m_job.activity(rank).since);
        }
        m_verdict.everybodyWaits = !concerned.empty() && !m_job.trace.part.ranks;
        for (Rank rank = 0; rank < m_job.size() && m_verdict.everybodyWaits; ++rank)
            m_verdict.everybodyWaits =
                doing(rank) == Doing::Finished || doing(rank) == Doing::Unknown || contains(concerned, rank);
    }

    const JobView &m_job;
    const std::vector<Wait> &m_waits;
    const MissingSendsOf &m_missingSends;
    const Work &m_work;
    std::vector<WaitEnd> m_ends;
    WaitForVerdict m_verdict;
    RankSet m_waiting; ///< for whom the verdict names
};

} // namespace

WaitForVerdict judgeWaits(const JobView &job, const std::vector<Wait> &waits, const MissingSendsOf &missingSends,
                          const Work &work) {
    return Judge(job, waits, missingSends, work).judge();
}

} // namespace laggard
