// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/PairAmounts.h"

#include <algorithm>

namespace laggard {
namespace {

using Operation = CollectiveOperation;

constexpr std::size_t orders = std::tuple_size_v<PlaceSums>;

bool gathers(Operation operation) { return operation == Operation::Gather || operation == Operation::Gatherv; }
bool scatters(Operation operation) { return operation == Operation::Scatter || operation == Operation::Scatterv; }

PlaceSums powersOf(std::uint64_t place) { return {1, place, place * place}; }

/// What one member knows of a row of s or a column of r.
struct Side {
    PlaceSums moments{};
    bool isExact = true; ///< those above the sum are known
};

Side scaled(std::uint64_t amount, const PlaceSums &by) { return {{amount * by[0], amount * by[1], amount * by[2]}, true}; }

Side recorded(std::uint64_t sum, const ShareMoments &moments, bool isExact) {
    return {{sum, moments.first, moments.second}, isExact};
}

Side given(const MemberPlaces &places, Rank rank, const CollectiveKind &kind) {
    if (gathers(kind.operation))
        return scaled(kind.bytesSent, powersOf(places.of(kind.root)));
    if (kind.operation == Operation::Allgatherv)
        return scaled(kind.bytesSent, places.sums());
    if (scatters(kind.operation) && kind.root != rank)
        return {};
    if (kind.operation == Operation::Scatter)
        return scaled(kind.bytesSent / places.count(), places.sums());
    return recorded(kind.bytesSent, kind.sentMoments, kind.hasMoments);
}

Side room(const MemberPlaces &places, Rank rank, const CollectiveKind &kind) {
    if (scatters(kind.operation))
        return scaled(kind.bytesReceived, powersOf(places.of(kind.root)));
    if (gathers(kind.operation) && kind.root != rank)
        return {};
    if (kind.operation == Operation::Gather)
        return scaled(kind.bytesReceived / places.count(), places.sums());
    return recorded(kind.bytesReceived, kind.receivedMoments, kind.hasMoments);
}

/// Of a root whose amount is zero it is not known.
bool lacksAmount(Rank rank, const CollectiveKind &kind) {
    if (kind.root != rank)
        return false;
    return (gathers(kind.operation) && kind.bytesReceived == 0) || (scatters(kind.operation) && kind.bytesSent == 0);
}

} // namespace

bool hasPairAmounts(Operation operation) {
    return gathers(operation) || scatters(operation) || operation == Operation::Allgatherv || operation == Operation::Alltoallv ||
           operation == Operation::Alltoallw;
}

MemberPlaces::MemberPlaces(const Trace &trace, CommunicatorId communicator) : m_count(trace.memberCount(communicator)) {
    if (communicator < trace.communicators.size())
        for (const Rank rank : trace.communicators[communicator].members)
            m_places.emplace_back(rank, m_places.size() + 1);
    std::ranges::sort(m_places);
    for (std::uint64_t place = 1; place <= m_count; ++place)
        for (std::size_t order = 0; order < orders; ++order)
            m_sums[order] += powersOf(place)[order];
}

std::uint64_t MemberPlaces::of(Rank rank) const {
    if (m_places.empty())
        return rank < m_count ? std::uint64_t{rank} + 1 : 0;
    const auto found = std::ranges::lower_bound(m_places, rank, {}, &std::pair<Rank, std::uint64_t>::first);
    return found != m_places.end() && found->first == rank ? found->second : 0;
}

void AmountSums::add(const MemberPlaces &places, Rank rank, const CollectiveKind &kind) {
    const Side gives = given(places, rank, kind);
    const Side has = room(places, rank, kind);
    const PlaceSums own = powersOf(places.of(rank));
    for (std::size_t a = 0; a < orders; ++a)
        for (std::size_t b = 0; b < orders; ++b)
            m_differences[a][b] += own[a] * gives.moments[b] - own[b] * has.moments[a];
    m_given += gives.moments[0];
    m_room += has.moments[0];
    m_isExact &= gives.isExact && has.isExact;
    m_isUnknown |= places.of(rank) == 0 || lacksAmount(rank, kind);
}

std::uint64_t AmountSums::fingerprint() const {
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15; // 2^64 divided by the golden ratio: its powers have no pattern of their own
    std::uint64_t factor = 1;
    std::uint64_t sum = 0;
    for (const PlaceSums &row : m_differences)
        for (const std::uint64_t difference : row) {
            sum += factor * difference;
            factor *= odd;
        }
    return sum;
}

std::optional<AmountMisfit> AmountSums::misfit(const MemberPlaces &places) const {
    const auto &d = m_differences;
    const bool fits = m_isExact ? std::ranges::all_of(d, [](const PlaceSums &row) { return row == PlaceSums{}; }) : d[0][0] == 0;
    if (m_isUnknown || fits)
        return std::nullopt;
    AmountMisfit misfit{.given = m_given, .room = m_room};
    if (!m_isExact)
        return misfit;
    const auto isGiver = [&](std::uint64_t place) {
        for (std::size_t b = 0; b < orders; ++b)
            if (d[1][b] != place * d[0][b] || d[2][b] != place * d[1][b])
                return false;
        return true;
    };
    const auto isTaker = [&](std::uint64_t place) {
        for (std::size_t a = 0; a < orders; ++a)
            if (d[a][1] != place * d[a][0] || d[a][2] != place * d[a][1])
                return false;
        return true;
    };
    for (std::uint64_t place = 1; place <= places.count(); ++place) {
        misfit.giver = isGiver(place) ? place : misfit.giver;
        misfit.taker = isTaker(place) ? place : misfit.taker;
    }
    if (misfit.giver != 0 && misfit.taker != 0)
        misfit.tooMuch = static_cast<std::int64_t>(d[0][0]);
    return misfit;
}

} // namespace laggard
