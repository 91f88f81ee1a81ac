// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/CombinedVerdict.h"

#include "analysis/behaviour/HangSearch.h"
#include "analysis/behaviour/RankShift.h"
#include "analysis/behaviour/RelatedTransitions.h"
#include "analysis/behaviour/ShiftConstants.h"
#include "analysis/behaviour/StalledCalls.h"
#include "analysis/behaviour/TransitionShift.h"
#include "trace/MpiCall.h"
#include "trace/Parallel.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace laggard {
namespace {

constexpr double timesReferences = 5;   ///< an excess counts from here on: times the references' largest
constexpr double timesSecond = 20;      ///< … without references: times that of the second-worst rank
constexpr double leastOfPhase = 0.01;   ///< … and this share of a phase's time (ours)
constexpr double timesPhases = 10;      ///< … and, of waits, without references: times that of the other phases
constexpr std::size_t fewestPhases = 4; ///< … of which there must be so many
constexpr double leastSpreads = 3;      ///< … and times the spread of the transition's usual times (ours)

/// The occurrence with the largest excess of each rank in a run, in computation or communication states. Unknown ones have excess
/// 0.
std::vector<Occurrence> worstByRank(const CombinedInput &in, const UsualTimes &usual, std::size_t run, bool computation,
                                    const std::vector<bool> &inPhase, const Work &work) {
    std::vector<Occurrence> worst(in.phases.ranks());
    forEachParallel(worst.size(), work, [&](std::size_t rank, unsigned) {
        const RankHistory &history = in.histories.runs[run].ranks[rank];
        for (std::uint32_t p = 0; p < in.phases.size(); ++p) {
            const PhaseSpan &span = in.phases.span(run, p, rank);
            for (std::uint32_t row = span.firstRow; row < span.endRow && inPhase[p]; ++row) {
                const std::uint32_t t = history.transition[row];
                if (in.histories.table.isComputation(t) != computation || !usual.isKnown(t) || in.histories.table.isCensored(t))
                    continue;
                const double excess = in.histories.runs[run].seconds(history.duration(row)) - usual.largest(t);
                if (excess > worst[rank].excess)
                    worst[rank] = occurrenceAt(in.histories, run, usual, static_cast<Rank>(rank), row, p);
            }
        }
    });
    return worst;
}

double largest(const std::vector<Occurrence> &occurrences) {
    double result = 0;
    for (const Occurrence &o : occurrences)
        result = std::max(result, o.excess);
    return result;
}

double secondLargest(const std::vector<Occurrence> &occurrences) {
    double first = 0;
    double second = 0;
    for (const Occurrence &o : occurrences) {
        second = std::max(second, std::min(o.excess, first));
        first = std::max(first, o.excess);
    }
    return second;
}

double usualPhaseLength(const PhaseTimes &times) {
    std::vector<double> lengths;
    for (const double s : times.seconds)
        if (s > 0)
            lengths.push_back(s);
    if (lengths.empty())
        return 0;
    std::nth_element(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2), lengths.end());
    return lengths[lengths.size() / 2];
}

/// Largest excess of a reference over what is usual in the other references. A single reference is compared with itself. One of
/// ten references may have the fault as well (AutomaDeD §5.2): the worst tenth does not count.
double largestOfReferences(const CombinedInput &in, bool computation, const Work &work) {
    const std::size_t references = in.histories.references();
    const std::vector<bool> all(in.phases.size(), true);
    std::vector<double> excesses;
    for (std::size_t left = 1; left <= references; ++left) {
        const UsualTimes usual(
            in.histories, in.phases, [&](std::size_t run, std::size_t) { return run > 0 && (references == 1 || run != left); },
            false, work);
        excesses.push_back(largest(worstByRank(in, usual, left, computation, all, work)));
    }
    std::sort(excesses.begin(), excesses.end());
    return excesses.empty() ? 0 : excesses[excesses.size() - 1 - excesses.size() / 10];
}

