// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/Phases.h"

#include "analysis/semimarkov/PhaseMarker.h"
#include "trace/Parallel.h"
#include "trace/Quantity.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace laggard {
namespace {

/// One entry of the delimiting region.
struct Iteration {
    std::uint32_t set = 0;
    Tick begin = 0;
    Tick end = 0;
};

struct MarkedRun {
    std::vector<bool> marked;                       ///< by call path
    std::vector<std::uint32_t> setOf;               ///< by call path
    std::vector<std::vector<Iteration>> iterations; ///< by rank
};

std::vector<Iteration> iterationsOf(const Trace &trace, Rank rank, const RankHistory &history, const MarkedRun &run,
                                    bool fromEntryToEntry, const Work &work) {
    std::vector<Iteration> result;
    if (history.size() == 0)
        return result;
    const Track &track = trace.mainEvents(rank)->track;
    for (std::uint32_t row = 0; row < track.size(); ++row) {
        if ((row & 0xFFFFU) == 0)
            throwIfCancelled(work);
        const CallPathId path = track.callPath[row];
        if (!run.marked[path])
            continue;
        const Iteration next{run.setOf[path], track.start[row],
                             std::max(track.isOpen(row) ? history.end : track.end[row], track.start[row])};
        // What follows an iteration belongs to it, up to the next one from the same caller.
        if (!result.empty() && (result.back().set == next.set || fromEntryToEntry))
            result.back().end = std::max(result.back().begin, next.begin);
        result.push_back(next);
    }
    // A rank that did not return is in its last iteration, or stopped on the way to the next one.
    if (history.open && !result.empty())
        result.back().end = history.end;
    else if (fromEntryToEntry && !result.empty())
        result.pop_back();
    return result;
}

bool allAreOfLevelZero(const Trace &trace) {
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (const LocationEvents *events = trace.mainEvents(rank))
            for (const PhaseMark &mark : events->phases)
                if (mark.level != 0)
                    return false;
    return true;
}

/// From mark to mark, with the sets of their levels.
std::vector<Iteration> iterationsByMarks(const LocationEvents *events, const RankHistory &history,
                                         const std::map<std::int32_t, std::uint32_t> &setOfLevel) {
    std::vector<Iteration> result;
    if (history.size() == 0 || events == nullptr)
        return result;
    for (std::size_t i = 0; i < events->phases.size(); ++i) {
        const PhaseMark &mark = events->phases[i];
        const bool isLast = i + 1 == events->phases.size();
        const auto set = setOfLevel.find(mark.level);
        if (set != setOfLevel.end() && (!isLast || history.open))
            result.push_back({set->second, mark.time, isLast ? history.end : events->phases[i + 1].time});
    }
    return result;
}

using SetsByPath = std::map<std::vector<StateFrame>, std::uint32_t>;

/// The set of what begins with this call; made when new.
std::uint32_t setOfPath(PhaseTable &table, SetsByPath &sets, const Trace &trace, CallPathId path) {
    const auto [entry, isNew] = sets.try_emplace(framesOf(trace, path), static_cast<std::uint32_t>(sets.size()));
    if (isNew)
        table.sets.push_back({entry->first, 0, 0});
    return entry->second;
}

std::uint32_t setOfMark(PhaseTable &table, std::map<std::int32_t, std::uint32_t> &sets, std::int32_t level) {
    const auto [entry, isNew] = sets.try_emplace(level, static_cast<std::uint32_t>(sets.size()));
    if (isNew)
        table.sets.push_back({{{nameOfMark(level), ""}}, 0, 0});
    return entry->second;
}

void markByLevels(PhaseTable &table, std::map<std::int32_t, std::uint32_t> &setOfLevel, const Trace &trace,
                  const RunHistory &history, MarkedRun &run) {
    const bool withZero = allAreOfLevelZero(trace);
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (const LocationEvents *events = trace.mainEvents(rank))
            for (const PhaseMark &mark : events->phases)
                if (mark.level != 0 || withZero)
                    static_cast<void>(setOfMark(table, setOfLevel, mark.level));
    for (std::size_t rank = 0; rank < run.iterations.size(); ++rank)
        run.iterations[rank] = iterationsByMarks(trace.mainEvents(static_cast<Rank>(rank)), history.ranks[rank], setOfLevel);
}

void markByCalls(PhaseTable &table, SetsByPath &sets, const Trace &trace, const RunHistory &history, const PhaseMarker &marker,
                 MarkedRun &run, const Work &work) {
    const bool fromEntryToEntry = marker.source == PhaseSource::Pcontrol || marker.source == PhaseSource::MpiCall;
    run.marked = markedPaths(trace, marker);
    run.setOf.assign(run.marked.size(), 0);
    for (CallPathId path = 0; path < run.marked.size(); ++path)
        if (run.marked[path])
            run.setOf[path] = setOfPath(table, sets, trace, path);
    forEachParallel(run.iterations.size(), work, [&](std::size_t rank, unsigned) {
        run.iterations[rank] = iterationsOf(trace, static_cast<Rank>(rank), history.ranks[rank], run, fromEntryToEntry, work);
    });
}

/// How the phases of a model dump were found.
PhaseMarker markerOf(const Trace &trace) {
    if (!trace.phaseModels)
        return {};
    const PhaseModels &models = *trace.phaseModels;
    const bool marks =
        std::any_of(models.sets.begin(), models.sets.end(), [](const PhaseModels::Set &set) { return set.isMark; });
    return {models.source, models.region, framesOf(trace, models.callPath), models.coverage, marks};
}

/// The phases that a model dump has, if they are those of the other runs.
void takeFromDump(PhaseTable &table, SetsByPath &sets, std::map<std::int32_t, std::uint32_t> &setOfLevel, const Trace &trace,
                  const PhaseMarker &marker, MarkedRun &run) {
    const PhaseMarker own = markerOf(trace);
    const auto fail = [&](const std::string &what) {
        throw std::invalid_argument("The model dump \"" + trace.path + "\" " + what + ", so that it cannot be compared.");
    };
    if (own.source == PhaseSource::WholeRun)
        fail("has no phases");
    if (own.region != marker.region || own.path != marker.path || own.marks != marker.marks)
        fail("is divided into phases by " + own.region +
             (own.region == marker.region ? " at another place" : ", not by " + marker.region));
    std::vector<std::uint32_t> numbers;
    for (const PhaseModels::Set &set : trace.phaseModels->sets) {
        const std::size_t known = table.sets.size();
        numbers.push_back(set.isMark ? setOfMark(table, setOfLevel, set.level) : setOfPath(table, sets, trace, set.callPath));
        std::uint32_t &joined = table.sets[numbers.back()].joined;
        if (table.sets.size() > known)
            joined = set.joined;
        else if (joined != set.joined)
            fail("joins " + plural(set.joined, "iteration") + " in a phase, and another run " + std::to_string(joined));
    }
    for (std::size_t rank = 0; rank < std::min(run.iterations.size(), trace.phaseModels->ranks.size()); ++rank)
        for (const RankPhase &phase : trace.phaseModels->ranks[rank].phases)
            if (phase.set != none)
                run.iterations[rank].push_back({numbers[phase.set], phase.begin, phase.end});
}

/// By set, then iteration: phases of other sets lie between it and the one before, on some rank of some run.
std::vector<std::vector<bool>> findTurns(const PhaseTable &table, const std::vector<MarkedRun> &runs) {
    std::vector<std::vector<bool>> turns;
    for (const PhaseSet &set : table.sets)
        turns.emplace_back(set.iterations);
    for (const MarkedRun &run : runs)
        for (const std::vector<Iteration> &iterations : run.iterations) {
            std::vector<std::uint32_t> seen(table.sets.size());
            for (std::size_t i = 0; i < iterations.size(); ++i) {
                const std::uint32_t set = iterations[i].set;
                if (seen[set] > 0 && iterations[i - 1].set != set)
                    turns[set][seen[set]] = true;
                ++seen[set];
            }
        }
    return turns;
}

/// Returns the phase of each iteration, by set.
std::vector<std::vector<std::uint32_t>> makePhases(PhaseTable &table, const std::vector<MarkedRun> &runs, std::uint32_t group) {
    const std::vector<std::vector<bool>> turns = findTurns(table, runs);
    std::vector<std::vector<std::uint32_t>> phaseOf(table.sets.size());
    for (std::uint32_t s = 0; s < table.sets.size(); ++s) {
        PhaseSet &set = table.sets[s];
        const std::uint64_t groups = group == 0 ? set.iterations : std::min(group, set.iterations);
        const auto groupOf = [&](std::uint32_t iteration) { return iteration * groups / set.iterations; };
        for (std::uint32_t i = 0; i < set.iterations; ++i) {
            if (i == 0 || turns[s][i] || groupOf(i) != groupOf(i - 1))
                table.phases.push_back({s, set.phases++, i * set.joined, 0, turns[s][i]});
            table.phases.back().endIteration = (i + 1) * set.joined;
            phaseOf[s].push_back(static_cast<std::uint32_t>(table.phases.size() - 1));
        }
    }
    return phaseOf;
}

/// `phaseOf`: by set and iteration.
void fillSpans(PhaseTable &table, const std::vector<std::vector<std::uint32_t>> &phaseOf, const std::vector<MarkedRun> &runs,
               const Histories &histories, const Work &work) {
    const std::size_t ranks = histories.runs[0].ranks.size();
    table.spans.assign(runs.size(), std::vector<PhaseSpan>(table.phases.size() * ranks));
    for (std::size_t r = 0; r < runs.size(); ++r)
        forEachParallel(ranks, work, [&](std::size_t rank, unsigned) {
            const RankHistory &history = histories.runs[r].ranks[rank];
            std::vector<std::uint32_t> seen(table.sets.size());
            for (const Iteration &iteration : runs[r].iterations[rank]) {
                const std::uint32_t phase = phaseOf[iteration.set][seen[iteration.set]++];
                PhaseSpan &span = table.spans[r][phase * ranks + rank];
                if (!span.present() && span.end == 0)
                    span.begin = iteration.begin;
                span.end = iteration.end;
                if (!span.present())
                    span.firstRow = history.rowAt(span.begin);
                const bool toTheEnd = history.open && iteration.end >= history.end;
                span.endRow = toTheEnd ? static_cast<std::uint32_t>(history.size()) : history.rowAt(span.end);
                span.cut = toTheEnd && span.present();
            }
        });
}

/// The last phase of a set ends as the one before did, if both end in the same state.
void adaptLastPhases(PhaseTable &table, const Histories &histories) {
    const std::size_t ranks = table.ranks();
    for (std::size_t r = 0; r < table.spans.size(); ++r)
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const Column<std::uint32_t> &transition = histories.runs[r].ranks[rank].transition;
            if (histories.runs[r].ranks[rank].isSummary())
                continue; // its transitions are adapted, where they were summed up
            std::vector<std::pair<PhaseSpan *, PhaseSpan *>> lastTwo(table.sets.size());
            for (std::size_t p = 0; p < table.size(); ++p)
                if (PhaseSpan &span = table.spans[r][p * ranks + rank]; span.present()) {
                    auto &[before, last] = lastTwo[table.phases[p].set];
                    before = std::exchange(last, &span);
                }
            for (const auto &[before, last] : lastTwo) {
                if (before == nullptr || last->cut)
                    continue;
                const std::uint32_t usual = transition[before->endRow - 1];
                const std::uint32_t recorded = transition[last->endRow - 1];
                if (usual != recorded && histories.table.transitions[usual].from == histories.table.transitions[recorded].from)
                    last->lastAs = usual;
            }
        }
}

