// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/flightrecorder/RasSnapshot.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/FlightJob.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::flightrecorder;
using laggard::test::setFileBytes;

namespace {

/// As the documentation of NCCL shows it.
std::string text(unsigned most, unsigned few) {
    return "NCCL version 2.27.3 compiled with CUDA 12.9\nCUDA runtime version 12090, driver version 12090\n\n"
           "Job summary\n===========\n\n"
           "  Nodes  Processes         GPUs  Processes     GPUs\n(total)   per node  per process    (total)  (total)\n"
           "      1          8            1          8        8\n\n"
           "Communicators... (0.00s)\n=============\n\n"
           "Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors\n"
           "    #  in group  per comm  per node  per comm  in group\n"
           "    0         1         1         8         8         8   RUNNING  MISMATCH\n\n"
           "Errors\n======\n\nWarnings\n========\n\n"
           "#0-0 (27a079b828ff1a75) MISMATCH\n  Communicator ranks have different AllReduce operation counts\n  6 ranks have "
           "launched up to operation " +
           std::to_string(most) + "\n  2 ranks have launched up to operation " + std::to_string(few) +
           "\n  Rank 3 -- GPU 3 managed by process 483072 on node n1\n  Rank 5 -- GPU 5 managed by process 483074 on node n1\n";
}

std::string json(unsigned most, unsigned few) {
    const auto rank = [](unsigned number, unsigned count) {
        return "{\"rank\":" + std::to_string(number) +
               ",\"host\":\"n1\",\"pid\":7,\"collective_counts\":{\"AllReduce\":" + std::to_string(count) + ",\"Broadcast\":1}}";
    };
    std::string ranks;
    for (unsigned i = 0; i < 8; ++i)
        ranks += (i == 0 ? "" : ",") + rank(i, i == 3 || i == 5 ? few : most);
    return "{\"nccl_version\":\"2.28.3\",\"timestamp\":\"2026-01-01 "
           "10:00:00\",\"communicators_count\":1,\"communicators\":[{\"hash\":"
           "\"0x27a079b828ff1a75\",\"size\":8,\"ranks_count\":8,\"missing_ranks_count\":1,\"ranks\":[" +
           ranks + "],\"missing_ranks\":[{\"rank\":7,\"status\":{\"unresponsive\":true,\"considered_dead\":false}}]}]}";
}

} // namespace

class TestRasSnapshot : public QObject {
    Q_OBJECT

  private slots:
    void readsBothForms_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray::fromStdString(text(64, 60));
        QTest::newRow("JSON") << QByteArray::fromStdString(json(64, 60));
    }

    void readsBothForms() {
        QFETCH(const QByteArray, bytes);
        const QTemporaryDir folder;
        const std::string file = folder.filePath("ras").toStdString();
        setFileBytes(file, bytes.toStdString());
        QVERIFY(looksLikeRas(bytes.toStdString()));
        const RasSnapshot snapshot = readRas(file, {});
        QCOMPARE(snapshot.communicators.size(), std::size_t{1});
        QCOMPARE(snapshot.communicators[0].size, std::uint64_t{8});
        QCOMPARE(snapshot.communicators[0].launched.size(), std::size_t{1});
        const RasCommunicator::Launched &launched = snapshot.communicators[0].launched[0];
        QCOMPARE(launched.operation, std::string("AllReduce"));
        QCOMPARE(launched.most, std::uint64_t{64});
        QCOMPARE(launched.few, (std::map<Rank, std::uint64_t>{{3, 60}, {5, 60}}));
    }

    void tellsWhatLasts_data() {
        QTest::addColumn<unsigned>("before");
        QTest::addColumn<unsigned>("fewBefore");
        QTest::addColumn<QString>("expected");
        QTest::newRow("same") << 64U << 60U << "it lasts";
        QTest::newRow("moved") << 50U << 46U << "the job moved";
    }

    void tellsWhatLasts() {
        QFETCH(const unsigned, before);
        QFETCH(const unsigned, fewBefore);
        QFETCH(const QString, expected);
        const QTemporaryDir folder;
        const std::string path = folder.path().toStdString();
        test::writeDumps({.fault = test::FlightJob::Fault::NotEnqueued, .faulty = {3, 5}}, path);
        setFileBytes(path + "/ras-1.txt", text(before, fewBefore));
        setFileBytes(path + "/ras-2.txt", text(64, 60));
        const TracePtr trace = openTrace(path, {}, {});
        const auto note = std::ranges::find_if(trace->warnings, [](const Warning &warning) {
            return QString::fromStdString(warning.message).contains("ncclras saw ranks 3 and 5 behind");
        });
        QVERIFY(note != trace->warnings.end());
        QVERIFY2(QString::fromStdString(note->message).contains(expected), note->message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestRasSnapshot)
#include "tst_rassnapshot.moc"
