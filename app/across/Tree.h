// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/across/Transport.h"
#include "trace/Packed.h"

#include <utility>

namespace laggard {

/// Joins what all processes have, over a binomial tree (PDI §4.2: MPI_Reduce cannot, as contributions differ in size): the result
/// is at process 0, after log2(size) rounds, and every process sends at most once. `join(own, received)` is given neighbours in
/// order of the processes, so it must be associative but need not be commutative; `pack(own)` and `unpack(bytes)` turn the value
/// into bytes and back. At other processes `own` is left as it was sent. All processes call it.
template <typename T, typename Join, typename Pack, typename Unpack>
void reduceToFirst(Transport &transport, T &own, Join join, Pack pack, Unpack unpack) {
    const unsigned rank = transport.rank();
    for (unsigned distance = 1; distance < transport.size(); distance *= 2) {
        if (rank % (2 * distance) != 0) {
            transport.send(rank - distance, pack(own));
            return;
        }
        if (rank + distance < transport.size())
            join(own, unpack(transport.receive(rank + distance)));
    }
}

/// The same for values that trace/Packed.h can pack. `join(own, received)` changes `own`.
template <typename T, typename Join> void reduceToFirst(Transport &transport, T &own, Join join) {
    reduceToFirst(
        transport, own, join, [](const T &value) { return packed(value); },
        [](const std::string &bytes) { return unpacked<T>(bytes); });
}

/// What process 0 has, at all: the same tree downwards. All processes call it.
std::string broadcast(Transport &transport, std::string bytes);

/// What all have together, at all. All processes call it.
template <typename T, typename Join> T reduceForAll(Transport &transport, T own, Join join) {
    reduceToFirst(transport, own, join);
    return transport.size() == 1 ? own : unpacked<T>(broadcast(transport, transport.rank() == 0 ? packed(own) : std::string()));
}

} // namespace laggard
