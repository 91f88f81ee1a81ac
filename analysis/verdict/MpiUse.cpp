// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/MpiUse.h"

#include <algorithm>

namespace laggard {
namespace {

MpiUseError errorOf(const CollectiveDisagreement &found) {
    MpiUseError error;
    const auto first = found.parties.begin();
    for (auto party = found.isEven ? first : first + 1; party != found.parties.end(); ++party)
        error.ranks.insert(error.ranks.end(), party->ranks.begin(), party->ranks.end());
    std::sort(error.ranks.begin(), error.ranks.end());
    error.callPath = (found.isEven ? first : first + 1)->callPath;
    error.disagreement = found;
    return error;
}

/// Whose call has exchanged such messages that fit is not the odd one.
MpiUseError errorOf(const TypeMisfit &misfit) {
    MpiUseError error;
    error.kind = MpiUseError::Kind::OtherType;
    error.callPath = misfit.sendPath;
    error.type = misfit;
    const bool receiveIsUsual = misfit.fitReceives > misfit.fitSends;
    const bool sendIsUsual = misfit.fitSends > misfit.fitReceives;
    if (!sendIsUsual)
        error.ranks.push_back(misfit.sender);
    if (!receiveIsUsual && misfit.receiver != misfit.sender)
        error.ranks.push_back(misfit.receiver);
    if (error.ranks.empty())
        error.ranks.push_back(misfit.receiver);
    if (sendIsUsual)
        error.callPath = misfit.receivePath;
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
    MpiUseError error;
    error.kind = MpiUseError::Kind::Unreceived;
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
            error.tag = envelope.tag;
        }
    }
    if (count == 0)
        return;
    error.others = count - 1;
    errors.push_back(std::move(error));
}

/// The first request that was neither waited for nor freed.
void addUnfinished(const Trace &trace, std::vector<MpiUseError> &errors) {
    MpiUseError error;
    error.kind = MpiUseError::Kind::Unfinished;
    std::uint64_t count = 0;
    for (const Location &location : trace.locations)
        for (const PendingRequest &request : location.events.pending) {
            if (count++ != 0)
                continue;
            error.ranks = {location.rank};
            error.callPath = request.row != none ? location.events.track.callPath[request.row] : request.startedBy;
        }
    if (count == 0)
        return;
    error.others = count - 1;
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
        errors.push_back(errorOf(*found));
    else if (const auto misfit = findTotalsMisfit(trace, work))
        errors.push_back({.ranks = misfit->odd, .callPath = misfit->callPath, .totals = *misfit});
    if (const auto misfit = findTypeMisfit(trace, work))
        errors.push_back(errorOf(*misfit));
    if (hasFinished) {
        addUnreceived(trace, errors);
        addUnfinished(trace, errors);
    }
    return errors;
}

} // namespace laggard
