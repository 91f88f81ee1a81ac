// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/OverdueCollective.h"

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/JobView.h"

#include <algorithm>

namespace laggard {
namespace {

constexpr std::size_t mostWaiters = 64;      ///< ranks: each costs a look at its calls
constexpr std::size_t mostWaits = 16;        ///< compared; of more, no debtor is told from the others
constexpr std::uint32_t fewestIntervals = 2; ///< as for other habits (LeftOutActs): one interval is none
constexpr std::uint32_t fewestPeers = 3;     ///< of two, either may be the odd one

/// How many rounds a rank has made between collectives of one communicator.
class RoundCounter {
  public:
    RoundCounter(const JobView &job, Rank rank, CommunicatorId communicator, CallPathId round)
        : m_job(job), m_events(job.trace.mainEvents(rank)), m_communicator(communicator) {
        if (m_events == nullptr)
            return;
        const Track &track = m_events->track;
        for (std::uint32_t row = 0; row < track.size() && track.start[row] <= job.state.at; ++row)
            if (job.trace.isSameCall(track.callPath[row], round))
                m_rounds.push_back(track.start[row]);
    }

    /// Rounds in each interval that ends with a collective made at `path` (`none`: at any), the first one from the beginning, and
    /// last those since then. An open call of the rank itself counts.
    [[nodiscard]] std::vector<std::uint32_t> intervals(CallPathId path) const {
        std::vector<std::uint32_t> counts;
        auto from = m_rounds.begin();
        for (std::size_t i = 0; m_events != nullptr && i < m_events->collectives.size(); ++i) {
            const Tick end = m_events->collectives.end[i];
            if (end > m_job.state.at || !isOne(i, path))
                continue;
            const auto to = std::lower_bound(from, m_rounds.end(), end);
            counts.push_back(static_cast<std::uint32_t>(to - from));
            from = to;
        }
        counts.push_back(static_cast<std::uint32_t>(m_rounds.end() - from));
        return counts;
    }

    /// The call that made the last collective at `path`; `none` if there is none, or it is not known.
    [[nodiscard]] CallPathId lastCall(CallPathId path) const {
        for (std::size_t i = m_events == nullptr ? 0 : m_events->collectives.size(); i-- > 0;)
            if (m_events->collectives.end[i] <= m_job.state.at && isOne(i, path))
                return callOf(i);
        return none;
    }

  private:
    [[nodiscard]] CallPathId callOf(std::size_t i) const {
        const std::uint32_t row = m_events->collectives.row[i];
        return row == none || row >= m_events->track.size() ? CallPathId{none} : m_events->track.callPath[row];
    }
    [[nodiscard]] bool isOne(std::size_t i, CallPathId path) const {
        if (m_events->collectiveKinds[m_events->collectives.kind[i]].communicator != m_communicator)
            return false;
        const CallPathId own = callOf(i);
        return path == none || (own != none && m_job.trace.isSameCall(own, path));
    }

