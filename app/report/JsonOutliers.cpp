// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/DelayWords.h"
#include "analysis/words/OutlierWords.h"
#include "app/report/JsonSections.h"

#include <algorithm>

namespace laggard {
namespace {

using Json = nlohmann::ordered_json;

Json framesOfPath(const Trace &trace, CallPathId path) {
    Json frames = Json::array();
    for (; path != none; path = trace.callPaths[path].parent) {
        const Region &region = trace.region(path);
        Json frame{{"function", region.name}};
        if (!region.file.empty()) {
            frame["file"] = region.file;
            frame["line"] = region.line;
        }
        frames.push_back(std::move(frame));
    }
    return frames;
}

Json componentOf(const ProfileSet &profiles, const SuspectScore &score, const ProfileDifference &contribution) {
    const ProfileComponent &component = profiles.components[contribution.component];
    Json entry{{"stack", component.stack},
               {"contribution", contribution.difference},
               {"share", profiles.share(score.row, contribution.component)},
               {"mpi", component.isMpi}};
    if (!component.file.empty()) {
        entry["file"] = component.file;
        entry["line"] = component.line;
    }
    return entry;
}

Json rankingOf(const Ranking &ranking) {
    Json list = Json::array();
    for (std::size_t i = 0; i < ranking.scores.size(); ++i) {
        const SuspectScore &score = ranking.scores[i];
        Json functions = Json::array();
        for (const ProfileDifference &contribution : score.contributions)
            functions.push_back(componentOf(*ranking.profiles, score, contribution));
        const bool reference = ranking.profiles->source[score.neighbour] != 0;
        Json entry{{"rank", score.rank},
                   {"score", score.score()},
                   {"suspect", i < ranking.suspects},
                   {"unsupervised", score.unsupervised}};
        if (score.oneClass)
            entry["one_class"] = *score.oneClass;
        entry["neighbour"] = ranking.profiles->rank[score.neighbour];
        if (reference)
            entry["neighbour_in_reference"] = ranking.profiles->source[score.neighbour];
        entry["functions"] = std::move(functions);
        list.push_back(std::move(entry));
    }
    return list;
}

Json settingsOf(const Ranking &ranking) {
    RankSet suspects;
    for (std::size_t i = 0; i < ranking.suspects; ++i)
        suspects.push_back(ranking.scores[i].rank);
    std::sort(suspects.begin(), suspects.end());
    return {{"k", ranking.k},
            {"threshold", ranking.threshold},
            {"suspects", formatRanges(suspects)},
            {"idle", ranking.profiles ? formatRanges(ranking.profiles->idle) : std::string()}};
}

} // namespace

void addDelaySection(Json &report, const Trace &trace, const DelayReport &delays) {
    Json list = Json::array();
    for (const Delay &delay : delays.delays)
        list.push_back({{"rank", delay.rank},
                        {"function", delay.callPath == none ? std::string() : trace.region(delay.callPath).name},
                        {"seconds", delay.seconds},
                        {"share", delay.seconds / delays.waiting},
                        {"transit", delay.transit},
                        {"once", delay.once},
                        {"stack", framesOfPath(trace, delay.callPath)}});
    report["delays"] = {{"start_s", trace.seconds(delays.window.begin)},
                        {"end_s", trace.seconds(delays.window.end)},
                        {"waiting_s", delays.waiting},
                        {"transit_s", delays.transit},
                        {"stands_out", delays.standsOut},
                        {"why", describe(trace, delays)},
                        {"all", std::move(list)}};
}

void addFailStopSection(Json &report, const Trace &trace, const FailStop &failStop) {
    RankSet ranks;
    for (const StoppedRank &stopped : failStop.stopped)
        ranks.push_back(stopped.rank);
    std::sort(ranks.begin(), ranks.end());
    Json section{{"ranks", formatRanges(ranks)}};
    const auto describe = [&trace](Json &entry, const StoppedRank &stopped) {
        entry["last_function"] = stopped.lastCall == none ? std::string() : trace.region(stopped.lastCall).name;
        entry["stack"] = framesOfPath(trace, stopped.openStack != none ? stopped.openStack : stopped.lastCall);
        entry["seconds_early"] = stopped.secondsEarly;
    };
    if (!failStop.stopped.empty()) {
        describe(section, failStop.stopped.front());
        Json all = Json::array();
        for (const StoppedRank &stopped : failStop.stopped) {
            Json entry{{"rank", stopped.rank}, {"last_s", trace.seconds(stopped.last)}};
            describe(entry, stopped);
            all.push_back(std::move(entry));
        }
        section["all"] = std::move(all);
    }
    section["gap_s"] = failStop.gapSeconds;
    section["needed_s"] = failStop.neededSeconds;
    section["deviation_s"] = failStop.deviationSeconds;
    section["resolution_s"] = failStop.resolutionSeconds;
    section["why"] = laggard::describe(failStop);
    report["failstop"] = std::move(section);
}

void addOutlierSections(Json &report, const OutlierReport &outliers) {
    report["outliers"] = rankingOf(outliers.withoutMpi);
    report["outlier_rankings"] = {{"summary", describe(outliers)},
                                  {"without_mpi", settingsOf(outliers.withoutMpi)},
                                  {"with_mpi", settingsOf(outliers.withMpi)},
                                  {"with_mpi_scores", rankingOf(outliers.withMpi)}};
}

} // namespace laggard
