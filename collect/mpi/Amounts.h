// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collect/mpi/Communicators.h"
#include "collect/mpi/Datatypes.h"

#include <mpi.h>

#include <cstdint>

/// How many bytes a process gives to a collective and gets from it, from the arguments: one function per SHAPE of
/// operations.table. MPI says which arguments count on which process; the others are never looked at, as they may be anything.
namespace laggard::collect::mpi::amounts {

/// What is added up of an array with an amount for each partner: the sum, and the sums of amount * place and of amount * place
/// squared, the partners' places counted from 1. By these, from all members together, it can be told whose amount for whom does
/// not fit (analysis/waitfor/PairAmounts.h), without the arrays.
struct Shares {
    std::uint64_t sum = 0;
    recording::Moments moments = {};
    void add(std::uint64_t amount, std::uint64_t index) {
        sum += amount;
        moments.first += amount * (index + 1);
        moments.second += amount * (index + 1) * (index + 1);
    }
};

struct Amounts {
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    /// Definition of the one that must fit those of the other members: at the root of gather and scatter, of what it has for the
    /// others or gets from them; elsewhere of what is sent, where both count.
    std::uint32_t datatype = recording::nothing;
    /// Of the amounts for each partner, where the operation has such.
    bool hasMoments = false;
    recording::Moments sentMoments = {};
    recording::Moments receivedMoments = {};
};

inline Amounts amountsOf(const Shares &sent, const Shares &received, std::uint32_t datatype) {
    return {sent.sum, received.sum, datatype, true, sent.moments, received.moments};
}

/// The communicator of a collective; it may be unknown.
class Circle {
  public:
    explicit Circle(const Communicator *communicator) : m_communicator(communicator) {}

    [[nodiscard]] bool isIntercommunicator() const { return m_communicator != nullptr && m_communicator->isIntercommunicator(); }
    [[nodiscard]] bool isRoot(int root) const {
        return isIntercommunicator() ? root == MPI_ROOT : m_communicator != nullptr && root == m_communicator->ownRank;
    }
    /// Has no part in a rooted collective of an intercommunicator.
    [[nodiscard]] bool isIdle(int root) const { return isIntercommunicator() && root == MPI_PROC_NULL; }
    [[nodiscard]] std::uint64_t partners() const { return m_communicator == nullptr ? 0 : m_communicator->members->size(); }
    [[nodiscard]] std::uint64_t ownGroup() const { return m_communicator == nullptr ? 0 : m_communicator->ownGroup->size(); }
    [[nodiscard]] std::size_t ownRank() const { return static_cast<std::size_t>(m_communicator->ownRank); }
    [[nodiscard]] std::uint64_t sources() const {
        return m_communicator == nullptr ? 0 : static_cast<std::uint64_t>(m_communicator->sources);
    }
    [[nodiscard]] std::uint64_t destinations() const {
        return m_communicator == nullptr ? 0 : static_cast<std::uint64_t>(m_communicator->destinations);
    }

  private:
    const Communicator *m_communicator;
};

template <typename Count> std::uint64_t number(Count count) { return count < 0 ? 0 : static_cast<std::uint64_t>(count); }

template <typename Count> Shares shares(const Count *counts, std::uint64_t length, std::uint64_t bytes) {
    Shares all;
    for (std::uint64_t i = 0; counts != nullptr && i < length; ++i)
        all.add(number(counts[i]) * bytes, i);
    return all;
}

template <typename Count> std::uint64_t sum(const Count *counts, std::uint64_t length) {
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; counts != nullptr && i < length; ++i)
        total += number(counts[i]);
    return total;
}

/// The amount for the process itself. A missing array is for MPI to report, and so is MPI_IN_PLACE with an intercommunicator.
template <typename Count> std::uint64_t own(const Count *counts, Circle circle) {
    return counts == nullptr || circle.isIntercommunicator() || circle.partners() == 0 ? 0 : number(counts[circle.ownRank()]);
}

template <typename Count, typename Types>
Shares shares(Datatypes &datatypes, const Count *counts, const Types &types, std::uint64_t length) {
    Shares all;
    for (std::uint64_t i = 0; counts != nullptr && i < length; ++i)
        if (counts[i] > 0)
            all.add(number(counts[i]) * datatypes.of(types[i]).bytes, i);
    return all;
}

template <typename Count, typename Types>
std::uint64_t sumOfBytes(Datatypes &datatypes, const Count *counts, const Types &types, std::uint64_t length) {
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; counts != nullptr && i < length; ++i)
        if (counts[i] > 0)
            total += number(counts[i]) * datatypes.of(types[i]).bytes;
    return total;
}

inline Amounts barrier(Datatypes &, Circle) { return {}; }

template <typename Count> Amounts bcast(Datatypes &datatypes, Circle circle, Count count, MPI_Datatype type, int root) {
    if (circle.isIdle(root))
        return {};
    const Datatype datatype = datatypes.of(type);
    const std::uint64_t bytes = number(count) * datatype.bytes;
    return circle.isRoot(root) ? Amounts{bytes, 0, datatype.id} : Amounts{0, bytes, datatype.id};
}

