// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/answer/Analyse.h"

#include "analysis/answer/JoinFindings.h"
#include "analysis/answer/KeptAnswer.h"
#include "analysis/clocks/LogicalClock.h"
#include "analysis/progress/ProgressSince.h"
#include "analysis/races/Races.h"
#include "analysis/stacks/PlaceOrder.h"
#include "analysis/verdict/Standstill.h"
#include "analysis/words/DumpWords.h"
#include "analysis/words/StacksWords.h"
#include "analysis/words/VerdictWords.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace laggard {
namespace {

/// The verdict from who waits for whom, and whom the progress graph names after that.
void judgeWaits(Report &report, const Trace &job, bool isEnd) {
    report.verdict = judgeInWords(job, report.waits, report.progress);
    const Blame blame = settleBlame(job, report.verdict, isEnd, report.progress);
    if (blame != Blame::Unchanged)
        report.progress.why = describe(blame, report.verdict);
}

/// A rank that is least progressed is in a node with others that are not.
bool isAnyNamedUnmarked(const ProgressGraph &graph) {
    return std::ranges::any_of(graph.nodes, [&](const ProgressNode &node) {
        return !node.leastProgressed && std::ranges::any_of(node.ranks, [&](Rank rank) {
            return std::ranges::binary_search(graph.leastProgressed, rank);
        });
    });
}

/// Who waits for whom, and the verdict from that.
void askAt(Report &report, Tick at, const Work &work) {
    const bool isEnd = at >= report.trace->readRange().end;
    if (isEnd) // if a job stood still and was ended, what followed says nothing
        at = momentToJudge(*report.trace);
    report.waits = buildWaitForGraph(report.index->waits, at, work);
    report.progress = buildProgressGraph(*report.index, report.waits, work);
    report.rule = progressByRule(report.progress, report.index->models.at(report.waits.at, work).innerRounds, work);
    judgeWaits(report, *report.trace, isEnd);
    if (isAnyNamedUnmarked(report.progress)) { // it stood with others, as the waits do not name it
        const WaitForGraph named = withNamed(report.waits, report.progress.leastProgressed);
        ProgressGraph divided = buildProgressGraph(*report.index, named, work);
        chooseLeastProgressed(divided, report.progress.leastProgressed, report.progress.confidence);
        divided.why = std::move(report.progress.why);
        report.progress = std::move(divided);
    }
}

/// Whether the report is about how the job ended, not about an earlier moment.
bool isAboutEnd(const Report &report) { return report.dump || report.waits.at >= momentToJudge(*report.trace); }

/// What stands before the further analyses begin: of a trace at a moment.
std::shared_ptr<Report> firstAnswer(TracePtr trace, MomentIndexPtr index, Tick at, const Work &work) {
    auto report = std::make_shared<Report>();
    report->choice = AnalysisChoice::progressOnly();
    report->trace = std::move(trace);
    report->index = std::move(index);
    askAt(*report, at, work);
    report->ofWaits = report->verdict;
    return report;
}

/// … of a model dump.
std::shared_ptr<Report> firstAnswer(ModelDumpPtr dump, const std::vector<TracePtr> &references, const Work &work) {
    auto report = std::make_shared<Report>();
    if (dump->hasWaits) {
        report->waits = buildWaitForGraph(*dump->job, dump->state, dump->missingSends, work);
        if (!dump->answer || !takeKeptAnswer(*dump, *report, work)) {
            report->progress = buildProgressGraph(*dump, &report->waits, work);
            judgeWaits(*report, *dump->job, true);
        }
    } else if (dump->samples) {
        std::optional<PlaceOrder> order; // one run has all places that it is asked for; more would add other inputs' ways
        if (!references.empty())
            order.emplace(*references.front(), work);
        const StacksJudgement judgement = judgeStacks(*dump->job, *dump->samples, order ? &*order : nullptr);
        report->waits = placesOf(*dump, judgement);
        report->progress = progressOf(*dump, judgement);
        report->waits.verdict.why = report->progress.why;
        report->verdict = judge(*dump, judgement);
        sayIt(*dump, judgement, report->verdict);
    } else {
        report->waits = placesOf(*dump);
        report->progress = buildProgressGraph(*dump, nullptr, work);
        report->waits.verdict.why = report->progress.why;
        report->verdict = judge(*dump, report->progress);
        sayIt(*dump, report->progress, report->verdict);
    }
    report->rule = progressByRule(report->progress, {}, work);
    report->trace = dump->job;
    report->dump = std::move(dump);
    report->ofWaits = report->verdict;
    return report;
}

/// Adds to a first answer what the other analyses find: the one way to a whole report.
void addFurther(Report &report, const AnalysisOptions &options, const Work &work) {
    const Trace &trace = *report.trace;
    report.choice = possibleOf(report, options.choice);
    const AnalysisChoice &choice = report.choice;
    // The quick ones first: who cancels a long one sees that it was a long one.
    if (choice.failStop || choice.outliers)
        report.outliers = findOutliers(trace, options.references, options.outliers, work);
    std::vector<WaitSegments> waits;
    if (choice.progress && choice.delays) {
        report.since = startOf(report, work);
        waits = findWaitSegments(trace, trace.readRange(), work);
        report.delays = findDelays(trace, trace.readRange(), waits, work);
        report.repeated = findRepeatedMessages(trace, work);
        report.clocks = reportClocks(trace, work);
    }
    report.corrected = options.corrected;
    if (choice.races)
        report.races = std::make_shared<const RaceReport>(findRaces(trace, work));
    if (choice.progress && !report.dump && isAboutEnd(report))
        report.misuse = findMpiUseErrors(trace, report.verdict.state == Verdict::State::Finished, work);
    if (choice.semiMarkov())
        report.models = semiMarkovOf(report, options, work);
    if (report.delays)
        report.alwaysLast = alwaysLastOf(report, waits, work);
    if (options.other && !report.dump) {
        report.other = options.other;
        report.divergence = findDivergence(trace, *options.other, work);
    }
    if (options.callModel && !report.dump)
        report.units = judgeUnits(trace, *options.callModel, work);
    report.callModel = options.callModel;
    joinFindings(report, work);
}

} // namespace

