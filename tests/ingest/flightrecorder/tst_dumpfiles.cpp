// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/flightrecorder/DumpFiles.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/FlightJob.h"
#include "trace/Work.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::flightrecorder;
using laggard::test::setFileBytes;

class TestDumpFiles : public QObject {
    Q_OBJECT

  private slots:
    void tellsRankByName_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<int>("rank"); // -1: none
        QTest::newRow("PyTorch's default") << "nccl_trace_rank_12"
                                           << "nccl_trace_rank_" << 12;
        QTest::newRow("newer default") << "comm_lib_trace_rank_0"
                                       << "comm_lib_trace_rank_" << 0;
        QTest::newRow("short") << "_dump_7"
                               << "_dump_" << 7;
        QTest::newRow("JSON") << "rank3.json"
                              << "rank" << 3;
        QTest::newRow("number alone") << "15"
                                      << "" << 15;
        QTest::newRow("behind a dot") << "trace.4"
                                      << "trace." << 4;
        QTest::newRow("no number") << "dump.pickle"
                                   << "" << -1;
        QTest::newRow("no rank") << "dump_20250923101112"
                                 << "" << -1;
    }

    void tellsRankByName() {
        QFETCH(const QString, name);
        QFETCH(const QString, prefix);
        QFETCH(const int, rank);
        const auto told = dumpName(name.toStdString());
        QCOMPARE(told.has_value(), rank >= 0);
        if (told) {
            QCOMPARE(QString::fromStdString(told->prefix), prefix);
            QCOMPARE(static_cast<int>(told->rank), rank);
        }
    }

    void findsFolderAndFile() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        test::writeDumps({}, path);
        setFileBytes(path + "/fault.log", "no dump");
        setFileBytes(path + "/notes_3", "no dump either");
        QCOMPARE(findDumps(path), std::vector<std::string>{path});
        QCOMPARE(findDumps(path + "/_dump_3"), std::vector<std::string>{path + "/_dump_3"});
        QCOMPARE(findDumps(path + "/fault.log"), std::vector<std::string>());
        QCOMPARE(filesOf(path).entries.size(), std::size_t{8});
        QCOMPARE(filesOf(path + "/_dump_3").entries.size(), std::size_t{8});
    }

    void keepsJobsApart() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        test::writeDumps({}, path, "first_");
        test::writeDumps({}, path, "second_");
        QCOMPARE(findDumps(path), (std::vector<std::string>{path + "/first_0", path + "/second_0"}));
        QCOMPARE(filesOf(path + "/second_0").entries.size(), std::size_t{8});
    }

    void readsOneOfTwo() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        test::writeDumps({}, path);
        setFileBytes(path + "/_dump_03", test::dumpsOf({})[3]);
        const DumpFiles files = filesOf(path);
        QCOMPARE(files.entries.size(), std::size_t{8});
        QCOMPARE(files.warnings.size(), std::size_t{1});
    }

    void refusesNumbersThatAreNoRanks() {
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        setFileBytes(path + "/dump_1000000", test::dumpsOf({})[0]);
        QVERIFY_THROWS_EXCEPTION(ReadError, static_cast<void>(filesOf(path)));
    }
};

QTEST_APPLESS_MAIN(TestDumpFiles)
#include "tst_dumpfiles.moc"
