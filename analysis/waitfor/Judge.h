// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/HabitBreaks.h"
#include "analysis/waitfor/Judgement.h"
#include "analysis/waitfor/UnusualCall.h"
#include "analysis/waitfor/WaitComponents.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace laggard {

struct CourseLeft;
class ReceivedMessages;

/// Finds the verdict of a wait-for graph: docs/algorithms.md, "Verdict". Each is...() and name...() fills the verdict and returns
/// true, or leaves it as it is. Used once. Its parts are in Judgement.cpp (order, and single ranks), JudgedCycles.cpp and
/// JudgedDeadlocks.cpp (ranks that wait for each other), JudgedLeftOut.cpp (who did not do what another one waits for),
/// JudgedDepartures.cpp (ranks that have gone, and odd collectives) and JudgedUnclear.cpp (where little is known).
class Judge {
  public:
    Judge(const JobView &job, const std::vector<Wait> &waits, const MissingSendsOf &missingSends, const Work &work)
        : m_job(job), m_waits(waits), m_missingSends(missingSends), m_work(work), m_ends(findWaitEnds(job.size(), waits)) {}
    WaitForVerdict judge();

  private:
    /// All but what is said of the moment, and of what could be read.
    void decide();
    using Kind = WaitForVerdict::Kind;
    using Doing = Activity::Kind;

    /// A call made less often before is no habit.
    static constexpr std::uint32_t fewestTimes = 3;
    static constexpr double noHabit = 0.4;    ///< what is said without one is a hint
    static constexpr double agreed = 0.75;    ///< assumed, for what two ways tell that know nothing of each other
    static constexpr double convincing = 0.4; ///< a skipped send less sure than this is a hint, not the verdict

