// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/RankShift.h"

#include "analysis/behaviour/ComputationSlowness.h"
#include "analysis/behaviour/FisherTest.h"
#include "analysis/behaviour/ShiftConstants.h"
#include "analysis/behaviour/ShiftOnset.h"
#include "analysis/semimarkov/MedianStep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace laggard {
namespace {

constexpr std::size_t toTheEnd = std::numeric_limits<std::size_t>::max();

/// The phases of a rank that can be compared.
struct Series {
    std::vector<std::size_t> places; ///< in ComputationSlowness::phases
    std::vector<double> values;      ///< log slowness
    double level = 0;                ///< their median

    explicit Series(const std::vector<double> &all) {
        for (std::size_t place = 0; place < all.size(); ++place)
            if (!std::isnan(all[place])) {
                places.push_back(place);
                values.push_back(all[place]);
            }
        level = values.empty() ? 0 : medianOf(values);
    }
    [[nodiscard]] bool empty() const { return values.empty(); }
    /// Index of the first one from a place on.
    [[nodiscard]] std::size_t from(std::size_t place) const {
        return static_cast<std::size_t>(std::lower_bound(places.begin(), places.end(), place) - places.begin());
    }
};

std::vector<Series> seriesOf(const std::vector<std::vector<double>> &ranks) { return {ranks.begin(), ranks.end()}; }

double median(std::span<const double> values) { return medianOf({values.begin(), values.end()}); }

/// By rank, the median of the other ranks' levels; 0 if there is no other rank.
std::vector<double> levelsOfOthers(const std::vector<Series> &ranks) {
    std::vector<double> sorted;
    for (const Series &series : ranks)
        if (!series.empty())
            sorted.push_back(series.level);
    std::sort(sorted.begin(), sorted.end());
    std::vector<double> result;
    for (const Series &series : ranks) {
        // If the rank itself is among them, places from its own on are one further.
        const auto own = series.empty() ? sorted.end() : std::lower_bound(sorted.begin(), sorted.end(), series.level);
        const std::size_t self = static_cast<std::size_t>(own - sorted.begin());
        const std::size_t others = sorted.size() - (series.empty() ? 0 : 1);
        const auto at = [&](std::size_t place) { return sorted[place < self ? place : place + 1]; };
        result.push_back(others == 0 ? 0 : (at((others - 1) / 2) + at(others / 2)) / 2);
    }
    return result;
}

/// What the references show without a fault.
struct Usual {
    std::vector<double> deviations; ///< how far phases are from their rank's level, in rising order
    double slowest = 0;             ///< by how much a rank was slower than its others over the run
    std::size_t references = 0;

    explicit Usual(const ComputationSlowness &slowness) : references(slowness.references.size()) {
        for (const auto &run : slowness.references) {
            const std::vector<Series> ranks = seriesOf(run);
            const std::vector<double> others = levelsOfOthers(ranks);
            for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
                for (const double value : ranks[rank].values)
                    deviations.push_back(value - ranks[rank].level);
                if (!ranks[rank].empty())
                    slowest = std::max(slowest, ranks[rank].level - others[rank]);
            }
        }
        std::sort(deviations.begin(), deviations.end());
    }
    [[nodiscard]] double below(double limit) const {
        return static_cast<double>(std::lower_bound(deviations.begin(), deviations.end(), limit) - deviations.begin());
    }
};

/// A division of a rank's phases; levels are logarithms.
struct Division {
    std::size_t place = 0; ///< the first slow phase's place
    double before = 0;
    double after = 0;
    double chance = 1;
    bool fits = false; ///< nearly all phases before are below the middle, and most of the others above
    [[nodiscard]] double height() const { return after - before; }
};

/// Divides the phases up to a place `end`. `before`: the level to compare with where there is no phase before.
Division divide(const Series &series, std::size_t place, std::size_t end, double before, const Usual &usual) {
    const std::size_t at = series.from(place);
    const std::span<const double> all = std::span(series.values).first(series.from(end));
    Division result{place, at > 0 ? median(all.first(at)) : before, median(all.subspan(at)), 1, false};
    if (result.height() <= 0)
        return result;
    const double middle = (result.before + result.after) / 2;
    const auto below = [middle](std::span<const double> values) {
        return static_cast<double>(std::count_if(values.begin(), values.end(), [middle](double v) { return v < middle; }));
    };
    const auto own = static_cast<double>(at);
    const auto later = static_cast<double>(all.size() - at);
    result.fits = below(all.first(at)) >= shifts::belowBefore * own && below(all.subspan(at)) <= (1 - shifts::aboveAfter) * later;
    result.chance = fisherTest(own + static_cast<double>(usual.deviations.size()), later,
                               below(all.first(at)) + usual.below(result.height() / 2), below(all.subspan(at)));
    return result;
}

