// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/TextSections.h"

#include "analysis/answer/JoinFindings.h"
#include "analysis/verdict/Describe.h"
#include "analysis/words/ClusterWords.h"
#include "analysis/words/DelayWords.h"
#include "analysis/words/OutlierWords.h"
#include "app/report/TextLines.h"
#include "trace/Phrases.h"
#include "trace/Printable.h"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace laggard {
namespace {

constexpr std::size_t mostScores = 3;          // ranks of a ranking without suspects
constexpr std::size_t mostSuspects = 8;        // ranks of a ranking with many
constexpr std::size_t mostContributions = 3;   // functions of a rank
constexpr double smallestContribution = 0.005; // share of a rank's time, beside the largest
constexpr std::size_t mostClusters = 6;
constexpr std::size_t mostDelays = 5;

/// "rank 3"; of daemons and the like, which nobody knows by rank, "rank 3 (n003, pid 5095)".
std::string rankText(const Trace &trace, Rank rank) {
    const std::string text = "rank " + std::to_string(rank);
    const Process &process = trace.processes[rank];
    if (!trace.communicators.empty() || process.pid == 0)
        return text;
    const std::string host = process.node == none ? std::string() : printable(trace.hostOf(rank)) + ", ";
    return text + " (" + host + "pid " + std::to_string(process.pid) + ')';
}

/// "busy < compute_kernel +9.5 % (95.8 % of its time)".
std::string contributionText(const Ranking &ranking, const SuspectScore &score, const ProfileDifference &contribution) {
    const ProfileComponent &component = ranking.profiles->components[contribution.component];
    std::string text = component.stack.front();
    if (component.stack.size() > 1)
        text += " < " + component.stack[1];
    return text + " " + formatted(contribution.difference * 100, "%+.1f") + " % (" +
           formatted(ranking.profiles->share(score.row, contribution.component) * 100, "%.1f") + " % of its time)";
}

void writeRanking(std::ostream &out, const Trace &trace, const std::string &title, const Ranking &ranking) {
    if (ranking.scores.empty())
        return;
    writeWrapped(out, "  ",
                 title + ": " +
                     (ranking.suspects == 0 ? std::string("no rank is above") : plural(ranking.suspects, "rank") + " above") +
                     " the threshold of " + formatted(ranking.threshold));
    const std::size_t shown = ranking.suspects == 0 ? mostScores : std::min(mostSuspects, ranking.suspects);
    for (std::size_t i = 0; i < std::min(shown, ranking.scores.size()); ++i) {
        const SuspectScore &score = ranking.scores[i];
        std::string line = rankText(trace, score.rank) + ": " + formatted(score.score());
        if (score.oneClass)
            line += " (" + formatted(score.unsupervised) + " without the references)";
        for (std::size_t c = 0; c < std::min(mostContributions, score.contributions.size()); ++c) {
            if (c > 0 && std::abs(score.contributions[c].difference) < smallestContribution)
                break;
            line += (c == 0 ? "; " : ", ") + contributionText(ranking, score, score.contributions[c]);
        }
        writeWrapped(out, "    ", line);
    }
    if (ranking.suspects > shown)
        out << "    … and " << plural(ranking.suspects - shown, "more rank") << '\n';
    if (!ranking.profiles->idle.empty())
        writeWrapped(out, "    ",
                     describeRankSet(ranking.profiles->idle) + " hardly computed and " +
                         (ranking.profiles->idle.size() == 1 ? "is" : "are") + " not ranked here");
}

void writePhases(std::ostream &out, const Trace &trace, const SemiMarkovReport &models) {
    const std::vector<double> &scores = models.deviation.samples.empty() ? models.deviation.self : models.deviation.samples;
    std::size_t agree = 0;
    for (const PhaseAnswer &answer : models.phaseAnswers)
        agree += answer.phase && answer.phase == models.verdict.phase ? 1 : 0;
    if (models.verdict.phase) {
        const std::uint32_t phase = *models.verdict.phase;
        const TimeRange range = models.phases.range(0, phase);
        writeWrapped(out, "  ",
                     "Phase: " + models.phases.describe(phase) + ", " + describeDuration(trace.seconds(range.begin)) + " to " +
                         describeDuration(trace.seconds(range.end)) + ", deviation score " + describeScore(scores[phase]) +
                         (agree == 0
                              ? "; none of the " + plural(models.phaseAnswers.size(), "method") + " names it by itself"
                              : "; named by " + std::to_string(agree) + " of " + plural(models.phaseAnswers.size(), "method")));
    } else if (models.verdict.occurrence) {
        out << "  Phase: none, it is outside of all phases\n";
    } else {
        const auto highest = static_cast<std::size_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
        writeWrapped(out, "  ",
                     "Phase: none stands out; the highest score, " + describeScore(scores[highest]) + ", has " +
                         models.phases.describe(highest));
    }
}

/// The clusters that are told, and why these.
void writeToldClusters(std::ostream &out, const SemiMarkovReport &models) {
    const std::vector<RankSet> &told = models.told->clusters;
    if (told.size() > 1) {
        for (std::size_t id = 0; id < std::min(mostClusters, told.size()); ++id)
            writeWrapped(out, "    ", describeRankSet(told[id]));
        if (told.size() > mostClusters)
            out << "    … and " << describeCount(told.size() - mostClusters) << " more\n";
    }
    writeWrapped(out, "  ", remarkOnCut(models));
}

void writeClusters(std::ostream &out, const SemiMarkovReport &models) {
    const bool isScored =
        std::any_of(models.clusters.begin(), models.clusters.end(), [](const SmmCluster &c) { return c.smm > 0; });
    if (models.told) {
        writeWrapped(out, "  ",
                     models.told->clusters.size() > 1
                         ? "Clusters in " + models.phases.describe(models.shownPhase) + ":"
                         : "Clusters: all ranks behave alike in " + models.phases.describe(models.shownPhase) + ".");
        writeToldClusters(out, models);
        return;
    }
    writeWrapped(out, "  ", "Clusters in " + models.phases.describe(models.shownPhase) + ":");
    std::size_t shown = 0;
    for (std::size_t id = 0; id < models.clusters.size(); ++id) {
        const bool isFaulty = models.faultyCluster == id;
        const bool faultyIsBehind = models.faultyCluster && *models.faultyCluster > id; // it has a line whatever its place
        if (!isFaulty && shown + (faultyIsBehind ? 1 : 0) >= mostClusters)
            continue;
        const SmmCluster &cluster = models.clusters[id];
        ++shown;
        writeWrapped(out, "    ",
                     describeRankSet(cluster.ranks) + (isScored ? ": score " + describeScore(cluster.smm) : std::string()) +
                         (!isFaulty         ? ""
                          : models.setApart ? "   << has the verdict's rank"
                                            : "   << unusual"));
    }
    if (shown < models.clusters.size())
        out << "    … and " << describeCount(models.clusters.size() - shown) << " more\n";
    if (models.setApart)
        writeWrapped(out, "  ", describe(*models.setApart, models.clusters[models.setApart->cluster].ranks));
}

void writeTransitions(std::ostream &out, const SemiMarkovReport &models) {
    const StateTable &table = models.histories.table;
    if (const std::optional<Occurrence> &named = models.verdict.occurrence) {
        writeWrapped(out, "  ",
                     "Transition: rank " + std::to_string(named->rank) + ", " + describeTransition(table, named->transition) +
                         (named->function.empty() ? "" : ", most of it in " + named->function) + ": " +
                         describeDuration(named->seconds) +
                         (named->usual > 0 ? ", usually at most " + describeDuration(named->usual) : std::string()));
    }
    for (const RelatedTransition &related : models.verdict.related)
        writeWrapped(out, "    ", describeTransition(table, related.transition) + " (" + related.why + ")");
    if (!models.faultyCluster)
        return;
    if (models.setApart)
        writeWrapped(out, "  ", "What sets " + describeRankSet(models.setApart->ranks) + " apart:");
    else
        out << "  What sets the unusual cluster apart:\n";
    const std::vector<CharacteristicTransition> &all =
        models.setApart ? models.setApart->characteristic : models.models[*models.faultyCluster].characteristic;
    for (const CharacteristicTransition &ct : all)
        if (ct.wins > 0 || &ct == &all.front()) // the others are in the JSON report
            writeWrapped(out, "    ",
                         describeTransition(table, ct.transition) + " (largest difference in " + describeShare(ct.wins) +
                             " of the pairs)");
}

} // namespace

