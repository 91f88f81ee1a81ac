// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Quantity.h"

#include <QTest>

using namespace laggard;

class TestQuantity : public QObject {
    Q_OBJECT
  private slots:
    void durations_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << "0 s";
        QTest::newRow("nanoseconds") << 12e-9 << "12 ns";
        QTest::newRow("microseconds") << 1.5e-6 << "1.5 µs";
        QTest::newRow("milliseconds") << 0.0205 << "20.5 ms";
        QTest::newRow("seconds") << 3.0272 << "3.03 s";
        QTest::newRow("below two minutes") << 119.0 << "119 s";
        QTest::newRow("minutes") << 125.0 << "2 min 5 s";
        QTest::newRow("negative") << -0.002 << "-2 ms";
    }
    void durations() {
        QFETCH(double, seconds);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeDuration(seconds)), text);
    }
    void counts_data() {
        QTest::addColumn<qulonglong>("count");
        QTest::addColumn<QString>("text");
        QTest::newRow("0") << 0ULL << "0";
        QTest::newRow("three digits") << 999ULL << "999";
        QTest::newRow("four digits") << 1000ULL << "1,000";
        QTest::newRow("five digits") << 34314ULL << "34,314";
        QTest::newRow("seven digits") << 1234567ULL << "1,234,567";
    }
    void counts() {
        QFETCH(qulonglong, count);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeCount(count)), text);
    }
    void scores_data() {
        QTest::addColumn<double>("score");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << 0.0 << "0";
        QTest::newRow("a share") << 0.41567 << "0.416";
        QTest::newRow("some") << 3.1 << "3.1";
        QTest::newRow("hundreds") << 312.4 << "312";
        QTest::newRow("nearly a thousand") << 999.7 << "1,000";
        QTest::newRow("thousands") << 79312.0 << "79,300";
        QTest::newRow("nearly a million") << 999'400.0 << "999,000";
        QTest::newRow("a million") << 1e6 << "1×10⁶";
        QTest::newRow("divided by next to nothing") << 1.2267e11 << "1.23×10¹¹";
        QTest::newRow("negative") << -12345.0 << "-12,300";
        QTest::newRow("tiny") << 1.5e-7 << "1.5×10⁻⁷";
        QTest::newRow("negative and tiny") << -1.5e-12 << "-1.5×10⁻¹²";
    }
    void scores() {
        QFETCH(double, score);
        QFETCH(QString, text);
        QCOMPARE(QString::fromStdString(describeScore(score)), text);
    }
    void plurals() {
        QCOMPARE(plural(1, "rank"), std::string("1 rank"));
        QCOMPARE(plural(0, "rank"), std::string("0 ranks"));
        QCOMPARE(plural(7996, "rank"), std::string("7,996 ranks"));
    }
};

QTEST_APPLESS_MAIN(TestQuantity)
#include "tst_quantity.moc"
