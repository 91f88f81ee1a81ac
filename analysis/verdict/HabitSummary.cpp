// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/HabitSummary.h"

#include "analysis/verdict/Describe.h"
#include "analysis/verdict/MessageSummary.h"
#include "analysis/verdict/RequestSummary.h"
#include "trace/Quantity.h"

namespace laggard {
namespace {

/// "in each of 7 rounds before".
std::string roundsClause(const LeftOutAct &act) {
    return act.isOver ? plural(act.rounds, "time") + " before" : "in each of " + plural(act.rounds, "round") + " before";
}

std::string describeLeftOut(const Trace &trace, const LeftOutAct &act, Tick at) {
    const std::string call = act.callPath == none ? std::string() : describeCall(trace, act.callPath);
    if (act.what == LeftOutAct::What::Receive)
        return "did not receive the message of " + describeRankSet({act.creditor}) + ", as it did " + roundsClause(act) +
               (call.empty() ? "" : " (" + call + ")");
    if (act.callPath != none && isStartOfRequest(trace.region(act.callPath).name)) {
        const bool isReady = trace.region(act.callPath).name.starts_with("MPI_Pready");
        const std::string request = describeOnlyRequest(trace, act.debtor, at);
        return (isReady           ? "has not marked as many partitions ready" + request
                : request.empty() ? std::string("has not started as many requests")
                                  : "has not started" + request.substr(std::string(" of").size())) +
               " as it did " + roundsClause(act) + " (" + call + ")";
    }
    return "left out " + (call.empty() ? std::string("a call") : call) + ", which it made " + roundsClause(act);
}

std::string endOf(const WaitForGraph &waits) {
    const std::size_t waiting = waits.verdict.waiting;
    return waiting <= 1 ? "." : "; in all, " + plural(waiting, "other rank") + " wait for it.";
}

} // namespace

std::string summariseLeftOut(const Trace &trace, const WaitForGraph &waits) {
    const LeftOutAct &act = *waits.verdict.leftOut;
    return capitalised(describeRankSet({act.debtor})) + ' ' + describeLeftOut(trace, act, waits.at) + ". It is in " +
           describeCall(trace, waits.activities[act.debtor].callPath) + ", and " + describeRankSet({act.creditor}) +
           " waits for it in " + describeCall(trace, waits.activities[act.creditor].callPath) + endOf(waits);
}

std::string summariseOddReceive(const Trace &trace, const WaitForGraph &waits) {
    const OddReceive &odd = *waits.verdict.oddReceive;
    const std::string from = describeRankSet({odd.from});
    return capitalised(describeRankSet({odd.rank})) + " waits in " + describeCall(trace, waits.activities[odd.rank].callPath) +
           ", for a message of " + from + (odd.tag == none ? "" : " with tag " + std::to_string(odd.tag)) +
           ", which was not sent; in " + plural(odd.times, "round") + " before it received one " +
           (odd.isTag ? "with tag " + std::to_string(odd.usual) : "of " + describeRankSet({odd.usual})) + " here. " +
           capitalised(from) + " is in " + describeCall(trace, waits.activities[odd.from].callPath) + endOf(waits) +
           misfitClause(trace, waits);
}

} // namespace laggard
