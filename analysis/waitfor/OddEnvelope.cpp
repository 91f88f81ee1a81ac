// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OddEnvelope.h"

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/JobView.h"
#include "analysis/waitfor/SendsOfCall.h"

#include <algorithm>
#include <vector>

namespace laggard {
namespace {

constexpr std::size_t roundsAlike = 3;      ///< as for other habits (Judge)
constexpr std::size_t fewestAgreeing = 2;   ///< one may as well be the odd one; of 792 recordings six told, each by three or more
constexpr std::size_t convincingNumber = 3; ///< as for ranks that came to a collective (OverdueCollective)

/// What a receiver can tell messages apart by, besides their sender.
struct Label {
    std::uint32_t tag = 0;
    CommunicatorId communicator = none;
    bool operator==(const Label &) const = default;
};

/// Of what such a call as `path` has sent on `rank`, in order.
std::vector<Label> labelsOf(const JobView &job, Rank rank, CallPathId path, Tick until) {
    std::vector<Label> labels;
    for (const std::size_t send : sendsOfCall(job.trace, rank, path, until)) {
        const LocationEvents &events = *job.trace.mainEvents(rank);
        const Envelope &envelope = events.envelopes[events.sends.envelope[send]];
        labels.push_back({envelope.tag, envelope.communicator});
    }
    return labels;
}

std::size_t peersOf(const JobView &job) { return std::min(job.trace.processes.size(), mostPeers); }

bool isCut(const JobView &job, Rank rank) {
    return job.trace.processes[rank].eventsFrom != 0 || job.trace.isDamaged(rank) || job.trace.mainEvents(rank) == nullptr;
}

/// What the receiver waits for, if its call says so.
std::optional<Label> awaitedLabel(const JobView &job, const MisfitMessage &misfit) {
    for (const ExpectedReceive &receive : job.open(misfit.to).receives)
        if (receive.from == misfit.from && !receive.anyTag && receive.tag == misfit.awaitedTag)
            return Label{receive.tag, receive.communicator};
    return std::nullopt;
}

enum class Sides : std::uint8_t { Neither, Sender, Receiver, Unlike };

/// Whose side another rank's sends are on, against those of the sender until the misfit. Messages may lie there for several
/// rounds, so that the one which went wrong is found by its label: the first that differs between the two ranks.
Sides sideOf(const std::vector<Label> &own, const std::vector<Label> &other, const Label &awaited) {
    const auto common = static_cast<std::ptrdiff_t>(std::min(own.size(), other.size()));
    const auto parting = std::mismatch(own.begin(), own.begin() + common, other.begin());
    const auto alike = static_cast<std::size_t>(parting.first - own.begin());
    const auto before = own.begin() + static_cast<std::ptrdiff_t>(alike);
    if (parting.first != own.begin() + common)
        return alike >= roundsAlike && *parting.first == own.back() && *parting.second == awaited ? Sides::Receiver
                                                                                                  : Sides::Unlike;
    // Both have changed alike, or neither has come to where the two ends differ.
    auto change = before;
    while (change != own.begin() && *(change - 1) == own.back())
        --change;
    const bool hasChanged =
        change != before && change - own.begin() >= static_cast<std::ptrdiff_t>(roundsAlike) && *(change - 1) == awaited;
    return hasChanged ? Sides::Sender : Sides::Neither;
}

} // namespace

std::optional<OddEnvelope> oddEndByPeers(const JobView &job, const MisfitMessage &misfit) {
    if (job.trace.isSummary || job.trace.isPartial() || misfit.awaitedTag == none || misfit.awaitedBy != none ||
        misfit.callPath == none || misfit.sent == openEnd || isCut(job, misfit.from))
        return std::nullopt;
    const std::optional<Label> awaited = awaitedLabel(job, misfit);
    const std::vector<Label> own = labelsOf(job, misfit.from, misfit.callPath, misfit.sent);
    if (!awaited || own.empty() || own.back() == *awaited)
        return std::nullopt;
    std::size_t withSender = 0;
    std::size_t withReceiver = 0;
    for (Rank rank = 0; rank < peersOf(job); ++rank) {
        if (rank == misfit.from || rank == misfit.to || isCut(job, rank))
            continue;
        const Sides side = sideOf(own, labelsOf(job, rank, misfit.callPath, job.state.at), *awaited);
        if (side == Sides::Unlike)
            return std::nullopt;
        withSender += side == Sides::Sender ? 1 : 0;
        withReceiver += side == Sides::Receiver ? 1 : 0;
    }
    const std::size_t alike = std::max(withSender, withReceiver);
    if (std::min(withSender, withReceiver) != 0 || alike < fewestAgreeing)
        return std::nullopt;
    return OddEnvelope{.rank = withSender != 0 ? misfit.to : misfit.from,
                       .alike = alike,
                       .confidence = alike < convincingNumber ? either : rather};
}

bool hasChangedForPeers(const JobView &job, Rank rank, CallPathId path, std::uint32_t from, std::uint32_t to) {
    std::size_t changed = 0;
    for (Rank peer = 0; peer < peersOf(job); ++peer) {
        const LocationEvents *events = peer == rank ? nullptr : job.trace.mainEvents(peer);
        bool isNew = false;
        for (std::size_t i = events == nullptr ? 0 : events->receives.size(); i-- > 0;) {
            const std::uint32_t row = events->track.innermostAt(std::max<Tick>(events->receives.time[i], 1) - 1);
            if (row == none || !job.trace.isSameCall(events->track.callPath[row], path))
                continue;
            const std::uint32_t tag = events->envelopes[events->receives.envelope[i]].tag;
            if (tag != to) {
                changed += isNew && tag == from ? 1 : 0;
                break;
            }
            isNew = true;
        }
    }
    return changed >= fewestAgreeing;
}

} // namespace laggard