/// Occurrences of the window with at least so much excess, by corrected start.
std::vector<Occurrence> longOnes(const CombinedInput &in, const UsualTimes &usual, const std::vector<bool> &window,
                                 bool computation, Rank only, double least) {
    std::vector<Occurrence> result;
    for (std::size_t rank = 0; rank < in.phases.ranks() && least > 0; ++rank) {
        if (only != none && rank != only)
            continue;
        const RankHistory &history = in.histories.runs[0].ranks[rank];
        for (std::uint32_t p = 0; p < in.phases.size(); ++p) {
            const PhaseSpan &span = in.phases.span(0, p, rank);
            for (std::uint32_t row = span.firstRow; row < span.endRow && window[p]; ++row) {
                const std::uint32_t t = history.transition[row];
                if (in.histories.table.isComputation(t) == computation && usual.isKnown(t) && !in.histories.table.isCensored(t) &&
                    in.histories.runs[0].seconds(history.duration(row)) - usual.largest(t) >= least)
                    result.push_back(occurrenceAt(in.histories, 0, usual, static_cast<Rank>(rank), row, p));
            }
        }
    }
    const RunHistory &run = in.histories.runs[0];
    std::sort(result.begin(), result.end(), [&](const Occurrence &a, const Occurrence &b) {
        return std::tuple(a.correctedStart(run), a.rank, a.row) < std::tuple(b.correctedStart(run), b.rank, b.row);
    });
    return result;
}

void keepListed(std::vector<Occurrence> &found) { found.resize(std::min(found.size(), SemiMarkovVerdict::mostCandidates)); }

/// Occurrences of the window with at least half its largest excess, by corrected start.
std::vector<Occurrence> firstOnes(const CombinedInput &in, const UsualTimes &usual, const std::vector<bool> &window,
                                  bool computation, Rank only, const Work &work) {
    const double half = largest(worstByRank(in, usual, 0, computation, window, work)) / 2;
    std::vector<Occurrence> result = longOnes(in, usual, window, computation, only, half);
    keepListed(result);
    return result;
}

std::vector<bool> onlyPhase(const PhaseTable &phases, std::uint32_t phase) {
    std::vector<bool> window(phases.size());
    window[phase] = true;
    return window;
}

/// The step's phase and those before and after it in its set.
std::vector<bool> aroundPhase(const PhaseTable &phases, std::uint32_t phase) {
    std::vector<bool> window(phases.size());
    for (std::uint32_t p = 0; p < phases.size(); ++p)
        window[p] = phases.phases[p].set == phases.phases[phase].set &&
                    phases.phases[p].index + 1 >= phases.phases[phase].index &&
                    phases.phases[p].index <= phases.phases[phase].index + 1;
    return window;
}

/// All but these.
std::vector<bool> awayFrom(const PhaseTable &phases, std::uint32_t phase) {
    std::vector<bool> window = aroundPhase(phases, phase);
    window.flip();
    return window;
}

/// A second in a call that usually takes a microsecond is a cause; one where calls wait for others anyway is its effect.
void leaveOutVictims(std::vector<Occurrence> &found) {
    const auto lengthening = [](const Occurrence &o) { return o.usual > 0 ? o.seconds / o.usual : 0; };
    double most = 0;
    for (const Occurrence &o : found)
        most = std::max(most, lengthening(o));
    std::erase_if(found, [&](const Occurrence &o) { return lengthening(o) * farLonger < most; });
}

/// The calls that were held up when the longest of the phase was, without those that waited for others. They may lie in the
/// phases around it, as ranks are not in step.
std::vector<Occurrence> longCalls(const CombinedInput &in, const UsualTimes &usual, std::uint32_t phase, const Work &work) {
    const std::vector<bool> own = onlyPhase(in.phases, phase);
    if (in.trace.isSummary) {
        std::vector<Occurrence> found = firstOnes(in, usual, own, false, none, work);
        leaveOutVictims(found);
        return found;
    }
    const std::vector<Occurrence> worst = worstByRank(in, usual, 0, false, own, work);
    const Occurrence &longest = *std::max_element(worst.begin(), worst.end(),
                                                  [](const Occurrence &a, const Occurrence &b) { return a.excess < b.excess; });
    std::vector<Occurrence> found = longOnes(in, usual, aroundPhase(in.phases, phase), false, none, longest.excess / 2);
    std::erase_if(found,
                  [&](const Occurrence &o) { return o.time.begin >= longest.time.end || longest.time.begin >= o.time.end; });
    found = stalledCalls(in.trace, std::move(found), work);
    keepListed(found);
    return found;
}