ReportPtr analyse(TracePtr trace, const AnalysisOptions &options, const Work &work) {
    auto index = std::make_shared<MomentIndex>(trace, work);
    const auto report = firstAnswer(std::move(trace), std::move(index), options.at, work);
    addFurther(*report, options, work);
    return report;
}

ReportPtr analyse(ModelDumpPtr dump, const AnalysisOptions &options, const Work &work) {
    if (options.other)
        throw std::invalid_argument("a model dump has no calls that could be compared with another run's");
    if (options.callModel)
        throw std::invalid_argument("a model dump has no calls that could be compared with a call model");
    if (options.at != openEnd)
        throw std::invalid_argument("a model dump tells of one moment only: no other can be asked for");
    const auto report = firstAnswer(std::move(dump), options.references, work);
    addFurther(*report, options, work);
    return report;
}

ReportPtr analyseFurther(const Report &first, const AnalysisOptions &options, const Work &work) {
    const auto report = std::make_shared<Report>();
    report->trace = first.trace;
    report->dump = first.dump;
    report->index = first.index;
    report->waits = first.waits;
    report->progress = first.progress;
    report->rule = first.rule;
    report->isKept = first.isKept;
    report->ofWaits = report->verdict = first.ofWaits;
    addFurther(*report, options, work);
    return report;
}

std::vector<Lateness> alwaysLastOf(const Report &report, const std::vector<WaitSegments> &waits, const Work &work) {
    const PhaseTable *phases = report.models && !report.models->empty() ? &report.models->phases : nullptr;
    return findAlwaysLast(*report.trace, report.trace->readRange(), waits, phases, work);
}

ReportPtr analyseMoment(const Report &report, Tick at, const Work &work) {
    return firstAnswer(report.trace, report.index, at, work);
}

AnalysisChoice possibleOf(const Report &report, AnalysisChoice asked) {
    if (!report.dump)
        return asked;
    const bool hasPhases = report.dump->job->phaseModels != nullptr;
    AnalysisChoice choice = AnalysisChoice::progressOnly();
    choice.phases = asked.phases && hasPhases;
    choice.clusters = asked.clusters && hasPhases;
    choice.transitions = asked.transitions && hasPhases;
    choice.progress = asked.progress || !choice.semiMarkov();
    return choice;
}

SemiMarkovReport semiMarkovOf(const Report &report, const AnalysisOptions &options, const Work &work) {
    SemiMarkovOptions models = options.semiMarkov;
    if (report.delays) // … and repeated messages, which go with them
        models.repeated = report.repeated;
    if (report.verdict.state == Verdict::State::Hung) {
        models.leastProgressed = report.progress.leastProgressed;
        for (const LostMessage &lost : report.waits.verdict.lostMessages)
            if (lost.sent != openEnd)
                models.awaited.push_back({lost.from, lost.to, lost.sent});
    }
    return analyseSemiMarkov(*report.trace, options.references, models, work);
}

std::optional<Tick> startOf(const Report &report, const Work &work) {
    if (!report.index || !isAboutEnd(report) || report.verdict.state != Verdict::State::Hung)
        return std::nullopt;
    if (!report.waits.verdict.loops.empty()) // who goes round makes new calls all the time
        return report.waits.verdict.since;
    return progressUnchangedSince(*report.index, report.progress, work);
}

} // namespace laggard
