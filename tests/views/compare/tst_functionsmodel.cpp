// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/TraceBuilder.h"
#include "views/compare/FunctionsModel.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

class tst_FunctionsModel : public QObject {
    Q_OBJECT
  private slots:
    /// "solve" takes 300 here and 100 there, "read" is called here only, "write" there only.
    void timesOfBothAndTheirRatio() {
        TraceBuilder one(1);
        one.call(0, 0, 300, "solve").call(0, 400, 410, "read");
        TraceBuilder two(1);
        two.call(0, 0, 50, "solve").call(0, 50, 100, "solve").call(0, 200, 205, "write");
        const TracePtr here = one.finish(500);
        const TracePtr there = two.finish(500);
        const auto statistics = [](const TracePtr &trace) { return callStatistics(*trace, trace->range, {0}, Work{}); };
        FunctionsModel model;
        model.setTimes(here, there, compareFunctions(*here, statistics(here), *there, statistics(there)));
        QStringList rows;
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column)
                cells << model.index(row, column).data().toString();
            rows << cells.join(" | ");
        }
        QCOMPARE(rows, (QStringList{"solve | 300 ns | 100 ns | × 3 | 1 | 2", "read | 10 ns | – | this run only | 1 | 0",
                                    "write | – | 5 ns | other run only | 0 | 1"}));
    }
};

QTEST_GUILESS_MAIN(tst_FunctionsModel)
#include "tst_functionsmodel.moc"
