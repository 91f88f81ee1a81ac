// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/Waits.h"

#include "trace/Parallel.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace laggard {
namespace {

using Kind = Activity::Kind;
using Need = Activity::Need;
using CountsByCommunicator = std::map<CommunicatorId, std::uint32_t>;

bool contains(const RankSet &sorted, Rank rank) { return std::binary_search(sorted.begin(), sorted.end(), rank); }

/// Members of a communicator; all ranks of an unrecorded MPI_COMM_WORLD. Sorted.
RankSet membersOf(const Trace &trace, CommunicatorId communicator) {
    RankSet members = communicator == none ? RankSet() : trace.communicators[communicator].members;
    if (members.empty())
        for (Rank rank = 0; rank < trace.processes.size(); ++rank)
            members.push_back(rank);
    std::sort(members.begin(), members.end());
    return members;
}

bool isMember(const Trace &trace, CommunicatorId communicator, Rank rank) {
    const std::vector<Rank> &members = trace.communicators[communicator].members;
    return members.empty() || std::find(members.begin(), members.end(), rank) != members.end();
}

/// Finds communicators of open collectives that have no precedent on their own rank: of the same rank's k-th call at a path,
/// other ranks' k-th tells the communicator.
class CommunicatorGuess {
  public:
    explicit CommunicatorGuess(const Snapshot &snapshot) : m_snapshot(snapshot) {}

    void complete(Rank rank, OpenCall &open) {
        const Trace &trace = m_snapshot.trace;
        if (trace.part.time && hasOtherCommunicators())
            return; // the k-th call of a part is another rank's k-th only by chance
        const Track &track = trace.mainEvents(rank)->track;
        const std::uint32_t row = m_snapshot.openCalls[rank];
        const CallPathId path = track.callPath[row];
        const auto number = static_cast<std::uint32_t>(std::count(track.callPath.begin(), track.callPath.begin() + row, path));
        const MpiCall &call = m_snapshot.openCall(rank);
        for (const CollectiveKind &kind : kindsOfOthers(path, number))
            if (kind.communicator != none && isMember(trace, kind.communicator, rank)) {
                open.isCollective = true;
                open.collective = kind;
                open.source = OpenCall::Source::OtherRanks;
                open.confidence = 0.8;
                return;
            }
        if (call.kind != MpiCall::Kind::Collective || trace.world == none)
            return; // calls that make communicators, windows and files are not always recorded as collectives
        open.isCollective = true;
        open.collective = {call.operation, trace.world, none, 0, 0};
        open.source = OpenCall::Source::World;
        open.confidence = hasOtherCommunicators() ? 0.5 : 0.9;
    }

  private:
    [[nodiscard]] bool hasOtherCommunicators() const {
        const auto &all = m_snapshot.trace.communicators;
        for (CommunicatorId c = 0; c < all.size(); ++c)
            if (c != m_snapshot.trace.world && !all[c].isSelf)
                return true;
        return false;
    }

    /// What the `number`-th calls at `path` of all ranks were, each different one once.
    const std::vector<CollectiveKind> &kindsOfOthers(CallPathId path, std::uint32_t number) {
        const auto [entry, isNew] = m_kinds.try_emplace({path, number});
        constexpr std::size_t mostSearches = 32; // each reads all tracks; hung jobs have few different open calls
        if (!isNew || m_kinds.size() > mostSearches)
            return entry->second;
        for (Rank rank = 0; rank < m_snapshot.activities.size(); ++rank)
            if (const LocationEvents *events = m_snapshot.trace.mainEvents(rank))
                addKind(*events, path, number, entry->second);
        return entry->second;
    }

    void addKind(const LocationEvents &events, CallPathId path, std::uint32_t number, std::vector<CollectiveKind> &kinds) const {
        const Track &track = events.track;
        for (std::uint32_t row = 0; row < track.size() && track.start[row] <= m_snapshot.at; ++row) {
            if (track.callPath[row] != path || number-- != 0)
                continue;
            const Column<Tick> &ends = events.collectives.end;
            const auto record = std::lower_bound(ends.begin(), ends.end(), track.start[row]);
            if (record == ends.end() || *record > std::min(track.end[row], m_snapshot.at))
                return;
            CollectiveKind kind =
                events.collectiveKinds[events.collectives.kind[static_cast<std::size_t>(record - ends.begin())]];
            kind.bytesSent = kind.bytesReceived = 0;
            if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
                kinds.push_back(kind);
            return;
        }
    }

    const Snapshot &m_snapshot;
    std::map<std::pair<CallPathId, std::uint32_t>, std::vector<CollectiveKind>> m_kinds;
};

/// Collectives that a rank has completed on each communicator, over all its threads.
CountsByCommunicator countCompleted(const Trace &trace, Rank rank, Tick at) {
    CountsByCommunicator counts;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const LocationEvents &events = trace.locations[location].events;
        for (const EarlierCollectives &earlier : events.earlierCollectives)
            counts[earlier.communicator] += earlier.count;
        std::vector<std::uint32_t> ofKind(events.collectiveKinds.size(), 0);
        for (std::size_t i = 0; i < events.collectives.size() && events.collectives.end[i] <= at; ++i)
            ++ofKind[events.collectives.kind[i]];
        for (std::size_t kind = 0; kind < ofKind.size(); ++kind)
            if (events.collectiveKinds[kind].communicator != none)
                counts[events.collectiveKinds[kind].communicator] += ofKind[kind];
    }
    return counts;
}

