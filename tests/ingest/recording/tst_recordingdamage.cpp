// SPDX-License-Identifier: GPL-3.0-or-later
#include "ingest/Format.h"
#include "ingest/recording/RecordingFile.h"
#include "tests/support/ArchiveWriter.h"
#include "tests/support/Mutation.h"
#include "tests/support/SampleRecording.h"
#include "tests/support/TraceDigest.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

using namespace laggard;
using namespace laggard::recording;
using namespace laggard::test;

namespace {

namespace fs = std::filesystem;

bool isNamed(const Trace &trace, const std::string &file) {
    return std::ranges::any_of(trace.warnings, [&](const Warning &warning) {
        return warning.severity == Warning::Severity::DataLoss && warning.place.starts_with(file);
    });
}

QString warningsOf(const Trace &trace) {
    QString all;
    for (const Warning &warning : trace.warnings)
        all += QString::fromStdString("\n" + warning.place + ": " + warning.message);
    return all;
}

/// The first line that differs.
QString difference(const std::string &before, const std::string &after) {
    const QStringList a = QString::fromStdString(before).split('\n');
    const QStringList b = QString::fromStdString(after).split('\n');
    for (qsizetype i = 0; i < std::max(a.size(), b.size()); ++i)
        if (a.value(i) != b.value(i))
            return QString("\nline %1: %2 | %3").arg(i).arg(a.value(i), b.value(i));
    return {};
}

std::size_t rounds() {
    return qEnvironmentVariableIsSet("LAGGARD_MUTATIONS")
               ? static_cast<std::size_t>(qEnvironmentVariableIntValue("LAGGARD_MUTATIONS"))
               : 300;
}

/// Damages one file of a recording again and again.
void damageOneOf(const std::string &folder, const std::string &file, Rank rank, unsigned seed) {
    const TracePtr healthy = openTrace(folder, {}, {});
    QVERIFY2(!isNamed(*healthy, file), qPrintable(warningsOf(*healthy)));
    const std::vector<std::string> before = digestByRank(*healthy);
    const std::string sound = fileBytes(file);
    std::mt19937 random(seed);
    std::size_t changed = 0;
    for (std::size_t round = 0; round < rounds(); ++round) {
        const Mutation mutation = mutatedOnce(sound, random);
        setFileBytes(file, mutation.bytes);
        const TracePtr trace = openTrace(folder, {}, {});
        const QString what =
            QString("round %1, %2").arg(round).arg(QString::fromStdString(mutation.description)) + warningsOf(*trace);
        const std::vector<std::string> after = digestByRank(*trace);
        QVERIFY2(after.size() == before.size(), qPrintable(what));
        for (Rank other = 0; other < before.size(); ++other)
            QVERIFY2(other == rank || after[other] == before[other],
                     qPrintable(what + QString("\nrank %1").arg(other) + difference(before[other], after[other])));
        if (after[rank] == before[rank])
            continue;
        ++changed;
        QVERIFY2(isNamed(*trace, file), qPrintable(what + difference(before[rank], after[rank])));
    }
    setFileBytes(file, sound);
    QVERIFY2(changed > rounds() / 4, qPrintable(QString("only %1 changed anything").arg(changed)));
    qInfo("%zu of %zu changed what is read; all were named", changed, rounds());
}

} // namespace

/// Whatever happens to a file of a recording: what it changes is named, and other ranks are what they were.
class TestRecordingDamage : public QObject {
    Q_OBJECT

