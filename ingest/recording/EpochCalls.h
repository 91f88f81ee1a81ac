// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ingest/recording/RecordingFile.h"
#include "trace/Location.h"

#include <map>
#include <set>
#include <vector>

namespace laggard::recording {

/// Collects what one thread does with windows (EpochPart), in order. Only the first access of an epoch to each target is kept,
/// and one that is still open at the end.
class EpochCalls {
  public:
    /// `windowOf`: by number in the file, the position in `Trace::windows`.
    EpochCalls(const FileDefinitions &definitions, const std::vector<std::uint32_t> &windowOf, std::size_t processCount)
        : m_definitions(definitions), m_windowOf(windowOf), m_processCount(processCount) {}

    /// An epoch that was opened by a call at `path` before the events that are left.
    void openedBefore(const RequestSlot &slot, CallPathId path);
    /// A part of the call in `row`; `isPoll`: it has found nothing.
    void add(const Record &record, std::uint32_t row, bool isPoll);
    /// The call has returned.
    void ended(bool failed);
    /// Moves everything into `events`. `isOpen`: the last call has not returned.
    void finish(bool isOpen, LocationEvents &events);

  private:
    [[nodiscard]] EpochCall callOf(std::uint64_t first, std::uint64_t group, std::uint32_t target);
    [[nodiscard]] std::uint32_t groupOf(std::uint64_t number);

    const FileDefinitions &m_definitions;
    const std::vector<std::uint32_t> &m_windowOf;
    std::size_t m_processCount;
    std::vector<EpochCall> m_calls;
    std::vector<RankSet> m_groups;
    std::map<std::uint32_t, std::uint32_t> m_groupNumber; ///< by number in the file
    std::map<std::uint32_t, std::set<Rank>> m_accessed;   ///< in the epoch, by window
    EpochCall m_current;                                  ///< the open call's
    bool m_hasCurrent = false;
    bool m_isLeftOut = false; ///< an access that need not be there
};

} // namespace laggard::recording