    [[nodiscard]] Doing doing(Rank rank) const { return m_job.activity(rank).kind; }
    [[nodiscard]] RankSet ranksDoing(std::initializer_list<Doing> kinds) const;
    /// How sure it is that the named do what they seem to: of several threads, which one counts may not be known.
    [[nodiscard]] double certaintyOfNamed() const;
    [[nodiscard]] double readableShare() const;
    /// "MPI_Recv" or, of several, "MPI_Recv and MPI_Barrier"; at most three.
    [[nodiscard]] std::string functionsOf(const RankSet &ranks) const;
    void name(Kind kind, WaitEnd end, double confidence);
    /// The ends with the most waiting ranks among those that `accept` holds for, together.
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
    /// Where several may hold the others up, those that were seen to be stopped do. False if there are none.
    bool keepStopped(RankSet &ranks) const;
    [[nodiscard]] std::string waitingClause() const;
    bool isFinished();
    /// Ranks are in different collectives of one communicator, of which all members must do the same in the same order.
    bool isMismatch();
    /// A rank waits for a message of its own, or for itself to receive one.
    bool waitsForItself();
    [[nodiscard]] bool isGone(Rank rank) const { return doing(rank) == Doing::Finished || doing(rank) == Doing::Finalizing; }
    /// Somebody waits for ranks that will not communicate any more, and nobody is left who might explain it otherwise.
    bool leftEarly();
    void nameTogether(Kind kind, RankSet ranks, double confidence);
    /// The rank that owes another one a message, or any other act; `why` is the verdict's sentence.
    void nameDebtor(MissingSend send, std::string why);
    void nameDebtor(const LeftOutAct &act, std::string why);
    /// Both ends of the only message that does not fit what a rank waits for: which of them is wrong cannot be told.
    bool nameEndsOfMisfit(const RankSet &senders, const RankSet &receivers, double confidence);
    /// A rank that waits for any of several which have all gone: who of them owed it a message cannot be told.
    bool nameUnserved(const RankSet &gone);
    /// A receive that has taken what another one waits for. The other order would have been right as well, so that it is never
    /// certain.
    bool nameIntercepted(const RankSet &receivers, double confidence);
    /// Of those who wait for each other the only one that an earlier receive of its own keeps a message from, for which it does
    /// not wait.
    bool nameAbandoned(const RankSet &receivers, double confidence);
    /// More ranks have gone than wait in a collective for them: those that wait may have made a call too many.
    bool nameExtraCall(const RankSet &gone);
    /// Ranks that have completed a collective: of a neighbourhood, or with a root, some leave before all have come.
    [[nodiscard]] RankSet passed(CommunicatorId communicator, std::uint32_t instance) const;
    /// "ranks 0-2 are in MPI_Barrier (solve.c:12), collective 3 on MPI_COMM_WORLD".
    [[nodiscard]] std::string describeCollective(const Wait &wait) const;
    /// Members that wait for each other in collectives of their own, and in nothing else: the fewer ones are in another than
    /// those that most have come to, or the one that never made it at this point before.
    bool nameOddCollective(const RankSet &members);
    /// A rank in another collective may have gone wrong before that.
    void addParting();
    /// `other`: of one of them, if it is known by that.
    void describeOddOnes(std::vector<const Wait *> shown, const std::optional<OddCommunicator> &other);
    [[nodiscard]] std::string usualCommunicator(const OddCommunicator &odd) const;
    /// Senders inside the calls whose messages those who have gone never took: both are named.
    bool nameUntaken(const RankSet &gone);
    [[nodiscard]] static std::string describe(const MisfitMessage &misfit);
    [[nodiscard]] WaitEnd heaviestOf(const RankSet &ranks) const;
    bool isComputing();
    /// The calls of the system that wait for a lock of a file. Who holds it is not recorded.
    [[nodiscard]] bool isInFileLock(Rank rank) const;
    /// What a loop of calls that return is for is not known: it may be work after which all goes on.
    void nameLoops(double confidence);
    /// For those named, and since when: who computes and moves is not silent, and stands all the same.
    void findFunctionLoops();
    bool isStuckInCall();
    /// These stand in a collective to which all have come, and members disagree on that one or one before it on its communicator:
    /// what does not fit stays behind in it, and the odd ones are named.
    bool nameDisagreed(const RankSet &ranks);
    /// One of these was ended by a fault: a library may write beyond a buffer when members give other amounts.
    [[nodiscard]] bool hasFaultIn(const RankSet &ranks) const;
    /// Several ranks in one collective that some have left: one of them holds the others up, and data pass from one to the next.
    [[nodiscard]] bool areInOneCollective(const RankSet &ranks) const;
    /// The message that the stuck rank waits for was sent, and its sender stands in the call that sends it: both halves are
    /// there, and either may be stuck in its call.
    void nameSenderInsideToo(double confidence);
    /// The message that `receiver` waits for has been started by a partitioned request: its sender may not have marked all parts.
    bool nameUnmarkedParts(Rank receiver, double confidence);
    bool isCycle();
    /// The only one of those who wait for each other that has not done this time what another waits for, and what it did in each
    /// of its rounds before.
    /// `isOver`: one that has left its rounds, which is a guess; a message that does not fit tells more.
    bool nameLeftOut(const RankSet &members, bool isOver);
    /// `members`: those who wait for each other.
    void nameLeftOutSend(const LeftOutAct &act);
    /// Of two sides of a collective that are of the same size, the one of whose ranks others wait for messages, if these wait for
    /// none of the other: it has gone on without them.
    [[nodiscard]] std::optional<RankSet> leftBehindBy(const RankSet &one, const RankSet &other) const;
    /// At most even if a third rank takes who waits for its neighbour, and that one has nothing to do with it: two see the
    /// neighbourhood otherwise than it does.
    void doubtContradicted(Rank debtor, Rank creditor);
    /// The only one of these that did not start a request, or mark a partition ready, as in each of its rounds before.
    bool nameLeftOutStart(const RankSet &among);
    /// The only one that goes on with its rounds where it, or all others, came to a collective before.
    bool nameOverdue(const RankSet &members);
    /// A member that waits for the message which it did not get, or for which nobody waits, is no cause: of one that went another
    /// way than all others, somebody must wait.
    bool nameOffCourse(const RankSet &members);
    void nameOwnPart(const CourseLeft &left);
    [[nodiscard]] bool hasSentTo(Rank rank, Rank to) const;
    void nameStartLeftOut(const LeftOutAct &act);
    /// To whom the debtor, whose only call to mark partitions was left out, has started a request last.
    [[nodiscard]] std::optional<Rank> lastStartedSendOf(const LeftOutAct &act) const;
    /// True if the debtor has sent such messages (`none`: any tag) by the call that it left out.
    [[nodiscard]] bool startedSendTo(const LeftOutAct &act, Rank to, std::uint32_t tag) const;
    /// True if the debtor has received messages of `from` that were posted by the call that it left out.
    [[nodiscard]] bool startedReceiveOf(const LeftOutAct &act, Rank from) const;
    /// The collective that is waited for is a persistent one, and is begun by the call that the debtor left out.
    [[nodiscard]] bool isStartedCollective(const LeftOutAct &act, const Wait &wait) const;
    /// A rank that has gone, but left out a message of an earlier round, so that the receiver is one short for good.
    bool nameMissingSendOf(const RankSet &gone);
    /// Everybody but one has come to the end, and that one waits for a message of a rank that has sent it as many as each of the
    /// others by turns: that rank went no earlier than they did.
    bool nameAsksOnceMore();
    /// The senders of the messages that the call at this path has received, in order.
    [[nodiscard]] std::vector<Rank> receivedBy(Rank rank, CallPathId path) const;
    bool nameStartLeftOutBy(const RankSet &gone, const RankSet &waiting);
    /// The only one of those who have gone that once completed a collective without having started it.
    bool nameStartLeftOutOnce(const RankSet &gone);
    /// The only one of those who have gone that sent less in one of its rounds than in any other, while somebody waits for that.
    bool nameSendLeftOut(const RankSet &gone, const RankSet &waiting);
    /// The only one of those who wait for each other that asks for another message than in its rounds before.
    bool nameOddReceive(const RankSet &members);
    /// The only one of those who wait for each other that stands since several rounds of the rank whose message it waits for.
    bool nameLeftBehind(const RankSet &members);
    /// The only one of those who wait for each other that has received of all but those that stand in their sends to it.
    bool nameShortReceiver(const RankSet &members);
    /// The only one that sent its last word to all others but to those that wait for it.
    bool nameLastWord(const RankSet &members);
    /// Of a circle of waits, the two ranks that do not agree on being neighbours.
    bool nameStranger(const RankSet &members, double confidence);
    /// Of a circle of exchanges, the two that do not agree on being neighbours any more, or the one that has the old ones.
    bool nameOneSided(const RankSet &members);
    /// A message of `from`, among those who wait for each other, that does not fit tells more of what went wrong. One of another
    /// rank may be for a later receive.
    void addMisfitOf(Rank from, const RankSet &members);
    /// The sender's message of another tag is of a kind that the receiver has taken before, so that it may be for a later
    /// receive, and one that fits just what the receiver waits for went to a rank that does not ask for it; or that one was sent
    /// before, to a rank that the sender had never sent anything.
    [[nodiscard]] bool isRatherMisdirected(const MisfitMessage &misfit, const std::optional<MisfitMessage> &misdirected) const;
    /// Members that wait only for messages which have been begun, and fit what was posted for them, cannot block each other: one
    /// of them is stuck in its call.
    bool nameHeld(const RankSet &members);
    /// Without the waits for any of several, in which one message would be enough: if the circle then ends at a rank that waits
    /// so, this rank is where it comes from.
    bool nameUnservedOfCycle(const RankSet &members);
    /// Of those any of whom would do, the only one that is not in the call which its own history lets expect there, as it made a
    /// send at this point before.
    bool nameUnusualSender(const Wait &wait);
    /// Of those any of whom would do, the only one whose messages such receives have ever taken, or the only one that is a
    /// message behind the others, who have sent equally many.
    bool nameUsualSender(const Wait &wait);
    /// Of those any of whom would do, the only one that has not sent what each of the others has.
    bool nameShortSender(const Wait &wait);
    static bool isForAnyOfSeveral(const Wait &wait);
    /// Whoever waits for any of several waits for this one, which has not come to its send yet: what holds that one up?
    bool nameAwaited(const Wait &wait, Rank sender);
    /// True if the rank waited for itself in a circle although these waits were satisfied: then what would satisfy them is not
    /// all that went wrong, if it did.
    template <typename IsSatisfied> bool isInCircleWithout(Rank rank, IsSatisfied isSatisfied) const {
        std::vector<Wait> others;
        std::ranges::remove_copy_if(m_waits, std::back_inserter(others), isSatisfied);
        return std::ranges::any_of(findWaitEnds(m_job.size(), others), [rank](const WaitEnd &end) {
            return end.ranks.size() > 1 && std::ranges::binary_search(end.ranks, rank);
        });
    }
    /// The only one of those who wait for each other whose epoch is for other ranks than before.
    bool nameOddGroup(const RankSet &members);
    /// One that is stuck in an epoch of a window, which another one's epoch is for as never before: MPI libraries count calls.
    bool nameOddGroupOfStuck(const WaitEnd &end);
    /// The only one of those who wait for each other that has done so before its turn.
    bool nameOutOfTurn(const RankSet &members);
    /// All circles: each holds itself up, and none explains another.
    void nameCycles(WaitEnd end, double confidence);
    /// How sure it can be at most that all members of a circle are to be named: who does what all do is as wrong as they, but of
    /// those who do different things some may do what they should.
    [[nodiscard]] double mostOfCircle(const RankSet &members) const;
    /// Somebody else stands in a send to a member that waits for another one: then the members may wait for different reasons.
    [[nodiscard]] bool isAskedByOthers(const RankSet &members) const;
    /// Two ranks that both lack a message to the other have come to wait before they send: neither has left one out, nor any
    /// other message that was due at the same place.
    [[nodiscard]] bool isMutual() const;
    /// The two with a message between them that does not fit, among many that wait for each other: if they do so since one of
    /// them waits for any of several, if the receiver never waited for such a message before, or if just these two calls have
    /// exchanged messages that fit.
    bool nameMisfit(const RankSet &members, double confidence);
    /// Of a message that another rank than its receiver waits for: the sender, if the same call sent that one such messages in
    /// earlier rounds, and nothing ever sent its receiver one.
    bool nameMisdirected(const MisfitMessage &message, double confidence);
    /// Of those who wait for each other for a message each, the only one whose call has sent one on another communicator than
    /// always in place of what another one waits for.
    bool nameStrayed(const RankSet &members);
    void nameMissingSend();
    /// The message that the call which `to` waits for has sent on another communicator than always, and that lies unreceived.
    [[nodiscard]] std::optional<MisfitMessage> strayedMessage(Rank from, Rank to, CallPathId sentBy) const;
    /// Lowers the confidence that `from` left out its message where a call that sent `to` messages has gone to another rank
    /// since, as never before: the ranks may have agreed on new neighbours, and `to` missed it.
    void doubtRedirected(Rank from, Rank to);
    /// At most even odds if the call that did not send this has dropped another receiver before, and the job went on: the number
    /// of its receivers changes, and who waits may not know of it. Recordings and archives whose beginning is there.
    void doubtDropped(const MissingSend &missing);
    /// At most even odds if who did not send waits for a message in a call that it never made before: it may be at rest.
    void doubtNewWait(Rank from);
    /// What lies unreceived of the sender of a missing message, and is no message for a later receive.
    void addMisfitOfMissing(const MissingSend &missing);
    /// The message that `from` owes to `to` was sent on another communicator, and lies unreceived: it is not missing.
    bool nameSentElsewhere(Rank from, Rank to, double confidence);
    /// A cycle is as sure as its weakest link. That a send waits for its receiver is a guess, but members that are all in sends
    /// to each other bear each other out.
    [[nodiscard]] double sureness(const RankSet &members) const;
    /// The least sure of its members' best reasons to wait within it.
    [[nodiscard]] double weakestLink(const RankSet &members) const;
    /// Sends that members of a cycle owe to ranks that wait for them.
    [[nodiscard]] std::vector<MissingSend> missingSends(const RankSet &members) const;
    /// Takes out those that explain no cycle: to ranks outside of it, and of senders without whose omissions it would be there
    /// all the same. Of several senders that explain it only together all are left. Nothing where waits are foretold.
    void dropWithoutEffect(const RankSet &cycle, std::vector<MissingSend> &sends) const;
    /// Whether those of a cycle would no longer wait for each other had the convincing ones of these senders been sent.
    [[nodiscard]] bool wouldEnd(const RankSet &cycle, const std::vector<MissingSend> &sends, const std::set<Rank> &senders) const;
    /// The sender's history and the receiver's call know nothing of each other: if the call is known to wait for just this
    /// message, half of the doubt goes. Not for hints, which a deadlock gives as well, unless the receiver, which takes messages
    /// of anybody, has got just this one not. What a dump holds was weighed when it was made.
    void corroborate(MissingSend &send, ReceivedMessages &received) const;
    /// Nobody misses anything, and nobody computes: all have come to a call that nobody leaves.
    bool isTie();
    /// The only other rank whose history lets expect it in the call of these, of which it is not known whom it waits for, and
    /// which is in another one.
    bool nameElsewhere(const RankSet &inCall);
    /// How often the rank had entered the call before now, the open one left out.
    [[nodiscard]] std::uint32_t timesIn(Rank rank, CallPathId path) const;
    /// The only other rank that has made the call of these as often as they had before, and does not make it now.
    bool nameShortOfCalls(const RankSet &inCall, CallPathId path);
    /// The only one that went another way than these, at the call in which they are, and of which it is not known whom it waits
    /// for.
    bool nameOffCourseOf(const RankSet &inCall);
    /// What its own wait is, is not known, but all chains of waits end here: stuck in the call, or in what the call waits for.
    bool isEndOfWaits();
    /// Nobody waits in a call that does not return, and all go round loops of calls that bring nothing.
    bool allSpin();
    /// Of a rank to which nobody sends what it waits for: what was sent to it.
    void addUnasked();
    /// Ranks answer each other without end, or ask for what does not come, and all others wait.
    bool isEndlessLoop();
    /// All go round such loops: the only one that has made a call once less than each of the others before.
    bool nameShortOfAll(const std::vector<IdleLoop> &loops);
    void isUnknown();
    /// Those concerned have not moved for long, or nobody does anything any more: of a job that goes on, who holds whom up for a
    /// moment is no matter of mistakes, and the histories of all ranks cost too much for that.
    [[nodiscard]] bool hasCeased() const;
    /// Who keeps a lock that others wait for, and is among those named, or makes up the circle that they are in.
    void weighLocks();
    /// What one did otherwise than before is why these are named.
    [[nodiscard]] bool isOfHabits() const;
    [[nodiscard]] bool isPairOfDeadlock() const;
    /// Somebody waits for this rank, if for anybody.
    [[nodiscard]] bool holdsOthersUp(Rank rank) const;
    /// Who keeps what the others pass on is the one: of several who wait for such messages, or where nobody is named. False if
    /// there is none.
    bool weighKept();
    /// Of the two ends of a message whose tags are numbers, the one that has left out some.
    void weighTagSteps();
    /// It is named, and all others that are wait for it alone, in a collective that it has not come to.
    [[nodiscard]] bool isAwaitedByNamed(Rank rank) const;
    /// All others that are named wait for such a message.
    [[nodiscard]] bool awaitMessage(const HabitBreak &kept) const;
    /// Who owes answers is the one: of those named, where nobody is, and where who is named is in doubt. False: nobody does.
    bool weighAnswers();
    /// Who broke with its own habits is the one: of several named; where the one named is in doubt, it or another.
    void weighHabits();
    void nameInstead(HabitBreak habit, double confidence);
    /// One of these has received a message of another one after `time`.
    [[nodiscard]] bool haveExchangedSince(const RankSet &ranks, Tick time) const;
    /// Names the one of those named that has broken with its habits alone.
    void narrowBy(HabitBreak odd, double confidence);
    /// Names one of those named alone, with this confidence; who is alone already is at least so sure.
    void narrowTo(Rank rank, double confidence);
    [[nodiscard]] std::string describe(const HabitBreak &habit) const;
    /// Looked for when first asked, as it costs all histories.
    const HabitBreaks &habits();
    /// Of all ranks; of two that wait for each other, of these.
    [[nodiscard]] std::optional<HabitBreak> habitBreak();
    /// When a rank that computes last returned from a call of MPI: it may have made some in the function that it is still in.
    [[nodiscard]] Tick lastMpiReturn(Rank rank) const;
    /// When a rank that has gone came to MPI_Finalize: it may have been let out of it much later, as the job was ended.
    [[nodiscard]] Tick beganToLeave(Rank rank) const;
    void describeTime();

    const JobView &m_job;
    const std::vector<Wait> &m_waits;
    const MissingSendsOf &m_missingSends;
    const Work &m_work;
    std::vector<WaitEnd> m_ends;
    WaitForVerdict m_verdict;
    RankSet m_waiting;                   ///< for whom the verdict names
    std::optional<HabitBreaks> m_habits; ///< once they were looked for
    int m_timesJudged = 0;               ///< before, with other waits (nameAwaited)
};

} // namespace laggard