/// Phases of several sets take turns: they are numbered as the judged run enters them.
void sortByTime(PhaseTable &table) {
    const std::size_t ranks = table.ranks();
    std::vector<std::pair<Tick, std::uint32_t>> order;
    for (std::uint32_t p = 0; p < table.phases.size(); ++p) {
        const TimeRange range = table.range(0, p);
        order.emplace_back(range.end == 0 ? openEnd : range.begin, p);
    }
    if (std::is_sorted(order.begin(), order.end()))
        return;
    std::stable_sort(order.begin(), order.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    std::vector<Phase> phases;
    std::vector<std::vector<PhaseSpan>> spans(table.spans.size());
    for (const auto &[begin, phase] : order) {
        phases.push_back(table.phases[phase]);
        for (std::size_t r = 0; r < spans.size(); ++r)
            spans[r].insert(spans[r].end(), table.spans[r].begin() + static_cast<std::ptrdiff_t>(phase * ranks),
                            table.spans[r].begin() + static_cast<std::ptrdiff_t>((phase + 1) * ranks));
    }
    table.phases = std::move(phases);
    table.spans = std::move(spans);
}

/// What comes before the first phase, of runs of which the judged one did not get that far.
void keepBeforeFirst(PhaseTable &table, const Histories &histories) {
    std::vector<std::vector<PhaseSpan>> spans;
    for (std::size_t run = 0; run < histories.runs.size(); ++run) {
        spans.emplace_back(table.ranks());
        for (std::size_t rank = 0; rank < std::min(table.ranks(), histories.runs[run].ranks.size()); ++rank) {
            const RankHistory &history = histories.runs[run].ranks[rank];
            if (history.size() == 0)
                continue;
            Tick end = history.end;
            auto endRow = static_cast<std::uint32_t>(history.size());
            for (std::size_t p = 0; p < table.size(); ++p)
                if (const PhaseSpan &span = table.span(run, p, rank); span.isKnown() && span.begin < end) {
                    end = span.begin;
                    endRow = history.rowAt(end);
                }
            spans[run][rank] = {history.start[0], end, 0, endRow, run == 0 && history.open};
        }
    }
    table.spans = std::move(spans);
    table.sets = {{{}, 1, 1}};
    table.phases = {{0, 0, 0, 1}};
    table.beforeFirst = true;
}

/// Not named by the user or marked by the program.
bool isFound(const PhaseMarker &marker) {
    return marker.source == PhaseSource::Function || marker.source == PhaseSource::MpiCall;
}

/// True if the run has something of what delimits the phases.
bool occursIn(const Trace &trace, const PhaseMarker &marker) {
    if (!marker.marks) {
        const std::vector<bool> marked = markedPaths(trace, marker);
        return std::find(marked.begin(), marked.end(), true) != marked.end();
    }
    for (Rank rank = 0; rank < trace.processes.size(); ++rank)
        if (const LocationEvents *events = trace.mainEvents(rank); events != nullptr && !events->phases.empty())
            return true;
    return false;
}

/// True if a rank of the judged run went through a phase.
bool judgedHasPhases(const PhaseTable &table) {
    return std::any_of(table.spans[0].begin(), table.spans[0].end(), [](const PhaseSpan &span) { return span.isKnown(); });
}

} // namespace

