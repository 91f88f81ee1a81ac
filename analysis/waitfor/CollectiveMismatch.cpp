// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveMismatch.h"

#include "analysis/waitfor/CollectiveTotals.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <map>
#include <set>

namespace laggard {
namespace {

/// Members of one opinion.
struct Party {
    CollectiveKind kind;
    RankSet inside;
    RankSet gone;               ///< have left it
    RankSet posted;             ///< and are elsewhere
    std::set<CallPathId> calls; ///< that made or posted it
    [[nodiscard]] std::size_t size() const { return inside.size() + gone.size() + posted.size(); }
    [[nodiscard]] RankSet all() const {
        RankSet ranks = inside;
        ranks.insert(ranks.end(), gone.begin(), gone.end());
        ranks.insert(ranks.end(), posted.begin(), posted.end());
        std::sort(ranks.begin(), ranks.end());
        return ranks;
    }
};

Party &partyOf(std::vector<Party> &parties, const CollectiveKind &kind) {
    const auto same = std::find_if(parties.begin(), parties.end(), [&](const Party &party) {
        return differenceOf(party.kind, kind) == CollectiveDifference::None;
    });
    if (same == parties.end())
        return parties.emplace_back(Party{kind, {}, {}, {}, {}});
    learn(same->kind, kind);
    return *same;
}

/// What members have completed as the communicator's collective of this number; nullptr if none has.
const CollectiveInstance *completedInstance(const Trace &trace, CommunicatorId communicator, std::uint32_t number) {
    const auto found = std::find_if(trace.collectives.begin(), trace.collectives.end(), [&](const CollectiveInstance &c) {
        return c.communicator == communicator && c.number == number && c.completed != 0;
    });
    return found == trace.collectives.end() ? nullptr : &*found;
}

/// For members whose own records are not at hand (a model dump): what all that have completed it took it for.
void addByInstance(const JobView &job, CommunicatorId communicator, std::uint32_t number, const RankSet &gone,
                   std::vector<Party> &parties) {
    const CollectiveInstance *instance = gone.empty() ? nullptr : completedInstance(job.trace, communicator, number);
    if (instance == nullptr || instance->mismatch)
        return;
    CollectiveKind kind;
    kind.operation = instance->operation;
    kind.communicator = communicator;
    kind.root = instance->root;
    for (Party &party : parties)
        if (party.kind.operation == kind.operation && (party.kind.root == kind.root || kind.root == none)) {
            party.gone.insert(party.gone.end(), gone.begin(), gone.end());
            return;
        }
    partyOf(parties, kind).gone = gone;
}

std::vector<Party> partiesOf(const JobView &job, CommunicatorId communicator, std::uint32_t number, const RankSet &members,
                             const RankSet &inside) {
    std::vector<Party> parties;
    for (const Rank rank : inside)
        if (const OpenCall &open = job.open(rank); open.source == OpenCall::Source::Recorded) {
            Party &party = partyOf(parties, open.collective);
            party.inside.push_back(rank);
            party.calls.insert(open.collectiveStartedBy != none ? open.collectiveStartedBy : job.state.tasks[rank].mpiPath);
        }
    RankSet unknown;
    for (const Rank member : members) {
        const bool isDone = job.completed(member, communicator) > number;
        if (std::binary_search(inside.begin(), inside.end(), member) || !job.trace.isRead(member) ||
            (!isDone && job.begun(member, communicator) <= number))
            continue;
        const auto part = partOf(job.trace, member, communicator, number, job.completed(member, communicator), job.state.at);
        if (part) {
            Party &party = partyOf(parties, part->kind);
            (part->state == CollectivePart::State::Completed ? party.gone : party.posted).push_back(member);
            party.calls.insert(part->callPath);
        } else if (isDone) {
            unknown.push_back(member);
        }
    }
    addByInstance(job, communicator, number, unknown, parties);
    return parties;
}

/// " (solve.c:12)" if all made the call in one place.
std::string placeOf(const Trace &trace, const Party &party) {
    if (party.calls.size() != 1)
        return {};
    return callPlaceInBrackets(trace, *party.calls.begin());
}

/// "rank 2 is in MPI_Barrier (a.c:12)", "ranks 0-2 have left MPI_Reduce (root 1)".
std::string describe(const JobView &job, const Party &party, CollectiveDifference difference) {
    const std::string call = describeCollective(job.trace, party.kind, difference) + placeOf(job.trace, party);
    std::string text;
    const auto add = [&](const RankSet &ranks, const std::string &one, const std::string &several) {
        if (!ranks.empty())
            text += (text.empty() ? "" : ", ") + describeRankSet(ranks) + (ranks.size() == 1 ? one : several) +
                    (text.empty() ? call : std::string("it"));
    };
    // An operation that an earlier call began: in the call that waits for it.
    const bool isBegun = !party.inside.empty() && std::ranges::all_of(party.inside, [&](Rank rank) {
        return job.open(rank).collectiveStartedBy != none && job.functionOf(rank) == job.functionOf(party.inside.front());
    });
    const std::string waits = isBegun ? " in " + job.functionOf(party.inside.front()) + " for " : std::string();
    add(party.inside, isBegun ? " is" + waits : " is in ", isBegun ? " are" + waits : " are in ");
    add(party.posted, " has begun ", " have begun ");
    add(party.gone, " has left ", " have left ");
    return text;
}

bool hasRoot(CollectiveOperation operation) {
    using Operation = CollectiveOperation;
    return operation == Operation::Bcast || operation == Operation::Gather || operation == Operation::Gatherv ||
           operation == Operation::Scatter || operation == Operation::Scatterv || operation == Operation::Reduce;
}

/// Between two groups (MPI 3.1 §5.2.2): those inside name a root which gave MPI_PROC_NULL, as those of its group do that are not
/// the root, where MPI_ROOT is due. Nobody of its group then is.
std::optional<CollectiveMismatch> findMissingRoot(const JobView &job, CommunicatorId communicator, std::uint32_t number,
                                                  const RankSet &inside) {
    if (!job.trace.communicators[communicator].isIntercommunicator)
        return std::nullopt;
    CollectiveMismatch mismatch;
    Party waiting;
    for (const Rank rank : inside) {
        const OpenCall &open = job.open(rank);
        if (open.source != OpenCall::Source::Recorded || !hasRoot(open.collective.operation) || open.collective.root == none ||
            open.collective.root == rank)
            continue;
        if (!mismatch.waiters.empty() && open.collective.root != waiting.kind.root)
            return std::nullopt;
        waiting.kind = open.collective;
        mismatch.waiters.push_back(rank);
        waiting.calls.insert(open.collectiveStartedBy != none ? open.collectiveStartedBy : job.state.tasks[rank].mpiPath);
    }
    const Rank root = waiting.kind.root;
    if (mismatch.waiters.empty() || root >= job.size())
        return std::nullopt;
    const auto part = partOf(job.trace, root, communicator, number, job.completed(root, communicator), job.state.at);
    if (!part || part->kind.operation != waiting.kind.operation || part->kind.root != none)
        return std::nullopt;
    mismatch.difference = CollectiveDifference::Root;
    mismatch.odd = {root};
    mismatch.isEven = mismatch.waiters.size() == 1;
    waiting.inside = mismatch.waiters;
    mismatch.evidence = describe(job, waiting, mismatch.difference) + ", but " + describeRankSet({root}) +
                        " gave MPI_PROC_NULL for the root where MPI_ROOT is due" +
                        callPlaceInBrackets(job.trace, part->callPath) + ", as collective " + std::to_string(number + 1) +
                        " on " + describeCommunicator(job.trace, communicator);
    return mismatch;
}

/// For archives: members in calls of different names. All members are inside, and nobody is left who may come, or let others go.
std::optional<CollectiveMismatch> guessMismatch(const JobView &job, CommunicatorId communicator, std::uint32_t number,
                                                const RankSet &members, const RankSet &inside) {
    if (job.trace.isSummary || inside != members)
        return std::nullopt;
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (job.activity(rank).kind != Activity::Kind::Collective || !job.isInMpi(rank))
            return std::nullopt;
    std::map<CollectiveOperation, Party> byCall;
    for (const Rank rank : inside) {
        Party &party = byCall[job.mpiCall(rank).operation];
        party.inside.push_back(rank);
        party.calls.insert(job.state.tasks[rank].mpiPath);
    }
    if (byCall.size() < 2 || byCall.contains(CollectiveOperation::Unknown))
        return std::nullopt;
    const auto most = std::ranges::max_element(byCall, {}, [](const auto &entry) { return entry.second.size(); });
    const auto text = [&job](const Party &party) {
        return describeRankSet(party.inside) + (party.inside.size() == 1 ? " is in " : " are in ") +
               job.functionOf(party.inside.front()) + placeOf(job.trace, party);
    };
    constexpr double inferred = 0.45; // less than even: which communicators they are on is not in the archive
    CollectiveMismatch mismatch{.waiters = most->second.inside,
                                .odd = {},
                                .difference = CollectiveDifference::Operation,
                                .confidence = inferred,
                                .evidence = text(most->second)};
    for (auto each = byCall.begin(); each != byCall.end(); ++each) {
        if (each == most)
            continue;
        if (each->second.size() == most->second.size()) // they may be on communicators of their own
            return std::nullopt;
        mismatch.odd.insert(mismatch.odd.end(), each->second.inside.begin(), each->second.inside.end());
        mismatch.evidence += (mismatch.evidence.find(", but ") == std::string::npos ? ", but " : ", ") + text(each->second);
    }
    std::sort(mismatch.odd.begin(), mismatch.odd.end());
    mismatch.evidence += ", by their histories as collective " + std::to_string(number + 1) + " on " +
                         describeCommunicator(job.trace, communicator);
    return mismatch;
}

/// Of members that agree on the operation: those between whom the amounts do not fit, one of which waits for more than it is
/// given, or has more to give than is taken. All members must have made or posted the call.
std::optional<CollectiveMismatch> findUnfitAmounts(const JobView &job, CommunicatorId communicator, std::uint32_t number,
                                                   const Party &party, const RankSet &members) {
    if (!hasPairAmounts(party.kind.operation) || party.kind.call != none || party.size() != members.size() ||
        party.inside.empty() || job.trace.communicators[communicator].isIntercommunicator)
        return std::nullopt;
    const MemberPlaces places(job.trace, communicator);
    AmountSums sums;
    for (const Rank member : members) {
        const bool isInside = std::ranges::binary_search(party.inside, member);
        const auto part =
            isInside ? std::nullopt
                     : partOf(job.trace, member, communicator, number, job.completed(member, communicator), job.state.at);
        if (!isInside && !part)
            return std::nullopt;
        sums.add(places, member, isInside ? job.open(member).collective : part->kind);
    }
    const std::optional<AmountMisfit> misfit = sums.misfit(places);
    if (!misfit)
        return std::nullopt;
    Rank giver = none;
    Rank taker = none;
    for (const Rank member : members) {
        giver = places.of(member) == misfit->giver ? member : giver;
        taker = places.of(member) == misfit->taker ? member : taker;
    }
    CollectiveMismatch mismatch{.waiters = {}, .odd = {}, .difference = CollectiveDifference::Amount, .evidence = {}};
    for (const Rank rank : {giver, taker})
        if (rank != none && !std::ranges::binary_search(mismatch.odd, rank))
            mismatch.odd.insert(std::ranges::lower_bound(mismatch.odd, rank), rank);
    constexpr double somebody = 0.4; // less than even: those that are inside need not be those that are wrong
    if (mismatch.odd.empty()) {
        mismatch.odd = party.inside;
        mismatch.confidence = somebody;
    }
    RankSet innocent;
    RankSet elsewhere;
    std::ranges::set_difference(party.inside, mismatch.odd, std::back_inserter(innocent));
    std::ranges::set_difference(mismatch.odd, party.inside, std::back_inserter(elsewhere));
    mismatch.isEven = innocent.empty() && !elsewhere.empty(); // the one inside and the one that is not are named together
    mismatch.waiters = innocent.empty() ? party.inside : innocent;
    if (mismatch.isEven)
        mismatch.odd = elsewhere;
    mismatch.evidence = describe(job, party, CollectiveDifference::None) + ", as collective " + std::to_string(number + 1) +
                        " on " + describeCommunicator(job.trace, communicator) +
                        ", and the amounts do not fit: " + describeAmounts(*misfit, giver, taker);
    return mismatch;
}

} // namespace

std::optional<CollectiveMismatch> findMismatch(const JobView &job, CommunicatorId communicator, std::uint32_t number,
                                               const RankSet &members, const RankSet &inside) {
    if (!job.trace.tellsOpenCalls)
        return guessMismatch(job, communicator, number, members, inside);
    const std::vector<Party> parties = partiesOf(job, communicator, number, members, inside);
    if (parties.size() == 1)
        if (auto unfit = findUnfitAmounts(job, communicator, number, parties.front(), members))
            return unfit;
    if (parties.size() < 2)
        return findMissingRoot(job, communicator, number, inside);
    const auto most =
        std::max_element(parties.begin(), parties.end(), [](const Party &a, const Party &b) { return a.size() < b.size(); });
    CollectiveMismatch mismatch;
    for (auto party = parties.begin(); party != parties.end(); ++party)
        if (party != most &&
            (mismatch.difference == CollectiveDifference::None || differenceOf(most->kind, party->kind) < mismatch.difference))
            mismatch.difference = differenceOf(most->kind, party->kind);
    std::vector<std::string> others;
    for (auto party = parties.begin(); party != parties.end(); ++party) {
        if (party == most)
            continue;
        mismatch.isEven |= party->size() == most->size();
        const RankSet ranks = party->all();
        mismatch.odd.insert(mismatch.odd.end(), ranks.begin(), ranks.end());
        others.push_back(describe(job, *party, mismatch.difference));
    }
    std::sort(mismatch.odd.begin(), mismatch.odd.end());
    mismatch.waiters = most->inside;
    mismatch.evidence = describe(job, *most, mismatch.difference) + ", but ";
    for (std::size_t i = 0; i < others.size(); ++i)
        mismatch.evidence += (i == 0 ? "" : i + 1 == others.size() ? " and " : ", ") + others[i];
    mismatch.evidence += ", as collective " + std::to_string(number + 1) + " on " + describeCommunicator(job.trace, communicator);
    return mismatch;
}

} // namespace laggard
