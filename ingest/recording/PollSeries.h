// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordedCall.h"

namespace laggard::recording {

/// So long after its last poll a thread that polled `polls` times from `first` to `last` may still be waiting: 20 times the usual
/// distance of two polls, and not less than `least`.
[[nodiscard]] Tick pollPatience(Tick first, Tick last, std::uint64_t polls, Tick least);

/// Runs of polls since the last other call. Those that take turns, or between which functions are called, are one wait.
class PollSeries {
  public:
    /// A run of polls has ended.
    void add(RecordedCall &&poll);
    /// The thread has made another call.
    void clear() { m_runs.clear(); }
    /// One for each path: `begin` of the first run, `lastPoll` and the rest of the last, number of all polls.
    [[nodiscard]] const std::vector<RecordedCall> &runs() const { return m_runs; }
    /// The latest run of a thread that has polled again and again, and was seen alive between two polls; nullptr if it polled
    /// too seldom, or the last poll was too long ago.
    [[nodiscard]] const RecordedCall *stillWaiting(Tick alive) const;

  private:
    std::vector<RecordedCall> m_runs;
};

} // namespace laggard::recording