double statesIn(const RankHistory &history, const PhaseSpan &span) {
    if (!history.isSummary())
        return span.rows();
    double states = 0;
    for (std::uint32_t row = span.firstRow; row < span.endRow; ++row)
        states += history.count[row];
    return states;
}

TimeRange PhaseTable::range(std::size_t run, std::size_t phase) const {
    TimeRange range{openEnd, 0};
    for (std::size_t rank = 0; rank < ranks(); ++rank)
        if (const PhaseSpan &s = span(run, phase, rank); s.isKnown()) {
            range.begin = std::min(range.begin, s.begin);
            range.end = std::max(range.end, s.end);
        }
    return range.begin == openEnd ? TimeRange{} : range;
}

std::string PhaseTable::describe(std::size_t phase) const {
    if (source == PhaseSource::WholeRun)
        return "the whole run";
    if (beforeFirst)
        return "the time before the first phase (" + region + ")";
    const Phase &p = phases[phase];
    std::string text = p.endIteration - p.firstIteration > 1 ? "iterations " + std::to_string(p.firstIteration) + " to " +
                                                                   std::to_string(p.endIteration - 1) + " of " + region
                                                             : "phase " + std::to_string(phase) + " (" + region + ")";
    return text;
}

std::uint32_t phaseOfRow(const PhaseTable &phases, std::size_t rank, std::uint32_t row) {
    for (std::uint32_t p = static_cast<std::uint32_t>(phases.size()); p-- > 0;)
        if (const PhaseSpan &span = phases.span(0, p, rank); span.firstRow <= row && row < span.endRow)
            return p;
    return none;
}

