// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/LeftBehind.h"

#include "analysis/waitfor/JobView.h"

#include <algorithm>
#include <map>

namespace laggard {
namespace {

constexpr std::uint64_t fewestSince = 3; ///< as for habits (Judge)

/// What `from` has sent since the rank began to wait for it; nothing if it ever sent it anything.
std::optional<LeftBehind> behind(const JobView &job, Rank rank, Rank from) {
    if (job.trace.processes[from].eventsFrom != 0 || job.trace.hasDataLoss() || job.trace.isPartial())
        return std::nullopt; // it may have, in what is not there
    LeftBehind found{.rank = rank, .from = from, .since = job.activity(rank).since};
    std::map<CallPathId, std::uint64_t> taken;
    for (const LocationIndex each : job.trace.processes[from].locations) {
        const LocationEvents &events = job.trace.locations[each].events;
        for (std::size_t i = 0; i < events.sends.size() && events.sends.time[i] <= job.state.at; ++i) {
            if (events.envelopes[events.sends.envelope[i]].peer == rank)
                return std::nullopt;
            if (events.sends.time[i] <= found.since || events.sends.match[i] == none)
                continue;
            if (const std::uint32_t row = events.track.innermostAt(events.sends.time[i]); row != none)
                ++taken[events.track.callPath[row]];
        }
    }
    for (const auto &[path, times] : taken)
        if (times > found.rounds) {
            found.rounds = times;
            found.sentBy = path;
        }
    return found.rounds < fewestSince ? std::nullopt : std::optional(found);
}

} // namespace

std::optional<LeftBehind> findLeftBehind(const JobView &job, const std::vector<Wait> &waits, const RankSet &members) {
    std::optional<LeftBehind> only;
    for (const Wait &wait : waits) {
        if (wait.kind != Wait::Kind::PointToPoint || wait.isSend || wait.isHeld || wait.waiters.size() != 1 ||
            wait.on.size() != 1 || wait.on == wait.waiters || !std::ranges::binary_search(members, wait.waiters.front()) ||
            !std::ranges::binary_search(members, wait.on.front()))
            continue;
        const std::optional<LeftBehind> found = behind(job, wait.waiters.front(), wait.on.front());
        if (!found)
            continue;
        if (only && only->rank != found->rank)
            return std::nullopt;
        only = found;
    }
    return only;
}

} // namespace laggard
