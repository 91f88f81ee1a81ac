// SPDX-License-Identifier: GPL-3.0-or-later
// With what a job was started, and how its clocks differ, as recorders have told it.
#include "ingest/recording/RecordedCommand.h"

#include "ingest/Format.h"
#include "tests/support/RecordingWriter.h"

#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <memory>

using namespace laggard;
using namespace laggard::recording;
using test::RecordingWriter;

namespace {

/// The next piece of a command line, or what it says of itself.
void addPiece(RecordingWriter &writer, const std::string &text, std::uint32_t bytes, std::size_t all) {
    RecordingWriter::Words payload{pair(bytes, static_cast<std::uint32_t>(all))};
    for (std::size_t at = 0; at < text.size(); at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data() + at, std::min<std::size_t>(8, text.size() - at));
        payload.push_back(word);
    }
    writer.define(RecordKind::CommandLine, payload);
}
void addPiece(RecordingWriter &writer, const std::string &text, std::size_t all) {
    addPiece(writer, text, static_cast<std::uint32_t>(text.size()), all);
}

const std::string whole("/home/me/run\0./app\0-n\0a b\0", 26);

} // namespace

class TestRecordedCommand : public QObject {
    Q_OBJECT
  private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void isPutTogether() {
        for (int rank = 0; rank < 2; ++rank) {
            RecordingWriter writer(rank, 2);
            addPiece(writer, whole.substr(0, 9), whole.size());
            addPiece(writer, whole.substr(9), whole.size());
            write(writer, rank);
        }
        const RecordedCommand command = commandOf(m_folder->path().toStdString(), {});
        QCOMPARE(command.problem, std::string());
        QCOMPARE(command.ranks, std::size_t{2});
        QCOMPARE(command.folder, std::string("/home/me/run"));
        QVERIFY((command.arguments == std::vector<std::string>{"./app", "-n", "a b"}));
        QCOMPARE(command.mpi, std::string());
    }

    void tellsTheLibrary() {
        RecordingWriter writer(0, 1);
        writer.module("/usr/lib/libmpich.so.12", "");
        write(writer, 0);
        QCOMPARE(commandOf(m_folder->path().toStdString(), {}).mpi, std::string("mpich"));
    }

    void isNotKnown_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("said");
        QTest::addRow("an older recorder") << 0 << "does not tell with which arguments";
        QTest::addRow("the end is missing") << 1 << "does not tell with which arguments";
        QTest::addRow("no arguments") << 2 << "does not tell with which arguments";
        QTest::addRow("longer than its record") << 3 << "does not tell with which arguments";
        QTest::addRow("another one on rank 1") << 4 << "different arguments";
    }
    void isNotKnown() {
        QFETCH(int, kind);
        QFETCH(QString, said);
        for (int rank = 0; rank < 2; ++rank) {
            RecordingWriter writer(rank, 2);
            if (kind == 1)
                addPiece(writer, whole.substr(0, 22), whole.size());
            else if (kind == 2)
                addPiece(writer, whole.substr(0, 13), 13);
            else if (kind == 3)
                addPiece(writer, whole, 4000, 4000);
            else if (kind == 4)
                addPiece(writer, rank == 0 ? whole : whole + std::string("more\0", 5), whole.size() + (rank == 0 ? 0 : 5));
            write(writer, rank);
        }
        const RecordedCommand command = commandOf(m_folder->path().toStdString(), {});
        QVERIFY2(QString::fromStdString(command.problem).contains(said), command.problem.c_str());
        QVERIFY(command.arguments.empty());
    }

    /// Rank 1 is on a machine whose clock that never steps began 1 ms later, and whose date is wrong by 3 ms.
    void measuredClocksCountMoreThanDates() {
        for (const bool isMeasured : {false, true}) {
            init();
            RecordingWriter first(0, 2);
            first.header.startTicks = 5'000'000;
            first.call(5'100'000, 5'200'000, "MPI_Init");
            write(first, 0);
            RecordingWriter second(1, 2);
            std::strcpy(second.header.host, "n1");
            second.header.startTicks = 4'010'000; // 10 µs after rank 0
            second.header.startUtc += 3'010'000;
            second.call(4'100'000, 4'200'000, "MPI_Init");
            if (isMeasured)
                second.define(RecordKind::ClockOffset, {4'200'000, 1'000'000, 2'000});
            write(second, 1);
            const TracePtr trace = openTrace(m_folder->path().toStdString(), {}, {});
            const auto start = [&](Rank rank) { return trace->mainEvents(rank)->track.start[0]; };
            QCOMPARE(start(0), Tick{100'000});
            QCOMPARE(start(1), isMeasured ? Tick{100'000} : Tick{3'100'000});
        }
    }

    /// Nothing is before the start of the trace, whoever began first.
    void theEarliestBeginsTheTrace() {
        RecordingWriter first(0, 2);
        first.header.startTicks = 5'000'000;
        first.call(5'100'000, 5'200'000, "MPI_Init");
        write(first, 0);
        RecordingWriter second(1, 2);
        std::strcpy(second.header.host, "n1");
        second.header.startTicks = 3'500'000; // half a millisecond before rank 0
        second.call(3'600'000, 3'700'000, "MPI_Init");
        second.define(RecordKind::ClockOffset, {3'700'000, 1'000'000, 2'000});
        write(second, 1);
        const TracePtr trace = openTrace(m_folder->path().toStdString(), {}, {});
        QCOMPARE(trace->mainEvents(1)->track.start[0], Tick{100'000});
        QCOMPARE(trace->mainEvents(0)->track.start[0], Tick{600'000});
    }

  private:
    void write(const RecordingWriter &writer, int rank) {
        writer.write(m_folder->filePath(QString("n%1.%1.laggard").arg(rank)).toStdString());
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestRecordedCommand)
#include "tst_recordedcommand.moc"
