// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/stacks/StandingRanks.h"

#include "trace/MpiName.h"

#include <algorithm>
#include <map>
#include <span>

namespace laggard {
namespace {

using Kind = StandingRank::Kind;
using Answer = StacksJudgement::Kind;

/// Calls that may hold a rank up; all others return by themselves.
bool mayBlock(const MpiCall &call) {
    using CallKind = MpiCall::Kind;
    return call.isCollective() || call.isWait() || call.kind == CallKind::Init || call.kind == CallKind::Finalize ||
           call.kind == CallKind::Send || call.kind == CallKind::Receive || call.kind == CallKind::SendReceive ||
           call.kind == CallKind::Probe || call.kind == CallKind::Flush ||
           (call.kind == CallKind::Other && (call.ofWindow || call.ofFile));
}

/// What one stack says.
struct Seen {
    CallPathId blocking = none; ///< call of MPI that may hold the rank up; `none`: outside, or in another call
    bool isPoll = false;
};

Seen seenIn(const Trace &job, const MpiCallTable &calls, CallPathId path) {
    Seen seen;
    if (path == none || !job.region(path).isMpi()) // also what MPI has called: the program is at work
        return seen;
    const bool isUnnamed = !isMpiName(job.region(path).canonicalName); // inside the library, and nobody knows in which call
    seen.blocking = isUnnamed || mayBlock(calls[path]) ? path : CallPathId{none};
    seen.isPoll = calls[path].isPoll();
    return seen;
}

/// The common callers of two calls; `none` if there is none.
CallPathId commonCaller(const CallPathTable &paths, CallPathId a, CallPathId b) {
    while (a != none && !paths.isAncestor(a, b))
        a = paths[a].parent;
    return a;
}

StandingRank standingOf(const Trace &job, const MpiCallTable &calls, std::span<const SampledStack> stacks) {
    StandingRank rank;
    if (stacks.empty())
        return rank;
    const SampledStack &last = stacks.back();
    rank.callPath = last.callPath;
    rank.site = last.site;
    rank.stays = last.callPath;
    bool hasMoved = false;
    bool polls = false;
    bool isStopped = last.isStopped;
    for (std::size_t i = 0; i < stacks.size(); ++i) {
        const Seen now = seenIn(job, calls, stacks[i].callPath);
        polls |= now.isPoll;
        if (i == 0)
            continue;
        const Seen before = seenIn(job, calls, stacks[i - 1].callPath);
        rank.moves |= stacks[i].moves || stacks[i].stays != stacks[i].callPath;
        rank.stays = commonCaller(job.callPaths, rank.stays, stacks[i].stays == none ? stacks[i].callPath : stacks[i].stays);
        if (now.blocking != before.blocking)
            hasMoved = true;
        else if (now.blocking != none && !job.callPaths.isAncestor(now.blocking, stacks[i].stays))
            hasMoved = true; // another call from the same line
    }
    const Seen end = seenIn(job, calls, last.callPath);
    rank.mpiCall = end.blocking;
    rank.kind = isStopped                                             ? Kind::Stopped
                : hasMoved                                            ? Kind::Moving
                : end.blocking == none                                ? (polls ? Kind::Polling : Kind::Computing)
                : calls[end.blocking].kind == MpiCall::Kind::Finalize ? Kind::Finalizing
                                                                      : Kind::InCall;
    return rank;
}

/// Ranks of each kind, and the rules that name some of them.
class Rules {
  public:
    Rules(const Trace &job, const MpiCallTable &calls, StacksJudgement &answer) : m_job(job), m_calls(calls), m_answer(answer) {
        for (Rank rank = 0; rank < answer.standing.size(); ++rank)
            if (answer.standing[rank].kind != Kind::Unknown)
                m_ranks[answer.standing[rank].kind].push_back(rank);
    }

