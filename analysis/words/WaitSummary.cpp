// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/WaitSummary.h"

#include "analysis/verdict/Describe.h"
#include "analysis/waitfor/CommunicatorNames.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <optional>

namespace laggard {

std::string joined(const std::vector<std::string> &parts, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i)
        text += (i == 0 ? "" : i + 1 == parts.size() ? std::string(last) : ", ") + parts[i];
    return text;
}

namespace {

/// Where the ranks that wait (those in `named` left out) wait: "MPI_Allreduce", "MPI_Recv and MPI_Barrier", the most frequent
/// first.
std::string waitingFunctions(const Trace &trace, const WaitForGraph &waits, const RankSet &named) {
    std::map<std::string, std::size_t> ranksIn;
    for (const Wait &wait : waits.waits)
        for (const Rank rank : wait.waiters)
            if (const CallPathId path = waits.activities[rank].callPath;
                path != none && !std::binary_search(named.begin(), named.end(), rank))
                ++ranksIn[trace.region(path).name];
    std::vector<std::pair<std::size_t, std::string>> byCount;
    for (const auto &[function, count] : ranksIn)
        byCount.emplace_back(count, function);
    std::sort(byCount.rbegin(), byCount.rend());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < byCount.size() && i < 2; ++i)
        names.push_back(byCount[i].second);
    if (byCount.size() > 2)
        names.emplace_back("other calls");
    return joined(names, " and ");
}

} // namespace

std::string waitersClause(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    if (verdict.waiting == 0)
        return "no other rank waits for it";
    const std::string functions = waitingFunctions(trace, waits, verdict.ranks);
    return plural(verdict.waiting, "rank") + (verdict.waiting == 1 ? " waits" : " wait") +
           (verdict.ranks.size() == 1 ? " for it" : " for them") + (functions.empty() ? "" : " in " + functions);
}

namespace {

/// One of those who wait for the named ranks, directly.
Rank firstWaiter(const WaitForGraph &waits) {
    for (const Wait &wait : waits.waits)
        if (std::ranges::any_of(wait.on, [&](Rank rank) { return std::ranges::binary_search(waits.verdict.ranks, rank); }))
            return wait.waiters.front();
    return none;
}

} // namespace

std::string waitersPlace(const Trace &trace, const WaitForGraph &waits) {
    std::optional<CallPathId> common;
    for (const Wait &wait : waits.waits) {
        if (std::ranges::none_of(wait.on, [&](Rank rank) { return std::ranges::binary_search(waits.verdict.ranks, rank); }))
            continue;
        for (const Rank rank : wait.waiters) {
            const CallPathId path = waits.activities[rank].callPath;
            if (waits.activities[rank].kind == Activity::Kind::Finalizing || path == none || (common && *common != path))
                return {};
            common = path;
        }
    }
    if (!common)
        return {};
    const std::string call = describeCall(trace, *common);
    return " (" + describeRankSet({firstWaiter(waits)}) + " in " + call + ")";
}

namespace {

/// How many collectives the rank has made on the communicator by then, as far as they are known.
std::uint32_t collectivesMade(const Trace &trace, Rank rank, CommunicatorId communicator, Tick at) {
    std::uint32_t made = 0;
    for (const LocationIndex location : trace.processes[rank].locations) {
        const CollectiveCalls &calls = trace.locations[location].events.collectives;
        for (std::size_t i = calls.size(), seen = 0; i-- > 0 && seen < 4096; ++seen)
            if (const std::uint32_t instance = calls.instance[i]; instance != none && calls.end[i] <= at) {
                const CollectiveInstance &each = trace.collectives[instance];
                if (each.communicator == communicator && each.operation != CollectiveOperation::DestroyHandle)
                    made = std::max(made, each.number + 1);
            }
    }
    return made;
}

} // namespace

std::string collectivesClause(const Trace &trace, const WaitForGraph &waits) {
    const RankSet &named = waits.verdict.ranks;
    for (const Wait &wait : waits.waits) {
        if (wait.kind != Wait::Kind::Collective || wait.communicator == none || wait.instance == none || named.size() != 1 ||
            !std::ranges::binary_search(wait.on, named.front()))
            continue;
        const std::uint32_t made = collectivesMade(trace, named.front(), wait.communicator, waits.at);
        if (made == 0 || made > wait.instance)
            return {};
        return ", after " + describeCount(made) + " of the " + plural(wait.instance + 1, "collective") + " on " +
               describeCommunicator(trace, wait.communicator) + " that the others have come to";
    }
    return {};
}

namespace {

std::string summariseExchange(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const IdleLoop &loop = verdict.loops.front();
    return capitalised(describeRankSet(verdict.ranks)) + " have answered each other without end since " +
           describeDuration(trace.seconds(verdict.since)) + ": " + describeRankSet({loop.rank}) + " has made " +
           describeCall(trace, loop.calls.front()) + " " + plural(loop.turns, "time") + " in a row, and at most " +
           plural(loop.mostBefore, "time") + " in each of " + plural(loop.rowsBefore, "row") +
           " before. Which of them should end it cannot be told" +
           (verdict.waiting == 0 ? std::string() : "; " + waitersClause(trace, waits)) + ".";
}

} // namespace

