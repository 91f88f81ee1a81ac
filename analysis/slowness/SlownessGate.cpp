// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/slowness/SlownessGate.h"

#include "analysis/semimarkov/MedianStep.h"
#include "analysis/slowness/LikeComputations.h"

#include <algorithm>
#include <functional>

namespace laggard {
namespace {

using Kind = SemiMarkovVerdict::Kind;

constexpr double leastSeconds = 0.1; // what is shorter seems to take no time (R. B. Miller 1968; J. Nielsen 1993)
constexpr double leastShare = 0.05;  // share of the run
// Start and end are done once, so that nothing tells how long they usually take, and launchers, libraries and input take seconds.
constexpr double leastOnce = 10;
constexpr double leastOnceShare = 0.1;
constexpr double leastOnceAlike =
    0.5; // … but where the others do the same, they tell: half the delay that AutomaDeD injects (§5.1)

constexpr double shareOfWaiting = 0.25;      // as for DelayReport::standsOut
constexpr double timesNext = 2;              // …
constexpr double leastSlowness = 2;          // for a rank that is slow all along: as for a step in the phases' times (PhaseTimes)
constexpr double timesOthers = 1.3;          // … and over the slowest other rank, whose load differs as well
constexpr double slowerFromThen = 1.5;       // times slower than the other ranks, from a shift on: as for TransitionShift
constexpr double atLeastHalf = 0.5;          // this part of an excess must have been waited for; this part of a step must be left
constexpr std::size_t fewestTimes = 5;       // as many entries make phases: fewer show no habit
constexpr std::size_t nearPhases[] = {3, 8}; // on either side of a shift: load may stay on a rank for a few phases, or many
constexpr double signOfLife = 0.5;           // seconds: as often, processes give one
constexpr double leastAgreement = 0.5;       // agreement of the paper's methods, where there are no events

class Gate {
  public:
    Gate(const SlownessEvidence &evidence, const Work &work) : m_evidence(evidence), m_trace(evidence.trace), m_work(work) {
        m_run = secondsOf(m_trace.readRange().length());
        if (evidence.models != nullptr && !evidence.models->histories.runs.empty()) {
            m_histories = &evidence.models->histories;
        } else if (!m_trace.isSummary) {
            const std::vector<const Trace *> traces{&m_trace};
            m_own = buildHistories(traces, work);
            m_histories = &*m_own;
        }
    }

    SlownessStatements decide() {
        SlownessStatements said;
        RankSet slow;
        said.phases = mayTellPhases();
        if (said.phases)
            slow = m_evidence.models->verdict.ranks;
        addSlowAllAlong(slow);
        const auto isSlow = [&slow](Rank rank) { return std::find(slow.begin(), slow.end(), rank) != slow.end(); };
        const DelayReport *delays = m_evidence.delays;
        said.delays = delays != nullptr && delays->leading && delays->standsOut && isSlow(delays->leading->rank) &&
                      matters(perOther(delays->causedSeconds[delays->leading->rank]));
        if (m_evidence.outliers != nullptr) {
            said.stopped = mayTellStopped(m_evidence.outliers->failStop);
            said.unlike = unlikeOnes(*m_evidence.outliers, isSlow);
        }
        said.once = doneOnce();
        return said;
    }

  private:
    [[nodiscard]] double secondsOf(Tick ticks) const {
        return static_cast<double>(ticks) / static_cast<double>(m_trace.clock.ticksPerSecond);
    }
    [[nodiscard]] bool matters(double seconds) const { return seconds >= std::max(leastSeconds, leastShare * m_run); }
    /// How long each of the others waited on average, from the rank-seconds of all of them.
    [[nodiscard]] double perOther(double seconds) const {
        return seconds / static_cast<double>(std::max<std::size_t>(m_trace.processes.size(), 2) - 1);
    }