template <typename Count>
Amounts gather(Datatypes &datatypes, Circle circle, bool isInPlace, Count sendcount, MPI_Datatype sendtype, Count recvcount,
               MPI_Datatype recvtype, int root) {
    if (circle.isIdle(root))
        return {};
    Amounts amounts;
    if (circle.isRoot(root)) {
        const Datatype datatype = datatypes.of(recvtype);
        const std::uint64_t block = number(recvcount) * datatype.bytes;
        amounts = {isInPlace ? block : 0, block * circle.partners(), datatype.id};
    }
    if (!isInPlace && !(circle.isIntercommunicator() && circle.isRoot(root))) {
        const Datatype datatype = datatypes.of(sendtype);
        amounts.sent = number(sendcount) * datatype.bytes;
        if (!circle.isRoot(root))
            amounts.datatype = datatype.id;
    }
    return amounts;
}

template <typename Count>
Amounts gatherv(Datatypes &datatypes, Circle circle, bool isInPlace, Count sendcount, MPI_Datatype sendtype,
                const Count *recvcounts, MPI_Datatype recvtype, int root) {
    if (circle.isIdle(root))
        return {};
    Amounts amounts;
    if (circle.isRoot(root)) {
        const Datatype datatype = datatypes.of(recvtype);
        const Shares received = shares(recvcounts, circle.partners(), datatype.bytes);
        amounts = amountsOf({isInPlace ? own(recvcounts, circle) * datatype.bytes : 0}, received, datatype.id);
    }
    if (!isInPlace && !(circle.isIntercommunicator() && circle.isRoot(root))) {
        const Datatype datatype = datatypes.of(sendtype);
        amounts.sent = number(sendcount) * datatype.bytes;
        if (!circle.isRoot(root))
            amounts.datatype = datatype.id;
    }
    return amounts;
}

template <typename Count>
Amounts scatter(Datatypes &datatypes, Circle circle, bool isInPlace, Count sendcount, MPI_Datatype sendtype, Count recvcount,
                MPI_Datatype recvtype, int root) {
    if (circle.isIdle(root))
        return {};
    Amounts amounts;
    if (circle.isRoot(root)) {
        const Datatype datatype = datatypes.of(sendtype);
        const std::uint64_t block = number(sendcount) * datatype.bytes;
        amounts = {block * circle.partners(), isInPlace ? block : 0, datatype.id};
        if (isInPlace || circle.isIntercommunicator())
            return amounts;
    }
    const Datatype datatype = datatypes.of(recvtype);
    amounts.received = number(recvcount) * datatype.bytes;
    if (amounts.datatype == recording::nothing)
        amounts.datatype = datatype.id;
    return amounts;
}

template <typename Count>
Amounts scatterv(Datatypes &datatypes, Circle circle, bool isInPlace, const Count *sendcounts, MPI_Datatype sendtype,
                 Count recvcount, MPI_Datatype recvtype, int root) {
    if (circle.isIdle(root))
        return {};
    Amounts amounts;
    if (circle.isRoot(root)) {
        const Datatype datatype = datatypes.of(sendtype);
        const Shares sent = shares(sendcounts, circle.partners(), datatype.bytes);
        amounts = amountsOf(sent, {isInPlace ? own(sendcounts, circle) * datatype.bytes : 0}, datatype.id);
        if (isInPlace || circle.isIntercommunicator())
            return amounts;
    }
    const Datatype datatype = datatypes.of(recvtype);
    amounts.received = number(recvcount) * datatype.bytes;
    if (amounts.datatype == recording::nothing)
        amounts.datatype = datatype.id;
    return amounts;
}

template <typename Count>
Amounts allgather(Datatypes &datatypes, Circle circle, bool isInPlace, Count sendcount, MPI_Datatype sendtype, Count recvcount,
                  MPI_Datatype recvtype) {
    const Datatype received = datatypes.of(recvtype);
    const std::uint64_t block = number(recvcount) * received.bytes;
    if (isInPlace)
        return {block, block * circle.partners(), received.id};
    const Datatype sent = datatypes.of(sendtype);
    return {number(sendcount) * sent.bytes, block * circle.partners(), sent.id};
}

template <typename Count>
Amounts allgatherv(Datatypes &datatypes, Circle circle, bool isInPlace, Count sendcount, MPI_Datatype sendtype,
                   const Count *recvcounts, MPI_Datatype recvtype) {
    const Datatype received = datatypes.of(recvtype);
    const Shares all = shares(recvcounts, circle.partners(), received.bytes);
    if (isInPlace)
        return amountsOf({own(recvcounts, circle) * received.bytes}, all, received.id);
    const Datatype sent = datatypes.of(sendtype);
    return amountsOf({number(sendcount) * sent.bytes}, all, sent.id);
}

template <typename Count>
Amounts alltoall(Datatypes &datatypes, Circle circle, bool isInPlace, Count sendcount, MPI_Datatype sendtype, Count recvcount,
                 MPI_Datatype recvtype) {
    const Datatype received = datatypes.of(recvtype);
    const std::uint64_t total = number(recvcount) * received.bytes * circle.partners();
    if (isInPlace)
        return {total, total, received.id};
    const Datatype sent = datatypes.of(sendtype);
    return {number(sendcount) * sent.bytes * circle.partners(), total, sent.id};
}

