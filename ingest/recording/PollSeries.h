// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordedCall.h"

namespace laggard::recording {

/// So long after its last poll a thread that polled `polls` times from `first` to `last` may still be waiting: 20 times the usual
/// distance of two polls, or `times`, and not less than `least`.
[[nodiscard]] Tick pollPatience(Tick first, Tick last, std::uint64_t polls, Tick least, Tick times = 20);

/// Runs of polls since the last other call. Those that take turns, or between which functions are called, are one wait: by one
/// call at several paths, or at one path for several requests or sources, one after the other.
class PollSeries {
  public:
    /// A run of polls has ended.
    void add(RecordedCall &&poll);
    /// The thread has made another call.
    void clear();
    /// One for each path and what was asked for there: `begin` of the first run, `lastPoll` and the rest of the last, number of
    /// all polls.
    [[nodiscard]] const std::vector<RecordedCall> &runs() const { return m_runs; }
    /// More was asked for than is kept.
    [[nodiscard]] bool isCut() const { return m_isCut; }
    /// `poll` asks for the same, at the same path.
    [[nodiscard]] static bool asksAlike(const RecordedCall &poll, const RecordedCall &other);
    /// The latest run of a thread that has polled again and again, and was seen alive between two polls; nullptr if it polled
    /// too seldom, or the last poll was too long ago; sooner if a stack shows that it is elsewhere.
    [[nodiscard]] const RecordedCall *stillWaiting(Tick alive, bool isSeenElsewhere) const;

  private:
    [[nodiscard]] std::size_t find(std::uint64_t key) const;

    std::vector<RecordedCall> m_runs;
    std::vector<std::uint64_t> m_keys; ///< what each of them asks for
    std::size_t m_latest = 0;
    bool m_isCut = false;
};

} // namespace laggard::recording