std::uint32_t argMax(const std::vector<double> &scores) {
    return static_cast<std::uint32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

/// 0.5 at the limit, towards 1 beyond.
double confidenceOf(double excess, double alarm) { return alarm > 0 ? excess / (excess + alarm) : excess > 0 ? 0.95 : 0; }

void name(const CombinedInput &in, SemiMarkovVerdict &verdict, std::vector<Occurrence> found) {
    if (found.empty())
        return;
    for (Occurrence &o : found)
        attribute(in.trace, in.histories.runs[0].ranks[o.rank], o);
    verdict.occurrence = found.front();
    verdict.phase = found.front().phase;
    verdict.ranks = {found.front().rank};
    verdict.candidates.assign(found.begin() + 1, found.end());
}

/// Without references, all ranks of a collective take as long when one is late, too many for ⌈1 %⌉ to leave them out: the longest
/// phase of a collective does not count for it.
UsualTimes usualInOtherPhases(const CombinedInput &in, const Work &work) {
    std::vector<std::uint32_t> leftOut = longestPhases(in.histories, in.phases, work);
    for (std::uint32_t t = 0; t < leftOut.size(); ++t) {
        const SmmState &state = in.histories.table.from(t);
        if (state.kind != SmmState::Kind::Communication || !classifyMpiCall(state.path.back().function).isCollective())
            leftOut[t] = none;
    }
    return UsualTimes(
        in.histories, in.phases, [](std::size_t, std::size_t) { return true; }, in.histograms, work, leftOut);
}

/// A phase that is an exception, if there is one.
void searchTemporary(const CombinedInput &in, const UsualTimes &inAllPhases, SemiMarkovVerdict &verdict, const Work &work) {
    const std::vector<bool> all(in.phases.size(), true);
    const bool samples = in.histories.references() > 0;
    const double least = leastOfPhase * usualPhaseLength(in.times);
    for (const bool computation : {true, false}) {
        if (!computation && !samples && in.phases.size() < fewestPhases)
            break;
        std::optional<UsualTimes> inOthers;
        if (!computation && !samples)
            inOthers = usualInOtherPhases(in, work);
        const UsualTimes &usual = inOthers ? *inOthers : inAllPhases;
        const std::vector<Occurrence> worst = worstByRank(in, usual, 0, computation, all, work);
        const double excess = largest(worst);
        const auto most = std::max_element(worst.begin(), worst.end(),
                                           [](const Occurrence &a, const Occurrence &b) { return a.excess < b.excess; });
        const double spread = excess > 0 ? leastSpreads * usual.spread(most->transition) : 0;
        double limit = 0;
        if (samples)
            limit = timesReferences * largestOfReferences(in, computation, work);
        else if (computation)
            limit = timesSecond * secondLargest(worst);
        else // every rank's wait is as unusual as its cause: other phases tell
            limit = timesPhases * largest(worstByRank(in, usual, 0, false, awayFrom(in.phases, most->phase), work));
        const double alarm = std::max({least, spread, limit});
        if (computation) {
            verdict.excess = excess;
            verdict.alarm = alarm;
        }
        if (excess <= 0 || excess < alarm)
            continue;
        std::uint32_t phase = argMax(samples ? in.deviation.samplesComputation : in.deviation.selfComputation);
        // The score adds up small differences too: a phase without anything close to the largest excess is not where it happened.
        if (!computation || largest(worstByRank(in, usual, 0, computation, onlyPhase(in.phases, phase), work)) < excess / 2)
            phase = most->phase;
        verdict.kind = SemiMarkovVerdict::Kind::Temporary;
        verdict.excess = excess;
        verdict.alarm = alarm;
        verdict.confidence = confidenceOf(excess, alarm) * (computation ? 1 : 0.6);
        name(in, verdict,
             computation ? firstOnes(in, usual, onlyPhase(in.phases, phase), true, none, work)
                         : longCalls(in, usual, phase, work));
        return;
    }
}

/// A shift to permanently slower phases, if there is one.
bool searchPermanent(const CombinedInput &in, SemiMarkovVerdict &verdict, const Work &work) {
    const std::optional<PermanentShift> shift = permanentShift(in.phases, in.times);
    if (!shift)
        return false;
    const UsualTimes usual = usualTimesFor(in, shift, work);
    const std::vector<bool> window = aroundPhase(in.phases, shift->phase);
    std::vector<Occurrence> found = firstOnes(in, usual, window, true, shift->rank, work);
    if (found.empty())
        found = firstOnes(in, usual, window, false, none, work);
    if (found.empty())
        return false;
    verdict.kind = SemiMarkovVerdict::Kind::Permanent;
    verdict.shift = shift;
    verdict.confidence = shift->explained * std::min(1.0, 0.5 + 0.5 * std::log10(shift->factor) / 0.6);
    name(in, verdict, std::move(found));
    // If a phase is slow in its later part only, its duration says less than the first occurrence in it.
    const std::uint32_t shown = verdict.phase.value_or(shift->phase);
    verdict.phase = verdict.shift->phase = std::min(shift->phase, shown);
    if (shift->rank != none)
        verdict.ranks = {shift->rank};
    return true;
}

/// Everybody is inside MPI: whose call it is that holds up the others.
void nameStuck(const CombinedInput &in, const HangSearch &hang, SemiMarkovVerdict &verdict) {
    verdict.before = verdict.occurrence;
    verdict.shift.reset();
    verdict.kind = SemiMarkovVerdict::Kind::HangInMpi;
    name(in, verdict,
         {hang.stuck.begin(),
          hang.stuck.begin() + static_cast<std::ptrdiff_t>(std::min(hang.stuck.size(), SemiMarkovVerdict::mostCandidates))});
    if (verdict.phase == none)
        verdict.phase.reset();
    std::vector<AwaitedMessage> awaited = in.awaited;
    std::erase_if(awaited, [&](const AwaitedMessage &message) { return message.to != verdict.ranks.front(); });
    verdict.related = sendingTransitions(in.histories, in.phases, awaited);
    const RankSet &blamed = in.leastProgressed;
    const bool isBlamed = std::binary_search(blamed.begin(), blamed.end(), verdict.ranks.front());
    verdict.excess = std::max(0.0, verdict.occurrence->excess);
    verdict.confidence = isBlamed ? 0.8 / static_cast<double>(blamed.size()) : 0.3;
}

/// That a rank, or one of its computations, takes so many times longer from a phase on.
void namePermanent(const CombinedInput &in, const PermanentShift &shift, Occurrence shown, SemiMarkovVerdict &verdict) {
    verdict.kind = SemiMarkovVerdict::Kind::Permanent;
    verdict.shift = shift;
    verdict.confidence = 0.8 * std::min(1.0, 0.5 + 0.5 * std::log10(shift.factor) / 0.6);
    // The longest usual time may be one that was held up: by the shift, what it was before is less.
    if (const double before = shown.seconds / shift.factor; shown.usual <= 0 || shown.usual > before) {
        shown.usual = before;
        shown.excess = shown.seconds - before;
    }
    name(in, verdict, {std::move(shown)});
    verdict.phase = shift.phase;
}

void nameTransitionShift(const CombinedInput &in, const TransitionShift &shift, SemiMarkovVerdict &verdict) {
    std::vector<Occurrence> found = occurrencesOf(in.histories, in.phases, shift.transition, shift.phase, RankSet{shift.rank});
    // The middle one of the phase: others may have been held up.
    std::sort(found.begin(), found.end(), [&](const Occurrence &a, const Occurrence &b) { return a.seconds < b.seconds; });
    double before = 0; // in a model dump, a row stands for several
    for (const Occurrence &o : found)
        before += o.count / 2;
    const auto middle = std::find_if(found.begin(), found.end() - 1, [&](const Occurrence &o) {
        before -= o.count;
        return before < 0;
    });
    namePermanent(in, {shift.phase, shift.rank, shift.factor, 1 - shift.chance}, *middle, verdict);
}

/// Seconds, over all phases from the shift on.
double lostTo(const CombinedInput &in, const TransitionShift &shift) {
    const std::uint32_t set = in.phases.phases[shift.phase].set;
    const auto phasesLeft = std::count_if(in.phases.phases.begin() + shift.phase, in.phases.phases.end(),
                                          [set](const auto &phase) { return phase.set == set; });
    return shift.lost * static_cast<double>(phasesLeft);
}

/// A rank that computes slower from a phase on, or one of its computations. Seconds lost to it.
double searchSlowComputation(const CombinedInput &in, const UsualTimes &usual, SemiMarkovVerdict &verdict, const Work &work) {
    const std::optional<TransitionShift> one = transitionShift(in.histories, in.phases, work);
    const std::optional<RankShift> all = rankShift(in.histories, in.phases, work);
    const double lost = one ? lostTo(in, *one) : 0;
    // If all its computations are slow, they tell the phase better than one of them does.
    const bool isRank = all && (!one || (one->rank == all->rank ? all->share >= shifts::ofProcessor : all->lost > lost));
    if (isRank) {
        const Occurrence shown = occurrenceAt(in.histories, 0, usual, all->rank, all->row, all->phase);
        namePermanent(in, {all->phase, all->rank, all->factor, 1 - all->chance}, shown, verdict);
        return all->lost;
    }
    if (one)
        nameTransitionShift(in, *one, verdict);
    return lost;
}

/// A computation that becomes slow shows best by itself, unless something else weighs more.
void searchUnusual(const CombinedInput &in, const UsualTimes &usual, SemiMarkovVerdict &verdict, const Work &work) {
    SemiMarkovVerdict one;
    const double lost = searchSlowComputation(in, usual, one, work);
    if (!searchPermanent(in, verdict, work))
        searchTemporary(in, usual, verdict, work);
    const bool isTemporary = verdict.kind == SemiMarkovVerdict::Kind::Temporary;
    if (lost > 0 && (!isTemporary || lost >= verdict.excess))
        verdict = std::move(one);
}

/// A message that came twice is a fact, and a hang that follows is its effect. False if there is none.
bool nameRepeated(const CombinedInput &in, SemiMarkovVerdict &verdict, const Work &work) {
    if (in.repeated.empty())
        return false;
    const RepeatedMessage &message = in.repeated.front();
    const RankHistory &history = in.histories.runs[0].ranks[message.from];
    const std::uint32_t behind = history.rowAt(message.sent + 1);
    if (behind == 0)
        return false;
    const std::uint32_t phase = phaseOfRow(in.phases, message.from, behind - 1);
    verdict.kind = SemiMarkovVerdict::Kind::RepeatedMessage;
    verdict.confidence = message.confidence;
    name(in, verdict, {occurrenceAt(in.histories, 0, usualTimesFor(in, {}, work), message.from, behind - 1, phase)});
    if (phase == none)
        verdict.phase.reset();
    return true;
}

} // namespace

