// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/lateness/BinomialTail.h"

#include <QTest>

#include <cmath>

using namespace laggard;

class tst_BinomialTail : public QObject {
    Q_OBJECT
  private slots:
    void byHand_data() {
        QTest::addColumn<int>("trials");
        QTest::addColumn<double>("chance");
        QTest::addColumn<int>("hits");
        QTest::addColumn<double>("tail");
        QTest::newRow("all of three coins") << 3 << 0.5 << 3 << 0.125;
        QTest::newRow("two or more of three coins") << 3 << 0.5 << 2 << 0.5;
        QTest::newRow("both dice show a six") << 2 << 1.0 / 6 << 2 << 1.0 / 36;
        QTest::newRow("below the mean") << 10 << 0.5 << 5 << 1.0;
        QTest::newRow("more than there are") << 3 << 0.5 << 4 << 0.0;
        QTest::newRow("cannot happen") << 3 << 0.0 << 1 << 0.0;
        QTest::newRow("always happens") << 3 << 1.0 << 3 << 1.0;
        QTest::newRow("no trials") << 0 << 0.5 << 0 << 1.0;
    }
    void byHand() {
        QFETCH(int, trials);
        QFETCH(double, chance);
        QFETCH(int, hits);
        QFETCH(double, tail);
        const double got = binomialTail(static_cast<std::uint64_t>(trials), chance, static_cast<std::uint64_t>(hits));
        QVERIFY2(std::abs(got - tail) < 1e-12, qPrintable(QString("got %1, expected %2").arg(got).arg(tail)));
    }

    /// Against the sum of all terms, made by Pascal's rule without logarithms.
    void againstThePlainSum() {
        for (const double chance : {0.01, 0.0625, 0.3, 0.5, 0.9})
            for (int trials = 1; trials <= 60; ++trials) {
                std::vector<double> terms{1};
                for (int i = 0; i < trials; ++i) {
                    std::vector<double> next(terms.size() + 1, 0);
                    for (std::size_t k = 0; k < terms.size(); ++k) {
                        next[k] += terms[k] * (1 - chance);
                        next[k + 1] += terms[k] * chance;
                    }
                    terms = next;
                }
                double sum = 0;
                for (int hits = trials; hits > trials * chance; --hits) {
                    sum += terms[static_cast<std::size_t>(hits)];
                    const double got = binomialTail(static_cast<std::uint64_t>(trials), chance, static_cast<std::uint64_t>(hits));
                    QVERIFY2(
                        std::abs(got - sum) <= 1e-9 * sum,
                        qPrintable(QString("%1 of %2 at %3: %4, not %5").arg(hits).arg(trials).arg(chance).arg(got).arg(sum)));
                }
            }
    }

    void largeNumbersStayNumbers() {
        const double sure = binomialTail(10'000'000, 1.0 / 4096, 10'000'000);
        QVERIFY(sure >= 0 && sure < 1e-300);
        const double close = binomialTail(10'000'000, 0.5, 5'000'001);
        QVERIFY(close > 0.49 && close < 0.51);
    }
};

QTEST_APPLESS_MAIN(tst_BinomialTail)
#include "tst_binomialtail.moc"
