// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/HeldLocks.h"

#include "analysis/waitfor/Confidence.h"

#include <algorithm>
#include <set>
#include <utility>

namespace laggard {
namespace {

using EpochKind = EpochCall::Kind;

/// Locks of windows that a thread has at a moment, by its calls in their order.
class LocksInHand {
  public:
    void apply(const EpochCall &call) {
        switch (call.kind) {
        case EpochKind::Lock:
            m_locks.emplace(call.window, call.target);
            break;
        case EpochKind::LockAll:
            m_locks.emplace(call.window, none);
            break;
        case EpochKind::Unlock:
            m_locks.erase({call.window, call.target});
            break;
        case EpochKind::UnlockAll:
            m_locks.erase({call.window, none});
            break;
        default:
            break;
        }
    }
    [[nodiscard]] bool isEmpty() const { return m_locks.empty(); }

  private:
    std::set<std::pair<std::uint32_t, Rank>> m_locks;
};

struct Times {
    std::uint32_t without = 0; ///< the rank made its open call so often before, with no lock in its hands
    std::uint32_t with = 0;
};

Times timesOfOpenCall(const JobView &job, Rank rank) {
    Times times;
    const LocationEvents &events = job.events(rank);
    const std::uint32_t open = job.openRow(rank);
    LocksInHand inHand;
    auto next = events.epochs.begin();
    for (std::uint32_t row = 0; row < open; ++row) {
        for (; next != events.epochs.end() && (next->row == none || next->row < row); ++next)
            if (!next->failed)
                inHand.apply(*next);
        if (events.track.callPath[row] == events.track.callPath[open])
            ++(inHand.isEmpty() ? times.without : times.with);
    }
    return times;
}

} // namespace

std::optional<HeldLock> onlyHeldLock(const JobView &job, const std::vector<Wait> &waits) {
    std::optional<HeldLock> held;
    bool isOfFile = false;
    for (const Wait &wait : waits) {
        if (!wait.isLock || wait.waiters == wait.on)
            continue;
        if (wait.on.size() != 1 || (held && held->holder != wait.on.front()))
            return std::nullopt;
        if (!held)
            held = HeldLock{wait.on.front(), wait.startedBy, 0, {}, rather};
        isOfFile = isOfFile || wait.kind == Wait::Kind::FileLock;
        held->waiters.insert(held->waiters.end(), wait.waiters.begin(), wait.waiters.end());
    }
    if (!held || job.trace.isSummary || job.openRow(held->holder) == none || contains(held->waiters, held->holder))
        return std::nullopt;
    std::ranges::sort(held->waiters);
    if (isOfFile) // whether it always kept that in this call is not known
        return held;
    const Times times = timesOfOpenCall(job, held->holder);
    if (times.with != 0 || times.without == 0)
        return std::nullopt;
    constexpr double most = 0.85; // assumed: the lock may be meant to be kept this time
    const double n = times.without;
    held->times = times.without;
    held->confidence = std::min((n + 1) / (n + 2), most);
    return held;
}

} // namespace laggard
