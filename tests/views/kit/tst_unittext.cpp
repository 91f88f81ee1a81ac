// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/UnitText.h"

#include <QTest>

using namespace laggard;

class TestUnitText : public QObject {
    Q_OBJECT
  private slots:
    void seconds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("seconds");
        QTest::newRow("plain number") << "0.25" << 0.25;
        QTest::newRow("milliseconds") << "1.5 ms" << 0.0015;
        QTest::newRow("no space") << "20us" << 20e-6;
        QTest::newRow("micro sign") << QString::fromUtf8("20 µs") << 20e-6;
        QTest::newRow("Greek mu") << QString::fromUtf8("20 μs") << 20e-6;
        QTest::newRow("nanoseconds") << " 7 ns " << 7e-9;
        QTest::newRow("minutes") << "2 min" << 120.0;
        QTest::newRow("hours") << "1h" << 3600.0;
        QTest::newRow("exponent") << "1e-3 s" << 0.001;
        for (const char *wrong : {"", "ms", "-1", "1 fortnight", "1,5 ms", "1..2", "nan", "inf", "1e999"})
            QTest::newRow(qPrintable(QString("not a time: '%1'").arg(wrong))) << wrong << -1.0;
    }
    void seconds() {
        QFETCH(QString, text);
        QFETCH(double, seconds);
        QCOMPARE(parseSeconds(text).value_or(-1), seconds);
    }
};

QTEST_APPLESS_MAIN(TestUnitText)
#include "tst_unittext.moc"
