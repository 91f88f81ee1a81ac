// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/KeptMessages.h"

#include "analysis/waitfor/ActSequence.h"
#include "analysis/waitfor/Passings.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace laggard {
namespace {

constexpr std::uint32_t fewestTimes = 10; ///< passed on before; as for habits that name another rank (Judge)
constexpr std::size_t fewestOthers = 2;   ///< of two, each may take the other's for its own

/// Communicator and tag; `none` for the tag where it changes all the time.
using MessageKind = std::pair<CommunicatorId, std::uint32_t>;

/// How a rank passes on messages of a kind.
struct Flow {
    std::uint32_t times = 0; ///< it has sent on all that it had received
    Tick longest = 0;        ///< that it has had some
    Tick longestRest = 0;    ///< that it has had none
    bool isHolding = false;
    Passing since;               ///< what it has received, or sent as the last
    LocationIndex sender = none; ///< the thread that sent the last one
};

Flow flowOf(const std::vector<Passing> &passings) {
    std::int64_t held = 0;
    std::int64_t base = 0; // the fewest at any time: a rank that begins with some has sent more than it received
    for (const Passing &each : passings)
        base = std::min(base, held += each.isReceive ? 1 : -1);
    Flow flow;
    held = 0;
    bool isKnown = false; // before it had none for the first time, it may have had some
    for (const Passing &each : passings) {
        flow.sender = each.isReceive ? flow.sender : each.location;
        const bool hadSome = held > base;
        held += each.isReceive ? 1 : -1;
        const bool hasSome = held > base;
        if (hadSome == hasSome)
            continue;
        if (isKnown && hadSome) {
            ++flow.times;
            flow.longest = std::max(flow.longest, each.time - flow.since.time);
        } else if (isKnown) {
            flow.longestRest = std::max(flow.longestRest, each.time - flow.since.time);
        }
        isKnown |= !hasSome || base == 0;
        flow.since = each;
    }
    flow.isHolding = held > base;
    return flow;
}

using FlowsByKind = std::map<MessageKind, Flow>;

FlowsByKind flowsOf(const JobView &job, const std::vector<Passing> &passings, const TagsOf &tags) {
    std::map<MessageKind, std::vector<Passing>> byKind;
    for (const Passing &each : passings) {
        const Envelope &envelope = envelopeOf(job, each);
        const bool isNumbered = tags.at(envelope.communicator).size() > mostTagsOfKinds;
        byKind[{envelope.communicator, isNumbered ? none : envelope.tag}].push_back(each);
    }
    FlowsByKind flows;
    for (const auto &[kind, ofKind] : byKind)
        if (Flow flow = flowOf(ofKind); flow.times >= fewestTimes)
            flows.emplace(kind, flow);
    return flows;
}

bool isForMore(const Wait &wait, const MessageKind &kind) {
    return wait.kind == Wait::Kind::PointToPoint && !wait.isSend &&
           (kind.second == none || wait.tag == none || wait.tag == kind.second);
}

/// Who only looks whether something has come, now or again and again.
std::set<Rank> lookingRanks(const JobView &job, const std::vector<IdleLoop> &loops) {
    const auto isProbe = [&](CallPathId call) { return job.calls[call].kind == MpiCall::Kind::ProbeOnce; };
    std::set<Rank> looking;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (job.isInMpi(rank) && job.mpiCall(rank).kind == MpiCall::Kind::ProbeOnce)
            looking.insert(rank);
    for (const IdleLoop &loop : loops)
        if (std::ranges::any_of(loop.calls, isProbe))
            looking.insert(loop.rank);
    return looking;
}

/// All that the rank waits for are such messages, in another thread than the one that passes them on.
bool waitsForMore(const JobView &job, const std::vector<Wait> &waits, Rank rank, const MessageKind &kind, const Flow &flow) {
    return std::ranges::all_of(waits, [&](const Wait &wait) {
        return !std::ranges::binary_search(wait.waiters, rank) || (isForMore(wait, kind) && job.location(rank) != flow.sender);
    });
}

/// Two others or more wait for such messages now, or look whether something has come: they have not gone on to something else.
bool areAwaited(const std::vector<Wait> &waits, std::set<Rank> waiters, Rank holder, const MessageKind &kind) {
    for (const Wait &wait : waits)
        if (isForMore(wait, kind))
            waiters.insert(wait.waiters.begin(), wait.waiters.end());
    waiters.erase(holder);
    return waiters.size() >= fewestOthers;
}

HabitBreak describe(const JobView &job, Rank rank, const MessageKind &kind, const Flow &flow) {
    const Envelope &envelope = envelopeOf(job, flow.since);
    HabitBreak found;
    found.rank = rank;
    found.isKept = true;
    found.after = callOf(job.trace, flow.since);
    found.did = {envelope.peer, envelope.tag, envelope.communicator};
    found.usual = {none, kind.second, kind.first};
    found.times = flow.times;
    found.time = flow.since.time;
    found.longest = flow.longest;
    found.isSharedCall = true;
    if (const std::uint32_t open = job.openRow(rank); open != none)
        found.made = job.events(rank).track.callPath[open];
    return found;
}

/// The only rank that has such a message, of those that pass it on; nothing if another has one, too, or these still go round.
std::optional<Rank> onlyHolder(const JobView &job, const std::vector<std::pair<Rank, const Flow *>> &flows) {
    std::optional<Rank> holder;
    for (const auto &[rank, flow] : flows) {
        const Tick now = job.state.at - std::min(job.state.at, flow->since.time);
        if (flow->isHolding ? holder || !isFarLonger(job.trace, now, flow->longest) : now <= flow->longestRest)
            return std::nullopt;
        if (flow->isHolding)
            holder = rank;
    }
    return flows.size() > fewestOthers ? holder : std::nullopt;
}

} // namespace

std::optional<HabitBreak> onlyKeptMessage(const JobView &job, const std::vector<Wait> &waits, const std::vector<IdleLoop> &loops,
                                          const Work &work) {
    if (!job.isWhole())
        return std::nullopt;
    const std::vector<std::vector<Passing>> passings = latestPassings(job, work);
    const TagsOf tags = tagsOf(job, passings);
    std::vector<FlowsByKind> flows(job.size());
    forEachParallel(job.size(), work, [&](std::size_t rank, unsigned) { flows[rank] = flowsOf(job, passings[rank], tags); });
    std::map<MessageKind, std::vector<std::pair<Rank, const Flow *>>> byKind;
    for (Rank rank = 0; rank < flows.size(); ++rank)
        for (const auto &[kind, flow] : flows[rank])
            byKind[kind].emplace_back(rank, &flow);
    const std::set<Rank> looking = lookingRanks(job, loops);
    std::optional<HabitBreak> found;
    for (const auto &[kind, ofKind] : byKind) {
        const std::optional<Rank> holder = onlyHolder(job, ofKind);
        if (!holder || !areAwaited(waits, looking, *holder, kind) ||
            !(looking.contains(*holder) || waitsForMore(job, waits, *holder, kind, flows[*holder].at(kind))))
            continue;
        if (found && found->rank != *holder)
            return std::nullopt;
        if (!found)
            found = describe(job, *holder, kind, flows[*holder].at(kind));
    }
    return found;
}

} // namespace laggard
