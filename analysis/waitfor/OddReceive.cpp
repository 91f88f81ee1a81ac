// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddReceive.h"

#include "analysis/waitfor/CallHistory.h"

#include <algorithm>
#include <set>

namespace laggard {
namespace {

constexpr std::size_t mostAskers = 256;   ///< each costs a look at its calls
constexpr std::uint32_t fewestRounds = 3; ///< as for other habits (Judge)
constexpr double mostlySo = 0.6;          ///< as for an unusual call (UnusualCall): earlier rounds may have ended loops here

/// A rank that waits for a message of a rank that it names.
struct Asking {
    const JobView &job;
    const Wait &wait;
    const LocationEvents &events;
    const CallHistory &history;
    [[nodiscard]] Rank rank() const { return wait.waiters.front(); }
};

/// Whom the calls like `like`, in equal surroundings, received from, or with which tags of `from`.
std::set<std::uint32_t> usualOf(const Asking &asking, const Step &like, Rank from, std::uint32_t &times) {
    std::set<std::uint32_t> usual;
    times = 0;
    for (const Step &step : asking.history.steps()) {
        if (step.token != like.token)
            continue;
        ++times;
        for (std::uint32_t i = step.records.receives.begin; i < step.records.receives.end; ++i) {
            const Envelope &envelope = asking.events.envelopes[asking.events.receives.envelope[i]];
            if (from == none)
                usual.insert(envelope.peer);
            else if (envelope.peer == from)
                usual.insert(envelope.tag);
        }
    }
    return usual;
}

/// The only rank of which the calls like `like` received messages with this tag.
std::optional<Rank> usualSenderOf(const Asking &asking, const Step &like, std::uint32_t tag) {
    std::set<Rank> senders;
    for (const Step &step : asking.history.steps()) {
        if (step.token != like.token || tag == none)
            continue;
        for (std::uint32_t i = step.records.receives.begin; i < step.records.receives.end; ++i)
            if (const Envelope &envelope = asking.events.envelopes[asking.events.receives.envelope[i]]; envelope.tag == tag)
                senders.insert(envelope.peer);
    }
    return senders.size() == 1 ? std::optional(*senders.begin()) : std::nullopt;
}

/// The open call asks for what it never got at this point.
std::optional<OddReceive> oddNow(const Asking &asking) {
    const Precedent next = asking.history.next();
    if (next.step == none || next.confidence < mostlySo)
        return std::nullopt;
    const Step &usual = asking.history.steps()[next.step];
    if (usual.path != asking.job.state.tasks[asking.rank()].mpiPath || usual.records.receives.empty())
        return std::nullopt;
    std::uint32_t times = 0;
    const std::set<std::uint32_t> peers = usualOf(asking, usual, none, times);
    const Wait &wait = asking.wait;
    OddReceive odd{
        .rank = asking.rank(), .from = wait.on.front(), .tag = wait.tag, .times = times, .confidence = next.confidence};
    if (!peers.contains(odd.from)) {
        odd.usual = *peers.begin();
        return odd;
    }
    // The same tag came from another rank until now: then it is the sender that is odd.
    if (const std::optional<Rank> sender = usualSenderOf(asking, usual, wait.tag); sender && *sender != odd.from) {
        odd.usual = *sender;
        return odd;
    }
    const std::set<std::uint32_t> tags = usualOf(asking, usual, odd.from, times);
    if (wait.tag == none || tags.size() != 1 || tags.contains(wait.tag) || times < fewestRounds)
        return std::nullopt;
    odd.usual = *tags.begin();
    odd.isTag = true;
    return odd;
}

/// True if the receive at this position named its sender.
bool isNamed(const LocationEvents &events, std::uint32_t receive) {
    const std::size_t posting = events.postings.find(receive); // none: a blocking receive
    return posting == none || !events.postings.is(posting, ReceivePostings::AnySource);
}

/// True if a message of `from` lies there that `rank` has not received.
bool hasUntaken(const JobView &job, Rank from, Rank rank) {
    return from < job.state.unreceived.size() && std::ranges::any_of(job.state.unreceived[from], [&](const MessageCount &sent) {
               return sent.peer == rank && sent.messages != 0;
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

/// A completed receive took the message of another rank than in each round before, whose message lies untaken; since then the
/// rank has not come back to its rounds, and it waits for what its call never got. That it is told by an earlier act is no less
/// sure than by the open call: that call is the next one in the same wrong course.
std::optional<OddReceive> oddBefore(const Asking &asking) {
    constexpr std::size_t nearest = 64; // assumed: steps since then; each costs a look at the history
    const std::vector<Step> &steps = asking.history.steps();
    const CallPathId open = asking.job.state.tasks[asking.rank()].mpiPath;
    const Rank from = asking.wait.on.front();
    if (hasReceivedAt(asking, open, from))
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
        std::uint32_t times = 0;
        const std::set<std::uint32_t> peers = usualOf(asking, usual, none, times);
        const Rank took = asking.events.envelopes[asking.events.receives.envelope[received.begin]].peer;
        if (peers.contains(took) || times < fewestRounds || !hasUntaken(asking.job, *peers.begin(), asking.rank()))
            return std::nullopt;
        return OddReceive{.rank = asking.rank(),
                          .from = from,
                          .tag = asking.wait.tag,
                          .usual = *peers.begin(),
                          .took = took,
                          .times = times,
                          .confidence = expected.confidence};
    }
    return std::nullopt;
}

std::optional<OddReceive> oddReceive(const JobView &job, const Wait &wait) {
    const Rank rank = wait.waiters.front();
    const std::uint32_t row = job.openRow(rank);
    if (row == none)
        return std::nullopt;
    const LocationEvents &events = job.trace.locations[job.location(rank)].events;
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
