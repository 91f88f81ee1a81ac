// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/waitfor/Snapshot.h"

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace laggard {

/// Finds communicators of open collectives that have no precedent on their own rank: of the same rank's k-th call at a path,
/// other ranks' k-th tells the communicator.
class CommunicatorGuess {
  public:
    /// The k-th call of a rank at a path.
    using CallNumber = std::pair<CallPathId, std::uint32_t>;
    /// What these calls of all ranks were, each different one once, in order of the ranks.
    using KindsOf = std::function<std::vector<CollectiveKind>(CallNumber)>;

    /// Each search reads all tracks; hung jobs have few different open calls.
    static constexpr std::size_t mostSearches = 32;

    explicit CommunicatorGuess(const Snapshot &snapshot);
    /// For a share of a trace: other processes know what their ranks did.
    CommunicatorGuess(const Snapshot &snapshot, KindsOf kinds) : m_snapshot(snapshot), m_kindsOf(std::move(kinds)) {}

    /// The call that the rank is in, if others are to be asked about it.
    [[nodiscard]] std::optional<CallNumber> questionOf(Rank rank) const;
    /// What these ranks' calls were.
    [[nodiscard]] static std::vector<CollectiveKind> kindsOf(const Snapshot &snapshot, const RankSet &ranks, CallNumber call);

    /// Fills the collective of the rank's open call, if that can be guessed.
    void complete(Rank rank, OpenCall &open);

  private:
    [[nodiscard]] bool hasOtherCommunicators() const;
    [[nodiscard]] const std::vector<CollectiveKind> &kindsOfOthers(CallNumber call);

    const Snapshot &m_snapshot;
    KindsOf m_kindsOf;
    std::map<CallNumber, std::vector<CollectiveKind>> m_kinds;
};

} // namespace laggard
