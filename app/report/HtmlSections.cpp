// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/HtmlSections.h"

#include "analysis/answer/JoinFindings.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/ClusterWords.h"
#include "analysis/words/OutlierWords.h"
#include "app/report/HtmlText.h"
#include "app/report/TextLines.h"
#include "trace/Phrases.h"

#include <algorithm>
#include <ostream>

namespace laggard {
namespace {

constexpr std::size_t mostRanks = 10;
constexpr std::size_t mostContributions = 3;
constexpr std::size_t mostClusters = 10;

void writeContributions(std::ostream &out, const Ranking &ranking, const SuspectScore &score) {
    for (std::size_t i = 0; i < std::min(mostContributions, score.contributions.size()); ++i) {
        const ProfileDifference &contribution = score.contributions[i];
        const ProfileComponent &component = ranking.profiles->components[contribution.component];
        out << (i == 0 ? "" : "<br>") << "<code>" << escaped(component.stack.front());
        if (component.stack.size() > 1)
            out << " &lt; " << escaped(component.stack[1]);
        out << "</code> " << formatted(contribution.difference * 100, "%+.1f") << " %";
    }
}

void writeRanking(std::ostream &out, const char *title, const Ranking &ranking) {
    if (ranking.scores.empty())
        return;
    const bool hasReferences = ranking.scores.front().oneClass.has_value();
    out << "<h3>" << title << "</h3>\n<p class=\"soft\">"
        << (ranking.suspects == 0 ? std::string("No rank is above") : plural(ranking.suspects, "rank") + " above")
        << " the threshold of " << formatted(ranking.threshold) << ".</p>\n<table><tr><th>Rank</th><th>Score</th>"
        << (hasReferences ? "<th>Without references</th>" : "") << "<th>More or less than its neighbour</th></tr>\n";
    for (std::size_t i = 0; i < std::min(mostRanks, ranking.scores.size()); ++i) {
        const SuspectScore &score = ranking.scores[i];
        out << "<tr" << (i < ranking.suspects ? " class=\"lp\"" : "") << "><td>" << score.rank << "</td><td>"
            << formatted(score.score()) << "</td>";
        if (hasReferences)
            out << "<td>" << formatted(score.unsupervised) << "</td>";
        out << "<td>";
        writeContributions(out, ranking, score);
        out << "</td></tr>\n";
    }
    out << "</table>\n";
    if (ranking.scores.size() > mostRanks)
        out << "<p class=\"soft\">And " << plural(ranking.scores.size() - mostRanks, "more rank") << ".</p>\n";
    if (!ranking.profiles->idle.empty())
        out << "<p class=\"soft\">Hardly any computing, so not ranked: " << describeRankSet(ranking.profiles->idle) << ".</p>\n";
}

void writeClusters(std::ostream &out, const SemiMarkovReport &models) {
    out << "<h3>Clusters in " << escaped(models.phases.describe(models.shownPhase)) << "</h3>\n";
    if (models.told)
        out << "<p>" << escaped(remarkOnCut(models)) << "</p>\n";
    out << "<table><tr><th>Ranks</th><th>Score</th></tr>\n";
    for (std::size_t id = 0; id < std::min(mostClusters, models.clusters.size()); ++id)
        out << "<tr" << (models.faultyCluster == id ? " class=\"lp\"" : "") << "><td>"
            << formatRanges(models.clusters[id].ranks, ", ")
            << (models.faultyCluster != id ? ""
                : models.setApart          ? "<br>has the verdict’s rank"
                                           : "<br>unusual")
            << "</td><td>" << formatted(models.clusters[id].smm, "%.3g") << "</td></tr>\n";
    out << "</table>\n";
    if (models.clusters.size() > mostClusters)
        out << "<p class=\"soft\">And " << describeCount(models.clusters.size() - mostClusters) << " more.</p>\n";
    if (models.setApart)
        out << "<p>" << escaped(describe(*models.setApart, models.clusters[models.setApart->cluster].ranks)) << "</p>\n";
}

void writeTransitions(std::ostream &out, const SemiMarkovReport &models) {
    if (!models.verdict.related.empty()) {
        out << "<h3>What belongs to it</h3>\n<table><tr><th>Transition</th><th>Why</th></tr>\n";
        for (const RelatedTransition &related : models.verdict.related)
            out << "<tr><td><code>" << escaped(describeTransition(models.histories.table, related.transition))
                << "</code></td><td>" << escaped(related.why) << "</td></tr>\n";
        out << "</table>\n";
    }
    if (!models.faultyCluster)
        return;
    const std::optional<SetApart> &apart = models.setApart;
    out << "<h3>What sets " << (apart ? describeRankSet(apart->ranks) : "the unusual cluster")
        << " apart</h3>\n<table><tr><th>Transition</th><th>Largest difference in</th></tr>\n";
    for (const CharacteristicTransition &ct : apart ? apart->characteristic : models.models[*models.faultyCluster].characteristic)
        out << "<tr><td><code>" << escaped(describeTransition(models.histories.table, ct.transition)) << "</code></td><td>"
            << describeShare(ct.wins) << " of the pairs</td></tr>\n";
    out << "</table>\n";
}

} // namespace

void writeHtmlFailStop(std::ostream &out, const Trace &trace, const FailStop &failStop) {
    out << "<h2>Who stopped first</h2>\n<p>" << escaped(describe(failStop)) << "</p>\n";
    if (failStop.stopped.empty())
        return;
    out << "<table><tr><th>Rank</th><th>Last record</th><th>Before the others</th><th>Last in</th></tr>\n";
    for (const StoppedRank &stopped : failStop.stopped)
        out << "<tr><td>" << stopped.rank << "</td><td>" << describeDuration(trace.seconds(stopped.last)) << "</td><td>"
            << describeDuration(stopped.secondsEarly) << "</td><td><code>" << escaped(describeCall(trace, stopped.lastCall))
            << "</code></td></tr>\n";
    out << "</table>\n";
}

void writeHtmlOutliers(std::ostream &out, const OutlierReport &outliers) {
    out << "<h2>Who spends time differently</h2>\n<p>" << escaped(describe(outliers)) << "</p>\n";
    writeRanking(out, "Computing", outliers.withoutMpi);
    writeRanking(out, "With time in MPI", outliers.withMpi);
}

void writeHtmlSemiMarkov(std::ostream &out, const Trace &trace, const SemiMarkovReport &models, const Verdict &verdict) {
    if (models.empty())
        return;
    out << "<h2>When and where behaviour changed</h2>\n<p>" << escaped(models.verdict.why + remarkOnPhases(verdict, models))
        << "</p>\n";
    if (models.verdict.phase) {
        const TimeRange range = models.phases.range(0, *models.verdict.phase);
        out << "<p>" << escaped(models.phases.describe(*models.verdict.phase)) << ", "
            << describeDuration(trace.seconds(range.begin)) << " to " << describeDuration(trace.seconds(range.end)) << ".</p>\n";
    }
    writeClusters(out, models);
    writeTransitions(out, models);
    for (const std::string &note : models.notes)
        out << "<p class=\"soft\">" << escaped(note) << "</p>\n";
}

} // namespace laggard