std::uint32_t countOn(const CountsByCommunicator &counts, CommunicatorId communicator) {
    const auto entry = counts.find(communicator);
    return entry == counts.end() ? 0 : entry->second;
}

class Finder {
  public:
    Finder(Snapshot &snapshot, std::vector<OpenCall> &openCalls, std::vector<Wait> &waits, const Work &work)
        : m_snapshot(snapshot), m_openCalls(openCalls), m_waits(waits), m_completed(snapshot.activities.size()) {
        forEachParallel(m_completed.size(), work, [&](std::size_t rank, unsigned) {
            m_completed[rank] = countCompleted(snapshot.trace, static_cast<Rank>(rank), snapshot.at);
        });
    }

    void find() {
        std::map<std::pair<CommunicatorId, std::uint32_t>, RankSet> instances; // those in (communicator, number)
        CommunicatorGuess guess(m_snapshot);
        for (Rank rank = 0; rank < m_openCalls.size(); ++rank) {
            Activity &activity = m_snapshot.activities[rank];
            OpenCall &open = m_openCalls[rank];
            if (activity.kind != Kind::Collective && !open.isCollective)
                continue;
            if (m_snapshot.openCall(rank).kind == MpiCall::Kind::Init)
                continue;
            if (!open.isCollective)
                guess.complete(rank, open);
            if (!open.isCollective || m_snapshot.trace.communicators[open.collective.communicator].isSelf) {
                settle(activity, open.isCollective ? Need::Met : Need::Unclear, open.confidence);
                continue;
            }
            const CommunicatorId communicator = open.collective.communicator;
            instances[{communicator, countOn(m_completed[rank], communicator)}].push_back(rank);
        }
        for (const auto &[instance, inside] : instances)
            addInstance(instance.first, instance.second, inside);
        addBoundary(MpiCall::Kind::Init);
        addBoundary(MpiCall::Kind::Finalize);
    }

  private:
    static void settle(Activity &activity, Need need, double confidence) {
        activity.need = need;
        activity.confidence = need == Need::Unclear ? 0 : confidence;
    }

    void addInstance(CommunicatorId communicator, std::uint32_t number, const RankSet &inside) {
        RankSet missing; // have not come to this instance
        m_isUnsure = false;
        for (const Rank member : membersOf(m_snapshot.trace, communicator))
            if (!m_snapshot.trace.isRead(member))
                m_isUnsure = true;
            else if (!contains(inside, member) && countOn(m_completed[member], communicator) <= number)
                missing.push_back(member);
        const CollectiveKind &kind = kindOf(inside);
        RankSet waiters = inside;
        switch (kind.operation) {
        case CollectiveOperation::Bcast:
        case CollectiveOperation::Scatter:
        case CollectiveOperation::Scatterv:
            if (addWaitForRoot(communicator, number, kind.root, inside, missing))
                waiters = contains(inside, kind.root) ? RankSet{kind.root} : RankSet();
            break;
        case CollectiveOperation::Scan:
        case CollectiveOperation::Exscan:
            addScan(communicator, number, inside, missing);
            return;
        case CollectiveOperation::Gather:
        case CollectiveOperation::Gatherv:
        case CollectiveOperation::Reduce:
            if (contains(inside, kind.root)) {
                addWait(communicator, number, {kind.root}, missing, 1);
                std::erase(waiters, kind.root);
            }
            break;
        default:
            addWait(communicator, number, waiters, missing, 1);
            return;
        }
        // In rooted operations data may pass through members that are late, and may not: nobody knows the tree.
        addWait(communicator, number, waiters, missing, 0.6);
    }

    /// All that is known of the instance: of its most certain member.
    [[nodiscard]] const CollectiveKind &kindOf(const RankSet &inside) const {
        return m_openCalls[*std::max_element(
                               inside.begin(), inside.end(),
                               [&](Rank a, Rank b) { return m_openCalls[a].confidence < m_openCalls[b].confidence; })]
            .collective;
    }

    /// Data comes from the root: until it has left the call, the others wait for it alone.
    bool addWaitForRoot(CommunicatorId communicator, std::uint32_t number, Rank root, const RankSet &inside,
                        const RankSet &missing) {
        if (root != none && !m_snapshot.trace.isRead(root)) { // whether it has left the call is not known
            for (const Rank rank : inside)
                settle(m_snapshot.activities[rank], Need::Unclear, 0);
            return true;
        }
        const bool rootIsInside = contains(inside, root);
        if (root == none || (!rootIsInside && !contains(missing, root)))
            return false;
        RankSet waiters = inside;
        std::erase(waiters, root);
        addWait(communicator, number, waiters, {root}, 1);
        return true;
    }

