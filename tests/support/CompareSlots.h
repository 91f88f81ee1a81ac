// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace/recording/Transition.h"

#include <QTest>

namespace laggard::test {

/// The times of two slots of a model are the same, to the last bit. A difference fails the test that calls this.
inline void compareSlots(const recording::TransitionSlot &slot, const recording::TransitionSlot &expected) {
    QCOMPARE(slot.count, expected.count);
    QCOMPARE(slot.mean, expected.mean);
    QCOMPARE(slot.squares, expected.squares);
    QCOMPARE(slot.shortest, expected.shortest);
    QCOMPARE(slot.longest, expected.longest);
    QCOMPARE(slot.histogram.used, expected.histogram.used);
    for (std::size_t i = 0; i < expected.histogram.used; ++i) {
        QCOMPARE(slot.histogram.buckets[i].mean, expected.histogram.buckets[i].mean);
        QCOMPARE(slot.histogram.buckets[i].count, expected.histogram.buckets[i].count);
    }
}

} // namespace laggard::test
