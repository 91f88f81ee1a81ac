// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddReceive.h"

#include "analysis/waitfor/CallHistory.h"
#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/OddEnvelope.h"

#include <algorithm>
#include <map>
#include <set>

namespace laggard {
namespace {

constexpr std::size_t mostAskers = 256;     ///< each costs a look at its calls
constexpr std::uint32_t fewestReceives = 3; ///< as for other habits (Judge)
constexpr double mostlySo = 0.6;            ///< as for an unusual call (UnusualCall): earlier rounds may have ended loops here

/// A rank that waits for a message of a rank that it names.
struct Asking {
    const JobView &job;
    const Wait &wait;
    const LocationEvents &events;
    const CallHistory &history;
    [[nodiscard]] Rank rank() const { return wait.waiters.front(); }
};

/// What calls at one path received where the same step came before them.
struct ReceiveHabit {
    std::set<Rank> peers;
    std::map<std::uint32_t, std::set<Rank>> peersOf; ///< by tag
    std::set<std::uint32_t> tagsOf;                  ///< of the messages of `from`
    std::uint32_t times = 0;
    std::uint64_t token = 0; ///< of the first such call
    bool isConstant = true;  ///< all of them are equal: each received of the same ranks
};

/// Of the calls at `path` that came after a step like the one before `step`; `from`: the rank whose tags are wanted.
ReceiveHabit habitAt(const Asking &asking, CallPathId path, std::size_t step, Rank from) {
    const std::vector<Step> &steps = asking.history.steps();
    ReceiveHabit habit;
    for (std::size_t i = 1; step > 0 && i < std::min(step, steps.size()); ++i) {
        const RecordRange &received = steps[i].records.receives;
        if (steps[i].path != path || steps[i - 1].token != steps[step - 1].token || received.empty())
            continue;
        habit.token = habit.times == 0 ? steps[i].token : habit.token;
        habit.isConstant = habit.isConstant && steps[i].token == habit.token;
        ++habit.times;
        for (std::uint32_t k = received.begin; k < received.end; ++k) {
            const Envelope &envelope = asking.events.envelopes[asking.events.receives.envelope[k]];
            habit.peers.insert(envelope.peer);
            habit.peersOf[envelope.tag].insert(envelope.peer);
            if (envelope.peer == from)
                habit.tagsOf.insert(envelope.tag);
        }
    }
    return habit;
}

/// The open call asks for what it never got at this point.
std::optional<OddReceive> oddNow(const Asking &asking) {
    const Precedent next = asking.history.next();
    const std::vector<Step> &steps = asking.history.steps();
    const CallPathId open = asking.job.state.tasks[asking.rank()].mpiPath;
    if (next.step == none || next.confidence < mostlySo || steps[next.step].path != open)
        return std::nullopt;
    const Wait &wait = asking.wait;
    const Rank from = wait.on.front();
    const ReceiveHabit habit = habitAt(asking, open, steps.size(), from);
    if (habit.times < fewestReceives)
        return std::nullopt;
    OddReceive odd{.rank = asking.rank(), .from = from, .tag = wait.tag, .times = habit.times, .confidence = next.confidence};
    if (!habit.peers.contains(from)) {
        odd.usual = *habit.peers.begin();
        return habit.isConstant ? std::optional(odd) : std::nullopt; // else it takes now the one, now the other
    }
    // The same tag came from another rank until now: then it is the sender that is odd.
    if (const auto sender = habit.peersOf.find(wait.tag);
        wait.tag != none && sender != habit.peersOf.end() && sender->second.size() == 1 && *sender->second.begin() != from) {
        odd.usual = *sender->second.begin();
        return odd;
    }
    if (wait.tag == none || habit.tagsOf.size() != 1 || habit.tagsOf.contains(wait.tag) ||
        hasChangedForPeers(asking.job, asking.rank(), open, *habit.tagsOf.begin(), wait.tag))
        return std::nullopt;
    odd.usual = *habit.tagsOf.begin();
    odd.isTag = true;
    return odd;
}

/// True if the receive at this position named its sender.
bool isNamed(const LocationEvents &events, std::uint32_t receive) {
    const std::size_t posting = events.postings.find(receive); // none: a blocking receive
    return posting == none || !events.postings.is(posting, ReceivePostings::AnySource);
}

/// True if a message of `from` lies there such as the one that the rank took, or as it has received of it in earlier rounds.
bool hasUntaken(const Asking &asking, Rank from, const Envelope &took, const ReceiveHabit &habit) {
    std::set<std::uint32_t> tags = habit.tagsOf;
    tags.insert(took.tag);
    return std::ranges::any_of(tags, [&](std::uint32_t tag) {
        const JobView::OnTheWay messages = asking.job.unreceived(from, asking.rank(), took.communicator, tag, false);
        return messages.certain + messages.held != 0;
    });
}

/// True if calls at this path have received a message of `from`.
bool hasReceivedAt(const Asking &asking, CallPathId path, Rank from) {
    return std::ranges::any_of(asking.history.steps(), [&](const Step &step) {
        if (step.path != path)
            return false;
        for (std::uint32_t i = step.records.receives.begin; i < step.records.receives.end; ++i)
            if (asking.events.envelopes[asking.events.receives.envelope[i]].peer == from)
                return true;
        return false;
    });
}

/// True if, in the round that is compared, the call that followed the usual one received of `took`: one was left out, and the
/// rest is as it was.
bool isSkip(const Asking &asking, std::size_t usual, Rank took) {
    const std::vector<Step> &steps = asking.history.steps();
    if (usual + 1 >= steps.size() || steps[usual + 1].path != steps[usual].path || steps[usual + 1].records.receives.size() != 1)
        return false;
    const std::uint32_t next = steps[usual + 1].records.receives.begin;
    return asking.events.envelopes[asking.events.receives.envelope[next]].peer == took;
}

/// A completed receive took the message of another rank than in each round before, whose message lies untaken; since then the
/// rank has not come back to its rounds, and it waits for what its call never got.
std::optional<OddReceive> oddBefore(const Asking &asking) {
    constexpr std::size_t nearest = 64; // assumed: steps since then; each costs a look at the history
    // The ranks may have agreed on another order, and the one that is asked now have left out its part. Where one was skipped,
    // and all others came in their order, that is less likely.
    const std::vector<Step> &steps = asking.history.steps();
    const CallPathId open = asking.job.state.tasks[asking.rank()].mpiPath;
    const Rank from = asking.wait.on.front();
    if (asking.job.trace.processes[asking.rank()].eventsFrom != 0 || asking.job.trace.isDamaged(asking.rank()) ||
        hasReceivedAt(asking, open, from))
        return std::nullopt;
    for (std::size_t i = steps.size(); i-- > 0 && steps.size() - i <= nearest;) {
        const Precedent expected = asking.history.nextBefore(i);
        if (expected.step == none || expected.confidence < mostlySo)
            continue;
        const Step &usual = steps[expected.step];
        const RecordRange &received = steps[i].records.receives;
        if (usual.token == steps[i].token || usual.path != steps[i].path || usual.path != open || received.size() != 1 ||
            usual.records.receives.size() != 1 || !isNamed(asking.events, received.begin))
            return std::nullopt; // it was in its rounds, or left them by something else
        const Envelope &took = asking.events.envelopes[asking.events.receives.envelope[received.begin]];
        const Rank usualPeer = asking.events.envelopes[asking.events.receives.envelope[usual.records.receives.begin]].peer;
        const ReceiveHabit habit = habitAt(asking, open, i, usualPeer);
        if (habit.times < fewestReceives || habit.peers != std::set<Rank>{usualPeer} ||
            !hasUntaken(asking, usualPeer, took, habit))
            return std::nullopt;
        return OddReceive{.rank = asking.rank(),
                          .from = from,
                          .tag = asking.wait.tag,
                          .usual = usualPeer,
                          .took = took.peer,
                          .times = habit.times,
                          .confidence =
                              std::min(isSkip(asking, expected.step, took.peer) ? rather : either, expected.confidence)};
    }
    return std::nullopt;
}

std::optional<OddReceive> oddReceive(const JobView &job, const Wait &wait) {
    const Rank rank = wait.waiters.front();
    const std::uint32_t row = job.openRow(rank);
    if (row == none)
        return std::nullopt;
    const LocationEvents &events = job.events(rank);
    const CallHistory history(job.trace, job.calls, events, job.state.at, row);
    const Asking asking{job, wait, events, history};
    std::optional<OddReceive> odd = oddNow(asking);
    return odd ? odd : oddBefore(asking);
}

} // namespace

std::optional<OddReceive> onlyOddReceive(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    std::optional<OddReceive> only;
    if (job.trace.isSummary || members.size() > mostAskers)
        return only;
    for (const Wait &wait : waits) {
        // Only what the call said itself: that a prediction differs from a prediction tells nothing.
        if (wait.kind != Wait::Kind::PointToPoint || wait.isSend || wait.anyOf || wait.on.size() != 1 ||
            !contains(members, wait.waiters.front()) || job.open(wait.waiters.front()).source != OpenCall::Source::Recorded)
            continue;
        const std::optional<OddReceive> odd = oddReceive(job, wait);
        if (odd && only)
            return std::nullopt;
        if (odd)
            only = odd;
    }
    return only;
}

} // namespace laggard
