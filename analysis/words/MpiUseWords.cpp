// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/MpiUseWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <array>

namespace laggard {
namespace {

/// "1st", "2nd", "3rd", "11th".
std::string ordinal(std::uint64_t number) {
    static constexpr std::array<const char *, 4> endings{"th", "st", "nd", "rd"};
    const std::uint64_t last = number % 100 / 10 == 1 || number % 10 > 3 ? 0 : number % 10;
    return describeCount(number) + endings[last];
}

std::string placeClause(const Trace &trace, CallPathId path) {
    return path == none ? std::string() : " (" + describeCall(trace, path) + ")";
}

std::string describeDisagreement(const Trace &trace, const CollectiveDisagreement &found) {
    const auto first = found.parties.begin();
    RankSet all;
    for (const CollectiveDisagreement::Party &party : found.parties)
        all.insert(all.end(), party.ranks.begin(), party.ranks.end());
    std::sort(all.begin(), all.end());
    std::string text = describeRankSet(all) + " disagree on " + std::string(name(found.difference)) + " of the " +
                       ordinal(found.ordinal + 1) + " " + describeCollective(trace, first->kind, CollectiveDifference::None) +
                       " on " + describeCommunicator(trace, found.communicator) + ": ";
    constexpr std::size_t mostParties = 3;
    for (std::size_t i = 0; i < found.parties.size() && i < mostParties; ++i) {
        const CollectiveDisagreement::Party &party = found.parties[i];
        text += (i == 0 ? "" : ", ") + describeCollective(trace, party.kind, found.difference) + " by " +
                describeRankSet(party.ranks) + placeClause(trace, party.callPath);
    }
    if (found.instances > 1)
        text += "; likewise in " + plural(found.instances - 1, "later collective");
    return text;
}

std::string describeTotals(const Trace &trace, const TotalsMisfit &misfit) {
    std::string text = "the ranks disagree on the amounts of MPI_" + std::string(name(misfit.operation)) + " number " +
                       describeCount(misfit.ordinal + 1) + " on " + describeCommunicator(trace, misfit.communicator) +
                       callPlaceInBrackets(trace, misfit.callPath) + ": " +
                       describeAmounts(misfit.amounts, misfit.giver, misfit.taker);
    if (misfit.oddBytes != misfit.usualBytes)
        text += "; " + describeRankSet(misfit.odd) + (misfit.odd.size() == 1 ? " has " : " have ") +
                plural(misfit.oddBytes, "byte") + " where the others have " + describeCount(misfit.usualBytes);
    else if (misfit.odd.empty())
        text += "; which of them is wrong cannot be told";
    if (misfit.later != 0)
        text += "; likewise in " + plural(misfit.later, "later collective");
    return text;
}

/// "rank 1 sent MPI_FLOAT (…) to rank 2, which received it as MPI_INT (…): the datatypes do not match, …".
std::string describeTypes(const Trace &trace, const TypeMisfit &misfit) {
    return describeRankSet({misfit.sender}) + " sent " + trace.datatypeOf(misfit.sendPath) + placeClause(trace, misfit.sendPath) +
           " to " + (misfit.receiver == misfit.sender ? "itself" : describeRankSet({misfit.receiver})) +
           ", which received it as " + trace.datatypeOf(misfit.receivePath) + placeClause(trace, misfit.receivePath) +
           ": the datatypes do not match, which MPI does not notice" +
           (misfit.later == 0 ? std::string() : "; likewise in " + plural(misfit.later, "other message"));
}

} // namespace

std::string describe(const Trace &trace, const MpiUseError &error) {
    switch (error.kind) {
    case MpiUseError::Kind::Disagreement:
        return error.disagreement ? describeDisagreement(trace, *error.disagreement) : describeTotals(trace, *error.totals);
    case MpiUseError::Kind::Unreceived:
        return describeRankSet({error.ranks[1]}) + " never received the message of " + describeRankSet({error.ranks[0]}) +
               " with tag " + std::to_string(error.tag) + placeClause(trace, error.callPath) +
               (error.others == 0 ? "" : ", nor did anybody receive " + plural(error.others, "other message"));
    case MpiUseError::Kind::OtherType:
        return describeTypes(trace, *error.type);
    case MpiUseError::Kind::Unfinished:
        return describeRankSet(error.ranks) + " never waited for, nor tested to its end, the request that it began" +
               (error.callPath == none ? std::string() : " in " + describeCall(trace, error.callPath)) +
               (error.others == 0 ? "" : "; " + plural(error.others, "other request") + " likewise");
    }
    return {};
}

} // namespace laggard