    const JobView &m_job;
    const LocationEvents *m_events;
    CommunicatorId m_communicator;
    std::vector<Tick> m_rounds; ///< when each began
};

/// `every` and `times`, if all intervals but the last are of one length and that one is longer.
void compareWithItself(const std::vector<std::uint32_t> &own, OverdueCollective &found) {
    const auto earlier = static_cast<std::uint32_t>(own.size() - 1);
    if (earlier >= fewestIntervals && own.front() != 0 && std::equal(own.begin() + 1, own.end() - 1, own.begin()) &&
        own.back() > own.front()) {
        found.every = own.front();
        found.times = earlier;
    }
}

/// All intervals before were of one length, and the last one is no longer: then the others may have left their rounds too early.
bool isWithinHabit(const std::vector<std::uint32_t> &own) {
    return own.size() > 1 && std::equal(own.begin() + 1, own.end() - 1, own.begin()) && own.back() <= own.front();
}

/// All intervals before were of one length, and the last one is shorter.
bool isEarly(const std::vector<std::uint32_t> &own) {
    return own.size() > fewestIntervals && own.front() != 0 && std::equal(own.begin() + 1, own.end() - 1, own.begin()) &&
           own.back() < own.front();
}

/// The debtor's rounds on `wait`'s communicator against its own earlier ones and those of the ranks that wait.
std::optional<OverdueCollective> overdue(const JobView &job, const Wait &wait, Rank debtor, Rank creditor) {
    const CallPathId round = job.state.tasks[debtor].mpiPath;
    const CallPathId awaiting = job.state.tasks[creditor].mpiPath;
    if (round == none || awaiting == none || job.trace.isSameCall(round, awaiting))
        return std::nullopt;
    const RoundCounter debtors(job, debtor, wait.communicator, round);
    OverdueCollective found{.rank = debtor, .creditor = creditor, .expected = debtors.lastCall(awaiting), .round = round};
    if (found.expected == none)
        found.expected = awaiting;
    const std::vector<std::uint32_t> own = debtors.intervals(awaiting);
    if (isWithinHabit(own))
        return std::nullopt;
    compareWithItself(own, found);
    const std::vector<std::uint32_t> all = debtors.intervals(none);
    std::uint32_t unlike = 0; // who does other work, or has not come so far
    std::optional<std::uint32_t> common;
    for (std::size_t i = 0; i < std::min(wait.waiters.size(), mostWaiters); ++i) {
        const RoundCounter counter(job, wait.waiters[i], wait.communicator, round);
        const std::vector<std::uint32_t> others = counter.intervals(awaiting);
        if (found.times != 0 && others.back() != found.every)
            found.times = 0;
        const std::vector<std::uint32_t> inAll = counter.intervals(none);
        const bool isAlike = inAll.size() == all.size() && inAll.size() > 1 && inAll[inAll.size() - 2] == all[all.size() - 2] &&
                             inAll.back() != 0 && inAll.back() < all.back() && (!common || *common == inAll.back());
        common = inAll.back();
        ++(isAlike ? found.peers : unlike);
    }
    if (unlike != 0 || found.peers < fewestPeers || all.size() < 2 || all[all.size() - 2] == 0)
        found.peers = 0;
    if (found.peers != 0 && found.times == 0)
        found.every = *common;
    else if (found.peers != 0 &&
             *common != found.every) // counted to another collective of the communicator: no sentence for both
        found.peers = 0;
    if (found.times == 0 && found.peers == 0)
        return std::nullopt;
    // The rule of succession, of whom nobody else is in its place; assumed: the others may have left their rounds too early.
    constexpr double most = 0.8;
    const auto n = static_cast<double>(found.times);
    found.confidence =
        std::min({wait.confidence, most, std::max(found.times == 0 ? 0 : (n + 1) / (n + 2), found.peers == 0 ? 0 : rather)});
    if (found.peers == 0) // few wait, and one of them may be the odd one
        found.confidence = std::min(found.confidence, either);
    found.made = static_cast<std::uint32_t>(own.size() - 1);
    return found;
}

} // namespace

std::optional<OverdueCollective> onlyOverdue(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    if (job.trace.isSummary || job.trace.hasDataLoss() || job.trace.isPartial())
        return std::nullopt;
    std::optional<OverdueCollective> only;
    std::size_t compared = 0;
    for (const Wait &wait : waits) {
        if (wait.kind != Wait::Kind::Collective || wait.communicator == none || wait.mismatch != Wait::Mismatch::None ||
            wait.on.size() != 1 || !contains(members, wait.on.front()))
            continue;
        const Rank debtor = wait.on.front();
        const auto creditor = std::ranges::find_if(wait.waiters, [&](Rank rank) { return contains(members, rank); });
        if (creditor == wait.waiters.end() || job.trace.processes[debtor].eventsFrom != 0)
            continue;
        if (++compared > mostWaits)
            return std::nullopt;
        const std::optional<OverdueCollective> found = overdue(job, wait, debtor, *creditor);
        if (found && only && only->rank != found->rank)
            return std::nullopt;
        only = found ? found : only;
    }
    return only;
}

bool othersCameEarly(const JobView &job, const Wait &wait, Rank debtor) {
    const CallPathId round = job.state.tasks[debtor].mpiPath;
    if (wait.kind != Wait::Kind::Collective || wait.communicator == none || round == none || wait.waiters.empty())
        return false;
    const CallPathId awaiting = job.state.tasks[wait.waiters.front()].mpiPath;
    if (awaiting == none || !isWithinHabit(RoundCounter(job, debtor, wait.communicator, round).intervals(awaiting)))
        return false;
    return std::all_of(wait.waiters.begin(), wait.waiters.begin() + std::min(wait.waiters.size(), mostWaiters),
                       [&](Rank rank) { return isEarly(RoundCounter(job, rank, wait.communicator, round).intervals(awaiting)); });
}

} // namespace laggard
