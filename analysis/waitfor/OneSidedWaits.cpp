// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/IdleLoop.h"
#include "analysis/waitfor/Waits.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <map>
#include <optional>

namespace laggard {
namespace {

using EpochKind = EpochCall::Kind;

/// A lock that a rank has asked for on another's part of a window.
struct Lock {
    bool exclusive = false;
    CallPathId callPath = none;
};

/// What a rank has open on one window, and has done there so far.
struct WindowState {
    std::map<Rank, Lock> locks;              ///< by target; the call that asked for it has returned
    std::optional<CallPathId> lockAll;       ///< shared locks of all targets
    std::map<Rank, std::uint32_t> posts;     ///< by origin: epochs opened for it
    std::map<Rank, std::uint32_t> starts;    ///< by target: epochs begun, an open MPI_Win_start included
    std::map<Rank, std::uint32_t> completes; ///< by target: epochs completed
    RankSet started;                         ///< targets of the epoch that is open
    RankSet posted;                          ///< origins of the epoch that is open
    CallPathId startedBy = none;             ///< the call that opened it
    CallPathId postedBy = none;
};

/// The call of a rank that is open, and concerns a window.
struct OpenEpochCall {
    EpochCall call;
    RankSet group;
};

struct RankWindows {
    std::map<std::uint32_t, WindowState> windows;
    std::optional<OpenEpochCall> open;
};

void apply(WindowState &state, const EpochCall &call, const RankSet &group, CallPathId path, bool isOpen) {
    switch (call.kind) {
    case EpochKind::Lock:
        if (!isOpen)
            state.locks[call.target] = {call.exclusive, path};
        break;
    case EpochKind::Unlock:
        if (!isOpen)
            state.locks.erase(call.target);
        break;
    case EpochKind::LockAll:
        if (!isOpen)
            state.lockAll = path;
        break;
    case EpochKind::UnlockAll:
        if (!isOpen)
            state.lockAll.reset();
        break;
    case EpochKind::Post:
        for (const Rank origin : group)
            ++state.posts[origin];
        state.posted = group;
        state.postedBy = path;
        break;
    case EpochKind::Start:
        for (const Rank target : group)
            ++state.starts[target];
        state.started = group;
        state.startedBy = path;
        break;
    case EpochKind::Complete:
        if (isOpen)
            break;
        for (const Rank target : state.started)
            ++state.completes[target];
        state.started.clear();
        break;
    case EpochKind::Wait:
    case EpochKind::Test:
        if (!isOpen)
            state.posted.clear();
        break;
    default:
        break;
    }
}

bool needsTarget(EpochKind kind) { return kind == EpochKind::Lock || kind == EpochKind::Unlock || kind == EpochKind::Flush; }

/// What the rank's calls up to `at` amount to.
RankWindows windowsOf(const JobView &job, Rank rank) {
    RankWindows result;
    const Tick at = job.state.at;
    for (const LocationIndex location : job.trace.processes[rank].locations) {
        const LocationEvents &events = job.trace.locations[location].events;
        for (const EpochCall &call : events.epochs) {
            const bool hasRow = call.row != none;
            if (hasRow && events.track.start[call.row] > at)
                break;
            const bool isOpen = hasRow && events.track.end[call.row] > at;
            if (call.window == none || (needsTarget(call.kind) && call.target == none) || (call.failed && !isOpen))
                continue;
            const RankSet group = call.group == none ? RankSet() : events.groups[call.group];
            apply(result.windows[call.window], call, group, hasRow ? events.track.callPath[call.row] : call.startedBy, isOpen);
            if (isOpen && location == job.trace.processes[rank].mainLocation)
                result.open = OpenEpochCall{call, group};
        }
    }
    return result;
}

class EpochFinder {
  public:
    EpochFinder(const JobView &job, std::vector<Wait> &waits) : m_job(job), m_waits(waits) {
        for (Rank rank = 0; rank < job.size(); ++rank)
            m_ranks.push_back(windowsOf(job, rank));
    }

    void find() {
        for (Rank rank = 0; rank < m_ranks.size(); ++rank) {
            const std::optional<OpenEpochCall> &open = m_ranks[rank].open;
            if (!open || m_job.activity(rank).site != none)
                continue;
            const EpochCall &call = open->call;
            const WindowState &own = stateOf(rank, call.window);
            switch (call.kind) {
            case EpochKind::Lock:
                if (!addOwnLock(rank, call, own))
                    addLockWait(rank, call, call.target, call.exclusive);
                break;
            case EpochKind::Unlock:
            case EpochKind::Flush:
                addLockWait(rank, call, call.target, own.locks.contains(call.target) && own.locks.at(call.target).exclusive);
                break;
            case EpochKind::LockAll:
            case EpochKind::UnlockAll:
            case EpochKind::FlushAll:
                addLockWait(rank, call, none, false);
                break;
            case EpochKind::Start:
            case EpochKind::Complete:
                addWaitForPosts(rank, call, own);
                break;
            case EpochKind::Wait:
            case EpochKind::Test:
                addWaitForCompletion(rank, call, own);
                break;
            default:
                break;
            }
        }
    }