  private slots:
    void everyDamageIsNamed() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        sampleOf(0).write(folder + "/0.laggard");
        sampleOf(1).write(folder + "/1.laggard");
        damageOneOf(folder, folder + "/0.laggard", 0, 1);
    }

    /// LAGGARD_RECORDING: a folder with a real one, of which the first file is damaged.
    void everyDamageOfARealOneIsNamed() {
        if (!qEnvironmentVariableIsSet("LAGGARD_RECORDING"))
            QSKIP("LAGGARD_RECORDING names no recording");
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString() + "/rec";
        fs::copy(qEnvironmentVariable("LAGGARD_RECORDING").toStdString(), folder);
        std::vector<std::string> files;
        for (const auto &entry : fs::directory_iterator(folder))
            if (entry.path().extension() == fileSuffix)
                files.push_back(entry.path().string());
        std::sort(files.begin(), files.end());
        const RecordingFile file(files.front(), RecordingFile::Depth::Definitions);
        damageOneOf(folder, files.front(), static_cast<Rank>(std::max(file.header().rank, 0)), 2);
    }

    /// Pages that did not reach the disk.
    void everyZeroedPageIsNamed() {
        const QTemporaryDir dir;
        const std::string folder = dir.path().toStdString();
        const std::string path = folder + "/0.laggard";
        sampleOf(1).write(folder + "/1.laggard");
        const std::string sound = sampleOf(0).bytes();
        setFileBytes(path, sound);
        const std::string before = digestByRank(*openTrace(folder, {}, {}))[0];
        for (std::size_t at = 0; at < sound.size(); at += 4096) {
            std::string bytes = sound;
            bytes.replace(at, 4096, 4096, '\0');
            setFileBytes(path, bytes);
            const TracePtr trace = openTrace(folder, {}, {});
            if (digestByRank(*trace)[0] == before)
                continue;
            QVERIFY2(isNamed(*trace, path), qPrintable(QString("page at %1").arg(at)));
            QVERIFY(trace->isDamaged(0));
            QVERIFY(!trace->isDamaged(1));
        }
    }

    /// A process that is killed while it writes loses its last group, and nothing is wrong with that.
    void tornGroupIsNoDamage() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        const std::uint32_t f = writer.address(1);
        writer.enter(10, f).enter(11, f);
        const std::string sound = writer.bytes();
        writer.enter(12, f);
        const std::string path = dir.path().toStdString() + "/0.laggard";
        // The third record is there, or all of it but its header, and the chunk does not yet say so.
        for (const bool hasHeader : {true, false}) {
            std::string bytes = writer.bytes();
            for (std::size_t at = headerBytes; at < bytes.size(); at += chunkUnit) {
                bytes.replace(at, sizeof(ChunkHeader), sound.substr(at, sizeof(ChunkHeader)));
                const auto *header = reinterpret_cast<const ChunkHeader *>(bytes.data() + at);
                if (header->kind == ChunkKind::Events && !hasHeader)
                    bytes.replace(at + sizeof(ChunkHeader) + 6 * 8, 8, 8, '\0');
            }
            setFileBytes(path, bytes);
            const TracePtr trace = openTrace(path, {}, {});
            QVERIFY2(!trace->hasDataLoss(), qPrintable(warningsOf(*trace)));
            QCOMPARE(trace->locations[0].eventCount, std::uint64_t{hasHeader ? 3U : 2U});
        }
    }

    void recordsThatFoundNoRoomAreLosses() {
        const QTemporaryDir dir;
        RecordingWriter writer(0, 1);
        writer.call(10, 20, "MPI_Barrier");
        writer.header.droppedRecords = 1000;
        writer.write(dir.path().toStdString() + "/0.laggard");
        const TracePtr trace = openTrace(dir.path().toStdString(), {}, {});
        QVERIFY(trace->hasDataLoss());
    }

    /// Recordings of the version before, which has no checks but those of records.
    void oldRecordingsOpen() {
        const std::string folder = LAGGARD_EXAMPLES "/hung-stencil-recorded";
        const TracePtr trace = openTrace(folder, {}, {});
        for (const auto &entry : fs::directory_iterator(folder))
            if (entry.path().extension() == fileSuffix)
                QCOMPARE(RecordingFile(entry.path().string()).header().version, uncheckedVersion);
        QCOMPARE(trace->processes.size(), std::size_t{16});
        QVERIFY2(!trace->hasDataLoss(), qPrintable(warningsOf(*trace)));
        for (Rank rank = 0; rank < 16; ++rank)
            QVERIFY(trace->mainEvents(rank)->track.size() > 10);
    }
};

QTEST_APPLESS_MAIN(TestRecordingDamage)
#include "tst_recordingdamage.moc"
