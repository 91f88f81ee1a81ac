// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/RankSet.h"

#include <QTest>
#include <random>
#include <set>
#include <stdexcept>

using namespace laggard;

class TestRankSet : public QObject {
    Q_OBJECT

  private slots:
    void formats_data() {
        QTest::addColumn<std::vector<Rank>>("ranks");
        QTest::addColumn<std::string>("text");
        QTest::newRow("none") << RankSet{} << std::string();
        QTest::newRow("one") << RankSet{3} << std::string("3");
        QTest::newRow("pair") << RankSet{3, 4} << std::string("3-4");
        QTest::newRow("gap") << RankSet{0, 1, 2, 4, 5, 6, 7} << std::string("0-2,4-7");
        QTest::newRow("apart") << RankSet{1, 3, 5} << std::string("1,3,5");
        QTest::newRow("last possible") << RankSet{4294967294U} << std::string("4294967294");
    }
    void formats() {
        QFETCH(std::vector<Rank>, ranks);
        QFETCH(std::string, text);
        QCOMPARE(formatRanges(ranks), text);
        QCOMPARE(parseRanges(text), ranks);
    }

    void parsesWhatPeopleWrite() {
        QCOMPARE(parseRanges(" 4 - 6, 1,5 "), (RankSet{1, 4, 5, 6}));
        QCOMPARE(formatRanges({0, 2, 3}, " "), std::string("0 2-3"));
    }

    void refusesTheRest_data() {
        QTest::addColumn<std::string>("text");
        for (const char *text : {"a", "1-", "-1", "3-1", "1,,2", "1.5", "0-4294967295", "99999999999"})
            QTest::newRow(text) << std::string(text);
    }
    void refusesTheRest() {
        QFETCH(std::string, text);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, static_cast<void>(parseRanges(text)));
    }

    void describes() {
        QCOMPARE(describeRanges({0, 2, 4, 6, 7}, 2), std::string("0, 2 and 3 more"));
        QCOMPARE(describeRanges({0, 1, 2}, 2), std::string("0-2"));
        RankSet even;
        for (Rank rank = 0; rank < 8190; rank += 2)
            even.push_back(rank);
        QCOMPARE(describeRanges(even, 1), std::string("0 and 4,094 more"));
    }

    void roundTripOfRandomSets() {
        std::mt19937 random(1);
        for (int round = 0; round < 200; ++round) {
            std::set<Rank> ranks;
            for (unsigned i = random() % 40; i > 0; --i)
                ranks.insert(random() % 60);
            const RankSet sorted(ranks.begin(), ranks.end());
            QCOMPARE(parseRanges(formatRanges(sorted)), sorted);
        }
    }

    void rangesSpelledOut() {
        QCOMPARE(spelledOut({{0, 2}, {4, 4'000'000'000U}}, 6), (RankSet{0, 1, 2, 4, 5}));
        QCOMPARE(spelledOut({{7, 9}}, 7), RankSet());
        QCOMPARE(spelledOut({}, 7), RankSet());
    }
};

QTEST_APPLESS_MAIN(TestRankSet)
#include "tst_rankset.moc"