  private:
    [[nodiscard]] const WindowState &stateOf(Rank rank, std::uint32_t window) const {
        static const WindowState nothing;
        const auto entry = m_ranks[rank].windows.find(window);
        return entry == m_ranks[rank].windows.end() ? nothing : entry->second;
    }
    [[nodiscard]] bool isReadable(Rank rank) const { return rank < m_ranks.size() && m_job.trace.isRead(rank); }

    /// True if all epochs of the rank can be counted: none of its events were overwritten, or left out.
    [[nodiscard]] bool isWhole(Rank rank) const {
        return m_job.trace.processes[rank].eventsFrom == 0 && !m_job.trace.part.time && !m_job.trace.isDamaged(rank);
    }
    static std::uint32_t countOf(const std::map<Rank, std::uint32_t> &counts, Rank rank) {
        const auto entry = counts.find(rank);
        return entry == counts.end() ? 0 : entry->second;
    }

    /// Whether `target` has posted the epoch that `rank` has started. Where not all are known, the one that is open tells: it
    /// stays so until `rank` has completed it.
    [[nodiscard]] bool hasPosted(Rank target, Rank rank, std::uint32_t window, const WindowState &own) const {
        const WindowState &state = stateOf(target, window);
        if (isWhole(rank) && isWhole(target))
            return countOf(state.posts, rank) >= countOf(own.starts, target);
        return std::find(state.posted.begin(), state.posted.end(), rank) != state.posted.end();
    }

    /// Whether `origin` has completed the epoch that `rank` has posted. Where not all are known, it has not if it is in it.
    [[nodiscard]] bool hasCompleted(Rank origin, Rank rank, std::uint32_t window, const WindowState &own) const {
        const WindowState &state = stateOf(origin, window);
        if (isWhole(rank) && isWhole(origin))
            return countOf(state.completes, rank) >= countOf(own.posts, origin);
        return std::find(state.started.begin(), state.started.end(), rank) == state.started.end();
    }

    /// True if the rank itself stands in a call that asks for this lock.
    [[nodiscard]] bool isAsking(Rank rank, std::uint32_t window, Rank target) const {
        const std::optional<OpenEpochCall> &open = m_ranks[rank].open;
        return open && open->call.window == window && (open->call.target == target || open->call.target == none) &&
               open->call.kind >= EpochKind::Lock && open->call.kind <= EpochKind::FlushAll;
    }

    /// Ranks whose lock on `target` (`none`: of any rank) excludes one of `rank`'s: those that go on with it rather than ask for
    /// it too, since an MPI library may grant a lock long after the call that asks for it has returned.
    [[nodiscard]] RankSet holders(Rank rank, std::uint32_t window, Rank target, bool exclusive, CallPathId &since) const {
        RankSet going;
        RankSet asking;
        for (Rank other = 0; other < m_ranks.size(); ++other) {
            if (other == rank)
                continue;
            const WindowState &state = stateOf(other, window);
            CallPathId path = none;
            for (const auto &[held, lock] : state.locks)
                if ((target == none || held == target) && (lock.exclusive || exclusive))
                    path = lock.callPath;
            if (path == none && state.lockAll && exclusive)
                path = *state.lockAll;
            if (path == none)
                continue;
            const bool asks = isAsking(other, window, target);
            (asks ? asking : going).push_back(other);
            if (!asks && since == none)
                since = path;
        }
        return going.empty() ? asking : going;
    }

    /// Who asks for a lock that it holds waits for itself: a process must unlock before it locks the same target of a window
    /// again (MPI 3.1 §11.5.3).
    bool addOwnLock(Rank rank, const EpochCall &call, const WindowState &own) {
        const auto held = own.locks.find(call.target);
        if (held == own.locks.end() || !isWhole(rank) || !(held->second.exclusive || call.exclusive))
            return false;
        addWait(rank, {rank}, 0.95,
                " for the lock of rank " + std::to_string(call.target) + "'s part of " + nameOf(call.window) +
                    ", which it holds itself" + callPlaceInBrackets(m_job.trace, held->second.callPath) +
                    ": MPI_Win_unlock has not come since",
                held->second.callPath);
        return true;
    }

