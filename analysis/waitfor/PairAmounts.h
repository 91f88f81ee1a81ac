// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/Trace.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace laggard {

/// Operations whose members must have room for exactly what each of the others gives them (MPI 3.1 §5.5 to §5.8), and that may
/// give each another amount.
[[nodiscard]] bool hasPairAmounts(CollectiveOperation operation);

/// Sums of powers 0 to 2 of places, of amounts by these, and so on. Modulo 2^64, as in the recorder.
using PlaceSums = std::array<std::uint64_t, 3>;

/// The places of a communicator's members in it, from 1.
class MemberPlaces {
  public:
    MemberPlaces(const Trace &trace, CommunicatorId communicator);
    [[nodiscard]] std::size_t count() const { return m_count; }
    /// 0: not a member.
    [[nodiscard]] std::uint64_t of(Rank rank) const;
    /// Of all members.
    [[nodiscard]] const PlaceSums &sums() const { return m_sums; }

  private:
    std::size_t m_count;
    std::vector<std::pair<Rank, std::uint64_t>> m_places; // sorted; empty: the rank and one
    PlaceSums m_sums{};
};

/// A collective in which members have not the room for what they are given, and between whom.
struct AmountMisfit {
    std::uint64_t given = 0;  ///< bytes, by all members
    std::uint64_t room = 0;   ///< bytes, of all members
    std::uint64_t giver = 0;  ///< place of the only one that gives another amount than there is room for; 0: several, not known
    std::uint64_t taker = 0;  ///< place of the only one that has room for another amount than it is given; likewise
    std::int64_t tooMuch = 0; ///< bytes that the giver gives the taker more than it has room for, where both are known
};

/// What members gave and had room for in one collective, added up one by one.
///
/// With s(i, j) bytes that the member at place i has for j and r(i, j) that j has room for from i, each member knows its own row
/// of s and its own column of r, and a recording has their moments (Shares, collect/mpi/Amounts.h). So all
/// D(a, b) = sum over i, j of i^a * j^b * (s(i, j) - r(i, j)) with a, b <= 2 are known. If all differences are of one giver g,
/// D(a + 1, b) = g * D(a, b); if all are of one taker t, D(a, b + 1) = t * D(a, b).
class AmountSums {
  public:
    /// All members that are added agree on operation and root.
    void add(const MemberPlaces &places, Rank rank, const CollectiveKind &kind);
    /// Nothing where the amounts fit, or somebody's is not known. After all members. Linear in their number.
    [[nodiscard]] std::optional<AmountMisfit> misfit(const MemberPlaces &places) const;
    /// The fingerprints of parts of a collective that fit add up to zero, and as good as never those of others; not with
    /// `isUnknown`.
    [[nodiscard]] std::uint64_t fingerprint() const;
    [[nodiscard]] bool isUnknown() const { return m_isUnknown; }
    /// More than the sums is known.
    [[nodiscard]] bool isExact() const { return m_isExact; }
    [[nodiscard]] std::uint64_t difference() const { return m_differences[0][0]; }

  private:
    std::array<PlaceSums, 3> m_differences{}; // D(a, b)
    std::uint64_t m_given = 0;
    std::uint64_t m_room = 0;
    bool m_isExact = true;
    bool m_isUnknown = false;
};

} // namespace laggard
