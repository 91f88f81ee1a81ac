// SPDX-License-Identifier: GPL-3.0-or-later
#include "trace/Column.h"

#include <QTest>
#include <cstdint>
#include <numeric>

using namespace laggard;

class TestColumn : public QObject {
    Q_OBJECT

  private slots:
    void growsAndKeeps() {
        Column<std::uint64_t> column;
        QVERIFY(column.empty() && column.bytes() == 0);
        for (std::uint64_t i = 0; i < 1'000'000; ++i)
            column.push_back(i * i);
        QCOMPARE(column.size(), std::size_t{1'000'000});
        for (std::uint64_t i = 0; i < 1'000'000; ++i)
            if (column[i] != i * i)
                QFAIL(qPrintable(QString("element %1 changed while the column grew").arg(i)));
        column.shrink();
        QCOMPARE(column.bytes(), std::size_t{8'000'000});
        QCOMPARE(column.back(), std::uint64_t{999'999} * 999'999);
        QCOMPARE(column.span().size(), column.size());
    }

    void resizeFills() {
        Column<int> column;
        column.push_back(1);
        column.resize(4, 7);
        QCOMPARE(std::accumulate(column.begin(), column.end(), 0), 22);
        column.resize(1);
        QCOMPARE(column.size(), std::size_t{1});
        column.clear();
        QVERIFY(column.empty());
        column.shrink();
        QCOMPARE(column.bytes(), std::size_t{0});
        column.push_back(3);
        QCOMPARE(column[0], 3);
    }

    void moves() {
        Column<int> a;
        a.push_back(5);
        Column<int> b = std::move(a);
        QCOMPARE(b.back(), 5);
        Column<int> c;
        c.push_back(6);
        c = std::move(b);
        QCOMPARE(c.back(), 5);
        QCOMPARE(c.size(), std::size_t{1});
    }
};

QTEST_APPLESS_MAIN(TestColumn)
#include "tst_column.moc"
