// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/Dependence.h"

#include <QTest>

using namespace laggard;

class TestDependence : public QObject {
    Q_OBJECT
  private slots:
    void table_data();
    void table();
    void mirrorsWithItsArguments();
    void unionOfTwoTasks_data();
    void unionOfTwoTasks();
};

void TestDependence::table_data() {
    QTest::addColumn<Reach>("forward");
    QTest::addColumn<Reach>("backward");
    QTest::addColumn<Dependence>("expected");
    const auto row = [](const char *name, Reach forward, Reach backward, Dependence expected) {
        QTest::newRow(name) << forward << backward << expected;
    };
    row("different branches", Reach::Never, Reach::Never, Dependence::None);
    row("1 and 0: the column waits", Reach::Certain, Reach::Never, Dependence::ColumnWaits);
    row("1 and less: the column waits", Reach::Certain, Reach::Possible, Dependence::ColumnWaits);
    row("0 and 1: the row waits", Reach::Never, Reach::Certain, Dependence::RowWaits);
    row("less and 1: the row waits", Reach::Possible, Reach::Certain, Dependence::RowWaits);
    row("0 and perhaps: the row waits", Reach::Never, Reach::Possible, Dependence::RowWaits);
    row("perhaps and 0: the column waits", Reach::Possible, Reach::Never, Dependence::ColumnWaits);
    row("1 and 1: undefined", Reach::Certain, Reach::Certain, Dependence::Undefined);
    row("perhaps and perhaps: undefined", Reach::Possible, Reach::Possible, Dependence::Undefined);
    row("1 predominates what was not seen", Reach::Certain, Reach::Unseen, Dependence::ColumnWaits);
    row("what was not seen yields to 1", Reach::Unseen, Reach::Certain, Dependence::RowWaits);
    row("unseen is no 0: perhaps and unseen", Reach::Possible, Reach::Unseen, Dependence::None);
    row("unseen is no 0: unseen and perhaps", Reach::Unseen, Reach::Possible, Dependence::None);
    row("unseen is no 0: 0 and unseen", Reach::Never, Reach::Unseen, Dependence::None);
    row("nothing seen at all", Reach::Unseen, Reach::Unseen, Dependence::None);
}

void TestDependence::table() {
    QFETCH(Reach, forward);
    QFETCH(Reach, backward);
    QTEST(dependence(forward, backward), "expected");
}

void TestDependence::mirrorsWithItsArguments() {
    for (const Reach a : {Reach::Never, Reach::Possible, Reach::Certain, Reach::Unseen})
        for (const Reach b : {Reach::Never, Reach::Possible, Reach::Certain, Reach::Unseen})
            QVERIFY2(dependence(a, b) == mirrored(dependence(b, a)), "exchanging row and column must exchange who waits");
}

void TestDependence::unionOfTwoTasks_data() {
    QTest::addColumn<Dependence>("x");
    QTest::addColumn<Dependence>("y");
    QTest::addColumn<Dependence>("expected");
    // PDI Table 2, cases 1 to 5
    QTest::newRow("1: first dominates") << Dependence::RowWaits << Dependence::None << Dependence::RowWaits;
    QTest::newRow("2: same") << Dependence::RowWaits << Dependence::RowWaits << Dependence::RowWaits;
    QTest::newRow("3: same, backward") << Dependence::ColumnWaits << Dependence::ColumnWaits << Dependence::ColumnWaits;
    QTest::newRow("4: contradiction") << Dependence::RowWaits << Dependence::ColumnWaits << Dependence::Undefined;
    QTest::newRow("5: nothing") << Dependence::None << Dependence::None << Dependence::None;
    QTest::newRow("undefined stays") << Dependence::Undefined << Dependence::ColumnWaits << Dependence::Undefined;
}

void TestDependence::unionOfTwoTasks() {
    QFETCH(Dependence, x);
    QFETCH(Dependence, y);
    QTEST(unite(x, y), "expected");
    QCOMPARE(unite(y, x), unite(x, y));
}

QTEST_APPLESS_MAIN(TestDependence)
#include "tst_dependence.moc"