/// The division of a rank's phases that fits best, if there is one. `others`: the level of the other ranks.
std::optional<Division> bestDivision(const Series &series, double others, const Usual &usual) {
    const std::optional<MedianStep> step = medianStep(series.values);
    const bool isStep = step && step->after - step->before >= std::log(shifts::rankFactor);
    if (usual.references > 0) {
        const double fromStart = std::max(std::log(shifts::slowerFromStart), shifts::timesReferences * usual.slowest);
        const bool firstToo =
            isStep && step->at == 1 && std::abs(series.values[0] - step->after) < std::abs(series.values[0] - others);
        const bool noStep = !isStep && usual.references >= shifts::fewest && series.level - others >= fromStart;
        if (firstToo || noStep)
            return divide(series, series.places[0], toTheEnd, others, usual);
    }
    if (!isStep)
        return {};
    return divide(series, series.places[step->at], toTheEnd, others, usual);
}

bool isSlower(const Division &division, double others, const Usual &usual) {
    if (usual.references == 0)
        return true;
    return division.after >= std::log(shifts::slowerThanUsual) &&
           division.after - others >= std::max(std::log(shifts::slowerThanOthers), shifts::timesReferences * usual.slowest);
}

/// Whether the rank's own times become longer around the place, in phases near it: problems change with time.
bool becomesSlower(const std::vector<std::vector<ComparedComputation>> &rank, const Division &division) {
    std::map<std::uint32_t, std::vector<double>> times[2]; // before, after
    const std::size_t end = std::min(rank.size(), division.place + shifts::fewest);
    for (std::size_t place = division.place - std::min(shifts::fewest, division.place); place < end; ++place)
        for (const ComparedComputation &one : rank[place])
            if (one.seconds > 0)
                times[place >= division.place ? 1 : 0][one.transition].push_back(one.seconds);
    double before = 0;
    double after = 0;
    for (auto &[transition, values] : times[0])
        if (const auto found = times[1].find(transition); found != times[1].end()) {
            before += medianOf(values);
            after += medianOf(found->second);
        }
    return before > 0 && std::log(after / before) >= division.height() / 2;
}

/// The median of the levels that the other ranks have before a place; `otherwise` if hardly anything is before.
double othersBefore(const std::vector<Series> &ranks, Rank rank, std::size_t place, double otherwise) {
    std::vector<double> levels;
    for (Rank other = 0; other < ranks.size(); ++other)
        if (const std::size_t at = ranks[other].from(place); other != rank && at >= shifts::margin)
            levels.push_back(median(std::span(ranks[other].values).first(at)));
    return levels.empty() ? otherwise : medianOf(std::move(levels));
}

/// Whether another rank shows something of the same directly afterwards. Later ones are no matter: where a thread takes a
/// processor, other work of the machine moves to the others.
bool othersToo(const std::vector<Series> &ranks, const std::vector<double> &levels, Rank rank, const Division &division,
               const Usual &usual) {
    const double most = (usual.references > 0 ? shifts::alikeWithReferences : shifts::alike) * division.height();
    for (Rank other = 0; other < ranks.size(); ++other) {
        const Series &series = ranks[other];
        const std::size_t end = division.place + shifts::fewest;
        if (other == rank || series.from(division.place) == series.from(end))
            continue;
        const Division same = divide(series, division.place, end, levels[rank], usual);
        if (same.height() > most && same.chance <= shifts::othersChance)
            return true;
    }
    return false;
}

struct Candidate {
    Rank rank = none;
    Division division;
    double lost = 0; ///< seconds, over all phases from it on
};

/// Seconds that the division costs, over all phases from it on.
double lostTo(const ComputationSlowness &slowness, Rank rank, const Division &division) {
    double seconds = 0;
    for (std::size_t place = division.place; place < slowness.phases.size(); ++place)
        for (const ComparedComputation &one : slowness.compared[rank][place])
            seconds += one.count * one.seconds;
    return seconds * (1 - std::exp(-division.height()));
}