    void apply() {
        if (!of(Kind::Stopped).empty())
            return name(Answer::Stopped, of(Kind::Stopped), 0.9);
        if (!of(Kind::Moving).empty())
            return name(Answer::Running, of(Kind::Moving), 0.9);
        if (seen() == 0)
            return;
        if (!of(Kind::Computing).empty())
            return outsideMpi();
        if (!of(Kind::Finalizing).empty() && of(Kind::Finalizing).size() < seen())
            return leftEarly();
        RankSet collective;
        RankSet others = of(Kind::Polling);
        for (const Rank rank : of(Kind::InCall))
            (m_calls[m_answer.standing[rank].mpiCall].isCollective() ? collective : others).push_back(rank);
        std::ranges::sort(others);
        if (others.empty())
            betweenCollectives(collective);
        else if (collective.empty())
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
        name(Answer::Computing, outside, outside.size() == 1 ? 0.8 : outside.size() * 2 <= seen() ? 0.6 : 0.4);
    }

    void leftEarly() {
        const RankSet &leavers = of(Kind::Finalizing);
        if (leavers.size() * 2 <= seen())
            return name(Answer::LeftEarly, leavers, leavers.size() == 1 ? 0.75 : 0.55);
        RankSet behind = of(Kind::InCall);
        behind.insert(behind.end(), of(Kind::Polling).begin(), of(Kind::Polling).end());
        std::ranges::sort(behind);
        name(Answer::Behind, behind, 0.45);
    }

    void betweenCollectives(const RankSet &ranks) {
        const std::vector<RankSet> groups = byCall(ranks);
        if (groups.size() < 2)
            return;
        if (groups.front().size() * 2 > ranks.size()) {
            RankSet odd;
            for (const Rank rank : ranks)
                if (!contains(groups.front(), rank))
                    odd.push_back(rank);
            return name(Answer::OtherCollective, odd, odd.size() == 1 ? 0.7 : 0.5);
        }
        if (groups.size() == 2 && groups[0].size() == groups[1].size()) // neither is the odd one
            return name(Answer::OtherCollective, ranks, 0.35);
    }

    void behindCollective(const RankSet &collective, const RankSet &others) {
        // A few in a collective, while most wait for messages: it may be one of these few alone.
        if (collective.size() * 4 <= seen())
            return;
        name(Answer::Behind, others, others.size() == 1 ? 0.6 : 0.45);
    }

    void betweenCalls(const RankSet &ranks) {
        const std::vector<RankSet> groups = byCall(ranks);
        const bool isOdd = groups.size() > 1 && groups.back().size() * 4 <= ranks.size() &&
                           (groups.size() == 2 || groups[groups.size() - 2].size() > groups.back().size());
        if (isOdd)
            name(Answer::OddCall, groups.back(), 0.35);
    }

    /// Ranks in the same call, the most first.
    [[nodiscard]] std::vector<RankSet> byCall(const RankSet &ranks) const {
        std::map<CallPathId, RankSet> byPath;
        for (const Rank rank : ranks)
            byPath[m_answer.standing[rank].mpiCall].push_back(rank);
        std::vector<RankSet> groups;
        for (auto &[path, each] : byPath) {
            const auto same = std::ranges::find_if(groups, [&, call = path](const RankSet &group) {
                const CallPathId other = m_answer.standing[group.front()].mpiCall;
                return call != none && other != none && m_job.isSameCall(call, other);
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
    StacksJudgement &m_answer;
    std::map<Kind, RankSet> m_ranks;
};

} // namespace

StacksJudgement judgeStacks(const Trace &job, const StackSamples &samples) {
    const MpiCallTable calls(job);
    StacksJudgement answer;
    answer.isOneSample = samples.times.size() < 2;
    answer.standing.resize(job.processes.size());
    for (auto begin = samples.stacks.begin(); begin != samples.stacks.end();) {
        const auto end = std::find_if(begin, samples.stacks.end(), [&](const SampledStack &each) {
            return each.rank != begin->rank || each.thread != begin->thread;
        });
        if (begin->thread == 0 && begin->rank < answer.standing.size())
            answer.standing[begin->rank] = standingOf(job, calls, {begin, end});
        begin = end;
    }
    for (const StandingRank &each : answer.standing)
        answer.unseen += each.kind == Kind::Unknown ? 1 : 0;
    Rules(job, calls, answer).apply();
    constexpr double fromOneSample = 0.6;   // whether anything moves is not known
    constexpr double withUnseenRanks = 0.7; // any of them may be the one
    if (answer.kind != Answer::Running && answer.isOneSample)
        answer.confidence *= fromOneSample;
    if (answer.kind != Answer::Running && answer.unseen != 0)
        answer.confidence *= withUnseenRanks;
    return answer;
}

} // namespace laggard
