// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CollectiveMismatch.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

/// What a member takes the collective for. Without a root: `none`.
using Opinion = std::pair<CollectiveOperation, Rank>;

struct Party {
    RankSet inside;
    RankSet gone; ///< have left it
    [[nodiscard]] std::size_t size() const { return inside.size() + gone.size(); }
    [[nodiscard]] RankSet all() const {
        RankSet ranks = inside;
        ranks.insert(ranks.end(), gone.begin(), gone.end());
        std::sort(ranks.begin(), ranks.end());
        return ranks;
    }
};

/// What members have completed as the communicator's collective of this number; nullptr if none has.
const CollectiveInstance *completedInstance(const Trace &trace, CommunicatorId communicator, std::uint32_t number) {
    const auto found = std::find_if(trace.collectives.begin(), trace.collectives.end(), [&](const CollectiveInstance &c) {
        return c.communicator == communicator && c.number == number && c.completed != 0;
    });
    return found == trace.collectives.end() ? nullptr : &*found;
}

std::map<Opinion, Party> partiesOf(const JobView &job, CommunicatorId communicator, std::uint32_t number, const RankSet &members,
                                   const RankSet &inside) {
    std::map<Opinion, Party> parties;
    for (const Rank rank : inside)
        if (const OpenCall &open = job.open(rank); open.source == OpenCall::Source::Recorded)
            parties[{open.collective.operation, open.collective.root}].inside.push_back(rank);
    RankSet gone;
    for (const Rank member : members)
        if (!std::binary_search(inside.begin(), inside.end(), member) && job.trace.isRead(member) &&
            job.completed(member, communicator) > number)
            gone.push_back(member);
    if (!gone.empty())
        if (const CollectiveInstance *instance = completedInstance(job.trace, communicator, number);
            instance != nullptr && !instance->mismatch)
            parties[{instance->operation, instance->root}].gone = std::move(gone);
    return parties;
}

std::string plural(const RankSet &ranks) { return (ranks.size() == 1 ? "rank " : "ranks ") + describeRanges(ranks); }

/// "rank 2 is in MPI_Barrier", "ranks 0-2 have left Reduce".
std::string describe(const JobView &job, const Party &party, const Opinion &opinion) {
    const std::string root = opinion.second == none ? "" : " (root " + std::to_string(opinion.second) + ")";
    std::string text;
    if (!party.inside.empty())
        text = plural(party.inside) + (party.inside.size() == 1 ? " is in " : " are in ") + job.functionOf(party.inside.front()) +
               root;
    if (party.gone.empty())
        return text;
    const std::string have = plural(party.gone) + (party.gone.size() == 1 ? " has " : " have ");
    if (text.empty())
        return have + "come through MPI_" + std::string(name(opinion.first)) + root;
    text += ", " + have + "left it";
    return text;
}

} // namespace

std::optional<CollectiveMismatch> findMismatch(const JobView &job, CommunicatorId communicator, std::uint32_t number,
                                               const RankSet &members, const RankSet &inside) {
    if (!job.trace.tellsOpenCalls)
        return std::nullopt;
    const std::map<Opinion, Party> parties = partiesOf(job, communicator, number, members, inside);
    if (parties.size() < 2)
        return std::nullopt;
    const auto most = std::max_element(parties.begin(), parties.end(),
                                       [](const auto &a, const auto &b) { return a.second.size() < b.second.size(); });
    CollectiveMismatch mismatch;
    std::vector<std::string> others;
    for (const auto &[opinion, party] : parties) {
        if (opinion == most->first)
            continue;
        mismatch.isEven |= party.size() == most->second.size();
        const RankSet ranks = party.all();
        mismatch.odd.insert(mismatch.odd.end(), ranks.begin(), ranks.end());
        others.push_back(describe(job, party, opinion));
    }
    std::sort(mismatch.odd.begin(), mismatch.odd.end());
    mismatch.waiters = most->second.inside;
    const std::string &communicatorName = job.trace.communicators[communicator].name;
    mismatch.evidence = describe(job, most->second, most->first) + ", but ";
    for (std::size_t i = 0; i < others.size(); ++i)
        mismatch.evidence += (i == 0 ? "" : i + 1 == others.size() ? " and " : ", ") + others[i];
    mismatch.evidence += ", as collective " + std::to_string(number + 1) + " on " +
                         (communicatorName.empty() ? "communicator " + std::to_string(communicator) : communicatorName);
    return mismatch;
}

} // namespace laggard