/// Seconds that the rank's phases take from the division on.
double timeFrom(const Histories &histories, const PhaseTable &phases, const ComputationSlowness &slowness, Rank rank,
                const Division &division) {
    Tick ticks = 0;
    for (std::size_t place = division.place; place < slowness.phases.size(); ++place)
        if (const PhaseSpan &span = phases.span(0, slowness.phases[place], rank); span.present())
            ticks += span.end - span.begin;
    return histories.runs[0].seconds(ticks);
}

/// RankShift::share.
double shareOfComputation(const std::vector<std::vector<ComparedComputation>> &rank, const Division &division) {
    struct Times {
        std::vector<double> before; // logarithms of the slowness, by phase
        std::vector<double> after;
        double usual = 0; // afterwards
    };
    std::map<std::uint32_t, Times> times;
    for (std::size_t place = 0; place < rank.size(); ++place)
        for (const ComparedComputation &one : rank[place]) {
            if (!(one.usual > 0) || !(one.seconds > 0))
                continue;
            Times &of = times[one.transition];
            (place < division.place ? of.before : of.after).push_back(std::log(one.seconds / one.usual));
            of.usual += place < division.place ? 0 : one.count * one.usual;
        }
    double all = 0;
    double slow = 0;
    for (auto &[transition, of] : times) {
        if (of.after.empty())
            continue;
        const double before = of.before.empty() ? division.before : medianOf(std::move(of.before));
        all += of.usual;
        slow += medianOf(std::move(of.after)) - before >= shifts::alike * division.height() ? of.usual : 0;
    }
    return all > 0 ? slow / all : 0;
}

std::optional<Candidate> shiftIn(const Histories &histories, const PhaseTable &phases, const ComputationSlowness &slowness,
                                 const Work &work) {
    const std::vector<Series> ranks = seriesOf(slowness.judged);
    const std::vector<double> others = levelsOfOthers(ranks);
    const Usual usual(slowness);
    std::vector<Candidate> candidates;
    for (Rank rank = 0; rank < ranks.size(); ++rank) {
        throwIfCancelled(work);
        if (ranks[rank].empty())
            continue;
        const std::optional<Division> division = bestDivision(ranks[rank], others[rank], usual);
        if (!division || !division->fits || division->height() < std::log(shifts::rankFactor) ||
            division->height() > std::log(shifts::mostFactor) ||
            division->chance * static_cast<double>(ranks.size()) > shifts::mostChance)
            continue;
        if (!slowness.hasReferences() && !becomesSlower(slowness.compared[rank], *division))
            continue;
        const double lost = lostTo(slowness, rank, *division);
        if (lost >= shifts::leastLoss * timeFrom(histories, phases, slowness, rank, *division))
            candidates.push_back({rank, *division, lost});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate &a, const Candidate &b) { return a.lost > b.lost; });
    // What concerns all ranks is found out by the first other one.
    for (const Candidate &candidate : candidates) {
        throwIfCancelled(work);
        const auto &[rank, division, lost] = candidate;
        if (!othersToo(ranks, others, rank, division, usual) &&
            isSlower(division, othersBefore(ranks, rank, division.place, others[rank]), usual))
            return candidate;
    }
    return {};
}

} // namespace

std::optional<RankShift> rankShift(const Histories &histories, const PhaseTable &phases, const Work &work) {
    std::optional<RankShift> result;
    for (std::uint32_t set = 0; set < phases.sets.size(); ++set) {
        if (phases.sets[set].phases < 2)
            continue;
        const ComputationSlowness slowness = computationSlowness(histories, phases, set, work);
        const std::optional<Candidate> found = shiftIn(histories, phases, slowness, work);
        if (!found || (result && result->lost >= found->lost))
            continue;
        const Division &division = found->division;
        const ShiftOnset onset = shiftOnset(histories, phases, slowness, {found->rank, division.place, division.before}, work);
        result = {onset.phase,
                  onset.row,
                  found->rank,
                  std::exp(division.height()),
                  division.chance * static_cast<double>(phases.ranks()),
                  found->lost,
                  shareOfComputation(slowness.compared[found->rank], division)};
    }
    return result;
}

} // namespace laggard
