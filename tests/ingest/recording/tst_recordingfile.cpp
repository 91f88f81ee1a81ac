// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/recording/RecordingFile.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/RecordingWriter.h"
#include "trace/Work.h"
#include "trace/recording/Checks.h"
#include "trace/recording/Transition.h"

#include <QTemporaryDir>
#include <QTest>

using namespace laggard;
using namespace laggard::recording;
using laggard::test::fileBytes;
using laggard::test::RecordingWriter;
using laggard::test::setFileBytes;

namespace {

std::string pathIn(const QTemporaryDir &dir) { return (dir.path() + "/0.laggard").toStdString(); }

std::vector<RecordKind> kindsOf(const RecordingFile &file, std::uint32_t thread, std::vector<Warning> *warnings = nullptr) {
    std::vector<RecordKind> kinds;
    EventReader reader = file.events(thread);
    for (Record record; reader.next(record);)
        kinds.push_back(record.kind);
    if (warnings != nullptr)
        *warnings = reader.warnings();
    return kinds;
}

QString complaint(const std::string &path) {
    try {
        RecordingFile file(path);
        return {};
    } catch (const ReadError &error) {
        return QString::fromStdString(error.what());
    }
}

/// Where the first Events chunk begins.
std::size_t eventsAt(const std::string &bytes) {
    for (std::size_t at = headerBytes; at < bytes.size(); at += chunkUnit)
        if (reinterpret_cast<const ChunkHeader *>(bytes.data() + at)->kind == ChunkKind::Events)
            return at;
    return 0;
}

} // namespace

class TestRecordingFile : public QObject {
    Q_OBJECT

  private slots:
    void definitions() {
        const QTemporaryDir dir;
        RecordingWriter writer(1, 4);
        const std::uint32_t module = writer.module("/usr/lib/libfoo.so", "\x12\x34\x56");
        const std::uint32_t function = writer.address(0x40, AddressKind::Function, module);
        const std::uint32_t path = writer.pathTo("MPI_Send", {function});
        const std::uint32_t row = writer.communicator(7, {0, 1, 3});
        writer.communicatorName(row, "row");
        writer.write(pathIn(dir));
        const RecordingFile file(pathIn(dir));
        QCOMPARE(file.header().rank, 1);
        const FileDefinitions &found = file.definitions();
        QCOMPARE(found.modules.at(module).path, std::string("/usr/lib/libfoo.so"));
        QCOMPARE(found.modules.at(module).buildId, std::string("\x12\x34\x56"));
        QCOMPARE(found.addresses.at(function).offset, 0x40U);
        QCOMPARE(found.paths.at(found.paths.at(path).parent).address, function);
        QCOMPARE(found.operations.at(0), std::string("MPI_Send"));
        QCOMPARE(found.communicators.at(row).name, std::string("row"));
        QCOMPARE(found.communicators.at(row).members.size(), std::size_t{2});
        QCOMPARE(found.communicators.at(row).known, 3U);
        QVERIFY(file.warnings().empty());
    }