void writeRepeatedMessages(std::ostream &out, const std::vector<RepeatedMessage> &messages) {
    if (messages.empty())
        return;
    out << "Messages that came twice\n";
    for (const RepeatedMessage &message : messages)
        writeWrapped(out, "  ", message.why);
    out << '\n';
}

void writeDelays(std::ostream &out, const Trace &trace, const DelayReport &delays) {
    if (delays.delays.empty())
        return;
    out << "Who made the others wait, in calls that returned\n";
    writeWrapped(out, "  ", describe(trace, delays));
    for (std::size_t i = 0; i < std::min(mostDelays, delays.delays.size()); ++i) {
        const Delay &delay = delays.delays[i];
        writeWrapped(out, "    ",
                     "rank " + std::to_string(delay.rank) + ", in " + describeCall(trace, delay.callPath) + ": " +
                         describeDuration(delay.seconds) + " (" + describeShare(delay.seconds / delays.waiting) +
                         (delay.transit ? "; data on their way)"
                          : delay.once  ? "; done once)"
                                        : ")"));
    }
    out << '\n';
}

void writeFailStop(std::ostream &out, const Trace &trace, const FailStop &failStop) {
    out << "Who stopped first\n";
    writeWrapped(out, "  ", describe(failStop));
    for (const StoppedRank &stopped : failStop.stopped)
        writeWrapped(out, "    ",
                     rankText(trace, stopped.rank) + ", " + describeDuration(stopped.secondsEarly) + " early, last in " +
                         describeCall(trace, stopped.lastCall));
    out << '\n';
}

