// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/waitfor/CommunicatorNames.h"
#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using laggard::test::RecordingWriter;

namespace {

/// Three ranks that make two communicators: a duplicate, and one of ranks 0 and 1 (`isCalled`: by a call that was recorded).
TracePtr job(bool isCalled) {
    QTemporaryDir folder;
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        RecordingWriter writer(rank, 3);
        writer.call(1, 2, "MPI_Init").collectiveCall(10, 20, "MPI_Comm_dup");
        writer.communicator(7, {0, 1, 2}, 0, 0, static_cast<std::uint32_t>(rank));
        if (isCalled)
            writer.collectiveCall(30, 40, "MPI_Comm_split");
        if (rank < 2)
            writer.communicator(8, {0, 1}, 0, 0, static_cast<std::uint32_t>(rank));
        writer.write(folder.filePath(QString::number(rank) + ".laggard").toStdString());
    }
    return openTrace(folder.path().toStdString(), {}, {});
}

CommunicatorId withMembers(const Trace &trace, std::size_t members) {
    for (CommunicatorId id = 0; id < trace.communicators.size(); ++id)
        if (id != trace.world && trace.communicators[id].members.size() == members)
            return id;
    return none;
}

} // namespace

class TestCommunicatorNames : public QObject {
    Q_OBJECT
  private slots:
    void world() {
        const TracePtr trace = job(true);
        QCOMPARE(describeCommunicator(*trace, trace->world), std::string("MPI_COMM_WORLD"));
    }
    void ofSome() {
        const TracePtr trace = job(true);
        const CommunicatorId two = withMembers(*trace, 2);
        QVERIFY(two != none);
        QCOMPARE(describeCommunicator(*trace, two),
                 "communicator " + std::to_string(two) + " (of ranks 0 and 1, made by MPI_Comm_split)");
    }
    void ofAll() {
        const TracePtr trace = job(true);
        const CommunicatorId all = withMembers(*trace, 3);
        QCOMPARE(describeCommunicator(*trace, all), "communicator " + std::to_string(all) + " (made by MPI_Comm_dup)");
    }
    /// More were made than calls are known: which of them made which is not told.
    void notCertain() {
        const TracePtr trace = job(false);
        QCOMPARE(madeBy(*trace, withMembers(*trace, 2)), CallPathId{none});
        QCOMPARE(madeBy(*trace, withMembers(*trace, 3)), CallPathId{none});
    }
};

QTEST_APPLESS_MAIN(TestCommunicatorNames)
#include "tst_communicatornames.moc"
