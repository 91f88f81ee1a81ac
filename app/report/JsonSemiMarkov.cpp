// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/JsonSections.h"

#include "analysis/words/ClusterWords.h"

#include <algorithm>
#include <numeric>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

Json orNull(const std::optional<std::uint32_t> &number) { return number ? Json(*number) : Json(nullptr); }

std::string_view kindName(SemiMarkovVerdict::Kind kind) {
    switch (kind) {
    case SemiMarkovVerdict::Kind::Temporary:
        return "temporary";
    case SemiMarkovVerdict::Kind::Permanent:
        return "permanent";
    case SemiMarkovVerdict::Kind::Hang:
        return "hang";
    case SemiMarkovVerdict::Kind::HangInMpi:
        return "hang in MPI";
    case SemiMarkovVerdict::Kind::RepeatedMessage:
        return "repeated message";
    case SemiMarkovVerdict::Kind::NothingUnusual:
        break;
    }
    return "nothing unusual";
}

std::string_view sourceName(PhaseSource source) {
    switch (source) {
    case PhaseSource::Chosen:
        return "chosen";
    case PhaseSource::Pcontrol:
        return "MPI_Pcontrol";
    case PhaseSource::Role:
        return "role";
    case PhaseSource::Function:
        return "found function";
    case PhaseSource::MpiCall:
        return "found MPI call";
    case PhaseSource::WholeRun:
        break;
    }
    return "whole run";
}

/// The scores that phases are judged by: against the references where there are some.
const std::vector<double> &phaseScores(const SemiMarkovReport &models) {
    return models.deviation.samples.empty() ? models.deviation.self : models.deviation.samples;
}

Json phaseOrNull(std::uint32_t phase) { return phase == none ? Json(nullptr) : Json(phase); }

Json phaseMethods(const SemiMarkovReport &models) {
    Json methods = Json::array();
    for (const PhaseAnswer &answer : models.phaseAnswers)
        methods.push_back(
            {{"method", answer.name()}, {"faulty", orNull(answer.phase)}, {"clear", answer.clear}, {"scores", answer.scores}});
    return methods;
}

Json occurrenceOf(const Trace &trace, const SemiMarkovReport &models, const Occurrence &occurrence) {
    const StateTable &table = models.histories.table;
    return {{"ranks", std::to_string(occurrence.rank)},
            {"from", describe(table.from(occurrence.transition))},
            {"to", describe(table.to(occurrence.transition))},
            {"phase", phaseOrNull(occurrence.phase)},
            {"time_s", trace.seconds(occurrence.time.begin)},
            {"duration_s", occurrence.seconds},
            {"usual_s", occurrence.usual},
            {"function", occurrence.function}};
}

Json setApartOrNull(const SemiMarkovReport &models) {
    if (!models.setApart)
        return nullptr;
    const SetApart &apart = *models.setApart;
    return {{"ranks", formatRanges(apart.ranks)},
            {"cluster", apart.cluster},
            {"by", apart.byBranch ? "branch" : "verdict"},
            {"why", describe(apart, models.clusters[apart.cluster].ranks)}};
}

/// Where most of the longest time went that the transition took one of the ranks in the shown phase; empty if none took it.
std::string functionOf(const Trace &trace, const SemiMarkovReport &models, std::uint32_t transition, const RankSet &ranks) {
    std::vector<Occurrence> all = occurrencesOf(models.histories, models.phases, transition, models.shownPhase, ranks);
    if (all.empty())
        return {};
    Occurrence &longest =
        *std::max_element(all.begin(), all.end(), [](const Occurrence &a, const Occurrence &b) { return a.seconds < b.seconds; });
    attribute(trace, models.histories.runs[0].ranks[longest.rank], longest);
    return longest.function;
}

RankSet allRanks(const Trace &trace) {
    RankSet ranks(trace.processes.size());
    std::iota(ranks.begin(), ranks.end(), Rank{0});
    return ranks;
}

/// When the transition was first taken in the shown phase by one of the ranks; the phase's begin if it was not.
double firstTime(const Trace &trace, const SemiMarkovReport &models, std::uint32_t transition, const RankSet &ranks) {
    Tick first = openEnd;
    for (const Rank rank : ranks) {
        const PhaseSpan &span = models.phases.span(0, models.shownPhase, rank);
        const RankHistory &history = models.histories.runs[0].ranks[rank];
        for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
            if (history.transition[row] == transition) {
                first = std::min(first, history.start[row]);
                break;
            }
    }
    return trace.seconds(first == openEnd ? models.phases.range(0, models.shownPhase).begin : first);
}

} // namespace

