// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"

#include <map>

namespace laggard {

/// Finds communicators of open collectives that have no precedent on their own rank: of the same rank's k-th call at a path,
/// other ranks' k-th tells the communicator.
class CommunicatorGuess {
  public:
    explicit CommunicatorGuess(const Snapshot &snapshot) : m_snapshot(snapshot) {}

    /// Fills the collective of the rank's open call, if that can be guessed.
    void complete(Rank rank, OpenCall &open);

  private:
    [[nodiscard]] bool hasOtherCommunicators() const;
    [[nodiscard]] const std::vector<CollectiveKind> &kindsOfOthers(CallPathId path, std::uint32_t number);
    void addKind(const LocationEvents &events, CallPathId path, std::uint32_t number, std::vector<CollectiveKind> &kinds) const;

    const Snapshot &m_snapshot;
    std::map<std::pair<CallPathId, std::uint32_t>, std::vector<CollectiveKind>> m_kinds;
};

} // namespace laggard