std::string summariseLoops(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    const IdleLoop &loop = verdict.loops.front();
    if (loop.isExchange)
        return summariseExchange(trace, waits);
    const Tick kept = trace.processes[loop.rank].eventsFrom; // what came before was overwritten
    const bool areAll = verdict.waiting == 0 && verdict.ranks.size() > 1 && verdict.loops.size() == verdict.ranks.size();
    std::string text = capitalised(describeRankSet(areAll ? verdict.ranks : RankSet{loop.rank})) + (areAll ? " have" : " has") +
                       " made no progress since " + (kept > loop.since ? "before " : "") +
                       describeDuration(trace.seconds(std::max(kept, loop.since))) +
                       (areAll ? ": all spin in loops of MPI calls that return, " + describeRankSet({loop.rank}) + " in "
                               : ": it spins in a loop of MPI calls that return, ") +
                       describeCall(trace, loop.calls.front()) + " (" + (loop.isCut ? "at least " : "") +
                       plural(loop.turns, "time") + ")";
    for (std::size_t i = 1; i < loop.calls.size() && i < 3; ++i)
        text += (i == 1 ? " and " : ", ") + describeCall(trace, loop.calls[i]);
    if (loop.rowsBefore != 0)
        text += ", which it made at most " + plural(loop.mostBefore, "time") + " in each of " + plural(loop.rowsBefore, "row") +
                " before";
    text += ", and nothing came of them";
    if (areAll)
        return text + ". Which of them owes the others what they ask for cannot be told.";
    if (verdict.ranks.size() > 1)
        text += "; " + describeRankSet(verdict.ranks) + " hold the others up alike";
    return text + "; " + waitersClause(trace, waits) + ".";
}

std::string functionLoopClause(const Trace &trace, const WaitForGraph &waits) {
    const WaitForVerdict &verdict = waits.verdict;
    if (verdict.ranks.size() != 1 || verdict.functionLoops.empty())
        return {};
    const FunctionLoop &loop = verdict.functionLoops.front();
    const bool isCut = trace.processes[loop.rank].eventsFrom > loop.since;
    return ", below " + describeCall(trace, loop.stays) + ", which has called " + trace.region(loop.called).name + " " +
           (isCut ? "at least " : "") + plural(loop.turns, "time") + " since " + describeDuration(trace.seconds(loop.since));
}

std::string describeParting(const Trace &trace, const WaitForVerdict &verdict) {
    if (!verdict.parting)
        return {};
    const Parting &parting = *verdict.parting;
    return " Before that, at " + describeDuration(trace.seconds(parting.time)) + ", " + describeRankSet({parting.rank}) +
           " made " + describeCall(trace, parting.made) + ", where " + plural(parting.alike, "other rank") + " made " +
           describeCall(trace, parting.expected) + ".";
}

namespace {

/// ", for ranks 1 and 2, the first of them in MPI_Recv, called from offer (a.c:11)": whom the rank waits for directly.
std::string awaitedClause(const Trace &trace, const WaitForGraph &waits, Rank waiter) {
    const auto wait = std::ranges::find_if(waits.waits, [&](const Wait &each) {
        return std::ranges::binary_search(each.waiters, waiter) && !(each.anyOf && each.on.size() > 1);
    });
    if (wait == waits.waits.end())
        return {};
    const Activity &awaited = waits.activities[wait->on.front()];
    const bool isKnown = awaited.callPath != none && awaited.kind != Activity::Kind::Finished;
    return ", for " + describeRankSet(wait->on) +
           (isKnown ? (wait->on.size() == 1 ? ", which was in " : ", the first of them in ") +
                          describeCall(trace, awaited.callPath, awaited.site)
                    : std::string());
}

} // namespace

std::string describeLongestWait(const Trace &trace, const WaitForGraph &waits) {
    Rank longest = none;
    for (const Wait &wait : waits.waits)
        for (const Rank rank : wait.waiters)
            if (longest == none || waits.activities[rank].since < waits.activities[longest].since)
                longest = rank;
    const Activity activity = longest == none ? Activity{} : waits.activities[longest];
    const double waited = trace.seconds(waits.at) - trace.seconds(std::min(waits.at, activity.since));
    constexpr double shortest = 1e-3; // seconds: less is no matter of a person's
    if (longest == none || waited < shortest)
        return "Nobody is known to have held it up.";
    return "Nobody is known to have held it up: the longest wait then was " + describeDuration(waited) + ", in " +
           describeCall(trace, activity.callPath, activity.site) + awaitedClause(trace, waits, longest) + ".";
}

} // namespace laggard
