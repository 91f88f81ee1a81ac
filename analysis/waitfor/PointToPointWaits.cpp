// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OpenCall.h"
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
    bool isAnyOf = false;     ///< one of them is enough
    bool isHeld = false;      ///< they have begun to send, but may not have come far
};

/// A receive from any source: all who may send, unless a message is there.
void addAnySource(const JobView &job, Rank rank, const ExpectedReceive &receive, MissingSenders &missing, bool &oneIsThere) {
    const std::vector<Rank> *members = receive.communicator < job.trace.communicators.size()
                                           ? &job.trace.communicators[receive.communicator].members.ranks()
                                           : nullptr;
    const bool isAll = members == nullptr || members->empty();
    const std::size_t count = isAll ? job.size() : members->size();
    for (std::size_t i = 0; i < count && !oneIsThere; ++i) {
        const Rank from = isAll ? static_cast<Rank>(i) : (*members)[i];
        if (from >= job.size())
            continue;
        if (!job.trace.isRead(from))
            missing.isUnsure = true;
        else if (job.unreceived(from, rank, receive.communicator, receive.tag, receive.anyTag).certain != 0)
            oneIsThere = true;
        else if (from != rank)
            missing.ranks.push_back(from);
    }
}

MissingSenders missingSenders(const JobView &job, Rank rank, const OpenCall &open) {
    MissingSenders missing;
    bool oneIsThere = false;
    for (const ExpectedReceive &receive : open.receives) {
        missing.isKnown = true;
        if (receive.from == none) {
            RankSet others;
            std::swap(others, missing.ranks);
            bool isThere = false;
            addAnySource(job, rank, receive, missing, isThere);
            if (isThere)
                missing.ranks.clear();
            missing.isAnyOf |= !missing.ranks.empty();
            missing.ranks.insert(missing.ranks.end(), others.begin(), others.end());
            oneIsThere |= isThere;
            continue;
        }
        if (!job.trace.isRead(receive.from)) {
            missing.isUnsure = true;
            continue;
        }
        const JobView::OnTheWay there = job.unreceived(receive.from, rank, receive.communicator, receive.tag, receive.anyTag);
        if (there.certain >= receive.count) {
            oneIsThere = true;
        } else if (receive.from != rank) {
            missing.isHeld |= there.certain + there.held >= receive.count;
            missing.ranks.push_back(receive.from);
            missing.tag = receive.anyTag ? none : receive.tag;
        }
    }
    missing.isAnyOf |= open.anyReceive;
    if (open.anyReceive && (oneIsThere || missing.isUnsure))
        missing.ranks.clear();
    if (missing.ranks.size() != 1)
        missing.tag = none;
    normalise(missing.ranks);
    return missing;
}

class Finder {
  public:
    Finder(const JobView &job, std::vector<Wait> &waits) : m_job(job), m_waits(waits) {}

    void find(Rank rank) {
        const OpenCall &open = m_job.open(rank);
        Activity &activity = m_job.activity(rank);
        if (activity.site != none) { // seen outside the MPI library: whatever others do, it goes no further
            activity.need = Activity::Need::Met;
            activity.confidence = 0.9;
            return;
        }
        const std::size_t before = m_waits.size();
        const MissingSenders senders = missingSenders(m_job, rank, open);
        if (!senders.ranks.empty())
            addReceiveWait(rank, open, senders);
        bool isUnsure = senders.isUnsure;
        const RankSet receivers = missingReceivers(rank, open, isUnsure);
        if (!receivers.empty() && open.sendConfidence > 0)
            addSendWait(rank, open, receivers);
        if (open.isCollective && m_waits.size() == before)
            return; // a wait for a collective and messages: for the collective all has been said
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
        for (const AwaitedSend &send : open.sends) {
            if (send.to < m_job.size() && !m_job.trace.isRead(send.to))
                isUnsure = true;
            else if (send.to < m_job.size() && isAskedFor(rank, send))
                continue;
            else if (send.to != rank && send.to < m_job.size() && !send.isReceived)
                receivers.push_back(send.to);
        }
        normalise(receivers);
        return receivers;
    }

    /// True if the receiver is known to wait for just this message, inside the MPI library: it has done its part.
    [[nodiscard]] bool isAskedFor(Rank rank, const AwaitedSend &send) const {
        if (!m_job.trace.tellsOpenCalls || m_job.activity(send.to).kind != Activity::Kind::PointToPoint ||
            m_job.activity(send.to).site != none)
            return false;
        const std::vector<ExpectedReceive> &receives = m_job.open(send.to).receives;
        return std::any_of(receives.begin(), receives.end(), [&](const ExpectedReceive &r) {
            return (r.from == rank || r.from == none) && r.communicator == send.communicator && (r.anyTag || r.tag == send.tag);
        });
    }

    void addReceiveWait(Rank rank, const OpenCall &open, const MissingSenders &senders) {
        std::string text = "rank " + std::to_string(rank) + " waits in " + m_job.functionOf(rank) + " for ";
        text += senders.isAnyOf && senders.ranks.size() > 1 ? "any of " + plural(senders.ranks) : plural(senders.ranks);
        if (senders.tag != none)
            text += " (tag " + std::to_string(senders.tag) + ")";
        text += ": " + groundOf(open) + "; ";
        if (senders.isHeld)
            text += senders.ranks.size() == 1 ? plural(senders.ranks) + " has begun to send it, and has not finished"
                                              : "those of them that have begun to send have not finished";
        else
            text += senders.ranks.size() == 1 ? plural(senders.ranks) + " has no unmatched send to it"
                                              : "none of them has an unmatched send to it";
        constexpr double chanceThatHeld = 0.7; // short messages arrive even so
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {rank},
                           .on = senders.ranks,
                           .anyOf = senders.isAnyOf,
                           .confidence = open.confidence * (senders.isHeld ? chanceThatHeld : 1),
                           .evidence = std::move(text),
                           .tag = senders.tag});
    }

    void addSendWait(Rank rank, const OpenCall &open, const RankSet &receivers) {
        std::string text = "rank " + std::to_string(rank) + " waits in " + m_job.functionOf(rank) + " for " + plural(receivers) +
                           " to receive its " + (open.sends.size() == 1 ? "message" : "messages") +
                           ": recorded as sent, not received";
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {rank},
                           .on = receivers,
                           .confidence = open.sendConfidence,
                           .evidence = std::move(text)});
    }

    const JobView &m_job;
    std::vector<Wait> &m_waits;
};

} // namespace

void findPointToPointWaits(const JobView &job, std::vector<Wait> &waits) {
    Finder finder(job, waits);
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (job.activity(rank).kind == Activity::Kind::PointToPoint && (!job.open(rank).isCollective || job.trace.tellsOpenCalls))
            finder.find(rank);
}

} // namespace laggard
