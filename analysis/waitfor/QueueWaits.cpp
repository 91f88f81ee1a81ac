// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/QueueWaits.h"

#include "analysis/waitfor/CommunicatorNames.h"
#include "analysis/waitfor/QueueIndex.h"
#include "analysis/waitfor/QueueMismatch.h"
#include "trace/Phrases.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

using Need = Activity::Need;
using Entry = QueueIndex::Entry;
using Entries = QueueIndex::Entries;
using Why = QueueStop::Why;

// Assumed, and not measured but on two real dumps: they order what is said.
constexpr double inOrder =
    0.75; ///< devices are taken to do things in the order in which they were enqueued, on all communicators
constexpr double notListening = 0.8; ///< a rank without a dump

class QueueFinder {
  public:
    QueueFinder(const JobView &job, std::vector<Wait> &waits)
        : m_job(job), m_waits(waits), m_index(job), m_stops(job.size()), m_stoppedSince(job.size()) {}

    std::vector<QueueStop> find() {
        findCompletedByOthers();
        findNotStarted();
        for (const auto &[instance, entries] : m_index.collectives())
            if (std::optional<Wait> mismatch = queueMismatch(m_job, m_index, instance, entries))
                addMismatch(instance, std::move(*mismatch));
        for (const auto &[instance, entries] : m_index.collectives())
            addCollective(instance, entries);
        for (const auto &[channel, messages] : m_index.messages())
            addMessages(channel, messages);
        std::vector<QueueStop> stops;
        for (Rank rank = 0; rank < m_job.size(); ++rank)
            if (const std::optional<QueueStop> stop = stopOf(rank))
                stops.push_back(*stop);
        return stops;
    }

  private:
    /// Operations that a rank has not seen complete, and another member has: the device of the rank has taken part in them, or
    /// theirs would not be complete. Whatever keeps it is its own, and it waits for nobody.
    void findCompletedByOthers() {
        for (const auto &[instance, entries] : m_index.collectives()) {
            if (isRooted(*entries.front().operation))
                continue;
            for (const Rank member : m_index.members(instance.first))
                if (m_index.isKnown(member) && m_job.completed(member, instance.first) > instance.second) {
                    for (const Entry &entry : entries)
                        stop(entry, Why::NotCompleted, instance, member);
                    break;
                }
        }
    }

    /// Operations that some have begun, and the devices of others have not, though nothing stands before them there. Whether
    /// dumps tell when operations begin is a setting of the whole job.
    void findNotStarted() {
        for (const auto &[instance, entries] : m_index.collectives())
            if (std::ranges::any_of(entries, [](const Entry &entry) { return entry.operation->started; }))
                for (const Entry &entry : entries)
                    stopUnstarted(entry, instance);
        for (const auto &[channel, messages] : m_index.messages())
            for (std::size_t i = 0; i < std::min(messages.sends.size(), messages.receives.size()); ++i)
                if (messages.sends[i].operation->started != messages.receives[i].operation->started) {
                    const QueueInstance instance{std::get<2>(channel), none};
                    stopUnstarted(messages.sends[i], instance);
                    stopUnstarted(messages.receives[i], instance);
                }
    }

    void stopUnstarted(const Entry &entry, const QueueInstance &instance) {
        if (!entry.operation->started && entry.isFirst && !isStuck(entry.rank))
            stop(entry, Why::NotStarted, instance, none);
    }

    /// Some of their members may be done long before others have come.
    static bool isRooted(const QueuedOperation &operation) {
        switch (operation.collective.operation) {
        case CollectiveOperation::Bcast:
        case CollectiveOperation::Reduce:
        case CollectiveOperation::Gather:
        case CollectiveOperation::Scatter:
        case CollectiveOperation::Other:
            return true;
        default:
            return false;
        }
    }

    /// Among several operations, the one that was enqueued first tells where the rank stands.
    void stop(const Entry &entry, Why why, const QueueInstance &instance, Rank peer) {
        Tick &since = m_stoppedSince[entry.rank];
        if (m_stops[entry.rank] && since <= entry.operation->enqueued)
            return;
        since = entry.operation->enqueued;
        m_stops[entry.rank] = QueueStop{entry.rank, why, instance.first, instance.second, entry.operation->callPath, peer};
    }

    [[nodiscard]] bool isStuck(Rank rank) const { return m_stops[rank].has_value(); }

