// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/CountedTimes.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace laggard;

namespace {

/// One by one, in rising order.
std::vector<double> unfolded(const std::vector<CountedTime> &times) {
    std::vector<double> all;
    for (const CountedTime &time : times)
        all.insert(all.end(), static_cast<std::size_t>(time.count), time.seconds);
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<CountedTime> randomTimes(std::mt19937 &random) {
    std::vector<CountedTime> times;
    for (auto i = 1 + random() % 12; i > 0; --i)
        times.push_back({static_cast<double>(random() % 20), static_cast<double>(1 + random() % 5)});
    return times;
}

} // namespace

/// Times that stand for several are as good as these.
class TestCountedTimes : public QObject {
    Q_OBJECT
  private slots:
    void byHand() {
        std::vector<CountedTime> times{{5, 1}, {1, 2}, {3, 4}}; // 1 1 3 3 3 3 5
        QCOMPARE(totalCount(times), 7.0);
        QCOMPARE(takeSmallest(times, 1).seconds, 1.0);
        QCOMPARE(takeSmallest(times, 2).seconds, 3.0);
        QCOMPARE(takeSmallest(times, 6).seconds, 5.0);
        cutSmallest(times, 3);
        cutLargest(times, 2);
        QCOMPARE(unfolded(times), (std::vector<double>{3, 3}));
        cutSmallest(times, 2);
        QVERIFY(times.empty());
    }

    void asIfWrittenOneByOne() {
        std::mt19937 random(1);
        for (int round = 0; round < 500; ++round) {
            std::vector<CountedTime> times = randomTimes(random);
            std::vector<double> all = unfolded(times);
            for (std::size_t rank = 0; rank < all.size(); ++rank)
                QCOMPARE(takeSmallest(times, static_cast<double>(rank)).seconds, all[rank]);
            const auto low = random() % (all.size() + 1);
            const auto high = random() % (all.size() - low + 1);
            cutSmallest(times, static_cast<double>(low));
            cutLargest(times, static_cast<double>(high));
            all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(low));
            all.resize(all.size() - high);
            QCOMPARE(unfolded(times), all);
        }
    }
};

QTEST_APPLESS_MAIN(TestCountedTimes)
#include "tst_countedtimes.moc"