template <typename Count>
Amounts alltoallv(Datatypes &datatypes, Circle circle, bool isInPlace, const Count *sendcounts, MPI_Datatype sendtype,
                  const Count *recvcounts, MPI_Datatype recvtype) {
    const Datatype received = datatypes.of(recvtype);
    const Shares all = shares(recvcounts, circle.partners(), received.bytes);
    if (isInPlace)
        return amountsOf(all, all, received.id);
    const Datatype sent = datatypes.of(sendtype);
    return amountsOf(shares(sendcounts, circle.partners(), sent.bytes), all, sent.id);
}

template <typename Count, typename Types>
Amounts alltoallw(Datatypes &datatypes, Circle circle, bool isInPlace, const Count *sendcounts, const Types &sendtypes,
                  const Count *recvcounts, const Types &recvtypes) {
    const Shares all = shares(datatypes, recvcounts, recvtypes, circle.partners());
    return amountsOf(isInPlace ? all : shares(datatypes, sendcounts, sendtypes, circle.partners()), all, recording::nothing);
}

template <typename Count> Amounts reduce(Datatypes &datatypes, Circle circle, Count count, MPI_Datatype type, int root) {
    if (circle.isIdle(root))
        return {};
    const Datatype datatype = datatypes.of(type);
    const std::uint64_t bytes = number(count) * datatype.bytes;
    return {circle.isIntercommunicator() && circle.isRoot(root) ? 0 : bytes, circle.isRoot(root) ? bytes : 0, datatype.id};
}

/// MPI_Scan and MPI_Exscan as well.
template <typename Count> Amounts allreduce(Datatypes &datatypes, Circle, Count count, MPI_Datatype type) {
    const Datatype datatype = datatypes.of(type);
    const std::uint64_t bytes = number(count) * datatype.bytes;
    return {bytes, bytes, datatype.id};
}

template <typename Count> Amounts reduce_scatter_block(Datatypes &datatypes, Circle circle, Count recvcount, MPI_Datatype type) {
    const Datatype datatype = datatypes.of(type);
    const std::uint64_t block = number(recvcount) * datatype.bytes;
    return {block * circle.ownGroup(), block, datatype.id};
}

template <typename Count>
Amounts reduce_scatter(Datatypes &datatypes, Circle circle, const Count *recvcounts, MPI_Datatype type) {
    const Datatype datatype = datatypes.of(type);
    return {sum(recvcounts, circle.ownGroup()) * datatype.bytes,
            circle.ownGroup() == 0 || recvcounts == nullptr ? 0 : number(recvcounts[circle.ownRank()]) * datatype.bytes,
            datatype.id};
}

template <typename Count>
Amounts neighbor_allgather(Datatypes &datatypes, Circle circle, Count sendcount, MPI_Datatype sendtype, Count recvcount,
                           MPI_Datatype recvtype) {
    const Datatype sent = datatypes.of(sendtype);
    return {number(sendcount) * sent.bytes, number(recvcount) * datatypes.of(recvtype).bytes * circle.sources(), sent.id};
}

template <typename Count>
Amounts neighbor_allgatherv(Datatypes &datatypes, Circle circle, Count sendcount, MPI_Datatype sendtype, const Count *recvcounts,
                            MPI_Datatype recvtype) {
    const Datatype sent = datatypes.of(sendtype);
    return {number(sendcount) * sent.bytes, sum(recvcounts, circle.sources()) * datatypes.of(recvtype).bytes, sent.id};
}

template <typename Count>
Amounts neighbor_alltoall(Datatypes &datatypes, Circle circle, Count sendcount, MPI_Datatype sendtype, Count recvcount,
                          MPI_Datatype recvtype) {
    const Datatype sent = datatypes.of(sendtype);
    return {number(sendcount) * sent.bytes * circle.destinations(),
            number(recvcount) * datatypes.of(recvtype).bytes * circle.sources(), sent.id};
}

template <typename Count>
Amounts neighbor_alltoallv(Datatypes &datatypes, Circle circle, const Count *sendcounts, MPI_Datatype sendtype,
                           const Count *recvcounts, MPI_Datatype recvtype) {
    const Datatype sent = datatypes.of(sendtype);
    return {sum(sendcounts, circle.destinations()) * sent.bytes, sum(recvcounts, circle.sources()) * datatypes.of(recvtype).bytes,
            sent.id};
}

template <typename Count, typename Types>
Amounts neighbor_alltoallw(Datatypes &datatypes, Circle circle, const Count *sendcounts, const Types &sendtypes,
                           const Count *recvcounts, const Types &recvtypes) {
    return {sumOfBytes(datatypes, sendcounts, sendtypes, circle.destinations()),
            sumOfBytes(datatypes, recvcounts, recvtypes, circle.sources()), recording::nothing};
}

} // namespace laggard::collect::mpi::amounts