void addPhaseSection(Json &report, const Trace &trace, const SemiMarkovReport &models) {
    std::vector<std::size_t> order(models.phases.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const std::vector<double> &scores = phaseScores(models);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    Json list = Json::array();
    for (const std::size_t phase : order) {
        const TimeRange range = models.phases.range(0, phase);
        list.push_back({{"index", phase},
                        {"start_s", trace.seconds(range.begin)},
                        {"end_s", trace.seconds(range.end)},
                        {"score", scores[phase]},
                        {"name", models.phases.describe(phase)}});
    }
    const SemiMarkovVerdict &verdict = models.verdict;
    Json section{{"region", models.phases.region},
                 {"faulty", orNull(verdict.phase)},
                 {"scores", std::move(list)},
                 {"found_by", sourceName(models.phases.source)},
                 {"kind", kindName(verdict.kind)},
                 {"ranks", formatRanges(verdict.ranks)},
                 {"confidence", verdict.confidence},
                 {"agreement", verdict.agreement},
                 {"why", verdict.why},
                 {"methods", phaseMethods(models)}};
    if (verdict.occurrence)
        section["transition"] = occurrenceOf(trace, models, *verdict.occurrence);
    if (!models.notes.empty())
        section["notes"] = models.notes;
    report["phases"] = std::move(section);
}

/// The clusters that are told, where those of the threshold differ too little.
Json toldOrNull(const SemiMarkovReport &models) {
    if (!models.told)
        return nullptr;
    Json clusters = Json::array();
    for (const RankSet &ranks : models.told->clusters)
        clusters.push_back(formatRanges(ranks));
    return {{"threshold", models.told->threshold},
            {"clusters", std::move(clusters)},
            {"largest_difference_s", models.told->seconds},
            {"from", describe(models.histories.table.from(models.told->transition))},
            {"to", describe(models.histories.table.to(models.told->transition))},
            {"why", remarkOnCut(models)}};
}

void addClusterSection(Json &report, const SemiMarkovReport &models) {
    std::vector<std::uint32_t> order(models.clusters.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return models.clusters[a].smm > models.clusters[b].smm; });
    Json all = Json::array();
    for (const std::uint32_t id : order) {
        const SmmCluster &cluster = models.clusters[id];
        all.push_back({{"id", id},
                       {"ranks", formatRanges(cluster.ranks)},
                       {"score", cluster.smm},
                       {"cluster_metric", cluster.cluster},
                       {"contrast", cluster.contrast}});
    }
    Json methods = Json::array();
    for (const ClusterAnswer &answer : models.clusterAnswers)
        methods.push_back({{"method", answer.name()}, {"faulty", orNull(answer.cluster)}});
    report["clusters"] = {{"phase", models.shownPhase},
                          {"faulty", orNull(models.faultyCluster)},
                          {"all", std::move(all)},
                          {"threshold", models.clusterDeviation.threshold},
                          {"set_apart", setApartOrNull(models)},
                          {"told", toldOrNull(models)},
                          {"methods", std::move(methods)}};
}

void addTransitionSections(Json &report, const Trace &trace, const SemiMarkovReport &models) {
    const StateTable &table = models.histories.table;
    Json list = Json::array();
    const auto cluster = models.faultyCluster;
    const std::optional<Occurrence> &named = models.verdict.occurrence;
    if (named) {
        // The combined answer comes first: its score is the combined confidence, but never below the others'.
        Json entry = occurrenceOf(trace, models, *named);
        entry["score"] = 1.0;
        entry["method"] = "combined";
        list.push_back(std::move(entry));
    }
    for (const RelatedTransition &related : models.verdict.related) {
        const bool isExpected = related.role == RelatedTransition::Role::Expected;
        Json entry{{"ranks", formatRanges(related.ranks)},
                   {"from", describe(table.from(related.transition))},
                   {"to", describe(table.to(related.transition))},
                   {"phase", phaseOrNull(related.phase)},
                   {"time_s", trace.seconds(related.time)},
                   {"function", functionOf(trace, models, related.transition, related.ranks)},
                   {"score", 1.0},
                   {"method", isExpected ? "expected" : "sending"},
                   {"why", related.why}};
        if (isExpected)
            entry["share"] = related.share;
        list.push_back(std::move(entry));
    }
    const auto isListed = [&](std::uint32_t transition) {
        const auto &related = models.verdict.related;
        return (named && named->transition == transition) ||
               std::any_of(related.begin(), related.end(), [&](const auto &one) { return one.transition == transition; });
    };
    if (cluster) {
        const RankSet &ranks = models.setApart ? models.setApart->ranks : models.clusters[*cluster].ranks;
        for (const CharacteristicTransition &ct :
             models.setApart ? models.setApart->characteristic : models.models[*cluster].characteristic) {
            if (isListed(ct.transition))
                continue;
            list.push_back({{"ranks", formatRanges(ranks)},
                            {"from", describe(table.from(ct.transition))},
                            {"to", describe(table.to(ct.transition))},
                            {"phase", models.shownPhase},
                            {"time_s", firstTime(trace, models, ct.transition, ranks)},
                            {"function", functionOf(trace, models, ct.transition, ranks)},
                            {"score", ct.wins},
                            {"contribution", ct.contribution},
                            {"method", "characteristic"}});
        }
    }
    report["transitions"] = std::move(list);
    Json methods = Json::array();
    for (const TransitionAnswer &answer : models.transitionAnswers) {
        Json names = Json::array();
        const RankSet ranks = answer.rank ? RankSet{*answer.rank} : allRanks(trace);
        for (const std::uint32_t transition : answer.transitions)
            names.push_back({{"from", describe(table.from(transition))},
                             {"to", describe(table.to(transition))},
                             {"function", functionOf(trace, models, transition, ranks)}});
        methods.push_back({{"method", answer.name()}, {"rank", orNull(answer.rank)}, {"transitions", std::move(names)}});
    }
    report["transition_methods"] = std::move(methods);
}

} // namespace laggard
