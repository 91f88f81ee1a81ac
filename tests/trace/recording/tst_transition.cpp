// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/CompareSlots.h"
#include "trace/recording/Transition.h"

#include <QTest>

#include <vector>

using namespace laggard::recording;
using laggard::test::compareSlots;

namespace {

using Times = std::vector<double>;

TransitionSlot slotOf(const Times &times) {
    TransitionSlot slot{};
    for (const double time : times)
        addTime(slot, time);
    return slot;
}

} // namespace

class TestTransition : public QObject {
    Q_OBJECT
  private slots:
    void few_data() {
        QTest::addColumn<std::vector<double>>("times");
        QTest::addColumn<std::size_t>("kept");
        QTest::addRow("none") << Times{} << std::size_t{0};
        QTest::addRow("zero") << Times{0} << std::size_t{1};
        QTest::addRow("equal ones") << Times{4, 4, 4} << std::size_t{3};
        QTest::addRow("as many as there is room for") << Times{8, 7, 6, 5, 4, 3, 2, 1} << std::size_t{8};
        QTest::addRow("one too many") << Times{8, 7, 6, 5, 4, 3, 2, 1, 9} << std::size_t{8};
        QTest::addRow("the longest") << Times{4294967294.0} << std::size_t{1};
        QTest::addRow("too long") << Times{1, 4294967295.0} << std::size_t{1};
        QTest::addRow("no whole number") << Times{1, 2.5} << std::size_t{1};
        QTest::addRow("negative") << Times{-1} << std::size_t{0};
    }

    /// In the form for few times nothing is rounded or left out.
    void few() {
        QFETCH(std::vector<double>, times);
        QFETCH(std::size_t, kept);
        FewTimesSlot few{};
        few.thread = 1;
        few.phase = 2;
        few.from = 3;
        few.to = 4;
        std::size_t count = 0;
        while (count < times.size() && addTime(few, times[count]))
            ++count;
        QCOMPARE(count, kept);
        const TransitionSlot slot = transitionOf(few);
        QCOMPARE(slot.thread, 1U);
        QCOMPARE(slot.phase, 2);
        QCOMPARE(slot.from, 3U);
        QCOMPARE(slot.to, 4U);
        times.resize(kept);
        compareSlots(slot, slotOf(times));
    }

    void merged() {
        TransitionSlot sum = slotOf({});
        mergeTransition(sum, slotOf({5, 7}));
        compareSlots(sum, slotOf({5, 7}));
        mergeTransition(sum, slotOf({}));
        compareSlots(sum, slotOf({5, 7}));
        mergeTransition(sum, slotOf({1, 11}));
        QCOMPARE(sum.count, std::uint64_t{4});
        QCOMPARE(sum.mean, 6.0);
        QCOMPARE(sum.squares, 52.0);
        QCOMPARE(sum.shortest, 1.0);
        QCOMPARE(sum.longest, 11.0);
        QCOMPARE(sum.histogram.total(), 4.0);
    }
};

QTEST_APPLESS_MAIN(TestTransition)
#include "tst_transition.moc"
