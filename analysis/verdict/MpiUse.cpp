// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/MpiUse.h"

#include "analysis/verdict/Describe.h"
#include "analysis/waitfor/CollectiveDisagreement.h"
#include "analysis/waitfor/CollectiveTotals.h"
#include "analysis/waitfor/CommunicatorNames.h"

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

MpiUseError errorOf(const Trace &trace, const CollectiveDisagreement &found) {
    MpiUseError error;
    const auto first = found.parties.begin();
    for (auto party = found.isEven ? first : first + 1; party != found.parties.end(); ++party)
        error.ranks.insert(error.ranks.end(), party->ranks.begin(), party->ranks.end());
    std::sort(error.ranks.begin(), error.ranks.end());
    error.callPath = (found.isEven ? first : first + 1)->callPath;
    RankSet all;
    for (const CollectiveDisagreement::Party &party : found.parties)
        all.insert(all.end(), party.ranks.begin(), party.ranks.end());
    std::sort(all.begin(), all.end());
    error.what = describeRankSet(all) + " disagree on " + std::string(name(found.difference)) + " of the " +
                 ordinal(found.ordinal + 1) + " " + describeCollective(trace, first->kind, CollectiveDifference::None) + " on " +
                 describeCommunicator(trace, found.communicator) + ": ";
    constexpr std::size_t mostParties = 3;
    for (std::size_t i = 0; i < found.parties.size() && i < mostParties; ++i) {
        const CollectiveDisagreement::Party &party = found.parties[i];
        error.what += (i == 0 ? "" : ", ") + describeCollective(trace, party.kind, found.difference) + " by " +
                      describeRankSet(party.ranks) + placeClause(trace, party.callPath);
    }
    if (found.instances > 1)
        error.what += "; likewise in " + plural(found.instances - 1, "later collective");
    return error;
}

/// The receives that were posted and never completed, each of which may have taken a message.
class LeftReceives {
  public:
    explicit LeftReceives(const Trace &trace) : m_left(trace.processes.size()) {
        for (const Location &location : trace.locations)
            for (const PendingRequest &request : location.events.pending)
                if (request.kind == PendingRequest::Kind::Receive && request.envelope != none && location.rank < m_left.size())
                    m_left[location.rank].push_back(
                        {location.events.envelopes[request.envelope], request.anySource, request.anyTag});
    }
    /// True if one of them fits the message; it takes no other.
    bool take(Rank sender, const Envelope &message) {
        if (message.peer >= m_left.size())
            return false;
        auto &left = m_left[message.peer];
        const auto fits = std::ranges::find_if(left, [&](const Left &each) {
            return each.envelope.communicator == message.communicator && (each.anySource || each.envelope.peer == sender) &&
                   (each.anyTag || each.envelope.tag == message.tag);
        });
        if (fits == left.end())
            return false;
        left.erase(fits);
        return true;
    }

  private:
    struct Left {
        Envelope envelope;
        bool anySource = false;
        bool anyTag = false;
    };
    std::vector<std::vector<Left>> m_left; ///< by rank, in order of posting
};

/// The first message that nobody received, nor a request that was never completed.
void addUnreceived(const Trace &trace, std::vector<MpiUseError> &errors) {
    LeftReceives receives(trace);
    MpiUseError error{MpiUseError::Kind::Unreceived, {}, none, {}};
    std::uint64_t count = 0;
    Tick earliest = openEnd;
    for (const Location &location : trace.locations) {
        const LocationEvents &events = location.events;
        for (std::uint32_t i = 0; i < events.sends.size(); ++i) {
            const Envelope &envelope = events.envelopes[events.sends.envelope[i]];
            if (events.sends.match[i] != none || envelope.peer == none || receives.take(location.rank, envelope))
                continue;
            ++count;
            if (events.sends.time[i] >= earliest)
                continue;
            earliest = events.sends.time[i];
            const std::uint32_t row = events.track.innermostAt(earliest);
            error.callPath = row == none ? CallPathId{none} : events.track.callPath[row];
            error.ranks = {location.rank, envelope.peer};
            error.what = describeRankSet({envelope.peer}) + " never received the message of " + describeRankSet({location.rank}) +
                         " with tag " + std::to_string(envelope.tag) + placeClause(trace, error.callPath);
        }
    }
    if (count == 0)
        return;
    if (count > 1)
        error.what += ", nor did anybody receive " + plural(count - 1, "other message");
    errors.push_back(std::move(error));
}

/// The first request that was neither waited for nor freed.
void addUnfinished(const Trace &trace, std::vector<MpiUseError> &errors) {
    MpiUseError error{MpiUseError::Kind::Unfinished, {}, none, {}};
    std::uint64_t count = 0;
    for (const Location &location : trace.locations)
        for (const PendingRequest &request : location.events.pending) {
            if (count++ != 0)
                continue;
            error.ranks = {location.rank};
            error.callPath = request.row != none ? location.events.track.callPath[request.row] : request.startedBy;
            error.what = describeRankSet(error.ranks) + " never waited for, nor tested to its end, the request that it began" +
                         (error.callPath == none ? std::string() : " in " + describeCall(trace, error.callPath));
        }
    if (count == 0)
        return;
    if (count > 1)
        error.what += "; " + plural(count - 1, "other request") + " likewise";
    errors.push_back(std::move(error));
}

} // namespace

std::vector<MpiUseError> findMpiUseErrors(const Trace &trace, bool hasFinished, const Work &work) {
    std::vector<MpiUseError> errors;
    const bool isWhole = trace.tellsOpenCalls && !trace.isSummary && !trace.isPartial() && !trace.hasDataLoss() &&
                         std::all_of(trace.processes.begin(), trace.processes.end(),
                                     [](const Process &process) { return process.eventsFrom == 0; });
    if (!isWhole)
        return errors;
    if (const auto found = findDisagreement(trace, work))
        errors.push_back(errorOf(trace, *found));
    else if (const auto misfit = findTotalsMisfit(trace, work))
        errors.push_back({MpiUseError::Kind::Disagreement, misfit->odd, misfit->callPath, describe(trace, *misfit)});
    if (hasFinished) {
        addUnreceived(trace, errors);
        addUnfinished(trace, errors);
    }
    return errors;
}

} // namespace laggard
