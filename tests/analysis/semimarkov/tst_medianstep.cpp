// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/semimarkov/MedianStep.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace laggard;

namespace {

double deviation(const std::vector<double> &values) {
    double sum = 0;
    for (const double value : values)
        sum += std::abs(value - medianOf(values));
    return sum;
}

} // namespace

class TestMedianStep : public QObject {
    Q_OBJECT
  private slots:
    void medians() {
        QCOMPARE(medianOf({3}), 3.0);
        QCOMPARE(medianOf({5, 1, 2}), 2.0);
        QCOMPARE(medianOf({4, 1, 9, 2}), 3.0);
    }

    void byHand_data() {
        QTest::addColumn<std::vector<double>>("values");
        QTest::addColumn<std::size_t>("at");
        QTest::addColumn<double>("before");
        QTest::addColumn<double>("after");
        QTest::newRow("plain") << std::vector<double>{1, 1, 2, 2, 2} << std::size_t{2} << 1.0 << 2.0;
        QTest::newRow("one far off does not move it") << std::vector<double>{1, 9, 1, 1, 2, 2, 2} << std::size_t{4} << 1.0 << 2.0;
        QTest::newRow("only the last") << std::vector<double>{1, 1, 1, 5} << std::size_t{3} << 1.0 << 5.0;
        QTest::newRow("only the first") << std::vector<double>{1, 5, 5, 5} << std::size_t{1} << 1.0 << 5.0;
    }
    void byHand() {
        QFETCH(std::vector<double>, values);
        const auto step = medianStep(values);
        QVERIFY(step.has_value());
        QTEST(step->at, "at");
        QTEST(step->before, "before");
        QTEST(step->after, "after");
    }

    void noStepUp() {
        QVERIFY(!medianStep({}));
        QVERIFY(!medianStep(std::vector<double>{1}));
        QVERIFY(!medianStep(std::vector<double>{2, 2, 2}));
        QVERIFY(!medianStep(std::vector<double>{3, 3, 1, 1}));
    }

    void agreesWithTryingAllDivisions() {
        std::mt19937 random(5);
        for (int round = 0; round < 300; ++round) {
            std::vector<double> values(2 + random() % 12);
            for (double &value : values)
                value = static_cast<double>(random() % 1000);
            double least = -1;
            for (std::size_t at = 1; at < values.size(); ++at) {
                const std::vector<double> before(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at));
                const std::vector<double> after(values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
                const double cost = deviation(before) + deviation(after);
                if (medianOf(after) > medianOf(before) && (least < 0 || cost < least))
                    least = cost;
            }
            const auto step = medianStep(values);
            QCOMPARE(step.has_value(), least >= 0);
            if (!step)
                continue;
            const auto at = values.begin() + static_cast<std::ptrdiff_t>(step->at);
            QCOMPARE(step->before, medianOf({values.begin(), at}));
            QCOMPARE(step->after, medianOf({at, values.end()}));
            QVERIFY(std::abs(deviation({values.begin(), at}) + deviation({at, values.end()}) - least) < 1e-9);
        }
    }
};

QTEST_APPLESS_MAIN(TestMedianStep)
#include "tst_medianstep.moc"