void writeOutliers(std::ostream &out, const Trace &trace, const OutlierReport &outliers) {
    out << "Who spends time differently\n";
    if (outliers.failStop.stopped.empty())
        writeWrapped(out, "  ", describe(outliers));
    else
        writeWrapped(out, "  ", "Others may differ because they waited for who stopped first.");
    const std::vector<ProfileComponent> &components = outliers.withMpi.profiles->components;
    const bool hasMpi = std::any_of(components.begin(), components.end(), [](const ProfileComponent &c) { return c.isMpi; });
    if (hasMpi)
        writeRanking(out, trace, "Computing", outliers.withoutMpi);
    writeRanking(out, trace, hasMpi ? "With time in MPI" : "All time", outliers.withMpi);
    out << '\n';
}

void writeSemiMarkov(std::ostream &out, const Trace &trace, const SemiMarkovReport &models, const Verdict &verdict,
                     const SemiMarkovSections &sections) {
    if (models.empty())
        return;
    out << "When and where behaviour changed\n";
    writeWrapped(out, "  ", models.verdict.why + remarkOnPhases(verdict, models));
    const bool isCompared = models.deviation.self.size() > 1 || !models.deviation.samples.empty();
    if (sections.phases && isCompared) // a run without phases has nothing to compare itself with
        writePhases(out, trace, models);
    if (sections.clusters)
        writeClusters(out, models);
    if (sections.transitions)
        writeTransitions(out, models);
    for (const std::string &note : models.notes)
        writeWrapped(out, "  ", note);
    out << '\n';
}

} // namespace laggard