    /// For each communicator only the first tells: what comes later follows from it.
    void addMismatch(const QueueInstance &instance, Wait wait) {
        if (!m_isMismatched.emplace(instance.first, instance.second).second)
            return;
        for (const Rank rank : wait.waiters)
            settle(rank, Need::Missing, 1);
        m_waits.push_back(std::move(wait));
    }

    void settle(Rank rank, Need need, double confidence) {
        Activity &activity = m_job.activity(rank);
        if (activity.need == Need::Missing && need != Need::Missing)
            return;
        activity.need = need;
        activity.confidence = confidence;
    }

    void addCollective(const QueueInstance &instance, const Entries &entries) {
        RankSet heads;  // ranks for which it is the next on the communicator, and that nothing of their own keeps
        RankSet firsts; // those of them for which it is the next of all
        for (const Entry &entry : entries)
            if (entry.isHead && !isStuck(entry.rank)) {
                heads.push_back(entry.rank);
                if (entry.isFirst)
                    firsts.push_back(entry.rank);
            }
        if (heads.empty())
            return;
        RankSet missing;
        RankSet silent;
        for (const Rank member : m_index.members(instance.first))
            if (!m_index.isKnown(member) && m_job.trace.isRead(member))
                silent.push_back(member);
            else if (m_job.trace.isRead(member) && m_job.begun(member, instance.first) <= instance.second)
                missing.push_back(member);
        noteMissing(instance, *entries.front().operation, missing);
        addWait(instance, heads, missing, 1, " not enqueued it");
        addWait(instance, heads, silent, notListening, " left no dump");
        addLate(instance, entries, firsts);
    }

    /// For the verdict, the first thing that each has not enqueued.
    void noteMissing(const QueueInstance &instance, const QueuedOperation &operation, const RankSet &missing) {
        for (const Rank rank : missing)
            noteMissing({rank, Why::NotEnqueued, instance.first, instance.second, operation.callPath, none}, operation.enqueued);
    }

    /// A collective says more than a message: others are seen to have come to it.
    void noteMissing(const QueueStop &stop, Tick since) {
        const auto [known, isNew] = m_missing.try_emplace(stop.rank, since, stop);
        const QueueStop &old = known->second.second;
        if (!isNew && std::pair(stop.number == none, since) < std::pair(old.number == none, known->second.first))
            known->second = {since, stop};
    }

    /// Members that have enqueued it, and have not come to it: their devices do what was enqueued before, or were seen not to
    /// have begun.
    void addLate(const QueueInstance &instance, const Entries &entries, const RankSet &firsts) {
        RankSet behind;
        RankSet unstarted;
        for (const Entry &entry : entries) {
            const bool isHeld = isStuck(entry.rank) && m_stops[entry.rank]->why == Why::NotStarted && entry.isFirst;
            if (!entry.operation->started && (!entry.isFirst || isStuck(entry.rank)))
                (isHeld ? unstarted : behind).push_back(entry.rank);
        }
        addWait(instance, firsts, behind, inOrder, " enqueued it behind other operations, which are not complete");
        addWait(instance, firsts, unstarted, 1, " enqueued it, and not begun it");
    }

    void addWait(const QueueInstance &instance, const RankSet &waiters, const RankSet &on, double confidence, const char *what) {
        if (waiters.empty() || on.empty())
            return;
        for (const Rank rank : waiters)
            settle(rank, Need::Missing, confidence);
        const auto entry = m_index.collectives().find(instance);
        std::string text = describeRankSet(waiters) + (waiters.size() == 1 ? " waits in " : " wait in ") +
                           m_job.trace.region(entry->second.front().operation->callPath).name + " (collective " +
                           describeCount(std::uint64_t{instance.second} + 1) + " on " +
                           describeCommunicator(m_job.trace, instance.first) + "); " + describeRankSet(on) +
                           (on.size() == 1 ? " has" : " have") + what;
        m_waits.push_back({.kind = Wait::Kind::Collective,
                           .waiters = waiters,
                           .on = on,
                           .confidence = confidence,
                           .evidence = std::move(text),
                           .communicator = instance.first,
                           .instance = instance.second});
    }

    // Messages.

    void addMessages(const QueueIndex::Channel &channel, const QueueIndex::Messages &messages) {
        const auto &[from, to, communicator] = channel;
        const std::size_t pairs = std::max(messages.sends.size(), messages.receives.size());
        for (std::size_t i = 0; i < pairs; ++i) {
            const Entry *send = i < messages.sends.size() ? &messages.sends[i] : nullptr;
            const Entry *receive = i < messages.receives.size() ? &messages.receives[i] : nullptr;
            if (send != nullptr && receive != nullptr)
                addPair(*send, *receive, communicator);
            else
                addHalf(send != nullptr ? *send : *receive, send != nullptr ? to : from, communicator);
        }
    }

