// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/semimarkov/StateTable.h"
#include "trace/SharedVector.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <span>
#include <vector>

namespace laggard {

/// A phase of a summarised history as if it had been cut off after so many states (PhaseModels): rows as in RankHistory.
struct CutPhase {
    Tick begin = 0; ///< the phase's begin
    double states = 0;
    std::vector<std::uint32_t> transition;
    std::vector<double> ticks;
    std::vector<double> count;
    std::vector<double> squares;
};

/// What a rank did, as a row of state occurrences in order of time: 12 bytes each. A state lasts until the next one starts.
///
/// In a model dump (PhaseModels) the occurrences are not known one by one. There a row stands for several occurrences of a
/// transition in a phase that took about as long (a bucket of its histogram; the longest is a row of its own), and starts when
/// the longest one did, so that rows are in order of time and lie in their phases; 36 bytes each.
struct RankHistory {
    Column<Tick> start;               ///< when the state was entered
    Column<std::uint32_t> transition; ///< how it was left, in StateTable::transitions
    Tick end = 0;                     ///< end of the last state
    bool open = false;                ///< the last state was not left when the trace ended; its time is censored
    CallPathId openPath = none;       ///< if open: the innermost open call, in that trace; `none` outside all calls

    // These are filled in a summarised history only.
    Column<double> ticks;          ///< how long the occurrences of the row took, on average
    Column<double> count;          ///< how many there are
    Column<double> squares;        ///< sum of squared deviations within the row, ticks²
    Column<CallPathId> path;       ///< in which call most of the longest one was spent; `none` where not known
    std::vector<CutPhase> asIfCut; ///< if the last phase was cut off

    [[nodiscard]] std::size_t size() const { return start.size(); }
    [[nodiscard]] bool isSummary() const { return !ticks.empty(); }
    [[nodiscard]] Tick endOf(std::size_t row) const {
        if (isSummary())
            return start[row] + static_cast<Tick>(ticks[row] + 0.5);
        return row + 1 < start.size() ? start[row + 1] : end;
    }
    /// Ticks.
    [[nodiscard]] double duration(std::size_t row) const {
        return isSummary() ? ticks[row] : static_cast<double>(endOf(row) - start[row]);
    }
    /// How many occurrences a row stands for.
    [[nodiscard]] double countOf(std::size_t row) const { return isSummary() ? count[row] : 1; }
    /// First row with start >= time.
    [[nodiscard]] std::uint32_t rowAt(Tick time) const;
};

/// The histories of one trace.
struct RunHistory {
    std::vector<RankHistory> ranks; ///< empty for a rank without events, or that was not read
    double secondsPerTick = 1e-9;
    Tick begin = 0; ///< the trace's begin

    [[nodiscard]] double seconds(Tick length) const { return seconds(static_cast<double>(length)); }
    [[nodiscard]] double seconds(double ticks) const { return ticks * secondsPerTick; }
};

/// The run that is judged (number 0) and its references (1, 2, …) over one table of states.
struct Histories {
    StateTable table;
    SharedVector<RunHistory> runs;
    [[nodiscard]] std::size_t references() const { return runs.size() - 1; }
};

/// One pass over the main thread's track of each rank, ranks in parallel. MPI calls made within MPI calls belong to the outermost
/// one. A phase mark (MPI_Pcontrol, in recordings) ends the computation it lies in; what follows is the state "after
/// MPI_Pcontrol(level)". The last state of a rank ends with the trace and is "not returned", unless the rank left its outermost
/// function or MPI_Finalize. Where the end could not be read (damage, or a part of the time), the last state is left out: nothing
/// is known of it. Where earlier events were overwritten, the history begins with the first phase or call from then on. Of a
/// model dump, histories are made from its PhaseModels. Throws Cancelled.
[[nodiscard]] Histories buildHistories(std::span<const Trace *const> traces, const Work &work);

/// "MPI_Pcontrol(1)": how a phase mark is called in states and sets of phases.
[[nodiscard]] std::string nameOfMark(std::int32_t level);

/// The call path as names, outermost first.
[[nodiscard]] std::vector<StateFrame> framesOf(const Trace &trace, CallPathId path);

} // namespace laggard
