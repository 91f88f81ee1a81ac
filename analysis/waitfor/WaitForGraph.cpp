// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/WaitForGraph.h"

#include "analysis/waitfor/Confidence.h"
#include "analysis/waitfor/Judgement.h"
#include "analysis/waitfor/LeftOutSends.h"
#include "analysis/waitfor/Observation.h"
#include "analysis/waitfor/QueueWaits.h"
#include "analysis/waitfor/Waits.h"

#include <algorithm>

namespace laggard {
namespace {

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
