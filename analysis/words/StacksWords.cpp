// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/StacksWords.h"

#include "analysis/verdict/Describe.h"
#include "analysis/words/CrashWords.h"
#include "trace/MpiCall.h"
#include "trace/StackSamples.h"

#include <algorithm>

namespace laggard {
namespace {

using Standing = StandingRank::Kind;
using Answer = StacksJudgement::Kind;

std::string peerText(std::int64_t peer) {
    return peer == MpiArguments::any ? "any rank" : peer == MpiArguments::nobody ? "nobody" : "rank " + std::to_string(peer);
}
std::string tagText(const std::optional<std::int64_t> &tag) {
    return !tag ? "" : *tag == MpiArguments::any ? ", any tag" : ", tag " + std::to_string(*tag);
}

RankSet sortedMembers(const MpiArguments &arguments) {
    RankSet ranks(arguments.members.begin(), arguments.members.end());
    std::ranges::sort(ranks);
    return ranks;
}

/// "a message from rank 3, tag 7", of a few; inside a collective whose part is missing, without the library's own tags.
std::vector<std::string> pendingTexts(const MpiArguments &arguments, bool isCollective) {
    constexpr std::size_t most = 3;
    std::vector<std::string> texts;
    const std::size_t count = arguments.pending ? arguments.pending->size() : 0;
    for (std::size_t i = 0; i < std::min(most, count); ++i) {
        const MpiArguments::Pending &each = (*arguments.pending)[i];
        if (each.peer)
            texts.push_back("waits for " +
                            std::string(isCollective  ? ""
                                        : each.isSend ? "a receive by "
                                                      : "a message from ") +
                            peerText(*each.peer) + (isCollective ? "" : tagText(each.tag)));
    }
    if (count > most)
        texts.push_back(plural(count - most, "message") + " more");
    return texts;
}

/// "from rank 3, tag 7"; empty if nothing is known.
std::string argumentsText(const MpiArguments &arguments, bool isCollective) {
    std::vector<std::string> parts;
    if (arguments.from)
        parts.push_back("from " + peerText(*arguments.from) + tagText(arguments.fromTag));
    if (arguments.to)
        parts.push_back("to " + peerText(*arguments.to) + tagText(arguments.toTag));
    if (arguments.root)
        parts.push_back("root " + std::to_string(*arguments.root));
    if (!arguments.from && !arguments.to)
        for (const std::string &message : pendingTexts(arguments, isCollective))
            parts.push_back(message);
    if (!arguments.communicator.empty() && !arguments.isOfWorld())
        parts.push_back(arguments.communicator == "self" ? "on MPI_COMM_SELF"
                        : !arguments.members.empty()     ? "on the communicator of " + describeRankSet(sortedMembers(arguments))
                        : arguments.communicatorSize     ? "on a communicator of " + plural(*arguments.communicatorSize, "rank")
                                                         : "on a communicator of its own (" + arguments.communicator + ")");
    std::string text;
    for (const std::string &part : parts)
        text += (text.empty() ? "" : "; ") + part;
    return text;
}

/// "in MPI_Recv, called from …", "outside MPI, in compute (a.c:7)".
std::string placeText(const Trace &job, const StandingGroup &group) {
    const StandingRank &standing = *group.standing;
    const std::string call = describeCall(job, standing.callPath, standing.mpiCall == none ? standing.site : CallSiteId{none});
    if (standing.kind == Standing::Computing)
        return "outside MPI, in " + call;
    const std::string arguments =
        group.arguments == nullptr ? "" : argumentsText(*group.arguments, mpiCallOf(job.region(standing.mpiCall)).isCollective());
    return (standing.kind == Standing::Polling ? "asking MPI again and again, in " : "in ") + call +
           (arguments.empty() ? "" : " [" + arguments + ']') +
           (standing.thread == 0 ? "" : ", in thread " + std::to_string(standing.thread));
}

/// What a rank outside MPI did from sample to sample.
std::string motionText(const Trace &job, const StandingRank &standing, bool isOneSample) {
    if (isOneSample || standing.kind != Standing::Computing || standing.stays == none)
        return {};
    if (!standing.moves)
        return " and stands there";
    const std::string function = job.region(standing.stays).name;
    return standing.stays == standing.callPath ? " and moves in it without leaving it" : " and moves below " + function;
}

std::string whatIsWrong(const StacksJudgement &judgement, std::size_t others) {
    const bool isOne = judgement.ranks.size() == 1;
    const std::string rest = "the other " + plural(others, "rank");
    const std::string wait = others == 1 ? " waits" : " wait";
    switch (judgement.kind) {
    case Answer::Stopped:
        return std::string(isOne ? "its process is" : "their processes are") + " stopped by a signal";
    case Answer::Computing:
        return rest + wait + " in MPI";
    case Answer::LeftEarly:
        return rest + (others == 1 ? " has" : " have") + " not come to MPI_Finalize and" + wait;
    case Answer::OtherCollective:
        return rest + (others == 1 ? " is" : " are") + " in another one, or at another place";
    case Answer::Behind:
        return rest + (others == 1 ? " has" : " have") + " got further. Who should have sent what is awaited, stacks do not tell";
    case Answer::Crashed:
        return std::string(isOne ? "it has" : "they have") + " ended by a fault";
    case Answer::Awaited:
    case Answer::Lacking:
        return (isOne ? "it has" : "they have") + std::string(" gone on");
    case Answer::LedTo:
        return rest + wait + " for " + (isOne ? "it" : "them") + ", through however many. For what " +
               (isOne ? "it waits" : "they wait") + ", stacks do not tell";
    case Answer::Cycle:
        return "they wait for each other";
    case Answer::OtherArguments:
        return rest + (others == 1 ? " calls" : " call") + " it on another communicator, or with another root";
    case Answer::OddCall:
        return rest + wait + " elsewhere. Who waits for whom, stacks do not tell";
    case Answer::Astray:
        return "the earlier run never came there, and " + rest + (others == 1 ? " is" : " are") + " where it was";
    case Answer::Earliest:
        return "in the earlier run, this comes before the places of " + rest +
               ". Who should have sent what is awaited, stacks do not tell";
    default:
        return {};
    }
}

/// "rank 3, in MPI_Recv, called from f (a.c:7) [from rank 2, tag 5], waits for a message from it, or for one to be received".
std::string awaitingText(const Trace &job, const StacksJudgement &judgement, const std::vector<StandingGroup> &groups) {
    const Rank first = judgement.awaiting.front();
    const auto group = std::ranges::find_if(groups, [&](const StandingGroup &each) { return contains(each.ranks, first); });
    const bool areTogether =
        group != groups.end() && std::ranges::includes(group->ranks, judgement.awaiting); // else there are several places
    const std::string place = areTogether ? ", " + placeText(job, *group) + ',' : std::string();
    const bool isOne = judgement.ranks.size() == 1;
    return describeRankSet(judgement.awaiting) + place + (judgement.awaiting.size() == 1 ? " waits" : " wait") +
           (judgement.kind == Answer::Lacking
                ? std::string(" for ") + (isOne ? "it" : "them")
                : std::string(" for a message from ") + (isOne ? "it" : "them") + ", or for one to be received");
}

std::string namedText(const Trace &job, const StacksJudgement &judgement, const std::vector<StandingGroup> &groups) {
    std::string text;
    std::size_t seen = 0;
    for (const StandingGroup &group : groups) {
        seen += group.ranks.size();
        if (!contains(judgement.ranks, group.ranks.front()))
            continue;
        const std::string who = describeRankSet(group.ranks);
        text += (text.empty() ? capitalised(who) : "; " + who) + (group.ranks.size() == 1 ? " is " : " are ") +
                placeText(job, group) + motionText(job, *group.standing, judgement.isOneSample);
    }
    const std::size_t others = seen - judgement.ranks.size();
    if (!judgement.awaiting.empty())
        return text + ": " + awaitingText(job, judgement, groups) + ", and " + whatIsWrong(judgement, others) + '.';
    if (judgement.kind == Answer::Crashed) {
        const Rank first = judgement.ranks.front();
        return text + ": " + whatIsWrong(judgement, others) + ", " + describeSignal(job.processes[first].end.value) + '.';
    }
    if (judgement.kind == Answer::OtherCollective && others == 0)
        return text + ": these do not go together.";
    return text + ": " + whatIsWrong(judgement, others) + '.';
}

std::string unclearText(const Trace &job, const std::vector<StandingGroup> &groups) {
    std::string text;
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(most, groups.size()); ++i)
        text += (i == 0 ? "" : "; ") + describeRankSet(groups[i].ranks) + (groups[i].ranks.size() == 1 ? " is " : " are ") +
                placeText(job, groups[i]);
    if (groups.size() > most)
        text += "; and " + plural(groups.size() - most, "place") + " more";
    return "Nothing moves, and the stacks do not tell which rank holds the others up: " + text + '.';
}

std::string runningText(const Trace &job, const StacksJudgement &judgement) {
    const bool areMoving = !judgement.ranks.empty() && judgement.standing[judgement.ranks.front()].kind == Standing::Moving;
    const bool haveEnded =
        std::ranges::any_of(judgement.ranks, [&](Rank rank) { return job.processes[rank].end.kind == ProcessEnd::Kind::Killed; });
    return areMoving ? "The job is running: " + describeRankSet(judgement.ranks) +
                           (haveEnded ? " moved between the samples, or ended." : " moved between the samples.")
                     : "The job is running: no rank waits in MPI.";
}

} // namespace

void sayIt(const ModelDump &dump, const StacksJudgement &judgement, Verdict &verdict) {
    const Trace &job = *dump.job;
    const std::vector<StandingGroup> groups = groupsOf(judgement);
    if (judgement.kind == Answer::Running) {
        verdict.summary = runningText(job, judgement);
    } else {
        verdict.summary = groups.empty()             ? "No stack of any rank is known."
                          : namesSomebody(judgement) ? namedText(job, judgement, groups)
                                                     : unclearText(job, groups);
        if (judgement.isOneSample)
            verdict.summary += " This is one sample: whether anything moves is not known.";
    }
    for (Finding &finding : verdict.findings) {
        const StandingGroup &group = groups[finding.item];
        finding.why = capitalised(describeRankSet(group.ranks)) + (group.ranks.size() == 1 ? " is " : " are ") +
                      placeText(job, group) + motionText(job, *group.standing, judgement.isOneSample) + '.';
    }
    if (judgement.unseen != 0)
        verdict.summary += " Of " + plural(judgement.unseen, "rank") + " there is no stack.";
}

} // namespace laggard