PhaseTable wholeRunOf(const Histories &histories) {
    PhaseTable table;
    table.sets = {{{}, 1, 1}};
    table.phases = {{0, 0, 0, 1}};
    for (const RunHistory &run : histories.runs) {
        std::vector<PhaseSpan> spans(histories.runs[0].ranks.size());
        for (std::size_t rank = 0; rank < spans.size() && rank < run.ranks.size(); ++rank)
            if (const RankHistory &history = run.ranks[rank]; history.size() > 0)
                spans[rank] = {history.start[0], history.end, 0, static_cast<std::uint32_t>(history.size()), history.open};
        table.spans.push_back(std::move(spans));
    }
    return table;
}

PhaseTable findPhases(std::span<const Trace *const> traces, const Histories &histories, const std::string &region,
                      std::uint32_t group, const Work &work) {
    PhaseTable table;
    const auto markerFor = [&](std::size_t r) {
        if (!traces[r]->isSummary)
            return chooseMarker(*traces[r], histories.runs[r], region, work);
        PhaseMarker own = markerOf(*traces[r]);
        if (!region.empty() && region != own.region)
            throw std::invalid_argument("The model dump \"" + traces[r]->path + "\" has " +
                                        (own.region.empty() ? "no phases" : "phases of " + own.region) + ", not of " + region +
                                        '.');
        return own;
    };
    PhaseMarker marker = markerFor(0);
    // A run that stopped early may not show what repeats; its references do.
    for (std::size_t r = 1; r < traces.size() && marker.source == PhaseSource::WholeRun; ++r)
        marker = markerFor(r);
    // Nor what the program marks itself, where it had come to the first mark only.
    for (std::size_t r = 1; r < traces.size() && !traces[0]->isSummary && isFound(marker); ++r)
        if (const PhaseMarker other = markerFor(r); !isFound(other) && occursIn(*traces[0], other))
            marker = other;
    if (marker.source != PhaseSource::WholeRun) {
        table.source = marker.source;
        table.region = marker.region;
        table.coverage = marker.coverage;
        SetsByPath sets;
        std::map<std::int32_t, std::uint32_t> setOfLevel;
        std::vector<MarkedRun> runs(traces.size());
        for (std::size_t r = 0; r < traces.size(); ++r) {
            MarkedRun &run = runs[r];
            run.iterations.resize(histories.runs[r].ranks.size());
            if (traces[r]->isSummary)
                takeFromDump(table, sets, setOfLevel, *traces[r], marker, run);
            else if (marker.marks)
                markByLevels(table, setOfLevel, *traces[r], histories.runs[r], run);
            else
                markByCalls(table, sets, *traces[r], histories.runs[r], marker, run, work);
            for (const auto &iterations : run.iterations) {
                std::vector<std::uint32_t> count(table.sets.size());
                for (const Iteration &iteration : iterations)
                    table.sets[iteration.set].iterations = std::max(table.sets[iteration.set].iterations, ++count[iteration.set]);
            }
        }
        const auto phaseOf = makePhases(table, runs, group);
        if (!table.phases.empty()) {
            fillSpans(table, phaseOf, runs, histories, work);
            adaptLastPhases(table, histories);
            sortByTime(table);
            if (!judgedHasPhases(table))
                keepBeforeFirst(table, histories);
            return table;
        }
    }
    return wholeRunOf(histories);
}

} // namespace laggard