    /// A rank waits for those before it in the communicator; the first missing one is enough to say.
    void addScan(CommunicatorId communicator, std::uint32_t number, const RankSet &inside, const RankSet &missing) {
        const std::vector<Rank> &order = m_snapshot.trace.communicators[communicator].members;
        const auto place = [&](Rank rank) {
            return order.empty() ? static_cast<std::ptrdiff_t>(rank)
                                 : std::find(order.begin(), order.end(), rank) - order.begin();
        };
        std::map<std::ptrdiff_t, Rank> byPlace;
        for (const Rank rank : missing)
            byPlace[place(rank)] = rank;
        RankSet before;
        RankSet after;
        for (const Rank rank : inside)
            (byPlace.empty() || place(rank) < byPlace.begin()->first ? before : after).push_back(rank);
        addWait(communicator, number, before, {}, 1);
        if (!after.empty())
            addWait(communicator, number, after, {byPlace.begin()->second}, 1);
    }

    void addWait(CommunicatorId communicator, std::uint32_t number, const RankSet &waiters, const RankSet &on, double factor) {
        if (waiters.empty())
            return;
        double sum = 0;
        for (const Rank rank : waiters) {
            const OpenCall &open = m_openCalls[rank];
            const double confidence = open.confidence * factor * (m_snapshot.openCall(rank).neighbours ? 0.5 : 1);
            settle(m_snapshot.activities[rank], !on.empty() ? Need::Missing : m_isUnsure ? Need::Unclear : Need::Met, confidence);
            sum += confidence;
        }
        if (on.empty())
            return;
        m_waits.push_back({.kind = Wait::Kind::Collective,
                           .waiters = waiters,
                           .on = on,
                           .confidence = sum / static_cast<double>(waiters.size()),
                           .evidence = describe(communicator, number, waiters, on),
                           .communicator = communicator,
                           .instance = number});
    }

    [[nodiscard]] std::string describe(CommunicatorId communicator, std::uint32_t number, const RankSet &waiters,
                                       const RankSet &on) const {
        const Trace &trace = m_snapshot.trace;
        const OpenCall &open = m_openCalls[waiters.front()];
        std::string text = waiters.size() == 1 ? "rank " : "ranks ";
        text +=
            describeRanges(waiters) + (waiters.size() == 1 ? " waits in " : " wait in ") + m_snapshot.functionOf(waiters.front());
        const std::string &name = trace.communicators[communicator].name;
        text += " (collective " + std::to_string(number + 1) + " on " +
                (name.empty() ? "communicator " + std::to_string(communicator) : name);
        text += "): ";
        text += open.ground() + "; ";
        text += (on.size() == 1 ? "rank " : "ranks ") + describeRanges(on);
        const bool inside = m_snapshot.activities[on.front()].kind == Kind::Collective &&
                            countOn(m_completed[on.front()], communicator) == number && m_openCalls[on.front()].isCollective &&
                            m_openCalls[on.front()].collective.communicator == communicator;
        return text + (inside ? ", the root, has not left it" : on.size() == 1 ? " has not come to it" : " have not come to it");
    }

    /// MPI_Init and MPI_Finalize: all ranks that are inside wait for those that have not come.
    void addBoundary(MpiCall::Kind kind) {
        const bool init = kind == MpiCall::Kind::Init;
        RankSet inside;
        RankSet missing;
        for (Rank rank = 0; rank < m_openCalls.size(); ++rank) {
            const Activity &activity = m_snapshot.activities[rank];
            if (m_snapshot.openCalls[rank] != none && m_snapshot.openCall(rank).kind == kind)
                inside.push_back(rank);
            else if (init ? activity.kind == Kind::NotStarted : activity.kind != Kind::Finished && activity.kind != Kind::Unknown)
                missing.push_back(rank);
        }
        m_isUnsure = m_snapshot.trace.part.ranks.has_value();
        for (const Rank rank : inside)
            settle(m_snapshot.activities[rank], !missing.empty() ? Need::Missing : m_isUnsure ? Need::Unclear : Need::Met, 0.9);
        if (inside.empty() || missing.empty())
            return;
        std::string text = (inside.size() == 1 ? "rank " : "ranks ") + describeRanges(inside) +
                           (inside.size() == 1 ? " is" : " are") + " in " + m_snapshot.functionOf(inside.front()) +
                           ", to which ranks " + describeRanges(missing) + " have not come";
        m_waits.push_back(
            {.kind = Wait::Kind::Collective, .waiters = inside, .on = missing, .confidence = 0.9, .evidence = std::move(text)});
    }

    Snapshot &m_snapshot;
    std::vector<OpenCall> &m_openCalls;
    std::vector<Wait> &m_waits;
    std::vector<CountsByCommunicator> m_completed; // by rank
    bool m_isUnsure = false;                       ///< members of the instance at hand were not read
};

} // namespace

void findCollectiveWaits(Snapshot &snapshot, std::vector<OpenCall> &openCalls, std::vector<Wait> &waits, const Work &work) {
    Finder(snapshot, openCalls, waits, work).find();
}

} // namespace laggard
