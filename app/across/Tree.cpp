// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/across/Tree.h"

namespace laggard {

std::string broadcast(Transport &transport, std::string bytes) {
    const unsigned rank = transport.rank();
    unsigned distance = 1;
    while (distance < transport.size() && rank % (2 * distance) == 0)
        distance *= 2;
    if (rank != 0) // the lowest bit of its number tells whom it hears it from
        bytes = transport.receive(rank - distance);
    while ((distance /= 2) != 0)
        if (rank + distance < transport.size())
            transport.send(rank + distance, bytes);
    return bytes;
}

} // namespace laggard
