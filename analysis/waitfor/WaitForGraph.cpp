// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/Judgement.h"
#include "analysis/waitfor/LeftOutSends.h"
#include "analysis/waitfor/Observation.h"
#include "analysis/waitfor/QueueWaits.h"
#include "analysis/waitfor/Waits.h"

#include <algorithm>
#include <array>
#include <utility>

namespace laggard {
namespace {

constexpr std::array kindNames{std::pair(WaitForVerdict::Kind::Finished, std::string_view("finished")),
                               std::pair(WaitForVerdict::Kind::LeftEarly, std::string_view("left_early")),
                               std::pair(WaitForVerdict::Kind::Computing, std::string_view("computing")),
                               std::pair(WaitForVerdict::Kind::StuckInCall, std::string_view("stuck_in_call")),
                               std::pair(WaitForVerdict::Kind::MissingSend, std::string_view("missing_send")),
                               std::pair(WaitForVerdict::Kind::Deadlock, std::string_view("deadlock")),
                               std::pair(WaitForVerdict::Kind::Mismatch, std::string_view("mismatch")),
                               std::pair(WaitForVerdict::Kind::NeverReceived, std::string_view("never_received")),
                               std::pair(WaitForVerdict::Kind::Misfit, std::string_view("misfit")),
                               std::pair(WaitForVerdict::Kind::Intercepted, std::string_view("intercepted")),
                               std::pair(WaitForVerdict::Kind::NoSender, std::string_view("no_sender")),
                               std::pair(WaitForVerdict::Kind::LeftOut, std::string_view("left_out")),
                               std::pair(WaitForVerdict::Kind::OddReceive, std::string_view("odd_receive")),
                               std::pair(WaitForVerdict::Kind::HabitBreak, std::string_view("habit_break")),
                               std::pair(WaitForVerdict::Kind::NoDump, std::string_view("no_dump")),
                               std::pair(WaitForVerdict::Kind::Unknown, std::string_view("unknown"))};

WaitForGraph connect(const Trace &trace, JobState &state, const MissingSendsOf &missingSends, const Work &work) {
    const JobView job(trace, state);
    WaitForGraph graph;
    graph.at = state.at;
    graph.lastEvent = state.lastEvent;
    if (trace.enqueues && !trace.isSummary && state.at >= trace.readRange().end) {
        std::vector<QueueStop> stops = findQueueWaits(job, graph.waits);
        throwIfCancelled(work);
        graph.verdict = judgeQueues(job, graph.waits, std::move(stops));
    } else {
        findCollectiveWaits(job, graph.waits);
        findPointToPointWaits(job, graph.waits);
        findOneSidedWaits(job, graph.waits);
        findFileLockWaits(job, graph.waits);
        findMakingMismatches(job, graph.waits);
        throwIfCancelled(work);
        graph.verdict = judgeWaits(job, graph.waits, missingSends, work);
        if (trace.isSummary && graph.verdict.kind != WaitForVerdict::Kind::Finished)
            graph.verdict.confidence *= bySummary;
    }
    for (const TaskState &task : state.tasks)
        graph.activities.push_back(task.activity);
    return graph;
}

} // namespace

std::string_view name(WaitForVerdict::Kind kind) {
    const auto *const found = std::ranges::find(kindNames, kind, [](const auto &entry) { return entry.first; });
    return found == kindNames.end() ? "unknown" : found->second;
}

std::optional<WaitForVerdict::Kind> waitsKindNamed(std::string_view text) {
    const auto *const found = std::ranges::find(kindNames, text, [](const auto &entry) { return entry.second; });
    return found == kindNames.end() ? std::nullopt : std::optional(found->first);
}

WaitForGraph connectWaits(const Snapshot &snapshot, JobState state, const MissingSendsOf &missingSends, const Work &work) {
    return connect(
        snapshot.trace, state,
        [&](Rank from, const std::vector<OwedSend> &owed) {
            std::vector<OwedSend> awaited;
            std::copy_if(owed.begin(), owed.end(), std::back_inserter(awaited), [&](const OwedSend &each) {
                return snapshot.openCalls[each.to] == none || !snapshot.returnsLater(each.to);
            });
            return awaited.empty() ? std::vector<MissingSend>() : missingSends(from, awaited);
        },
        work);
}

WaitForGraph buildWaitForGraph(const Trace &trace, Tick at, const Work &work) {
    const Snapshot snapshot(trace, at, work);
    return connectWaits(
        snapshot, observe(snapshot, work),
        [&](Rank from, const std::vector<OwedSend> &owed) { return owedOf(leftOutSends(snapshot, from), owed); }, work);
}

WaitForGraph buildWaitForGraph(const Trace &job, JobState state, std::vector<MissingSend> missingSends, const Work &work) {
    return connect(
        job, state,
        [&](Rank from, const std::vector<OwedSend> &owed) {
            std::vector<MissingSend> borneOut;
            for (const MissingSend &missing : missingSends)
                if (missing.from == from && std::binary_search(owed.begin(), owed.end(), OwedSend{missing.from, missing.to}))
                    borneOut.push_back(missing);
            return borneOut;
        },
        work);
}

JobState observeJob(const Trace &trace, Tick at, const Work &work) { return observe(Snapshot(trace, at, work), work); }

} // namespace laggard
