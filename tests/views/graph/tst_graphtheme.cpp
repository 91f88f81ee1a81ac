// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/GraphPainter.h"
#include "views/graph/GraphTheme.h"

#include <QTest>

using namespace laggard;

class tst_GraphTheme : public QObject {
    Q_OBJECT
  private slots:
    void contrastIsAsDefined() {
        QCOMPARE(contrastRatio(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrastRatio(Qt::white, Qt::white), 1.0);
        QVERIFY2(std::abs(contrastRatio(QColor(0x777777), Qt::white) - 4.48) < 0.01, "#777777 on white is known to have 4.48");
    }

    void contrast_data() {
        QTest::addColumn<GraphTheme>("theme");
        QTest::newRow("light") << GraphTheme::light();
        QTest::newRow("dark") << GraphTheme::dark();
    }
    void contrast() {
        QFETCH(GraphTheme, theme);
        const QColor backgrounds[] = {theme.background, theme.communicationFill, theme.computationFill,
                                      theme.leastProgressedFill};
        for (int role = 0; role <= static_cast<int>(TextRole::Legend); ++role) {
            const QColor colour = colourOf(static_cast<TextRole>(role), theme);
            for (const QColor &background : backgrounds) {
                QVERIFY2(contrastRatio(colour, background) >= 4.5, qPrintable(QString("text %1 on %2 has only %3")
                                                                                  .arg(colour.name(), background.name())
                                                                                  .arg(contrastRatio(colour, background))));
            }
        }
        for (const QColor &line :
             {theme.collective, theme.pointToPoint, theme.loop, theme.undefined, theme.nodeBorder, theme.leastProgressed}) {
            QVERIFY2(contrastRatio(line, theme.background) >= 3, qPrintable(QString("line %1 on %2 has only %3")
                                                                                .arg(line.name(), theme.background.name())
                                                                                .arg(contrastRatio(line, theme.background))));
        }
    }

    void everyKindHasItsOwnColourAndDashes() {
        const EdgeStyle styles[] = {EdgeStyle::Collective, EdgeStyle::PointToPoint, EdgeStyle::Loop, EdgeStyle::Undefined};
        for (const GraphTheme &theme : {GraphTheme::light(), GraphTheme::dark()}) {
            for (const EdgeStyle a : styles) {
                for (const EdgeStyle b : styles) {
                    if (a == b)
                        continue;
                    QVERIFY2(colourOf(a, theme) != colourOf(b, theme), "two kinds of edges have the same colour");
                    QVERIFY2(dashesOf(a) != dashesOf(b), "two kinds of edges have the same dashes");
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(tst_GraphTheme)
#include "tst_graphtheme.moc"
