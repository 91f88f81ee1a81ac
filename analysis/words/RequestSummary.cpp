// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/RequestSummary.h"

#include "analysis/verdict/Describe.h"
#include "trace/MpiCall.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <set>

namespace laggard {
namespace {

/// What a rank's main thread has done about persistent requests by a moment.
struct RequestCalls {
    std::set<CallPathId> making;       ///< calls that made them
    CallPathId lastMade = none;        ///< the latest
    CallPathId partitioned = none;     ///< the latest that made a partitioned send
    std::uint32_t started = 0;         ///< calls that started some
    std::uint32_t startedSince = 0;    ///< … after the latest was made
    std::uint32_t readySinceStart = 0; ///< calls that marked partitions ready after the latest start
};

RequestCalls requestCalls(const Trace &trace, Rank rank, Tick at) {
    RequestCalls calls;
    const LocationEvents *events = trace.mainEvents(rank);
    if (events == nullptr)
        return calls;
    const Track &track = events->track;
    const MpiCallTable table(trace);
    for (std::uint32_t row = 0; row < track.size() && track.start[row] <= at; ++row) {
        const MpiCall &call = table[track.callPath[row]];
        if (call.makesRequest) {
            calls.making.insert(track.callPath[row]);
            calls.lastMade = track.callPath[row];
            calls.partitioned = call.function == MpiFunction::PsendInit ? track.callPath[row] : calls.partitioned;
            calls.startedSince = 0;
        } else if (call.startsRequest) {
            ++calls.started;
            ++calls.startedSince;
            calls.readySinceStart = 0;
        } else if (call.marksPartitions) {
            ++calls.readySinceStart;
        }
    }
    return calls;
}

bool isWaiting(const Trace &trace, const Activity &activity) {
    if (activity.callPath == none)
        return false;
    const MpiCall call = mpiCallOf(trace.region(activity.callPath));
    return call.isWait() || call.kind == MpiCall::Kind::Test || call.kind == MpiCall::Kind::TestAny;
}

} // namespace

std::string describeOnlyRequest(const Trace &trace, Rank rank, Tick at) {
    const RequestCalls calls = requestCalls(trace, rank, at);
    return calls.making.size() == 1 ? " of the request made by " + describeCall(trace, *calls.making.begin()) : std::string();
}

std::string describeRequests(const Trace &trace, const WaitForGraph &waits) {
    constexpr std::size_t mostRanks = 8; // each costs a look at its calls
    std::string text;
    if (!trace.tellsOpenCalls || trace.isSummary || waits.verdict.leftOut || waits.verdict.ranks.size() > mostRanks)
        return text;
    for (const Rank rank : waits.verdict.ranks) {
        // Another thread may have started it; and it tells something only of a rank that waits for a message.
        if (waits.activities[rank].kind != Activity::Kind::PointToPoint || trace.processes[rank].locations.size() > 1)
            continue;
        const RequestCalls calls = requestCalls(trace, rank, waits.at);
        if (calls.lastMade != none && calls.startedSince == 0)
            text += ' ' + capitalised(describeRankSet({rank})) + " has not started the request that it made last (" +
                    describeCall(trace, calls.lastMade) + ").";
        else if (calls.partitioned != none && isWaiting(trace, waits.activities[rank]))
            text += ' ' + capitalised(describeRankSet({rank})) + " sends in partitions (" +
                    describeCall(trace, calls.partitioned) + "): since the last MPI_Start it has made MPI_Pready " +
                    plural(calls.readySinceStart, "time") + ".";
    }
    return text;
}

} // namespace laggard
