// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/progress/RankStates.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

class TestRankStates : public QObject {
    Q_OBJECT
  private slots:
    /// The process was ended behind MPI_Finalize, before main returned: whatever the language, it has ended.
    void hasEndedBehindFinalize_data() {
        QTest::addColumn<QString>("last");
        QTest::addColumn<bool>("ended");
        for (const char *name : {"MPI_Finalize", "PMPI_Finalize", "mpi_finalize_", "MPI_FINALIZE", "mpi_finalize_f08_"})
            QTest::newRow(name) << name << true;
        QTest::newRow("another call") << "MPI_Finalized" << false;
        QTest::newRow("a function of the program") << "finalize" << false;
    }
    void hasEndedBehindFinalize() {
        QFETCH(QString, last);
        QFETCH(bool, ended);
        TraceBuilder builder(1);
        const TracePtr trace = builder.enter(0, 0, "main").call(0, 10, 20, last.toStdString()).finish(100);
        QCOMPARE(hasEnded(*trace, 0, 1), ended);
    }
};

QTEST_APPLESS_MAIN(TestRankStates)
#include "tst_rankstates.moc"
