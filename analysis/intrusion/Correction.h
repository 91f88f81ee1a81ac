// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/clocks/Dependences.h"
#include "analysis/clocks/LogicalClock.h"
#include "analysis/clocks/TimeMap.h"
#include "analysis/intrusion/TransferTimes.h"
#include "trace/Trace.h"
#include "trace/Work.h"

#include <memory>
#include <string>
#include <vector>

namespace laggard {

/// What correcting a trace for the recorder's own time came to.
struct CorrectionReport {
    double recordedSeconds = 0;                ///< length of the trace as recorded
    double correctedSeconds = 0;               ///< … and without the recorder's time
    std::vector<double> recorder;              ///< by rank: the recorder's own time in its main thread, seconds
    std::uint64_t calls = 0;                   ///< calls for which the recorder's time is known
    std::uint64_t waited = 0;                  ///< messages that t_trans comes from
    std::shared_ptr<const ClockReport> clocks; ///< clocks that were put right first; nullptr: they were right
    std::string problem;                       ///< a sentence, where nothing could be corrected: then the trace is as it was
};

/// New times for the locations of a trace, as if nobody had recorded it: the recorder's time is taken out, and waiting becomes
/// what it would have been (Kranzlmüller, Chassin de Kergommeaux, Schaubschläger 2000, §2). `problem`: as LogicalClock::problem.
struct IntrusionTimes {
    std::vector<TimeMap> maps; ///< by location; empty if `problem` says something
    /// By location and send: when the message left, as recorded (behind the recorder's time at entry), and corrected.
    std::vector<std::vector<Tick>> sentBefore;
    std::vector<std::vector<Tick>> sentAfter;
    TransferTimes transfers;
    std::string problem;
};

/// Clocks must be right (LogicalClock). Identity where no costs are known. Nearly linear in the number of calls. Throws
/// Cancelled.
[[nodiscard]] IntrusionTimes intrusionTimes(const Trace &trace, const Work &work);

/// A trace without the recorder's time.
struct CorrectedTrace {
    TracePtr trace; ///< a new one, which tells no costs any more; the given one where nothing could be corrected
    std::shared_ptr<const CorrectionReport> report;
};

/// Puts clocks right where they are wrong, and takes the recorder's time out. Throws Cancelled.
[[nodiscard]] CorrectedTrace corrected(const TracePtr &trace, const Work &work);

} // namespace laggard
