// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/ProgressNodes.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace laggard {
namespace {

constexpr int mostRounds = 16; // each takes the two ends off a chain

/// Numbers the groups by their lowest rank: `key(rank)` tells them apart.
template <typename Key> void regroup(TaskGroups &groups, const std::vector<TaskPlace> &places, Key key) {
    std::map<decltype(key(Rank{0})), std::uint32_t> numbers;
    std::vector<RankSet> members;
    std::vector<std::uint32_t> groupOfRank(places.size(), none);
    for (Rank rank = 0; rank < places.size(); ++rank) {
        if (places[rank].state == none)
            continue;
        const auto [entry, isNew] = numbers.try_emplace(key(rank), static_cast<std::uint32_t>(members.size()));
        if (isNew)
            members.emplace_back();
        members[entry->second].push_back(rank);
        groupOfRank[rank] = entry->second;
    }
    groups.groups = std::move(members);
    groups.groupOfRank = std::move(groupOfRank);
}

struct GroupedWait {
    std::vector<std::uint32_t> waiters;
    std::vector<std::uint32_t> on;
};

std::vector<GroupedWait> groupWaits(const std::vector<Wait> &waits, const TaskGroups &groups) {
    std::vector<GroupedWait> grouped;
    grouped.reserve(waits.size());
    for (const Wait &wait : waits)
        grouped.push_back({groupsOf(wait.waiters, groups), groupsOf(wait.on, groups)});
    return grouped;
}

/// Per group, whether some of it wait for others of it.
std::vector<bool> waitingForItself(const std::vector<GroupedWait> &waits, std::size_t groups) {
    std::vector<bool> waiting(groups, false);
    for (const GroupedWait &wait : waits) {
        std::vector<std::uint32_t> both;
        std::set_intersection(wait.waiters.begin(), wait.waiters.end(), wait.on.begin(), wait.on.end(), std::back_inserter(both));
        for (const std::uint32_t group : both)
            waiting[group] = true;
    }
    return waiting;
}

/// For the ranks of the groups in `split`: the groups they wait for, and those that wait for them.
std::vector<std::vector<std::uint64_t>> relations(const std::vector<Wait> &waits, const std::vector<GroupedWait> &grouped,
                                                  const TaskGroups &groups, const std::vector<bool> &split) {
    std::vector<std::vector<std::uint64_t>> result(groups.groupOfRank.size());
    const auto add = [&](const RankSet &ranks, const std::vector<std::uint32_t> &others, std::uint64_t direction) {
        for (const Rank rank : ranks) {
            if (rank >= result.size() || groups.groupOfRank[rank] == none || !split[groups.groupOfRank[rank]])
                continue;
            for (const std::uint32_t other : others)
                result[rank].push_back(direction << 32U | other);
        }
    };
    for (std::size_t w = 0; w < waits.size(); ++w) {
        add(waits[w].waiters, grouped[w].on, 0);
        add(waits[w].on, grouped[w].waiters, 1);
    }
    for (std::vector<std::uint64_t> &relation : result) {
        std::sort(relation.begin(), relation.end());
        relation.erase(std::unique(relation.begin(), relation.end()), relation.end());
    }
    return result;
}

} // namespace

void splitByRounds(std::vector<TaskPlace> &places, const LoopOrder &loops) {
    std::map<std::uint32_t, std::map<LoopPlace, RankSet>> byState;
    for (Rank rank = 0; rank < places.size(); ++rank)
        if (places[rank].state != none && !places[rank].finished)
            byState[places[rank].state][loops.placeOf(rank)].push_back(rank);
    constexpr std::size_t mostGroups = 256; // each pair of groups may have an edge
    const std::size_t most = std::max<std::size_t>(2, mostGroups / std::max<std::size_t>(1, byState.size()));
    for (const auto &[state, byPlace] : byState) {
        std::size_t number = 0;
        for (const auto &[place, ranks] : byPlace) {
            for (const Rank rank : ranks)
                places[rank].round = static_cast<std::uint32_t>(std::min(number, most - 1));
            ++number;
        }
    }
}

std::vector<std::uint32_t> groupsOf(const RankSet &ranks, const TaskGroups &groups) {
    std::vector<std::uint32_t> result;
    for (const Rank rank : ranks) {
        const std::uint32_t group = rank < groups.groupOfRank.size() ? groups.groupOfRank[rank] : none;
        if (group != none && (result.empty() || result.back() != group))
            result.push_back(group);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

TaskGroups groupTasks(const std::vector<TaskPlace> &places, const std::vector<Wait> &waits, const Work &work) {
    TaskGroups groups;
    regroup(groups, places, [&](Rank rank) { return places[rank]; });
    for (int round = 0;; ++round) {
        throwIfCancelled(work);
        const std::vector<GroupedWait> grouped = groupWaits(waits, groups);
        const std::vector<bool> split = waitingForItself(grouped, groups.groups.size());
        if (std::none_of(split.begin(), split.end(), std::identity()))
            return groups;
        const std::size_t before = groups.groups.size();
        if (round < mostRounds) {
            const std::vector<std::vector<std::uint64_t>> relation = relations(waits, grouped, groups, split);
            const std::vector<std::uint32_t> old = groups.groupOfRank;
            regroup(groups, places, [&](Rank rank) { return std::pair(old[rank], relation[rank]); });
        }
        if (groups.groups.size() == before) {
            for (std::size_t group = 0; group < before; ++group)
                if (split[group] && groups.groups[group].size() > 1)
                    groups.waitingAmongThemselves.insert(groups.waitingAmongThemselves.end(), groups.groups[group].begin(),
                                                         groups.groups[group].end());
            std::sort(groups.waitingAmongThemselves.begin(), groups.waitingAmongThemselves.end());
            return groups;
        }
    }
}

} // namespace laggard
