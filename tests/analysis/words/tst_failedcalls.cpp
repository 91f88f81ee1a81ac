// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/verdict/MpiUse.h"
#include "analysis/words/FailedCalls.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::RecordingWriter;

class TestFailedCalls : public QObject {
    Q_OBJECT
  private slots:
    void sends_data() {
        QTest::addColumn<bool>("fails");
        QTest::addColumn<bool>("receives"); // the call receives as well
        QTest::addColumn<std::size_t>("sends");
        QTest::addColumn<QString>("says");
        const QString told = " MPI_Send returned an error to rank 0, at 20 ns.";
        QTest::newRow("it sends") << false << false << std::size_t{2} << "";
        QTest::newRow("it fails, and has sent nothing") << true << false << std::size_t{1} << told;
        QTest::newRow("it fails, maybe in what it receives") << true << true << std::size_t{2} << told;
    }
    void sends() {
        QFETCH(bool, fails);
        QFETCH(bool, receives);
        QFETCH(std::size_t, sends);
        QFETCH(QString, says);
        QTemporaryDir dir;
        RecordingWriter first(0, 2);
        first.enter(1, first.address(0x10)).call(2, 3, "MPI_Init").sendCall(5, 6, 1, 1).begin(10, "MPI_Send").sendPart(1, 4);
        if (receives)
            first.receivePart(1, 5);
        first.end(20, fails ? static_cast<std::uint32_t>(callFailed) : 0U);
        RecordingWriter second(1, 2);
        second.enter(1, second.address(0x10)).call(2, 3, "MPI_Init").receiveCall(5, 7, 0, 1);
        first.write(dir.path().toStdString() + "/0.laggard");
        second.write(dir.path().toStdString() + "/1.laggard");
        const TracePtr trace = openTrace(dir.path().toStdString(), {}, {});
        QCOMPARE(trace->locations[0].events.sends.size(), sends);
        QCOMPARE(QString::fromStdString(describeFailedCalls(*trace, openEnd)), says);
        QCOMPARE(describeFailedCalls(*trace, 15), std::string()); // before it returned
    }

    /// A collective call returns its error to all; what fails after it is told by name.
    void severalCalls_data() {
        QTest::addColumn<QStringList>("first"); // the calls of rank 0 that fail
        QTest::addColumn<QStringList>("second");
        QTest::addColumn<QString>("says");
        const QStringList open{"MPI_File_open"};
        const QStringList all{"MPI_File_open", "MPI_File_write", "MPI_File_close"};
        QTest::newRow("to both") << open << open << " MPI_File_open returned an error to both ranks, first at 20 ns.";
        QTest::newRow("and later ones")
            << all << QStringList()
            << " MPI_File_open returned an error to rank 0, at 20 ns; so did later MPI_File_write and "
               "MPI_File_close.";
        QTest::newRow("again") << open + open + open << QStringList()
                               << " MPI_File_open returned an error to rank 0, first at 20 ns (3 times).";
        QTest::newRow("to others")
            << open << open + QStringList{"MPI_File_write"}
            << " MPI_File_open returned an error to both ranks, first at 20 ns; so did later MPI_File_write "
               "to rank 1.";
        QTest::newRow("many") << QStringList{"MPI_A", "MPI_B", "MPI_C", "MPI_D", "MPI_E", "MPI_F"} << QStringList()
                              << " MPI_A returned an error to rank 0, at 20 ns; so did later MPI_B, MPI_C, MPI_D and calls at 2 "
                                 "other places.";
    }
    void severalCalls() {
        QFETCH(QStringList, first);
        QFETCH(QStringList, second);
        QFETCH(QString, says);
        QTemporaryDir dir;
        for (std::int32_t rank = 0; rank < 2; ++rank) {
            RecordingWriter writer(rank, 2);
            writer.enter(1, writer.address(0x10)).call(2, 3, "MPI_Init");
            std::uint64_t time = 10;
            for (const QString &call : rank == 0 ? first : second) {
                writer.begin(time, call.toStdString()).end(time + 10, static_cast<std::uint32_t>(callFailed));
                time += 20;
            }
            writer.write(dir.path().toStdString() + '/' + std::to_string(rank) + ".laggard");
        }
        QCOMPARE(QString::fromStdString(describeFailedCalls(*openTrace(dir.path().toStdString(), {}, {}), openEnd)), says);
    }
};

QTEST_APPLESS_MAIN(TestFailedCalls)
#include "tst_failedcalls.moc"