UsualTimes usualTimesFor(const CombinedInput &in, const std::optional<PermanentShift> &shift, const Work &work) {
    const auto uses = [&](std::size_t run, std::size_t phase) {
        if (in.histories.references() > 0)
            return run > 0;
        return !shift || (in.phases.phases[phase].set == in.phases.phases[shift->phase].set &&
                          in.phases.phases[phase].index < in.phases.phases[shift->phase].index);
    };
    return UsualTimes(in.histories, in.phases, uses, in.histograms, work);
}

SemiMarkovVerdict combinedVerdict(const CombinedInput &in, const Work &work) {
    SemiMarkovVerdict verdict;
    if (nameRepeated(in, verdict, work))
        return verdict;
    const UsualTimes usual = usualTimesFor(in, {}, work);
    const HangSearch hang = searchHang(in.trace, in.histories, in.phases, usual, in.leastProgressed);
    if (!hang.suspects.empty()) {
        const Occurrence &first = hang.suspects.front();
        verdict.kind = SemiMarkovVerdict::Kind::Hang;
        verdict.occurrence = first;
        verdict.ranks = {first.rank};
        if (first.phase != none)
            verdict.phase = first.phase;
        verdict.candidates.assign(hang.suspects.begin() + 1, hang.suspects.end());
        verdict.related = expectedTransitions(in.histories, first);
        verdict.excess = std::max(0.0, first.excess);
        const double others =
            static_cast<double>(hang.waiting.size()) / static_cast<double>(std::max<std::size_t>(hang.known - 1, 1));
        verdict.confidence = others * (hang.visible ? 0.95 : 0.75) / static_cast<double>(hang.suspects.size());
        return verdict;
    }
    searchUnusual(in, usual, verdict, work);
    // A hang needs company: a single rank that was not seen to leave its last call is how some tools end a trace.
    if (hang.computing.empty() && hang.waiting.size() * 2 > hang.known)
        nameStuck(in, hang, verdict);
    return verdict;
}

} // namespace laggard
