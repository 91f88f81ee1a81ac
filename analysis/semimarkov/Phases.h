// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/Histories.h"
#include "trace/PhaseModels.h"
#include "trace/SharedVector.h"

#include <string>
#include <vector>

namespace laggard {

/// The part of one rank's history that belongs to a phase.
struct PhaseSpan {
    Tick begin = 0;
    Tick end = 0;
    std::uint32_t firstRow = 0; ///< rows [firstRow, endRow) of the rank's history start within the phase
    std::uint32_t endRow = 0;
    bool cut = false; ///< the trace ended within it, with its last state not returned
    /// How the last state counts as left, where it is not as recorded: behind the last phase of a set other code follows than
    /// behind the others, and that is no difference of the phase. `none`: as recorded.
    std::uint32_t lastAs = none;

    [[nodiscard]] bool present() const { return endRow > firstRow; }
    /// The rank went through the phase; its states may have been overwritten since.
    [[nodiscard]] bool isKnown() const { return end != 0; }
    /// How a row of the span counts as left.
    [[nodiscard]] std::uint32_t transitionOf(const RankHistory &history, std::uint32_t row) const {
        return row + 1 == endRow && lastAs != none ? lastAs : history.transition[row];
    }
    [[nodiscard]] std::uint32_t rows() const { return endRow - firstRow; }
};

/// How many states of the span there were (rows may stand for several).
[[nodiscard]] double statesIn(const RankHistory &history, const PhaseSpan &span);

/// Phases that are compared with each other: same region, same caller (AutomaDeD §4.1); for marks, the same level; and the same
/// kind.
struct PhaseSet {
    std::vector<StateFrame> path; ///< the region's path, outermost first; for marks: their level; empty for the whole run
    std::uint32_t iterations = 0; ///< the most that any rank of any run has
    std::uint32_t phases = 0;     ///< after grouping
    std::uint32_t joined = 1;     ///< iterations of the program that are one here: a model dump has joined them
    std::uint32_t kind = 0;       ///< number among the sets with the same path, by what is exchanged in them (separateKinds)
};

struct Phase {
    std::uint32_t set = 0;   ///< in PhaseTable::sets
    std::uint32_t index = 0; ///< within the set, from 0
    std::uint32_t firstIteration = 0;
    std::uint32_t endIteration = 0; ///< iterations [firstIteration, endIteration) of the set are joined
    bool afterOthers = false; ///< phases of other sets lie between it and the one before in its set, on some rank of some run
};

/// The phases of a run and their counterparts in its references, in the order in which the judged run enters them.
struct PhaseTable {
    PhaseSource source = PhaseSource::WholeRun;
    std::string region;  ///< the region that delimits the phases; empty for the whole run
    double coverage = 1; ///< share of the ranks' active time that lies in phases
    /// The judged run stopped before its first phase: the only phase here is all that comes before that, in all runs.
    bool beforeFirst = false;
    std::vector<PhaseSet> sets;
    std::vector<Phase> phases;
    SharedVector<std::vector<PhaseSpan>> spans; ///< by run (0: judged), then phase · ranks + rank

    [[nodiscard]] std::size_t size() const { return phases.size(); }
    [[nodiscard]] std::size_t ranks() const { return phases.empty() ? 0 : spans[0].size() / phases.size(); }
    [[nodiscard]] const PhaseSpan &span(std::size_t run, std::size_t phase, std::size_t rank) const {
        return spans[run][phase * ranks() + rank];
    }
    /// From the first rank's begin to the last rank's end; {0, 0} if no rank has it.
    [[nodiscard]] TimeRange range(std::size_t run, std::size_t phase) const;
    /// "phase 20 (time_step)", "iterations 40 to 49 of time_step", "the whole run".
    [[nodiscard]] std::string describe(std::size_t phase) const;
};

/// The phase that a row of a rank's history in the judged run lies in; `none` if it lies in none.
[[nodiscard]] std::uint32_t phaseOfRow(const PhaseTable &phases, std::size_t rank, std::uint32_t row);

/// One phase: all of each run.
[[nodiscard]] PhaseTable wholeRunOf(const Histories &histories);

/// Finds the phases. Traces and `histories.runs` belong together; all have as many ranks as the first.
///
/// A phase of a rank goes from one entry of the region to the next entry from the same caller, the last one to its leave. For MPI
/// calls, the piece after the last entry is a phase only where the trace ended in it. Iterations are joined into `group` phases
/// per set; 0: not. Where sets take turns there are more phases: no phase of another set lies within a joined one on any rank.
///
/// Found (DESIGN: a region entered at least 5 times by every rank, counts within 1 of each other; in a job with ranks that did
/// not return up to a quarter apart): the region with the largest share of the ranks' active time (after MPI_Init), within 3 %
/// the outermost. If it covers less than half, an MPI call path may delimit: as many calls on every rank, between which every
/// rank makes as many MPI calls each time (in at least 80 % of the phases); collectives before others, and of several the one
/// with the fewest calls that still gives 10 phases. Failing that, the best function with at least a tenth of the time; else the
/// whole run is one phase.
///
/// Marks of MPI_Pcontrol: a phase goes from one mark to the next of any level, and the last one is a phase only where the trace
/// ended in it. Level 0 turns profiling off and begins none, unless there are no other levels.
///
/// `region` empty: MPI_Pcontrol, roles, found, in this order; what a reference marks goes before what is found in the judged run,
/// if that has come to its first mark. A model dump has the phases that were found when it was made: if
/// the judged run is one, references are divided in the same way. If only the references have phases, the time before the first
/// one is compared. Throws std::invalid_argument if `region` is given and no rank
/// of the judged run enters it, or the phases of a model dump among the runs are others; and Cancelled.
[[nodiscard]] PhaseTable findPhases(std::span<const Trace *const> traces, const Histories &histories, const std::string &region,
                                    std::uint32_t group, const Work &work);

} // namespace laggard
