// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/views/panels/Palettes.h"
#include "views/theme/Theme.h"
#include "views/theme/Tone.h"

#include <QTest>

using namespace laggard;

class TestTone : public QObject {
    Q_OBJECT
  private slots:
    void contrastOfKnownPairs() {
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
        QVERIFY(qAbs(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.01);
    }
    void tonesAreReadable_data() {
        QTest::addColumn<QPalette>("palette");
        QTest::newRow("light") << test::lightPalette();
        QTest::newRow("dark") << test::darkPalette();
    }
    void tonesAreReadable() {
        QFETCH(QPalette, palette);
        for (const Tone tone : {Tone::Bad, Tone::Caution, Tone::Good, Tone::Neutral, Tone::Faint}) {
            const QColor colour = toneColour(tone, palette);
            for (const QPalette::ColorRole role : {QPalette::Base, QPalette::Window})
                QVERIFY2(contrastRatio(colour, palette.color(role)) >= 4.5,
                         qPrintable(QString("tone %1 has %2:1").arg(int(tone)).arg(contrastRatio(colour, palette.color(role)))));
            QVERIFY2(contrastRatio(palette.color(QPalette::WindowText), toneFill(tone, palette)) >= 4.5,
                     "text on a banner cannot be read");
        }
    }
    void darkIsTold() {
        QVERIFY(isDark(test::darkPalette()));
        QVERIFY(!isDark(test::lightPalette()));
    }
};

QTEST_APPLESS_MAIN(TestTone)
#include "tst_tone.moc"
