// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Waits.h"

#include <algorithm>

namespace laggard {
namespace {

std::string plural(const RankSet &ranks) { return (ranks.size() == 1 ? "rank " : "ranks ") + describeRanges(ranks); }

void normalise(RankSet &ranks) {
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

/// Senders whose messages are not there. With `anyReceive`, empty as soon as one message is there.
struct MissingSenders {
    RankSet ranks;
    std::uint32_t tag = none; ///< if they are one rank and one tag
    bool isKnown = false;     ///< anything was expected at all
    bool isUnsure = false;    ///< some of the senders were not read
};

MissingSenders missingSenders(const Trace &trace, Rank rank, const OpenCall &open, const UnreceivedMessages &unreceived) {
    MissingSenders missing;
    bool oneIsThere = false;
    for (const ExpectedReceive &receive : open.receives) {
        missing.isKnown = true;
        if (!trace.isRead(receive.from)) {
            missing.isUnsure = true;
            continue;
        }
        const std::uint32_t there = unreceived.count(receive.from, rank, receive.communicator, receive.tag, receive.anyTag);
        if (there >= receive.count) {
            oneIsThere = true;
        } else if (receive.from != rank) {
            missing.ranks.push_back(receive.from);
            missing.tag = receive.anyTag ? none : receive.tag;
        }
    }
    if (open.anyReceive && (oneIsThere || missing.isUnsure))
        missing.ranks.clear();
    if (missing.ranks.size() != 1)
        missing.tag = none;
    normalise(missing.ranks);
    return missing;
}

class Finder {
  public:
    Finder(Snapshot &snapshot, const std::vector<OpenCall> &openCalls, const UnreceivedMessages &unreceived,
           std::vector<Wait> &waits)
        : m_snapshot(snapshot), m_openCalls(openCalls), m_unreceived(unreceived), m_waits(waits) {}

    void find(Rank rank) {
        const OpenCall &open = m_openCalls[rank];
        Activity &activity = m_snapshot.activities[rank];
        const std::size_t before = m_waits.size();
        const MissingSenders senders = missingSenders(m_snapshot.trace, rank, open, m_unreceived);
        if (!senders.ranks.empty())
            addReceiveWait(rank, open, senders);
        bool isUnsure = senders.isUnsure;
        const RankSet receivers = missingReceivers(rank, open, isUnsure);
        if (!receivers.empty() && open.sendConfidence > 0)
            addSendWait(rank, open, receivers);
        activity.confidence = open.confidence;
        if (m_waits.size() > before) {
            activity.need = Activity::Need::Missing;
            activity.confidence = m_waits.back().confidence;
        } else if (!isUnsure && (senders.isKnown || !open.sends.empty() || open.source == OpenCall::Source::Recorded)) {
            activity.need = Activity::Need::Met;
        } else {
            activity.need = Activity::Need::Unclear;
            activity.confidence = 0;
        }
    }

  private:
    /// Sets `isUnsure` if one of the receivers was not read.
    [[nodiscard]] RankSet missingReceivers(Rank rank, const OpenCall &open, bool &isUnsure) const {
        RankSet receivers;
        const LocationIndex location = m_snapshot.trace.processes[rank].mainLocation;
        const LocationEvents &events = m_snapshot.trace.locations[location].events;
        for (const std::uint32_t send : open.sends) {
            const Rank peer = events.envelopes[events.sends.envelope[send]].peer;
            if (peer < m_snapshot.activities.size() && !m_snapshot.trace.isRead(peer))
                isUnsure = true;
            else if (peer != rank && peer < m_snapshot.activities.size() &&
                     !UnreceivedMessages::isReceived(m_snapshot.trace, location, send, m_snapshot.at))
                receivers.push_back(peer);
        }
        normalise(receivers);
        return receivers;
    }

    void addReceiveWait(Rank rank, const OpenCall &open, const MissingSenders &senders) {
        std::string text = "rank " + std::to_string(rank) + " waits in " + m_snapshot.functionOf(rank) + " for ";
        text += open.anyReceive ? "any of " + plural(senders.ranks) : plural(senders.ranks);
        if (senders.tag != none)
            text += " (tag " + std::to_string(senders.tag) + ")";
        text += ": " + open.ground() + "; ";
        text += senders.ranks.size() == 1 ? plural(senders.ranks) + " has no unmatched send to it"
                                          : "none of them has an unmatched send to it";
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {rank},
                           .on = senders.ranks,
                           .anyOf = open.anyReceive,
                           .confidence = open.confidence,
                           .evidence = std::move(text),
                           .tag = senders.tag});
    }

    void addSendWait(Rank rank, const OpenCall &open, const RankSet &receivers) {
        std::string text = "rank " + std::to_string(rank) + " waits in " + m_snapshot.functionOf(rank) + " for " +
                           plural(receivers) + " to receive its " + (open.sends.size() == 1 ? "message" : "messages") +
                           ": recorded as sent, not received";
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {rank},
                           .on = receivers,
                           .confidence = open.sendConfidence,
                           .evidence = std::move(text)});
    }

    Snapshot &m_snapshot;
    const std::vector<OpenCall> &m_openCalls;
    const UnreceivedMessages &m_unreceived;
    std::vector<Wait> &m_waits;
};

} // namespace

void findPointToPointWaits(Snapshot &snapshot, const std::vector<OpenCall> &openCalls, const UnreceivedMessages &unreceived,
                           std::vector<Wait> &waits) {
    Finder finder(snapshot, openCalls, unreceived, waits);
    for (Rank rank = 0; rank < snapshot.activities.size(); ++rank)
        if (snapshot.activities[rank].kind == Activity::Kind::PointToPoint && !openCalls[rank].isCollective)
            finder.find(rank);
}

} // namespace laggard
