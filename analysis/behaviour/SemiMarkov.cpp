// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/SemiMarkov.h"

#include "analysis/behaviour/CombinedVerdict.h"
#include "analysis/behaviour/PhaseKinds.h"
#include "analysis/behaviour/VerdictText.h"
#include "analysis/messages/RepeatedMessages.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <stdexcept>

namespace laggard {
namespace {

/// The timer cannot tell times apart that differ by less than a tick of the coarsest clock.
double timerResolution(std::span<const Trace *const> traces) {
    double resolution = 0;
    for (const Trace *trace : traces)
        resolution = std::max(resolution, 1.0 / static_cast<double>(std::max<std::uint64_t>(trace->clock.ticksPerSecond, 1)));
    return resolution;
}

bool isClear(const std::vector<double> &scores) {
    const std::optional<TwoMeans> division = twoMeans(scores);
    return division && division->isClear();
}

std::optional<std::uint32_t> largestScore(const std::vector<double> &scores) {
    const auto best = std::max_element(scores.begin(), scores.end());
    if (best == scores.end() || *best <= 0)
        return {};
    return static_cast<std::uint32_t>(best - scores.begin());
}

/// Permanent, with samples: the earliest phase of the high class.
std::optional<std::uint32_t> firstHigh(const std::vector<double> &scores) {
    const std::optional<TwoMeans> division = twoMeans(scores);
    if (!division)
        return {};
    return static_cast<std::uint32_t>(
        std::find_if(scores.begin(), scores.end(), [&](double s) { return s > division->threshold; }) - scores.begin());
}

void addPhaseAnswers(SemiMarkovReport &report) {
    const auto add = [&](bool samples, bool cluster, const std::vector<double> &exception, const std::vector<double> &shift) {
        report.phaseAnswers.push_back({false, samples, cluster, largestScore(exception), isClear(exception), exception});
        const auto phase = samples ? firstHigh(shift) : largestScore(shift);
        report.phaseAnswers.push_back({true, samples, cluster, phase, isClear(shift), shift});
    };
    const PhaseDeviation &smm = report.deviation;
    const ClusterDeviation &clusters = report.clusterDeviation;
    if (!smm.samples.empty())
        add(true, false, smm.samples, smm.samples);
    if (!clusters.samples.empty())
        add(true, true, clusters.samples, clusters.samples);
    add(false, false, smm.self, smm.toPrevious);
    add(false, true, clusters.self, clusters.toPrevious);
}

/// What is unusual by the references or the first phase (AutomaDeD §4.4).
std::span<const Occurrence> paperAbnormal(const SemiMarkovReport &report) {
    if (report.histories.references() > 0)
        return report.abnormal.occurrences;
    return report.abnormalByFirst ? report.abnormalByFirst->occurrences : std::span<const Occurrence>();
}

void addClusterAnswers(SemiMarkovReport &report) {
    using Method = ClusterAnswer::Method;
    report.clusterAnswers.push_back({Method::Smm, mostUnusual(report.clusters, &SmmCluster::smm)});
    report.clusterAnswers.push_back({Method::Cluster, mostUnusual(report.clusters, &SmmCluster::cluster)});
    report.clusterAnswers.push_back({Method::Contrast, mostUnusual(report.clusters, &SmmCluster::contrast)});
    const auto addFirst = [&](Method method, std::span<const Occurrence> abnormal) {
        ClusterAnswer first{method, {}};
        if (!abnormal.empty())
            if (const std::uint32_t c = report.clusterOf[abnormal.front().rank]; c != none)
                first.cluster = c;
        report.clusterAnswers.push_back(first);
    };
    addFirst(Method::FirstAbnormal, paperAbnormal(report));
    if (report.histories.references() == 0)
        addFirst(Method::FirstAbnormalByOthers, report.abnormal.occurrences);
}

void addTransitionAnswers(SemiMarkovReport &report, std::optional<std::uint32_t> cluster) {
    using Method = TransitionAnswer::Method;
    const std::size_t most = report.options.transitions;
    TransitionAnswer characteristic{Method::Characteristic, {}, {}};
    if (cluster) {
        for (const CharacteristicTransition &c : report.models[*cluster].characteristic)
            characteristic.transitions.push_back(c.transition);
        if (report.clusters[*cluster].ranks.size() == 1)
            characteristic.rank = report.clusters[*cluster].ranks.front();
    }
    report.transitionAnswers.push_back(characteristic);
    const auto addRanked = [&](Method method, const auto &ranked) {
        TransitionAnswer answer{method, {}, {}};
        for (const auto &entry : ranked) {
            if (!answer.rank)
                answer.rank = entry.rank;
            if (answer.transitions.size() < most &&
                std::find(answer.transitions.begin(), answer.transitions.end(), entry.transition) == answer.transitions.end())
                answer.transitions.push_back(entry.transition);
        }
        report.transitionAnswers.push_back(answer);
    };
    addRanked(Method::EarliestAbnormal, paperAbnormal(report));
    if (report.histories.references() == 0)
        addRanked(Method::EarliestAbnormalByOthers, report.abnormal.occurrences);
    addRanked(Method::Theta, report.theta);
}

/// Share of the paper's answers that name the verdict's phase (or one next to it), cluster, and transition.
double agreementOf(const SemiMarkovReport &report) {
    const SemiMarkovVerdict &v = report.verdict;
    if (v.kind == SemiMarkovVerdict::Kind::NothingUnusual || !v.phase || !v.occurrence)
        return 0;
    double agree = 0;
    double all = 0;
    const auto count = [&](bool agrees) {
        agree += agrees ? 1 : 0;
        all += 1;
    };
    const bool permanent = v.kind == SemiMarkovVerdict::Kind::Permanent;
    for (const PhaseAnswer &answer : report.phaseAnswers)
        if (answer.phase && answer.permanent == permanent)
            count(std::max(*answer.phase, *v.phase) - std::min(*answer.phase, *v.phase) <= 1);
    for (const ClusterAnswer &answer : report.clusterAnswers)
        if (answer.cluster && !answer.isOurs() && report.clusters.size() > 1) // whoever is asked must name the only one
            count(answer.cluster == report.faultyCluster);
    for (const TransitionAnswer &answer : report.transitionAnswers)
        if (!answer.transitions.empty() && !answer.isOurs())
            count(std::find(answer.transitions.begin(), answer.transitions.end(), v.occurrence->transition) !=
                  answer.transitions.end());
    return all > 0 ? agree / all : 0;
}

/// 1/ν of a phase that is shown, whatever the references.
const std::vector<double> &noiseOf(const SemiMarkovReport &report) { return report.deviation.noiseFor(report.shownPhase); }

void analyseClusters(SemiMarkovReport &report, const Work &work) {
    const std::uint32_t phase = report.shownPhase;
    const std::vector<double> &noise = noiseOf(report);
    const auto &[options, histories, phases, scale] = std::tie(report.options, report.histories, report.phases, report.scale);
    report.natural = naturalGroups(histories, phases, phase, options.clusters, work);
    const double threshold =
        trainedThreshold(histories, phases, scale, options.buckets, noise, report.natural, phase, options.clusters, work);
    report.clusterDeviation =
        clusterDeviations(histories, phases, scale, options.buckets, noise, report.natural, threshold, {phase}, work);
    report.hierarchy = clusterPhase(histories, phases, scale, options.buckets, noise, report.natural, 0, phase,
                                    usualLimits(options.distribution), work);
    if (!report.hierarchy.dendrogram.exact)
        report.notes.push_back("The ranks of " + phases.describe(phase) + " were clustered over " +
                               plural(report.hierarchy.dendrogram.leaders, "representative") +
                               ": distances between clusters may be up to " +
                               std::to_string(report.hierarchy.dendrogram.errorBound) + " too large.");
    report.clusterOf = report.hierarchy.clusters(threshold);
    report.rankDeviation = rankDeviations(histories, phases, scale, options.buckets, noise, report.deviation.lags, phase, work);
    report.clusters = scoreClusters(histories, phases, report.hierarchy, report.clusterOf, report.clusterDeviation,
                                    report.rankDeviation, noise, phase, work);
    report.models.resize(report.clusters.size());
    forEachParallel(report.clusters.size(), work, [&](std::size_t c, unsigned) {
        const RankSet &ranks = report.clusters[c].ranks;
        ClusterModel &model = report.models[c];
        model.model = mergedModel(report, 0, phase, ranks);
        model.probabilities = model.model.probabilities(report.histories.table);
        model.characteristic =
            characteristicTransitions(report.histories, report.phases, report.scale, report.options.buckets, report.hierarchy,
                                      noise, report.natural, ranks, phase, report.options.transitions);
    });
}

void analyseAbnormal(SemiMarkovReport &report, const Trace &trace, bool histograms, const Work &work) {
    const Histories &histories = report.histories;
    const PhaseTable &phases = report.phases;
    const std::uint32_t shown = report.shownPhase;
    const auto abnormalBy = [&](const std::function<bool(std::size_t run, std::size_t phase)> &uses) {
        return abnormalTransitions(histories, phases, UsualTimes(histories, phases, uses, histograms, work), report.scale, shown);
    };
    const bool samples = histories.references() > 0;
    report.abnormal =
        abnormalBy([&](std::size_t run, std::size_t phase) { return samples ? run > 0 : phase != shown || phases.size() == 1; });
    report.places = statePlaces(trace, histories, phases, shown, work);
    for (Occurrence &o : report.abnormal.occurrences)
        attribute(trace, histories.runs[0].ranks[o.rank], o);
    std::uint32_t first = 0;
    while (phases.phases[first].set != phases.phases[shown].set)
        ++first;
    if (!samples && first != shown)
        report.abnormalByFirst = abnormalBy([first](std::size_t, std::size_t phase) { return phase == first; });
}

/// The traces that can be compared: the judged one and the references with as many ranks.
std::vector<const Trace *> comparable(const Trace &trace, std::span<const TracePtr> references, std::vector<std::string> &notes) {
    std::vector<const Trace *> traces{&trace};
    for (const TracePtr &reference : references) {
        if (reference == nullptr)
            continue;
        if (reference->isSummary && !reference->phaseModels)
            notes.push_back("The reference " + reference->path + " has no models by phase: it was left out.");
        else if (reference->processes.size() == trace.processes.size())
            traces.push_back(reference.get());
        else
            notes.push_back("The reference " + reference->path + " has " + plural(reference->processes.size(), "rank") +
                            ", not " + describeCount(trace.processes.size()) + ": it was left out.");
    }
    return traces;
}

} // namespace

std::string PhaseAnswer::name() const {
    return std::string(permanent ? "permanent" : "temporary") + ", " + (samples ? "with" : "without") + " references, " +
           (clusterMetric ? "cluster" : "SMM") + " metric";
}

std::string ClusterAnswer::name() const {
    switch (method) {
    case Method::Smm:
        return "SMM metric";
    case Method::Cluster:
        return "cluster metric";
    case Method::Contrast:
        return "deviation from the other clusters";
    case Method::FirstAbnormal:
        return "first abnormal transition";
    case Method::FirstAbnormalByOthers:
        return "first abnormal transition, by all other phases (ours)";
    }
    return {};
}

std::string TransitionAnswer::name() const {
    switch (method) {
    case Method::Characteristic:
        return "characteristic transitions";
    case Method::EarliestAbnormal:
        return "earliest abnormal transition";
    case Method::EarliestAbnormalByOthers:
        return "earliest abnormal transition, by all other phases (ours)";
    case Method::Theta:
        return "largest increase of variation";
    }
    return {};
}

SemiMarkovModel mergedModel(const SemiMarkovReport &report, std::size_t run, std::size_t phase, const RankSet &ranks) {
    ModelMaker maker(report.histories.table, true, report.options.buckets);
    SemiMarkovModel result;
    for (const Rank rank : ranks)
        if (const PhaseSpan &span = report.phases.span(run, phase, rank); span.present())
            result.merge(maker.make(report.histories.runs[run], rank, span));
    return result;
}

SemiMarkovReport reportOfPhase(const SemiMarkovReport &report, const Trace &trace, std::uint32_t phase, const Work &work) {
    if (phase == report.shownPhase)
        return report;
    SemiMarkovReport other = report;
    other.shownPhase = phase;
    other.faultyCluster.reset();
    other.setApart.reset();
    other.abnormalByFirst.reset();
    analyseClusters(other, work);
    if (report.verdict.phase == phase && !report.verdict.ranks.empty()) {
        if (const std::uint32_t c = other.clusterOf[report.verdict.ranks.front()]; c != none)
            other.faultyCluster = c;
        other.setApart = setApartFrom(other, other.clusterOf);
    }
    other.told = toldCut(other);
    analyseAbnormal(other, trace, report.options.distribution == DistributionKind::Histogram, work);
    other.clusterAnswers.clear();
    addClusterAnswers(other);
    return other;
}

SemiMarkovReport analyseSemiMarkov(const Trace &trace, std::span<const TracePtr> references, const SemiMarkovOptions &options,
                                   const Work &work) {
    SemiMarkovReport report;
    report.options = options;
    report.options.buckets = std::clamp<std::uint32_t>(options.buckets, 1, Histogram::maxBuckets);
    const auto step = [&](std::uint64_t done, const char *what) {
        throwIfCancelled(work);
        if (work.report)
            work.report({what, done, 6});
    };
    const std::vector<const Trace *> traces = comparable(trace, references, report.notes);
    step(0, "reading histories");
    report.histories = buildHistories(traces, work);
    step(1, "finding phases");
    report.phases = findPhases(traces, report.histories, options.phase, options.group, work);
    separateKinds(report.phases, traces, work);
    const bool anything =
        std::any_of(report.phases.spans[0].begin(), report.phases.spans[0].end(), [](const PhaseSpan &s) { return s.present(); });
    if (!anything) {
        report.phases = {};
        report.verdict.why = "There is nothing to compare: no rank has any events.";
        return report;
    }
    if (report.phases.source == PhaseSource::WholeRun)
        report.notes.emplace_back(
            "No phases were found: the run is compared as a whole. Name a region that delimits them (--phase).");
    report.scale = makeScale(report.histories, report.phases, options.distribution, timerResolution(traces), work);
    report.times = phaseTimes(report.histories, report.phases, report.scale, work);
    report.ranges.resize(report.phases.size());
    forEachParallel(report.ranges.size(), work,
                    [&report](std::size_t phase, unsigned) { report.ranges[phase] = report.phases.range(0, phase); });
    step(2, "comparing phases");
    report.deviation = phaseDeviations(report.histories, report.phases, report.scale, report.options.buckets, work);
    if (!report.deviation.allPairs)
        report.notes.emplace_back("There are many phases: each was compared with some of the others, at fixed distances.");
    step(3, "combining");
    const CombinedInput input{trace,
                              report.histories,
                              report.phases,
                              report.scale,
                              report.times,
                              report.deviation,
                              options.distribution == DistributionKind::Histogram,
                              options.leastProgressed,
                              options.awaited,
                              options.repeated ? *options.repeated : findRepeatedMessages(trace, work)};
    report.verdict = combinedVerdict(input, work);
    const bool samples = !report.deviation.samples.empty();
    report.shownPhase =
        report.verdict.phase.value_or(largestScore(samples ? report.deviation.samples : report.deviation.self).value_or(0));
    step(4, "clustering ranks");
    analyseClusters(report, work);
    if (report.verdict.kind != SemiMarkovVerdict::Kind::NothingUnusual && !report.verdict.ranks.empty())
        if (const std::uint32_t c = report.clusterOf[report.verdict.ranks.front()]; c != none)
            report.faultyCluster = c;
    report.setApart = setApartFrom(report, report.clusterOf);
    report.told = toldCut(report);
    step(5, "comparing transitions");
    analyseAbnormal(report, trace, input.histograms, work);
    const std::vector<double> &lengths = report.times.seconds;
    TimeMoments length;
    for (const double seconds : lengths)
        length.add(seconds);
    report.theta = thetaRanking(report.histories, report.phases, report.scale, report.deviation, length.mean, work);
    addPhaseAnswers(report);
    addClusterAnswers(report);
    const auto bySmm = report.clusterAnswers.front().cluster;
    addTransitionAnswers(report, bySmm ? bySmm : report.clusters.empty() ? std::nullopt : std::optional<std::uint32_t>(0));
    report.verdict.agreement = agreementOf(report);
    // The methods were not made to agree, so that their disagreement takes little and their agreement gives little.
    using Kind = SemiMarkovVerdict::Kind;
    if (const Kind kind = report.verdict.kind; kind != Kind::Hang && kind != Kind::HangInMpi && kind != Kind::RepeatedMessage)
        report.verdict.confidence *= 0.7 + 0.3 * report.verdict.agreement;
    report.verdict.why = explain(input, report.verdict);
    report.verdict.brief = explainBriefly(input, report.verdict);
    return report;
}

} // namespace laggard