    [[nodiscard]] bool isSuspect(Rank rank) const {
        if (m_evidence.outliers == nullptr)
            return false;
        const Ranking &ranking = m_evidence.outliers->withoutMpi;
        return std::any_of(ranking.scores.begin(), ranking.scores.begin() + static_cast<std::ptrdiff_t>(ranking.suspects),
                           [rank](const SuspectScore &score) { return score.rank == rank; });
    }
    [[nodiscard]] bool madeOthersWait(Rank rank, const DelayReport &delays) const {
        const double own = delays.causedSeconds[rank];
        double next = 0;
        for (Rank other = 0; other < delays.causedSeconds.size(); ++other)
            next = other == rank ? next : std::max(next, delays.causedSeconds[other]);
        return own > 0 && own >= shareOfWaiting * delays.waiting && own >= timesNext * next;
    }

    [[nodiscard]] bool mayTellPhases() const;
    [[nodiscard]] bool mayTellTemporary(const Occurrence &o) const;
    [[nodiscard]] bool isUnlikeItself(const Occurrence &o) const;
    [[nodiscard]] std::size_t callsBelow(Rank rank, CallPathId path) const;
    [[nodiscard]] bool mayTellPermanent(const SemiMarkovVerdict &verdict) const;
    [[nodiscard]] bool workMoved(Rank rank, std::uint32_t phase, std::size_t near) const;
    [[nodiscard]] double lostBeyondOthers(Rank rank, Tick since) const;
    void addSlowAllAlong(RankSet &slow) const;
    [[nodiscard]] bool mayTellStopped(const FailStop &failStop) const;
    [[nodiscard]] double longestBetweenCalls(Rank rank) const;
    [[nodiscard]] RankSet unlikeOnes(const OutlierReport &outliers, const std::function<bool(Rank)> &isSlow) const;
    [[nodiscard]] std::optional<Delay> doneOnce() const;
    [[nodiscard]] bool othersDoTheSame(const Delay &delay) const;

