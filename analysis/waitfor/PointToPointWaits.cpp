// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/InterceptedMessages.h"
#include "analysis/waitfor/OpenCall.h"
#include "analysis/waitfor/PollHabits.h"
#include "analysis/waitfor/Waits.h"
#include "trace/Phrases.h"

#include <algorithm>

namespace laggard {
namespace {

void normalise(RankSet &ranks) {
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
}

/// Senders whose messages are not there. With `isAnyOf`, empty as soon as one message is there.
struct MissingSenders {
    RankSet ranks;
    std::uint32_t tag = none;     ///< if they are one rank and one tag
    bool isKnown = false;         ///< anything was expected at all
    bool isUnsure = false;        ///< some of the senders were not read, or another receive may have taken what is there
    bool isAnyOf = false;         ///< one of them is enough
    CallPathId startedBy = none;  ///< the call that posted the first of the receives
    bool isHeld = true;           ///< all of them have begun to send, but may not have come far
    bool servesMeanwhile = false; ///< it also takes what others ask of it
};

/// Whom a receive from any source waits for: all who may send.
void addAnySource(const JobView &job, Rank rank, const PostedReceive &receive, MissingSenders &missing) {
    const std::vector<Rank> *members = receive.communicator < job.trace.communicators.size()
                                           ? &job.trace.communicators[receive.communicator].members.ranks()
                                           : nullptr;
    const bool isAll = members == nullptr || members->empty();
    const std::size_t count = isAll ? job.size() : members->size();
    for (std::size_t i = 0; i < count; ++i) {
        const Rank from = isAll ? static_cast<Rank>(i) : (*members)[i];
        if (from >= job.size())
            continue;
        if (!job.trace.isRead(from))
            missing.isUnsure = true;
        else if (from != rank)
            missing.ranks.push_back(from);
    }
}

/// The senders that one posted receive waits for.
void addMissing(const JobView &job, Rank rank, const PostedReceive &receive, bool isHeld, MissingSenders &missing) {
    missing.isHeld &= isHeld;
    missing.startedBy = missing.startedBy == none ? receive.postedBy : missing.startedBy;
    if (receive.from != none) {
        missing.ranks.push_back(receive.from);
        missing.tag = receive.anyTag ? none : receive.tag;
        return;
    }
    const std::size_t before = missing.ranks.size();
    addAnySource(job, rank, receive, missing);
    missing.isAnyOf |= missing.ranks.size() > before;
}

/// What it has asked of one is still to come.
bool awaitsAnswer(const JobView &job, Rank rank) {
    const std::vector<PostedReceive> &posted = job.matching.posted(rank);
    for (std::size_t i = 0; i < posted.size(); ++i)
        if (const MessageMatching::Fate fate = job.matching.fates(rank)[i];
            posted[i].isAwaited && posted[i].from != none &&
            (fate == MessageMatching::Fate::Missing || fate == MessageMatching::Fate::Held))
            return true;
    return false;
}

MissingSenders missingSenders(const JobView &job, Rank rank, const OpenCall &open) {
    MissingSenders missing;
    bool oneIsThere = false;
    missing.servesMeanwhile = open.servesMeanwhile && awaitsAnswer(job, rank);
    const std::vector<PostedReceive> &posted = job.matching.posted(rank);
    for (std::size_t i = 0; i < posted.size(); ++i) {
        const PostedReceive &receive = posted[i];
        if (!receive.isAwaited || (missing.servesMeanwhile && isLookAround(receive)))
            continue;
        missing.isKnown = true;
        if (receive.from != none && !job.trace.isRead(receive.from)) {
            missing.isUnsure = true;
            continue;
        }
        switch (job.matching.fates(rank)[i]) {
        case MessageMatching::Fate::There:
            oneIsThere = true;
            break;
        case MessageMatching::Fate::Contested:
            oneIsThere = missing.isUnsure = true;
            break;
        case MessageMatching::Fate::Held:
            addMissing(job, rank, receive, true, missing);
            break;
        case MessageMatching::Fate::Missing:
            addMissing(job, rank, receive, false, missing);
            break;
        }
    }
    missing.isAnyOf |= open.anyReceive;
    missing.isHeld &= !missing.ranks.empty();
    if (open.anyReceive && (oneIsThere || missing.isUnsure))
        missing.ranks.clear();
    normalise(missing.ranks);
    if (missing.ranks.size() != 1)
        missing.tag = none;
    return missing;
}

class PointToPointFinder {
  public:
    PointToPointFinder(const JobView &job, std::vector<Wait> &waits) : m_job(job), m_waits(waits) {}

