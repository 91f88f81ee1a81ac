// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Outliers.h"

#include "analysis/outliers/Distances.h"
#include "analysis/verdict/DamagedRanks.h"
#include "analysis/verdict/Describe.h"

#include <algorithm>
#include <cmath>

namespace laggard {
namespace {

constexpr std::size_t keptContributions = 20;
constexpr double smallestOddity = 0.05; // for time profiles: 2.5 % of the time spent elsewhere

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Median plus six robust deviations, and never nearer to the median than what is worth looking at.
double thresholdOf(const std::vector<SuspectScore> &scores, ProfileOptions::Measure measure) {
    if (scores.empty())
        return 0;
    std::vector<double> values;
    for (const SuspectScore &s : scores)
        values.push_back(s.score());
    const double middle = median(values);
    for (double &value : values)
        value = std::abs(value - middle);
    const double deviation = 1.4826 * median(values); // the standard deviation, for a normal distribution
    return middle + std::max(6 * deviation, measure == ProfileOptions::Measure::Coverage ? 0.5 : smallestOddity);
}

std::vector<ProfileDifference> contributionsOf(const ProfileSet &profiles, std::uint32_t row, std::uint32_t neighbour) {
    std::vector<ProfileDifference> contributions;
    for (std::uint32_t c = 0; c < profiles.components.size(); ++c) {
        const double difference = profiles.share(row, c) - profiles.share(neighbour, c);
        if (difference != 0)
            contributions.push_back({c, difference});
    }
    const auto kept = std::min(keptContributions, contributions.size());
    std::partial_sort(contributions.begin(), contributions.begin() + static_cast<std::ptrdiff_t>(kept), contributions.end(),
                      [](const ProfileDifference &a, const ProfileDifference &b) {
                          return std::pair(-std::abs(a.difference), a.component) <
                                 std::pair(-std::abs(b.difference), b.component);
                      });
    return {contributions.begin(), contributions.begin() + static_cast<std::ptrdiff_t>(kept)}; // without room for the others
}

Finding findingOf(const Trace &trace, const Ranking &ranking, const SuspectScore &suspect) {
    const ProfileSet &profiles = *ranking.profiles;
    Finding finding;
    finding.method = "outliers";
    finding.ranks = {suspect.rank};
    finding.score = std::min(1.0, suspect.score() / 2);
    if (suspect.contributions.empty())
        return finding;
    const ProfileDifference &first = suspect.contributions.front();
    const ProfileComponent &component = profiles.components[first.component];
    finding.function = component.stack.front();
    finding.file = component.file;
    finding.line = component.line;
    finding.isDefinition = true;
    finding.callPath = callPathOf(trace, component, ranking.options.by);
    return finding;
}

/// A rank some of whose events were lost differs by what was lost: it is no suspect, and comes behind those that are.
void leaveOutDamaged(Ranking &ranking, const Trace &trace) {
    const RankSet damaged = damagedRanks(trace);
    const auto suspects = ranking.scores.begin() + static_cast<std::ptrdiff_t>(ranking.suspects);
    const auto whole = std::stable_partition(ranking.scores.begin(), suspects, [&damaged](const SuspectScore &score) {
        return !std::binary_search(damaged.begin(), damaged.end(), score.rank);
    });
    ranking.suspects = static_cast<std::size_t>(whole - ranking.scores.begin());
}

Finding findingOf(const Trace &trace, const FailStop &failStop, const StoppedRank &stopped) {
    Finding finding;
    finding.method = "failstop";
    finding.ranks = {stopped.rank};
    finding.callPath = stopped.openStack != none ? stopped.openStack : stopped.lastCall;
    finding.time = TimeRange{stopped.last, failStop.records[failStop.before].time};
    if (stopped.lastCall != none)
        finding.function = trace.region(stopped.lastCall).name;
    if (const CallPathId place = nearestWithSource(trace, finding.callPath); place != none) {
        finding.file = trace.region(place).file;
        finding.line = trace.region(place).line;
        finding.isDefinition = true;
    }
    finding.score = failStop.gapSeconds <= 0 ? 0 : 1 - failStop.neededSeconds / (failStop.gapSeconds + failStop.neededSeconds);
    return finding;
}

void addSuspects(const Trace &trace, const Ranking &ranking, std::vector<Finding> &findings) {
    for (std::size_t i = 0; i < ranking.suspects; ++i) {
        const SuspectScore &suspect = ranking.scores[i];
        const bool known =
            std::any_of(findings.begin(), findings.end(), [&](const Finding &f) { return f.ranks == RankSet{suspect.rank}; });
        if (!known)
            findings.push_back(findingOf(trace, ranking, suspect));
    }
}

} // namespace

CallPathId callPathOf(const Trace &trace, const ProfileComponent &component, ProfileOptions::By by) {
    const std::vector<std::string> &stack = component.stack;
    for (CallPathId path = 0; path < trace.callPaths.size(); ++path) {
        if (trace.region(path).name != stack.front())
            continue;
        if (by == ProfileOptions::By::Function)
            return path;
        std::size_t depth = 0;
        CallPathId caller = path;
        while (caller != none && depth < stack.size() && trace.region(caller).name == stack[depth]) {
            caller = trace.callPaths[caller].parent;
            ++depth;
        }
        if (caller == none && depth == stack.size())
            return path;
    }
    return none;
}

Ranking rankProfiles(std::shared_ptr<const ProfileSet> profiles, const ProfileOptions &options, const Work &work) {
    Ranking ranking;
    ranking.options = options;
    ranking.profiles = profiles;
    const auto trial = static_cast<std::uint32_t>(std::count(profiles->source.begin(), profiles->source.end(), 0U));
    const auto rows = static_cast<std::uint32_t>(profiles->rows());
    if (trial < 2)
        return ranking;
    ranking.k = std::clamp<std::uint32_t>(trial / 4, std::min<std::uint32_t>(4, trial - 1), trial - 1);
    const std::vector<Neighbour> kth = kthNeighbours(*profiles, trial, trial, ranking.k, work);
    const std::vector<Neighbour> reference =
        rows > trial ? nearestOf(*profiles, trial, trial, rows, work) : std::vector<Neighbour>{};
    for (std::uint32_t row = 0; row < trial; ++row) {
        SuspectScore &score = ranking.scores.emplace_back();
        score.rank = profiles->rank[row];
        score.row = row;
        score.unsupervised = static_cast<double>(kth[row].distance) / profiles->scale;
        score.neighbour = kth[row].row;
        if (!reference.empty()) {
            score.oneClass = std::min(score.unsupervised, static_cast<double>(reference[row].distance) / profiles->scale);
            if (reference[row].distance < kth[row].distance)
                score.neighbour = reference[row].row;
        }
        score.contributions = contributionsOf(*profiles, row, score.neighbour);
    }
    std::stable_sort(ranking.scores.begin(), ranking.scores.end(),
                     [](const SuspectScore &a, const SuspectScore &b) { return a.score() > b.score(); });
    ranking.threshold = thresholdOf(ranking.scores, options.measure);
    ranking.suspects = static_cast<std::size_t>(std::count_if(
        ranking.scores.begin(), ranking.scores.end(), [&](const SuspectScore &s) { return s.score() > ranking.threshold; }));
    return ranking;
}

OutlierReport findOutliers(const Trace &trace, std::span<const TracePtr> references, const OutlierOptions &options,
                           const Work &work) {
    OutlierReport report;
    report.failStop = findFailStop(trace, options.clockResolution);
    std::vector<TracePtr> compared;
    std::ranges::copy_if(references, std::back_inserter(compared), [](const TracePtr &r) { return !r->isSummary; });
    const auto ranked = [&](bool withMpi) {
        const ProfileOptions profile{options.by, options.measure, withMpi};
        Ranking ranking =
            rankProfiles(std::make_shared<const ProfileSet>(makeProfiles(trace, compared, profile, work)), profile, work);
        ranking.leftOut = references.size() - compared.size();
        leaveOutDamaged(ranking, trace);
        return ranking;
    };
    report.withoutMpi = ranked(false);
    report.withMpi = ranked(true);
    for (const StoppedRank &stopped : report.failStop.stopped)
        report.findings.push_back(findingOf(trace, report.failStop, stopped));
    if (report.findings.empty()) {
        addSuspects(trace, report.withoutMpi, report.findings);
        addSuspects(trace, report.withMpi, report.findings);
    }
    return report;
}

} // namespace laggard