    const SlownessEvidence &m_evidence;
    const Trace &m_trace;
    const Work &m_work;
    double m_run = 0; ///< seconds
    std::optional<Histories> m_own;
    const Histories *m_histories = nullptr;
};

bool Gate::mayTellPhases() const {
    if (m_evidence.models == nullptr || m_evidence.models->empty())
        return false;
    const SemiMarkovVerdict &verdict = m_evidence.models->verdict;
    switch (verdict.kind) {
    case Kind::NothingUnusual:
    case Kind::HangInMpi: // who waits for whom tells more
        return false;
    case Kind::RepeatedMessage:
        return true;
    case Kind::Hang:
        return m_evidence.state == Verdict::State::Hung || m_evidence.state == Verdict::State::Crashed;
    case Kind::Temporary:
        return verdict.occurrence && mayTellTemporary(*verdict.occurrence);
    case Kind::Permanent:
        return verdict.occurrence && verdict.shift && mayTellPermanent(verdict);
    }
    return false;
}

/// The rank has been in this state often, in code that it knows well, and never nearly so long: what is done for the first time,
/// as writing the first checkpoint, has no usual time.
bool Gate::isUnlikeItself(const Occurrence &o) const {
    const RankHistory &history = m_histories->runs[0].ranks[o.rank];
    std::size_t times = 0;
    double longest = 0;
    for (std::uint32_t row = 0; row < history.size(); ++row)
        if (row != o.row && history.transition[row] == o.transition) {
            ++times;
            longest = std::max(longest, m_histories->runs[0].seconds(history.duration(row)));
        }
    if (times + 1 < fewestTimes || longest > o.seconds / 2)
        return false;
    return o.callPath == none || callsBelow(o.rank, o.callPath) >= fewestTimes;
}

/// How often a rank entered a call path, or one below it.
std::size_t Gate::callsBelow(Rank rank, CallPathId path) const {
    const LocationEvents *events = m_trace.mainEvents(rank);
    if (events == nullptr)
        return 0;
    std::vector<bool> isBelow(m_trace.callPaths.size());
    for (CallPathId one = 0; one < isBelow.size(); ++one) { // callers come first
        const CallPathId parent = m_trace.callPaths[one].parent;
        isBelow[one] = one == path || (parent != none && isBelow[parent]);
    }
    std::size_t count = 0;
    for (const CallPathId one : events->track.callPath)
        count += isBelow[one] ? 1 : 0;
    return count;
}

bool Gate::mayTellTemporary(const Occurrence &o) const {
    if (!matters(o.excess))
        return false;
    if (m_trace.isSummary)
        return m_evidence.models->verdict.agreement >= leastAgreement;
    if (m_histories->references() == 0 && !isUnlikeItself(o))
        return false;
    double waited = 0;
    for (const Delay &delay : findDelays(m_trace, o.time, m_work).delays)
        waited += delay.rank == o.rank ? delay.seconds : 0;
    return m_trace.processes.size() == 1 || waited >= atLeastHalf * o.excess;
}

/// Whether a rank that had more to compute than most has less from a phase on, by half of what this one has more: load moved. By
/// medians of the `near` phases on either side.
bool Gate::workMoved(Rank rank, std::uint32_t phase, std::size_t near) const {
    const SemiMarkovReport &models = *m_evidence.models;
    const PhaseTable &phases = models.phases;
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        if (phases.phases[p].set == phases.phases[phase].set)
            (p < phase ? before : after).push_back(p);
    before.erase(before.begin(), before.end() - static_cast<std::ptrdiff_t>(std::min(before.size(), near)));
    after.resize(std::min(after.size(), near));
    if (before.empty() || after.empty())
        return false;
    const auto typical = [&](const std::vector<std::uint32_t> &of, Rank one) {
        std::vector<double> seconds;
        for (const std::uint32_t p : of)
            seconds.push_back(models.times.computation[p * phases.ranks() + one]);
        return medianOf(std::move(seconds));
    };
    std::vector<double> levels; // before, by rank
    for (Rank one = 0; one < phases.ranks(); ++one)
        levels.push_back(typical(before, one));
    const double more = typical(after, rank) - levels[rank];
    const double heavy = slowerFromThen * medianOf(levels);
    for (Rank other = 0; more > 0 && other < phases.ranks(); ++other)
        if (other != rank && levels[other] >= heavy && levels[other] - typical(after, other) >= atLeastHalf * more)
            return true;
    return false;
}

/// Seconds that a rank lost from a moment on, beyond what the others did: the problem may grow for all.
double Gate::lostBeyondOthers(Rank rank, Tick since) const {
    std::vector<double> others;
    for (Rank other = 0; other < m_histories->runs[0].ranks.size(); ++other)
        if (other != rank)
            others.push_back(lostSince(*m_histories, other, since));
    return lostSince(*m_histories, rank, since) - (others.empty() ? 0 : medianOf(std::move(others)));
}

bool Gate::mayTellPermanent(const SemiMarkovVerdict &verdict) const {
    if (m_trace.isSummary)
        return verdict.agreement >= leastAgreement;
    const SemiMarkovReport &models = *m_evidence.models;
    const Rank rank = verdict.occurrence->rank;
    const std::uint32_t phase = verdict.shift->phase;
    const PhaseSpan &span = models.phases.span(0, phase, rank);
    const Tick since = span.isKnown() ? span.begin : verdict.occurrence->time.begin;
    const std::vector<LikeComputation> like = compareLike(m_trace, *m_histories, since, m_work);
    double lost = lostBeyondOthers(rank, since);
    if (m_histories->references() > 0) // it may be slow from the first phase on
        lost = std::max(lost, like[rank].lost);
    const auto moved = [&](std::size_t near) { return workMoved(rank, phase, near); };
    if (!matters(lost) || std::any_of(std::begin(nearPhases), std::end(nearPhases), moved))
        return false;
    const bool isCompared = like[rank].slowness > 0;
    if (isCompared ? like[rank].slowness < slowerFromThen : verdict.shift->rank == none)
        return false;
    // If the phases as a whole take longer, the problem may have grown for all: only that they wait for one tells that one.
    return (verdict.shift->rank != none && isSuspect(rank)) ||
           madeOthersWait(rank, findDelays(m_trace, {since, m_trace.readRange().end}, m_work));
}

/// Ranks that take far longer than all others for the same. In a job that was ended early, load that moves looks like that.
void Gate::addSlowAllAlong(RankSet &slow) const {
    if (m_evidence.state != Verdict::State::Finished || m_histories == nullptr || m_trace.isSummary)
        return;
    const std::vector<LikeComputation> like = compareLike(m_trace, *m_histories, 0, m_work);
    for (Rank rank = 0; rank < like.size(); ++rank) {
        double next = 0;
        for (Rank other = 0; other < like.size(); ++other)
            next = other == rank ? next : std::max(next, like[other].slowness);
        if (!like[rank].steadily || like[rank].slowness < std::max(leastSlowness, timesOthers * next) ||
            !matters(like[rank].lost))
            continue;
        if (isSuspect(rank) || (m_evidence.delays != nullptr && madeOthersWait(rank, *m_evidence.delays)))
            slow.push_back(rank);
    }
}

/// In a job that still moved, a rank that waits in MPI for others has not stopped.
bool Gate::mayTellStopped(const FailStop &failStop) const {
    if (m_evidence.state != Verdict::State::Running)
        return true;
    constexpr double unlike = 2; // times as long as ever before, as for who computes (Overdue)
    return failStop.gapSeconds >= std::max(signOfLife, leastShare * m_run) &&
           std::ranges::none_of(failStop.stopped, [&](const StoppedRank &stopped) {
               return (stopped.openStack != none && m_trace.region(stopped.openStack).isMpi()) ||
                      failStop.gapSeconds < unlike * longestBetweenCalls(stopped.rank);
           });
}

/// In seconds, from one recorded call to the next; 0 of a rank without events.
double Gate::longestBetweenCalls(Rank rank) const {
    const LocationEvents *events = m_trace.mainEvents(rank);
    Tick longest = 0;
    for (std::size_t row = 1; events != nullptr && row < events->track.size(); ++row)
        longest = std::max(longest, events->track.start[row] - events->track.start[row - 1]);
    return secondsOf(longest);
}

/// In a job that is held up, outliers stand behind the verdict; without MPI, there is nothing else to ask.
RankSet Gate::unlikeOnes(const OutlierReport &outliers, const std::function<bool(Rank)> &isSlow) const {
    const bool moves = m_evidence.state == Verdict::State::Finished || m_evidence.state == Verdict::State::Running;
    const std::vector<ProfileComponent> &components = outliers.withMpi.profiles->components;
    const bool hasMpi = std::any_of(components.begin(), components.end(), [](const ProfileComponent &c) { return c.isMpi; });
    RankSet ranks;
    for (const Finding &finding : outliers.findings)
        if (finding.method == "outliers" && (!moves || !hasMpi || isSlow(finding.ranks.front())))
            ranks.push_back(finding.ranks.front());
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// Most ranks enter the function, which is not the outermost one or MPI_Init, and this is not the rank that hands out what it
/// read.
bool Gate::othersDoTheSame(const Delay &delay) const {
    if (delay.callPath == none || m_trace.callPaths[delay.callPath].parent == none || m_trace.region(delay.callPath).isMpi())
        return false;
    std::size_t others = 0;
    for (Rank rank = 0; rank < m_trace.processes.size(); ++rank) {
        const LocationEvents *events = m_trace.mainEvents(rank);
        if (events == nullptr)
            continue;
        if (rank != delay.rank) {
            const Column<CallPathId> &paths = events->track.callPath;
            others += std::find(paths.begin(), paths.end(), delay.callPath) != paths.end() ? 1 : 0;
            continue;
        }
        for (const CollectiveKind &kind : events->collectiveKinds)
            if (kind.root == rank &&
                (kind.operation == CollectiveOperation::Bcast || kind.operation == CollectiveOperation::Scatter ||
                 kind.operation == CollectiveOperation::Scatterv))
                return false;
    }
    return 2 * others >= m_trace.processes.size();
}

std::optional<Delay> Gate::doneOnce() const {
    if (m_evidence.delays == nullptr)
        return {};
    const std::vector<Delay> &delays = m_evidence.delays->delays;
    const auto most = std::find_if(delays.begin(), delays.end(), [](const Delay &d) { return d.once && !d.transit; });
    if (most == delays.end())
        return {};
    const double least = othersDoTheSame(*most) ? leastOnceAlike : leastOnce;
    const bool isLong = perOther(most->seconds) >= std::max(least, leastOnceShare * m_run);
    return isLong ? std::optional(*most) : std::nullopt;
}

} // namespace

SlownessStatements slownessToTell(const SlownessEvidence &evidence, const Work &work) { return Gate(evidence, work).decide(); }

} // namespace laggard