    /// Both ends are enqueued: whose device is first at it waits for the other.
    void addPair(const Entry &send, const Entry &receive, CommunicatorId communicator) {
        for (const auto &[own, other] : {std::pair(&send, &receive), std::pair(&receive, &send)})
            if (own->isFirst && !isStuck(own->rank) && (!other->isFirst || isStuck(other->rank)) && !other->operation->started)
                addMessageWait(*own, other->rank, communicator, inOrder,
                               " has enqueued it behind other operations, which are not complete");
    }

    void addHalf(const Entry &own, Rank peer, CommunicatorId communicator) {
        if (!m_job.trace.isRead(peer) || peer >= m_job.size() || isStuck(own.rank))
            return;
        if (!m_index.isKnown(peer)) {
            addMessageWait(own, peer, communicator, notListening, " left no dump");
            return;
        }
        const QueuedMessages *counted = m_index.counted(peer, communicator);
        if (counted != nullptr && own.operation->number < counted->completed) {
            if (!m_stops[own.rank])
                m_stops[own.rank] = QueueStop{own.rank, Why::NotCompleted, communicator, none, own.operation->callPath, peer};
            return;
        }
        noteMissing({peer, Why::NotEnqueued, communicator, none, own.operation->callPath, own.rank}, own.operation->enqueued);
        addMessageWait(own, peer, communicator, counted != nullptr ? 1 : unalignedMessage, " has not enqueued its end of it");
    }

    void addMessageWait(const Entry &own, Rank peer, CommunicatorId communicator, double confidence, const char *what) {
        settle(own.rank, Need::Missing, confidence);
        const bool isSend = own.operation->kind == QueuedOperation::Kind::Send;
        std::string text = describeRankSet({own.rank}) + " waits in " + m_job.trace.region(own.operation->callPath).name +
                           (isSend ? " to " : " of ") + describeRankSet({peer}) + " (on " +
                           describeCommunicator(m_job.trace, communicator) + "); " + describeRankSet({peer}) + what;
        m_waits.push_back({.kind = Wait::Kind::PointToPoint,
                           .waiters = {own.rank},
                           .on = {peer},
                           .confidence = confidence,
                           .evidence = std::move(text),
                           .communicator = communicator,
                           .isSend = isSend});
    }

    /// Why nobody else holds the rank up, if nobody does.
    [[nodiscard]] std::optional<QueueStop> stopOf(Rank rank) {
        if (!m_job.trace.isRead(rank))
            return std::nullopt;
        if (!m_index.isKnown(rank))
            return QueueStop{rank, Why::NoDump, none, none, none, none};
        if (isStuck(rank)) {
            settle(rank, Need::Met, 1);
            return m_stops[rank];
        }
        const std::vector<QueuedOperation> &queue = m_index.queue(rank);
        if (queue.empty()) {
            const auto missing = m_missing.find(rank);
            return missing == m_missing.end() ? std::nullopt : std::optional(missing->second.second);
        }
        if (m_job.activity(rank).need == Need::Missing)
            return std::nullopt;
        settle(rank, Need::Met, inOrder);
        const QueuedOperation &first = queue.front();
        const bool isCollective = first.kind == QueuedOperation::Kind::Collective;
        return QueueStop{rank,
                         Why::Together,
                         first.communicator(),
                         isCollective ? first.number : none,
                         first.callPath,
                         isCollective ? Rank{none} : first.peer};
    }

    const JobView &m_job;
    std::vector<Wait> &m_waits;
    QueueIndex m_index;
    std::vector<std::optional<QueueStop>> m_stops;        ///< by rank: NotCompleted, NotStarted
    std::vector<Tick> m_stoppedSince;                     ///< by rank: when that operation was enqueued
    std::map<Rank, std::pair<Tick, QueueStop>> m_missing; ///< NotEnqueued: the earliest that somebody else has
    std::map<CommunicatorId, std::uint32_t> m_isMismatched;
};

} // namespace

std::vector<QueueStop> findQueueWaits(const JobView &job, std::vector<Wait> &waits) { return QueueFinder(job, waits).find(); }

} // namespace laggard