    void addLockWait(Rank rank, const EpochCall &call, Rank target, bool exclusive) {
        CallPathId since = none;
        const RankSet held = holders(rank, call.window, target, exclusive, since);
        const std::string what = target == none
                                     ? "the locks of " + nameOf(call.window)
                                     : "the lock of rank " + std::to_string(target) + "'s part of " + nameOf(call.window);
        if (!held.empty()) {
            addWait(rank, held, 0.95,
                    " for " + what + ": " + describeRankSet(held) + (held.size() == 1 ? " holds it" : " hold it") +
                        callPlaceInBrackets(m_job.trace, since),
                    since);
            m_waits.back().isLock = true;
            return;
        }
        // The target's software passes the lock on, in its own MPI calls: one that makes none, or only such as return at once
        // and bring nothing, may not (MPI 3.1 §11.7.3).
        constexpr double needsTarget = 0.7;
        constexpr double needsOneOfAll = 0.45; // less than even: which of all targets is needed is not known
        const RankSet outside = outsideOf(rank, call.window, target);
        if (!outside.empty())
            addWait(rank, outside, target == none ? needsOneOfAll : needsTarget,
                    " for " + what + ", and " + describeRankSet(outside) + (outside.size() == 1 ? " makes" : " make") +
                        " no MPI call that waits",
                    none);
        else
            settle(rank);
    }

    /// True for a rank that computes, or that calls MPI again and again for nothing and does not ask for epochs itself.
    [[nodiscard]] bool isOutside(Rank rank) const {
        return isReadable(rank) && (m_job.activity(rank).kind == Activity::Kind::Computing ||
                                    (!m_ranks[rank].open && idleLoopOf(m_job, rank).has_value()));
    }

    /// Who is outside, of the target, or of all of the window's other members.
    [[nodiscard]] RankSet outsideOf(Rank rank, std::uint32_t window, Rank target) {
        for (Rank each = static_cast<Rank>(m_isOutside.size()); each < m_job.size(); ++each)
            m_isOutside.push_back(isOutside(each));
        RankSet outside;
        if (target != none) {
            if (target < m_isOutside.size() && m_isOutside[target])
                outside.push_back(target);
        } else if (window < m_job.trace.windows.size() && m_job.trace.windows[window].communicator != none) {
            for (const Rank each : m_job.membersOf(m_job.trace.windows[window].communicator))
                if (each != rank && each < m_isOutside.size() && m_isOutside[each])
                    outside.push_back(each);
        }
        return outside;
    }

    void addWaitForPosts(Rank rank, const EpochCall &call, const WindowState &own) {
        RankSet missing;
        for (const Rank target : own.started)
            if (isReadable(target) && !hasPosted(target, rank, call.window, own))
                missing.push_back(target);
        if (missing.empty())
            settle(rank);
        else
            addWait(rank, missing, 1,
                    " of the epoch on " + nameOf(call.window) + callPlaceInBrackets(m_job.trace, own.startedBy) + " for " +
                        describeRankSet(missing) +
                        (missing.size() == 1 ? ", which has not posted it" : ", which have not posted it"),
                    own.startedBy);
    }

    void addWaitForCompletion(Rank rank, const EpochCall &call, const WindowState &own) {
        RankSet missing;
        for (const Rank origin : own.posted)
            if (isReadable(origin) && !hasCompleted(origin, rank, call.window, own))
                missing.push_back(origin);
        if (missing.empty())
            settle(rank);
        else
            addWait(rank, missing, 1,
                    " of the epoch on " + nameOf(call.window) + callPlaceInBrackets(m_job.trace, own.postedBy) + " for " +
                        describeRankSet(missing) +
                        (missing.size() == 1 ? ", which has not completed it" : ", which have not completed it"),
                    own.postedBy);
    }

    void settle(Rank rank) { m_job.activity(rank).need = Activity::Need::Met; }

    void addWait(Rank rank, RankSet on, double confidence, const std::string &what, CallPathId startedBy) {
        std::sort(on.begin(), on.end());
        Activity &activity = m_job.activity(rank);
        activity.need = Activity::Need::Missing;
        activity.confidence = confidence;
        m_waits.push_back({.kind = Wait::Kind::OneSided,
                           .waiters = {rank},
                           .on = std::move(on),
                           .confidence = confidence,
                           .evidence = "rank " + std::to_string(rank) + " waits in " + m_job.functionOf(rank) + what,
                           .startedBy = startedBy});
    }

    [[nodiscard]] std::string nameOf(std::uint32_t window) const {
        const bool isKnown = window < m_job.trace.windows.size();
        const std::string name = isKnown ? m_job.trace.windows[window].name : std::string();
        if (name.starts_with("window ")) // made up by the reader
            return name;
        return "window " + (name.empty() ? std::to_string(window + 1) : name);
    }

    const JobView &m_job;
    std::vector<Wait> &m_waits;
    std::vector<RankWindows> m_ranks;
    std::vector<bool> m_isOutside; ///< by rank; empty until somebody asks
};

} // namespace

void findOneSidedWaits(const JobView &job, std::vector<Wait> &waits) {
    const bool hasWindows = std::any_of(job.trace.locations.begin(), job.trace.locations.end(),
                                        [](const Location &location) { return !location.events.epochs.empty(); });
    if (hasWindows)
        EpochFinder(job, waits).find();
}

} // namespace laggard
