// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/ActiveThread.h"

#include "trace/MpiCall.h"
#include "trace/PlainName.h"

#include <algorithm>
#include <array>
#include <optional>

namespace laggard {
namespace {

constexpr double onlyCandidate = 0.9; ///< the main thread is seen to wait, and one thread goes on
constexpr double oneOfSeveral = 0.7;
constexpr double unseen = 0.45; ///< less than a half: the main thread may as well compute

enum class MainState { InMpi, Waiting, Computing, Unseen };

/// A thread beside the main one that has not come back from its calls.
struct Candidate {
    LocationIndex location = none;
    std::uint32_t row = none;  ///< innermost
    std::uint32_t call = none; ///< its outermost MPI call; `none` outside MPI
    bool isNamed = false;      ///< the call waits for ranks that it names: no service for whoever may come
};

std::uint32_t outermostMpi(const Trace &trace, const Track &track, std::uint32_t row) {
    if (row == none || !trace.region(track.callPath[row]).isMpi())
        return none;
    while (track.parent[row] != none && trace.region(track.callPath[track.parent[row]]).isMpi())
        row = track.parent[row];
    return row;
}

MainState stateOf(const Trace &trace, const LocationEvents &events, std::uint32_t row) {
    const Track &track = events.track;
    if (row == none)
        return MainState::Unseen;
    const Region &region = trace.region(track.callPath[row]);
    if (region.isMpi())
        return MainState::InMpi;
    if (region.role == RegionRole::Synchronisation || isWaitForThreads(region.name))
        return MainState::Waiting;
    const bool wasSeen = events.stoppedAt != none && track.isOpen(row) && row == track.innermostOpen();
    return wasSeen ? MainState::Computing : MainState::Unseen;
}

/// When the thread next enters or leaves a function; openEnd: never.
Tick nextEvent(const Track &track, std::uint32_t row, Tick at) {
    const auto after = std::upper_bound(track.start.begin(), track.start.end(), at);
    const Tick enters = after == track.start.end() ? openEnd : *after;
    return row == none ? enters : std::min(enters, track.end[row]);
}

/// Receives of named ranks, sends and collectives. Whoever waits for any rank, or asks again and again, may be there to serve.
bool isNamedWait(const Trace &trace, const LocationEvents &events, std::uint32_t call) {
    const MpiCall kind = classifyMpiCall(trace.region(events.track.callPath[call]).name);
    if (kind.isPoll() || kind.kind == MpiCall::Kind::Probe)
        return false;
    if (!events.track.isOpen(call) || !events.openParts)
        return kind.isCollective() || kind.isPointToPoint();
    const OpenParts &parts = *events.openParts;
    return parts.isCollective || !parts.sends.empty() ||
           (!parts.receives.empty() &&
            std::ranges::all_of(parts.receives, [](const OpenParts::Receive &receive) { return receive.from != none; }));
}

/// Threads of the rank that stand in MPI at least until the main thread does something, and those that were seen outside MPI and
/// not to wait.
std::vector<Candidate> candidates(const Trace &trace, const Process &process, Tick at, Tick mainGoesOn) {
    std::vector<Candidate> found;
    for (const LocationIndex number : process.locations) {
        const Location &location = trace.locations[number];
        const Track &track = location.events.track;
        if (number == process.mainLocation || location.kind != LocationKind::Thread || track.empty())
            continue;
        const std::uint32_t row = track.innermostAt(at);
        const std::uint32_t call = outermostMpi(trace, track, row);
        if (call != none && track.end[call] <= mainGoesOn)
            found.push_back({number, row, call, isNamedWait(trace, location.events, call)});
        else if (row != none && call == none && track.end[row] <= mainGoesOn &&
                 trace.region(track.callPath[row]).role != RegionRole::Synchronisation &&
                 !isWaitForThreads(trace.region(track.callPath[row]).name))
            found.push_back({number, row, none, false});
    }
    return found;
}

/// The thread that has stood longest among those that `accept` holds for.
template <typename Accept> const Candidate *longest(const Trace &trace, const std::vector<Candidate> &candidates, Accept accept) {
    const auto since = [&](const Candidate &c) { return trace.locations[c.location].events.track.start[c.row]; };
    const Candidate *best = nullptr;
    for (const Candidate &candidate : candidates)
        if (accept(candidate) && (best == nullptr || since(candidate) < since(*best)))
            best = &candidate;
    return best;
}

/// True if someone whom the thread's call waits for stands in MPI itself, or may: it can be this rank's other thread that keeps
/// it there.
bool waitsForStanding(const Trace &trace, const Candidate &candidate, Tick at) {
    const LocationEvents &events = trace.locations[candidate.location].events;
    if (!events.openParts || !events.track.isOpen(candidate.call) || events.openParts->receives.empty())
        return true;
    return std::ranges::any_of(events.openParts->receives, [&](const OpenParts::Receive &receive) {
        const LocationEvents *peer = receive.from == none ? nullptr : trace.mainEvents(receive.from);
        return peer == nullptr || outermostMpi(trace, peer->track, peer->track.innermostAt(at)) != none;
    });
}

/// Whom a main thread waits for that was seen to wait.
std::optional<ActiveThread> awaited(const Trace &trace, const std::vector<Candidate> &candidates, Tick at) {
    const Candidate *inMpi = longest(trace, candidates, [](const Candidate &c) { return c.call != none && c.isNamed; });
    if (inMpi == nullptr)
        inMpi = longest(trace, candidates, [](const Candidate &c) { return c.call != none; });
    const Candidate *computing = longest(trace, candidates, [](const Candidate &c) { return c.call == none; });
    const Candidate *chosen = inMpi;
    if (inMpi == nullptr || (computing != nullptr && waitsForStanding(trace, *inMpi, at)))
        chosen = computing;
    if (chosen == nullptr)
        return std::nullopt;
    return ActiveThread{chosen->location, chosen->row, candidates.size() == 1 ? onlyCandidate : oneOfSeveral};
}

} // namespace

ActiveThread activeThread(const Trace &trace, Rank rank, Tick at) {
    const Process &process = trace.processes[rank];
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return {};
    const std::uint32_t row = events->track.innermostAt(at);
    const ActiveThread main{process.mainLocation, row, 1};
    const MainState state = stateOf(trace, *events, row);
    if (process.locations.size() < 2 || state == MainState::InMpi || state == MainState::Computing)
        return main;
    const std::vector<Candidate> others = candidates(trace, process, at, nextEvent(events->track, row, at));
    if (state == MainState::Waiting)
        return awaited(trace, others, at).value_or(main);
    if (const Candidate *named = longest(trace, others, [](const Candidate &c) { return c.isNamed; }))
        return {named->location, named->row, unseen};
    const bool mayWait = std::ranges::any_of(others, [](const Candidate &c) { return c.call != none; });
    return {main.location, main.row, mayWait ? unseen : 1};
}

bool isWaitForThreads(std::string_view function) {
    // Functions that libraries keep to themselves have no names without debug information. In libc those in which a thread stays
    // for long are waits: pthread_join and its like. "!$omp" are OpenMP constructs as Score-P names them.
    static constexpr auto begins = std::to_array<std::string_view>({"pthread_",
                                                                    "thrd_",
                                                                    "cnd_",
                                                                    "mtx_",
                                                                    "sem_",
                                                                    "futex",
                                                                    "lll_lock_wait",
                                                                    "syscall",
                                                                    "std::thread::join",
                                                                    "std::jthread::join",
                                                                    "std::condition_variable",
                                                                    "std::mutex::lock",
                                                                    "std::__atomic_wait",
                                                                    "GOMP_",
                                                                    "gomp_",
                                                                    "kmp",
                                                                    "omp_",
                                                                    "!$omp barrier",
                                                                    "!$omp implicit barrier",
                                                                    "!$omp ibarrier",
                                                                    "!$omp critical",
                                                                    "!$omp taskwait",
                                                                    "libc.so.6+0x",
                                                                    openMpLibrary,
                                                                    "libgomp.so",
                                                                    "libomp.so",
                                                                    "libiomp5.so"});
    // Libraries' own names for theirs: __pthread_clockjoin_ex, ___pthread_mutex_lock, __GI___futex_abstimed_wait_cancelable64.
    function.remove_prefix(std::min(function.find_first_not_of('_'), function.size()));
    if (function.starts_with("GI_"))
        function.remove_prefix(std::min(function.find_first_not_of('_', 3), function.size()));
    return std::ranges::any_of(begins, [&](std::string_view begin) { return function.starts_with(begin); });
}

} // namespace laggard