    void find(Rank rank) {
        const OpenCall &open = m_job.open(rank);
        Activity &activity = m_job.activity(rank);
        if (activity.site != none) { // seen outside the MPI library: whatever others do, it goes no further
            activity.need = Activity::Need::Met;
            activity.confidence = 0.9;
            return;
        }
        const std::size_t before = m_waits.size();
        MissingSenders senders = missingSenders(m_job, rank, open);
        if (senders.isAnyOf)
            keepAble(senders.ranks);
        if (open.goesOnWithout)
            senders.ranks.clear();
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
    /// Where any of several would do, those that have gone will not send any more: it waits for the others, if there are some.
    void keepAble(RankSet &ranks) const {
        const auto hasGone = [this](Rank rank) {
            const Activity::Kind doing = m_job.activity(rank).kind;
            return doing == Activity::Kind::Finished || doing == Activity::Kind::Finalizing;
        };
        if (!std::ranges::all_of(ranks, hasGone))
            std::erase_if(ranks, hasGone);
    }

    /// The receiver's matched probe has taken this message, and no receive has got it.
    [[nodiscard]] bool isProbedOnly(Rank rank, const AwaitedSend &send) const {
        return std::ranges::any_of(m_job.trace.processes[send.to].locations, [&](LocationIndex location) {
            const LocationEvents &events = m_job.trace.locations[location].events;
            return std::ranges::any_of(events.taken,
                                       [&](const TakenMessage &each) { return isProbeOf(m_job, rank, send, events, each); });
        });
    }

    /// Sets `isUnsure` if one of the receivers was not read.
    [[nodiscard]] RankSet missingReceivers(Rank rank, const OpenCall &open, bool &isUnsure) const {
        RankSet receivers;
        for (const AwaitedSend &send : open.sends) {
            if (send.to < m_job.size() && !m_job.trace.isRead(send.to))
                isUnsure = true;
            else if (send.to < m_job.size() && !send.isReceived && (isProbedOnly(rank, send) || !isAskedFor(rank, send)))
                receivers.push_back(send.to);
            else if (send.to < m_job.size() && !send.isReceived && mayBeForAnother(rank, send))
                isUnsure = true;
        }
        normalise(receivers);
        return receivers;
    }

    /// True if the receiver has posted receives that take this message, and is inside the MPI library: it has done its part.
    [[nodiscard]] bool isAskedFor(Rank rank, const AwaitedSend &send) const {
        return m_job.trace.tellsOpenCalls && m_job.isInMpi(send.to) && m_job.activity(send.to).site == none &&
               !m_job.matching.posted(send.to).empty() && m_job.matching.isAllTaken(rank, send.to, send.communicator, send.tag);
    }

    /// True if a receive from any source that would take this message may have taken that of another rank.
    [[nodiscard]] bool mayBeForAnother(Rank rank, const AwaitedSend &send) const {
        const std::vector<MessageCount> messages = m_job.messagesTo(send.to);
        return std::ranges::any_of(m_job.matching.posted(send.to), [&](const PostedReceive &receive) {
            return receive.from == none && asksFor(receive, rank, send.communicator, send.tag) &&
                   std::ranges::any_of(messages, [&](const MessageCount &each) {
                       return each.peer != rank && asksFor(receive, each.peer, each.communicator, each.tag);
                   });
        });
    }

    /// ", of the MPI_Irecv in solve.c:12".
    [[nodiscard]] std::string started(CallPathId path) const {
        if (path == none || !m_job.trace.region(path).isMpi())
            return {};
        const std::string where = callPlace(m_job.trace, path);
        return ", of the " + m_job.trace.region(path).name + (where.empty() ? "" : " in " + where);
    }

    void addReceiveWait(Rank rank, const OpenCall &open, const MissingSenders &senders) {
        std::string text = "rank " + std::to_string(rank) + " waits in " + m_job.functionOf(rank) + " for ";
        text += senders.isAnyOf && senders.ranks.size() > 1 ? "any of " + describeRankSet(senders.ranks)
                                                            : describeRankSet(senders.ranks);
        if (senders.tag != none)
            text += " (tag " + std::to_string(senders.tag) + ")";
        text += started(senders.startedBy) + ": " + groundOf(open) + "; ";
        if (senders.isHeld)
            text += senders.ranks.size() == 1 ? describeRankSet(senders.ranks) + " has begun to send it, and has not finished"
                                              : "those of them that have begun to send have not finished";
        else
            text += senders.ranks.size() == 1 ? describeRankSet(senders.ranks) + " has no unmatched send to it"
                                              : "none of them has an unmatched send to it";
        if (senders.servesMeanwhile)
            text += "; it looks meanwhile for what others ask of it";
        constexpr double chanceThatHeld = 0.7;   // short messages arrive even so
        constexpr double chanceThatServes = 0.8; // what it looks for may be what it needs
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {rank},
                           .on = senders.ranks,
                           .anyOf = senders.isAnyOf,
                           .confidence = open.confidence * (senders.isHeld ? chanceThatHeld : 1) *
                                         (senders.servesMeanwhile ? chanceThatServes : 1),
                           .evidence = std::move(text),
                           .tag = senders.tag,
                           .startedBy = senders.startedBy,
                           .isHeld = senders.isHeld});
    }

    void addSendWait(Rank rank, const OpenCall &open, const RankSet &receivers) {
        std::string text = "rank " + std::to_string(rank) + " waits in " + m_job.functionOf(rank) + " for " +
                           describeRankSet(receivers) + " to receive its " + (open.sends.size() == 1 ? "message" : "messages") +
                           started(open.sends.front().postedBy) + ": recorded as sent, not received";
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {rank},
                           .on = receivers,
                           .confidence = open.sendConfidence,
                           .evidence = std::move(text),
                           .startedBy = open.sends.front().postedBy,
                           .isSend = true});
    }

    const JobView &m_job;
    std::vector<Wait> &m_waits;
};

} // namespace

void findPointToPointWaits(const JobView &job, std::vector<Wait> &waits) {
    PointToPointFinder finder(job, waits);
    for (Rank rank = 0; rank < job.size(); ++rank)
        if (job.activity(rank).kind == Activity::Kind::PointToPoint && (!job.open(rank).isCollective || job.trace.tellsOpenCalls))
            finder.find(rank);
}

} // namespace laggard
