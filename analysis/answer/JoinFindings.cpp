// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/JoinFindings.h"

#include "analysis/slowness/SlownessGate.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/DelayWords.h"
#include "analysis/words/MpiUseWords.h"
#include "analysis/words/OutlierWords.h"

#include <algorithm>

namespace laggard {
namespace {

using Kind = SemiMarkovVerdict::Kind;

Finding findingOf(const Trace &trace, const SemiMarkovReport &models) {
    const SemiMarkovVerdict &verdict = models.verdict;
    Finding finding;
    finding.method = "phases";
    finding.ranks = verdict.ranks;
    finding.score = verdict.confidence;
    finding.why = verdict.why;
    if (verdict.occurrence) {
        finding.function = verdict.occurrence->function;
        finding.callPath = verdict.occurrence->callPath;
        finding.time = verdict.occurrence->time;
        if (const CallPathId place = nearestWithSource(trace, finding.callPath); place != none) {
            finding.file = trace.region(place).file;
            finding.line = trace.region(place).line;
            finding.isDefinition = true;
        }
    }
    return finding;
}

Finding findingAt(const Trace &trace, std::string method, Rank rank, CallPathId path) {
    Finding finding;
    finding.method = std::move(method);
    finding.ranks = {rank};
    finding.callPath = path;
    if (path != none)
        finding.function = trace.region(path).name;
    const Frame place = placeOf(trace, path);
    finding.file = place.file;
    finding.line = place.line;
    finding.isDefinition = place.isDefinition;
    return finding;
}

Finding findingOf(const Trace &trace, const DelayReport &delays) {
    const Delay &delay = *delays.leading;
    Finding finding = findingAt(trace, "delays", delay.rank, delay.callPath);
    finding.score = std::min(1.0, delays.causedSeconds[delay.rank] / delays.waiting);
    finding.why = describe(trace, delays);
    finding.time = delays.delayed.worst;
    return finding;
}

Finding findingOf(const Trace &trace, const RepeatedMessage &message) {
    Finding finding = findingAt(trace, "messages", message.from, message.callPath);
    finding.score = message.confidence;
    finding.why = message.why;
    finding.time = {std::min(message.sent, message.noticed), std::max(message.sent, message.noticed)}; // clocks may disagree
    return finding;
}

Finding findingOf(const Trace &trace, const MpiUseError &error) {
    Finding finding = findingAt(trace, "mpi_use", error.ranks.front(), error.callPath);
    finding.ranks = error.ranks;
    std::sort(finding.ranks.begin(), finding.ranks.end());
    finding.score = 1; // as recorded
    finding.why = describe(trace, error);
    return finding;
}

/// True if the verdict has said it: it names those for just that.
bool isVerdict(const Report &report, const MpiUseError &error) {
    const WaitForVerdict &judged = report.waits.verdict;
    return report.verdict.state == Verdict::State::Hung && judged.kind == WaitForVerdict::Kind::Mismatch &&
           error.kind == MpiUseError::Kind::Disagreement && judged.ranks == error.ranks;
}

SlownessEvidence evidenceOf(const Report &report) {
    return {*report.trace, report.verdict.state, report.delays ? &*report.delays : nullptr,
            report.models ? &*report.models : nullptr, report.outliers ? &*report.outliers : nullptr};
}

/// What a rank did once, before its first step or behind its last one.
Finding findingOf(const Trace &trace, const DelayReport &delays, const Delay &once) {
    Finding finding = findingAt(trace, "delays", once.rank, once.callPath);
    finding.score = std::min(1.0, once.seconds / delays.waiting);
    finding.why = describeOnce(trace, once);
    return finding;
}

double secondsOf(const Trace &trace, Tick ticks) {
    return static_cast<double>(ticks) / static_cast<double>(trace.clock.ticksPerSecond);
}

/// A rank, or all, was slower than usual: in one place, or from a moment on.
void addPhaseFacts(const Report &report, HeadlineFacts &facts) {
    const SemiMarkovVerdict &verdict = report.models->verdict;
    facts.ranks = verdict.ranks;
    if (verdict.kind == Kind::RepeatedMessage) {
        facts.kind = HeadlineFacts::Kind::RepeatedMessage;
        return;
    }
    facts.kind = verdict.kind == Kind::Permanent ? HeadlineFacts::Kind::Slower : HeadlineFacts::Kind::Exception;
    if (verdict.shift) {
        facts.times = verdict.shift->factor;
        facts.ranks = verdict.shift->rank == none ? RankSet() : RankSet{verdict.shift->rank};
    }
    if (verdict.occurrence) {
        facts.function = verdict.occurrence->function;
        facts.at = report.trace->seconds(verdict.occurrence->time.begin);
        facts.seconds = verdict.occurrence->seconds;
        facts.usual = verdict.occurrence->usual;
    }
}

void addDelayFacts(const Report &report, HeadlineFacts &facts) {
    const DelayReport &delays = *report.delays;
    facts.kind = HeadlineFacts::Kind::Delayed;
    facts.ranks = {delays.leading->rank};
    facts.function = delays.leading->callPath == none ? std::string() : report.trace->region(delays.leading->callPath).name;
    facts.others = delays.delayed.ranks.size();
    facts.seconds = delays.delayed.seconds;
    facts.share = std::min(1.0, delays.causedSeconds[delays.leading->rank] / delays.waiting);
    if (delays.delayed.worst)
        facts.at = report.trace->seconds(delays.delayed.worst->begin);
}

void addOnceFacts(const Report &report, const Delay &once, HeadlineFacts &facts) {
    facts.kind = HeadlineFacts::Kind::DelayedOnce;
    facts.ranks = {once.rank};
    facts.function = once.callPath == none ? std::string() : report.trace->region(once.callPath).name;
    facts.others = std::max<std::size_t>(report.trace->processes.size(), 2) - 1;
    facts.seconds = once.seconds / static_cast<double>(facts.others);
    facts.share = std::min(1.0, once.seconds / report.delays->waiting);
}

/// When a job came to stand, once that is known better than from its end.
void addSince(Report &report) {
    HeadlineFacts &facts = report.verdict.facts;
    if (report.verdict.state != Verdict::State::Hung || !report.since || !facts.at || report.progress.at <= *report.since)
        return;
    facts.at = report.trace->seconds(*report.since);
    facts.seconds = report.trace->seconds(report.progress.at) - *facts.at;
}

/// What the headline says of a job that moved, beyond that it did.
void addSlowFacts(Report &report, const SlownessStatements &told) {
    Verdict &verdict = report.verdict;
    HeadlineFacts &facts = verdict.facts;
    const bool isShift = told.phases && report.models->verdict.kind == Kind::Permanent;
    if (isShift || (told.phases && !told.delays))
        addPhaseFacts(report, facts);
    else if (told.delays)
        addDelayFacts(report, facts);
    else if (told.once)
        addOnceFacts(report, *told.once, facts);
    else if (!report.repeated.empty()) {
        facts.kind = HeadlineFacts::Kind::RepeatedMessage;
        facts.ranks = {report.repeated.front().to};
        facts.at = report.trace->seconds(report.repeated.front().noticed);
    } else if (told.stopped && report.outliers && !report.outliers->failStop.stopped.empty()) {
        facts.kind = HeadlineFacts::Kind::Stopped;
        for (const StoppedRank &stopped : report.outliers->failStop.stopped)
            facts.ranks.push_back(stopped.rank);
        std::sort(facts.ranks.begin(), facts.ranks.end());
        facts.seconds = report.outliers->failStop.gapSeconds;
    } else if (!told.unlike.empty()) {
        facts.kind = HeadlineFacts::Kind::Unlike;
        facts.ranks = told.unlike;
    } else if (facts.kind == HeadlineFacts::Kind::Finished && report.delays && report.delays->total > 0) {
        facts.share = report.delays->waiting / report.delays->total;
        if (!report.delays->longest.empty())
            facts.seconds = secondsOf(*report.trace, report.delays->longest.front().time.length());
    }
    if (!isSlow(facts.kind))
        return;
    if (told.phases && report.models->verdict.occurrence)
        verdict.moment = lateIn(report.models->verdict.occurrence->time);
    else if (told.delays && report.delays->delayed.worst)
        verdict.moment = lateIn(*report.delays->delayed.worst);
}

/// What is wrong for certain comes before what was slow; what is only left over at the end, behind it.
void addMisuseFacts(const std::vector<MpiUseError> &misuse, const Trace &trace, HeadlineFacts &facts) {
    const auto kindOf = [](const MpiUseError &error) {
        switch (error.kind) {
        case MpiUseError::Kind::Disagreement:
            return HeadlineFacts::Kind::Disagreed;
        case MpiUseError::Kind::Unreceived:
            return HeadlineFacts::Kind::Unreceived;
        case MpiUseError::Kind::Unfinished:
            return HeadlineFacts::Kind::Unwaited;
        case MpiUseError::Kind::OtherType:
            break;
        }
        return HeadlineFacts::Kind::OtherType;
    };
    const bool isUnsaid = facts.kind == HeadlineFacts::Kind::Finished;
    const auto isOf = [](const MpiUseError &error, bool isCertain) {
        const bool isLeftOver = error.kind == MpiUseError::Kind::Unreceived || error.kind == MpiUseError::Kind::Unfinished;
        return !error.ranks.empty() && isLeftOver != isCertain;
    };
    auto first = std::ranges::find_if(misuse, [&](const MpiUseError &error) { return isOf(error, true); });
    if (first == misuse.end() && isUnsaid)
        first = std::ranges::find_if(misuse, [&](const MpiUseError &error) { return isOf(error, false); });
    if (first == misuse.end())
        return;
    HeadlineFacts said;
    said.kind = kindOf(*first);
    said.job = facts.job;
    said.known = facts.known;
    said.jobSeconds = facts.jobSeconds;
    said.ranks = first->ranks;
    std::sort(said.ranks.begin(), said.ranks.end());
    said.ranks.erase(std::unique(said.ranks.begin(), said.ranks.end()), said.ranks.end());
    if (first->callPath != none)
        said.function = trace.region(first->callPath).name;
    if (isUnsaid) {
        said.share = facts.share;
        said.seconds = facts.seconds;
    }
    facts = said;
}

/// Adds what was wrong in the use of MPI to the findings; what is to be said of it.
std::vector<std::string> joinMisuse(Report &report, bool moves) {
    std::vector<std::string> sentences;
    for (const MpiUseError &error : report.misuse) {
        if (error.kind == MpiUseError::Kind::Unreceived && !report.repeated.empty())
            continue;             // a copy is what is left over
        if (!error.ranks.empty()) // else it is not known whose it is
            report.verdict.findings.push_back(findingOf(*report.trace, error));
        if (isVerdict(report, error))
            continue;
        const std::string what = describe(*report.trace, error) + '.';
        sentences.push_back(moves ? capitalised(what) : "Apart from that: " + what);
    }
    return sentences;
}

} // namespace

void joinFindings(Report &report, const Work &work) {
    Verdict &verdict = report.verdict;
    verdict = report.ofWaits;
    // All that the events told is in it, and what the models tell was weighed with that: sample runs alone tell more.
    if (report.isKept && (!report.models || report.models->histories.runs.size() < 2))
        return;
    addSince(report);
    const auto say = [&verdict](const std::string &why) { verdict.summary += (verdict.summary.empty() ? "" : " ") + why; };
    const bool moves = verdict.state == Verdict::State::Finished || verdict.state == Verdict::State::Running;
    const bool waitsTellNothing = verdict.findings.empty() && verdict.confidence <= 0;
    const SlownessStatements told = slownessToTell(evidenceOf(report), work);
    for (const std::string &sentence : joinMisuse(report, moves))
        say(sentence);
    for (const RepeatedMessage &message : report.repeated)
        verdict.findings.push_back(findingOf(*report.trace, message));
    if (!report.repeated.empty())
        say(report.repeated.front().why);
    if (moves && told.once) {
        verdict.findings.push_back(findingOf(*report.trace, *report.delays, *told.once));
        say(verdict.findings.back().why);
    }
    if (moves && told.delays) {
        verdict.findings.push_back(findingOf(*report.trace, *report.delays));
        say(describe(*report.trace, *report.delays));
    }
    if (told.phases && std::ranges::none_of(verdict.findings, [](const Finding &each) { return each.method == "phases"; })) {
        verdict.findings.push_back(findingOf(*report.trace, *report.models));
        if (report.models->verdict.kind == Kind::Hang && verdict.state == Verdict::State::Hung) // it rests on that
            verdict.findings.back().score = std::min(verdict.findings.back().score, verdict.confidence);
        if (moves && (report.models->verdict.kind != Kind::RepeatedMessage || report.repeated.empty()))
            say(report.models->verdict.why);
    }
    if (moves && !report.dump)
        addSlowFacts(report, told);
    if (verdict.state == Verdict::State::Finished && report.repeated.empty())
        addMisuseFacts(report.misuse, *report.trace, verdict.facts);
    if (!report.outliers)
        return;
    const OutlierReport &outliers = *report.outliers;
    const bool isStop = !outliers.failStop.stopped.empty();
    const std::string text = !isStop        ? summariseOutliers(outliers, told.unlike)
                             : told.stopped ? describe(outliers)
                                            : std::string();
    const std::size_t others = verdict.findings.size();
    for (const Finding &finding : outliers.findings)
        if (isStop ? told.stopped : std::binary_search(told.unlike.begin(), told.unlike.end(), finding.ranks.front())) {
            verdict.findings.push_back(finding);
            verdict.findings.back().why = describe(*report.trace, outliers, finding);
        }
    if (!moves || told.phases || text.empty() || verdict.findings.size() == others)
        return;
    if (waitsTellNothing) {
        verdict.summary = text + (verdict.summary.empty() ? "" : " ") + verdict.summary;
        verdict.confidence = std::min(1.0, verdict.findings[others].score);
    } else {
        say(text);
    }
}

std::string remarkOnPhases(const Verdict &verdict, const SemiMarkovReport &models) {
    const bool isChange = models.verdict.kind == Kind::Temporary || models.verdict.kind == Kind::Permanent;
    if (!isChange || std::ranges::find(verdict.findings, "phases", &Finding::method) != verdict.findings.end())
        return {};
    return " It is not said above: it costs the run too little, or no other method agrees.";
}

} // namespace laggard
