// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/kit/FuzzyMatch.h"

#include <QTest>

using namespace laggard;

class TestFuzzyMatch : public QObject {
    Q_OBJECT
  private slots:
    void matches_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        QTest::newRow("nothing typed") << ""
                                       << "Zoom in" << true;
        QTest::newRow("beginning") << "zoo"
                                   << "Zoom in" << true;
        QTest::newRow("initials") << "zi"
                                  << "Zoom in" << true;
        QTest::newRow("spaces do not count") << "zoom in"
                                             << "Zoom: in" << true;
        QTest::newRow("wrong order") << "iz"
                                     << "Zoom in" << false;
        QTest::newRow("letter missing") << "zoomx"
                                        << "Zoom in" << false;
        QTest::newRow("empty text") << "a"
                                    << "" << false;
    }
    void matches() {
        QFETCH(QString, pattern);
        QFETCH(QString, text);
        QTEST(fuzzyMatch(pattern, text).has_value(), "matches");
    }

    void better_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("better");
        QTest::addColumn<QString>("worse");
        QTest::newRow("together before apart") << "flux"
                                               << "compute_flux"
                                               << "f_l_u_x_all";
        QTest::newRow("word starts before insides") << "cf"
                                                    << "compute_flux"
                                                    << "scoff";
        QTest::newRow("beginning before end") << "open"
                                              << "Open trace"
                                              << "Reopen";
        QTest::newRow("later but together") << "bar"
                                            << "MPI_Barrier"
                                            << "b_a_fter";
    }
    void better() {
        QFETCH(QString, pattern);
        QFETCH(QString, better);
        QFETCH(QString, worse);
        const auto good = fuzzyMatch(pattern, better);
        const auto bad = fuzzyMatch(pattern, worse);
        QVERIFY(good);
        QVERIFY(!bad || good->score > bad->score);
    }

    void positions() {
        QCOMPARE(fuzzyMatch("fx", "compute_flux")->positions, QList<int>({8, 11}));
        QCOMPARE(fuzzyMatch("ALL", "MPI_Allreduce")->positions, QList<int>({4, 5, 6}));
    }
};

QTEST_APPLESS_MAIN(TestFuzzyMatch)
#include "tst_fuzzymatch.moc"
