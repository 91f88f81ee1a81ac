// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/selection/SelectionModel.h"

#include <QSignalSpy>
#include <QTest>

using namespace laggard;

namespace {

Selection ofRanks(RankSet ranks) {
    Selection selection;
    selection.ranks = std::move(ranks);
    return selection;
}

} // namespace

class TestSelection : public QObject {
    Q_OBJECT
  private slots:
    void ranks_data() {
        QTest::addColumn<QString>("current");
        QTest::addColumn<QString>("added");
        QTest::addColumn<int>("mode");
        QTest::addColumn<QString>("result");
        QTest::newRow("click replaces") << "1-3"
                                        << "7" << int(SelectMode::Replace) << "7";
        QTest::newRow("Ctrl adds") << "1-3"
                                   << "7" << int(SelectMode::Add) << "1-3,7";
        QTest::newRow("Ctrl on a selected one takes it out") << "1-3"
                                                             << "2" << int(SelectMode::Add) << "1,3";
        QTest::newRow("Shift extends downwards") << "5"
                                                 << "2" << int(SelectMode::Extend) << "2-5";
        QTest::newRow("Shift extends over gaps") << "1,4"
                                                 << "9" << int(SelectMode::Extend) << "1-9";
        QTest::newRow("Shift on nothing") << ""
                                          << "9" << int(SelectMode::Extend) << "9";
    }
    void ranks() {
        QFETCH(QString, current);
        QFETCH(QString, added);
        QFETCH(int, mode);
        QFETCH(QString, result);
        const Selection combined = combine(ofRanks(parseRanges(current.toStdString())), ofRanks(parseRanges(added.toStdString())),
                                           static_cast<SelectMode>(mode));
        QCOMPARE(QString::fromStdString(formatRanges(combined.ranks)), result);
    }

    void extendingSpansTime() {
        Selection early;
        early.time = TimeRange{10, 20};
        Selection late;
        late.time = TimeRange{40, 50};
        QCOMPARE(*combine(late, early, SelectMode::Extend).time, (TimeRange{10, 50}));
        QCOMPARE(*combine(early, late, SelectMode::Add).time, (TimeRange{40, 50}));
    }

    void joiningForgetsTheNode() {
        Selection node = ofRanks({1});
        node.node = 4;
        QVERIFY(!combine(node, ofRanks({2}), SelectMode::Add).node);
    }

    void backAndForth() {
        SelectionModel model;
        QSignalSpy spy(&model, &SelectionModel::changed);
        model.select(ofRanks({1}));
        model.select(ofRanks({2}));
        model.select(ofRanks({2})); // the same again is no step
        QCOMPARE(spy.count(), 2);
        model.goBack();
        QCOMPARE(model.current().ranks, RankSet{1});
        model.goBack();
        QVERIFY(model.current().isEmpty());
        QVERIFY(!model.canGoBack());
        model.goForward();
        QCOMPARE(model.current().ranks, RankSet{1});
        model.select(ofRanks({3})); // a new step ends the way forward
        QVERIFY(!model.canGoForward());
        model.reset();
        QVERIFY(model.current().isEmpty() && !model.canGoBack());
    }

    void historyIsBounded() {
        SelectionModel model;
        for (Rank rank = 0; rank < 1000; ++rank)
            model.select(ofRanks({rank}));
        int steps = 0;
        for (; model.canGoBack(); ++steps)
            model.goBack();
        QVERIFY2(steps < 1000, "the history must not grow without end");
    }
};

QTEST_GUILESS_MAIN(TestSelection)
#include "tst_selection.moc"
