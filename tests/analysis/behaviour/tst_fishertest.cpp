// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/behaviour/FisherTest.h"

#include <QTest>

#include <bit>
#include <cmath>
#include <random>

using namespace laggard;

class TestFisherTest : public QObject {
    Q_OBJECT
  private slots:
    void byHand_data() {
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("after");
        QTest::addColumn<double>("belowBefore");
        QTest::addColumn<double>("belowAfter");
        QTest::addColumn<double>("chance");
        // Fisher's cups of tea: of 8 cups, 4 and 4.
        QTest::newRow("all four right") << 4.0 << 4.0 << 4.0 << 0.0 << 1.0 / 70;
        QTest::newRow("three right") << 4.0 << 4.0 << 3.0 << 1.0 << 17.0 / 70;
        QTest::newRow("one value after all others") << 11.0 << 1.0 << 11.0 << 0.0 << 1.0 / 12;
        QTest::newRow("nothing below") << 5.0 << 3.0 << 0.0 << 0.0 << 1.0;
        QTest::newRow("everything below") << 5.0 << 3.0 << 5.0 << 3.0 << 1.0;
    }
    void byHand() {
        QFETCH(double, before);
        QFETCH(double, after);
        QFETCH(double, belowBefore);
        QFETCH(double, belowAfter);
        QFETCH(double, chance);
        QVERIFY(std::abs(fisherTest(before, after, belowBefore, belowAfter) - chance) < 1e-12);
    }

    void agreesWithCountingDraws() {
        // Those below are drawn from n values in all ways.
        for (unsigned before = 1; before <= 6; ++before)
            for (unsigned after = 1; after <= 5; ++after)
                for (unsigned below = 0; below <= before + after; ++below)
                    for (unsigned belowAfter = 0; belowAfter <= std::min(after, below); ++belowAfter) {
                        if (below - belowAfter > before)
                            continue;
                        double draws = 0;
                        double few = 0;
                        for (unsigned drawn = 0; drawn < 1U << (before + after); ++drawn) {
                            if (std::popcount(drawn) != static_cast<int>(below))
                                continue;
                            draws += 1;
                            few += std::popcount(drawn & ((1U << after) - 1)) <= static_cast<int>(belowAfter) ? 1 : 0;
                        }
                        QVERIFY(std::abs(fisherTest(before, after, below - belowAfter, belowAfter) - few / draws) < 1e-9);
                    }
    }

    /// With many values, where few of the terms count.
    void agreesWithAllTerms() {
        const auto choose = [](double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); };
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            const double before = 1 + random() % 3000;
            const double after = 1 + random() % 3000;
            const double belowBefore = random() % (static_cast<unsigned>(before) + 1);
            const double belowAfter = random() % (static_cast<unsigned>(after) + 1);
            const double below = belowBefore + belowAfter;
            double all = 0;
            for (double k = std::max(0.0, below - before); k <= belowAfter; ++k)
                all += std::exp(choose(after, k) + choose(before, below - k) - choose(before + after, below));
            const double chance = fisherTest(before, after, belowBefore, belowAfter);
            QVERIFY2(std::abs(chance - all) <= 1e-8 * all,
                     qPrintable(QString("%1 of %2 and %3 of %4 are below: chance %5, not %6")
                                    .arg(belowBefore)
                                    .arg(before)
                                    .arg(belowAfter)
                                    .arg(after)
                                    .arg(chance)
                                    .arg(all)));
        }
    }
};

QTEST_APPLESS_MAIN(TestFisherTest)
#include "tst_fishertest.moc"
