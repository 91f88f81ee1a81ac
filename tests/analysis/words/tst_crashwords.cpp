// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/words/CrashWords.h"
#include "tests/support/TraceBuilder.h"

#include <QTest>

using namespace laggard;
using laggard::test::TraceBuilder;

/// Rank 1 exits with status 3 while rank 0 waits for it.
class TestCrashWords : public QObject {
    Q_OBJECT

  private slots:
    void whereItExited_data() {
        QTest::addColumn<QString>("innermost");
        QTest::addColumn<bool>("hasCaller");
        QTest::addColumn<QString>("place");
        QTest::addRow("a function of a library")
            << "_gfortran_stop_numeric" << true << "_gfortran_stop_numeric, called from ocean (ocean.f90:34)";
        QTest::addRow("a library without a name")
            << "[unknown]+0x7f0ea9107ff3" << true << "a library, called from ocean (ocean.f90:34)";
        QTest::addRow("nothing else is known") << "[unknown]+0x7f0ea9107ff3" << false << "[unknown]+0x7f0ea9107ff3";
    }
    void whereItExited() {
        QFETCH(QString, innermost);
        QFETCH(bool, hasCaller);
        QFETCH(QString, place);
        TraceBuilder builder(2);
        builder.enter(0, 10, "MPI_Barrier").call(1, 10, 20, "MPI_Send");
        const TracePtr trace = builder.finish(10'000);
        ProcessEnd &end = std::const_pointer_cast<Trace>(trace)->processes[1].end;
        end.kind = ProcessEnd::Kind::Exited;
        end.exit = ProcessEnd::Exit::Normal;
        end.value = 3;
        end.time = 9'000;
        end.stack.push_back({innermost.toStdString(), "", 0});
        if (hasCaller)
            end.stack.push_back({"ocean", "ocean.f90", 34});
        const WaitForGraph waits = buildWaitForGraph(*trace, openEnd, {});
        const std::optional<Crash> crash = findCrash(*trace, waits);
        QVERIFY2(crash, "the job crashed");
        const QString said = QString::fromStdString(describe(*trace, waits, *crash));
        QVERIFY2(said.contains("by exit() in " + place + '.'), qPrintable(said));
    }
};

QTEST_APPLESS_MAIN(TestCrashWords)

#include "tst_crashwords.moc"