    /// A program that was replaced while it ran has this name in the kernel's list; its file has not.
    void replacedWhileItRan() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t module = writer.module("/home/me/app (deleted)", "\x12\x34\x56");
        writer.write(pathIn(dir));
        QCOMPARE(RecordingFile(pathIn(dir)).definitions().modules.at(module).path, std::string("/home/me/app"));
    }

    void eventsOfThreadsInOrder() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).onThread(3).enter(11, f).onThread(0).leave(12, f).newChunk(13).enter(14, f);
        writer.write(pathIn(dir));
        const RecordingFile file(pathIn(dir));
        QCOMPARE(file.threads(), (std::vector<std::uint32_t>{0, 3}));
        using enum RecordKind;
        QVERIFY(kindsOf(file, 0) == (std::vector{Context, Enter, Leave, Context, Enter}));
        QVERIFY(kindsOf(file, 3) == (std::vector{Context, Enter}));
        QVERIFY(kindsOf(file, 9).empty());
    }

    /// A ring writes its chunks in turns: what counts is the sequence.
    void chunksBySequence() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).newChunk(20).leave(20, f);
        std::string bytes = writer.bytes();
        const std::size_t first = eventsAt(bytes);
        const std::string chunk = bytes.substr(first, chunkUnit);
        bytes.replace(first, chunkUnit, bytes.substr(first + chunkUnit, chunkUnit));
        bytes.replace(first + chunkUnit, chunkUnit, chunk);
        for (const std::size_t at : {first, first + chunkUnit}) {
            auto *header = reinterpret_cast<ChunkHeader *>(bytes.data() + at);
            header->offset = at;
            header->sequence = sealedSequence(*header, sequenceOf(*header));
        }
        setFileBytes(pathIn(dir), bytes);
        const RecordingFile file(pathIn(dir));
        using enum RecordKind;
        QVERIFY(kindsOf(file, 0) == (std::vector{Context, Enter, Context, Leave}));
    }

    /// A chunk that is used again still holds older records behind the newer ones: they must not pass.
    void remainsOfEarlierUse() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).enter(11, f).enter(12, f);
        std::string bytes = writer.bytes();
        auto *header = reinterpret_cast<ChunkHeader *>(bytes.data() + eventsAt(bytes));
        header->sequence = sealedSequence(*header, 5);
        setFileBytes(pathIn(dir), bytes);
        const RecordingFile file(pathIn(dir));
        std::vector<Warning> warnings;
        QVERIFY(kindsOf(file, 0, &warnings).empty());
        QCOMPARE(warnings.size(), std::size_t{1});
    }

    void damageEndsItsChunkOnly() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).enter(11, f).enter(12, f).newChunk(20).enter(21, f);
        std::string bytes = writer.bytes();
        const std::size_t second = eventsAt(bytes) + sizeof(ChunkHeader) + 8 * 4; // behind the Context and one Enter
        bytes[second + 9] = static_cast<char>(bytes[second + 9] ^ 4);
        setFileBytes(pathIn(dir), bytes);
        const RecordingFile file(pathIn(dir));
        std::vector<Warning> warnings;
        using enum RecordKind;
        QVERIFY(kindsOf(file, 0, &warnings) == (std::vector{Context, Enter, Context, Enter}));
        QCOMPARE(warnings.size(), std::size_t{1});
        QVERIFY(warnings[0].severity == Warning::Severity::DataLoss);
        QCOMPARE(warnings[0].place, pathIn(dir) + ", offset " + std::to_string(second));
    }

    /// A page that did not reach the disk: where it should go on, there is nothing.
    void zerosWhereRecordsWere() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).enter(11, f);
        std::string bytes = writer.bytes();
        const std::size_t last = eventsAt(bytes) + sizeof(ChunkHeader) + 8 * 4;
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(last), 8, '\0');
        setFileBytes(pathIn(dir), bytes);
        const RecordingFile file(pathIn(dir));
        std::vector<Warning> warnings;
        using enum RecordKind;
        QVERIFY(kindsOf(file, 0, &warnings) == (std::vector{Context, Enter}));
        QCOMPARE(warnings.size(), std::size_t{1});
    }

    void chunkBeingSetUpIsSkipped() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        writer.enter(10, writer.address(1));
        std::string bytes = writer.bytes();
        auto *header = reinterpret_cast<ChunkHeader *>(bytes.data() + eventsAt(bytes));
        header->sequence = sealedSequence(*header, 0);
        setFileBytes(pathIn(dir), bytes);
        const RecordingFile file(pathIn(dir));
        QVERIFY(kindsOf(file, 0).empty());
        QVERIFY(file.warnings().empty());
    }

    void lostChunkHeader() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).newChunk(20).enter(21, f);
        std::string bytes = writer.bytes();
        std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(eventsAt(bytes)), 64, '\7');
        setFileBytes(pathIn(dir), bytes);
        const RecordingFile file(pathIn(dir));
        QCOMPARE(kindsOf(file, 0).size(), std::size_t{2});
        QCOMPARE(file.firstSequence(0), std::uint64_t{2});
        QCOMPARE(file.warnings().size(), std::size_t{1});
    }

    void cutOff() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        for (int i = 0; i < 20'000; ++i)
            writer.enter(10, f);
        const std::string bytes = writer.bytes();
        setFileBytes(pathIn(dir), bytes.substr(0, eventsAt(bytes) + 100'000));
        const RecordingFile file(pathIn(dir));
        QVERIFY(file.isIncomplete());
        QCOMPARE(file.warnings().size(), std::size_t{1});
        QCOMPARE(kindsOf(file, 0).size(), (100'000 - sizeof(ChunkHeader)) / 16);
    }

    void arrays() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        ThreadState state{};
        state.isMain = 1;
        state.callPath = 4;
        writer.state(state);
        RequestSlot slot{};
        slot.request = 17;
        slot.peer = 3;
        writer.request(slot);
        slot.version = 5; // being written
        slot.request = 18;
        writer.request(slot);
        slot.version = 2;
        slot.request = 0; // free
        writer.request(slot);
        writer.write(pathIn(dir));
        const RecordingFile file(pathIn(dir));
        QCOMPARE(file.threadStates().size(), std::size_t{1});
        QCOMPARE(file.threadStates()[0].value.callPath, 4U);
        const auto requests = file.requests();
        QCOMPARE(requests.size(), std::size_t{2});
        QVERIFY(!requests[0].torn);
        QCOMPARE(requests[0].value.request, std::uint64_t{17});
        QVERIFY(requests[1].torn);
    }

    /// Times of transitions: a table that has them one by one, beside the one of statistics, which is all that version 2 has.
    void transitions() {
        const QTemporaryDir dir;
        for (const std::uint32_t version : {formatVersion, 2U}) {
            RecordingWriter writer(0, 1);
            writer.header.version = version;
            TransitionSlot many{};
            many.from = startState;
            many.to = 4;
            for (int i = 0; i < 30; ++i)
                addTime(many, i);
            writer.transition(many);
            if (version == 2) {
                writer.write(pathIn(dir));
                QCOMPARE(RecordingFile(pathIn(dir)).transitions().size(), std::size_t{1});
                continue;
            }
            FewTimesSlot few{};
            few.phase = 2;
            few.from = 4;
            few.to = 5;
            writer.transition(few); // free
            QVERIFY(addTime(few, 30) && addTime(few, 0) && addTime(few, 60));
            writer.transition(few);
            few.version = 5; // being written when the process died
            writer.transition(few);
            writer.write(pathIn(dir));
            const RecordingFile file(pathIn(dir));
            const std::vector<TransitionSlot> found = file.transitions();
            QVERIFY2(file.warnings().empty(), "the tables are whole");
            QCOMPARE(found.size(), std::size_t{2});
            QCOMPARE(found[0].count, std::uint64_t{30});
            QCOMPARE(found[1].count, std::uint64_t{3});
            QCOMPARE(found[1].phase, 2);
            QCOMPARE(found[1].from, 4U);
            QCOMPARE(found[1].to, 5U);
            QCOMPARE(found[1].mean, 30.0);
            QCOMPARE(found[1].shortest, 0.0);
            QCOMPARE(found[1].longest, 60.0);
            QCOMPARE(found[1].histogram.used, std::uint64_t{3});
        }
    }

    /// Each byte of an entry matters: none changes unnoticed.
    void damagedTimes() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        FewTimesSlot few{};
        few.from = 4;
        few.to = 5;
        QVERIFY(addTime(few, 30) && addTime(few, 7));
        writer.transition(few);
        const std::string whole = writer.bytes();
        const std::size_t at = whole.size() - chunkUnit + sizeof(ChunkHeader);
        for (std::size_t i = sizeof few.version; i < sizeof few; ++i) {
            std::string bytes = whole;
            bytes[at + i] = static_cast<char>(bytes[at + i] ^ 0x10);
            setFileBytes(pathIn(dir), bytes);
            const RecordingFile file(pathIn(dir));
            QVERIFY2(file.transitions().empty() && !file.warnings().empty(), qPrintable(QString("byte %1 of the entry").arg(i)));
        }
    }

    void crashStates() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        CrashState state{};
        state.signal = 11;
        state.registerCount = 17;
        writer.crash(2, state, {1, 2, 3, 4});
        writer.write(pathIn(dir));
        const RecordingFile file(pathIn(dir));
        QCOMPARE(file.crashes().size(), std::size_t{1});
        QCOMPARE(file.crashes()[0].thread, 2U);
        QCOMPARE(file.crashes()[0].state.signal, 11U);
        QCOMPARE(file.crashes()[0].stack, (std::vector<std::uint8_t>{1, 2, 3, 4}));
    }

    void refused_data() {
        QTest::addColumn<int>("at");
        QTest::addColumn<QString>("why");
        QTest::newRow("not a recording") << 0 << "is not a recording";
        QTest::newRow("version") << 8 << "of version";
        QTest::newRow("byte order") << 12 << "another byte order";
        QTest::newRow("clock") << 20 << "header of the recording is damaged";
        QTest::newRow("host") << 100 << "header of the recording is damaged";
    }
    void refused() {
        QFETCH(int, at);
        QFETCH(QString, why);
        const QTemporaryDir dir;
        std::string bytes = RecordingWriter(0, 1).bytes();
        bytes[static_cast<std::size_t>(at)] = static_cast<char>(bytes[static_cast<std::size_t>(at)] ^ 0x40);
        setFileBytes(pathIn(dir), bytes);
        QVERIFY2(complaint(pathIn(dir)).contains(why), qPrintable(complaint(pathIn(dir))));
    }
    void shorterThanItsHeader() {
        const QTemporaryDir dir;
        setFileBytes(pathIn(dir), RecordingWriter(0, 1).bytes().substr(0, 200));
        QVERIFY(complaint(pathIn(dir)).contains("is not a recording"));
    }
};

QTEST_APPLESS_MAIN(TestRecordingFile)
#include "tst_recordingfile.moc"
