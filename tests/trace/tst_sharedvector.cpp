// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/SharedVector.h"

#include <QTest>

using namespace laggard;

class TestSharedVector : public QObject {
    Q_OBJECT
  private slots:
    void copiesShare() {
        SharedVector<int> one;
        one.push_back(3);
        one.resize(2, 4);
        const SharedVector<int> two = one;
        QVERIFY(two.isSharedWith(one));
        QCOMPARE(two[1], 4);
        QCOMPARE(two, one);
        QVERIFY2(!SharedVector<int>().isSharedWith(one), "a new one is its own");
    }
    void whatIsSharedStaysAsItIs() {
        SharedVector<int> one(std::vector<int>{1, 2});
        {
            const SharedVector<int> two = one;
            QVERIFY_THROWS_EXCEPTION(std::logic_error, one.push_back(3));
            QCOMPARE(two.size(), std::size_t{2});
        }
        one.push_back(3); // alone again
        QCOMPARE(std::as_const(one).back(), 3);
    }
    void holdsWhatCannotBeCopied() {
        SharedVector<std::unique_ptr<int>> one;
        one.emplace_back(std::make_unique<int>(7));
        const SharedVector<std::unique_ptr<int>> two = one;
        QCOMPARE(*two.front(), 7);
    }
};

QTEST_APPLESS_MAIN(TestSharedVector)
#include "tst_sharedvector.moc"
