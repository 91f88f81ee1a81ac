// SPDX-License-Identifier: GPL-3.0-or-later
// What laggard-analyze says of several runs, and of what repeats within one: started as a user does.
#include "tests/support/Analyze.h"
#include "tests/support/ArchiveWriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using laggard::test::analyze;
using laggard::test::ArchiveWriter;
using laggard::test::Run;

namespace {

constexpr std::uint32_t ranks = 4;
constexpr std::uint32_t mainRegion = 0;
constexpr std::uint32_t work = 1;
constexpr std::uint32_t allreduce = 4;
constexpr std::uint64_t stepLength = 1'000'000; // ns

struct Job {
    std::uint32_t steps = 40;
    std::uint32_t slowRank = ranks;  ///< comes last to each collective
    std::uint32_t quietRank = ranks; ///< leaves its main function …
    std::uint32_t quietFrom = 0;     ///< … before this step
};

/// All ranks work and meet in MPI_Allreduce, step by step. Returns the archive.
QString write(const QTemporaryDir &folder, const QString &name, const Job &job) {
    const QString path = folder.filePath(name);
    ArchiveWriter archive(path.toStdString());
    archive.usualRegions().ranks(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        archive.enter(rank, 0, mainRegion);
        const std::uint32_t steps = rank == job.quietRank ? job.quietFrom : job.steps;
        for (std::uint32_t step = 0; step < steps; ++step) {
            const std::uint64_t begin = 1000 + step * stepLength;
            // Without a slow rank they take turns in coming last.
            const bool isLast = job.slowRank < ranks ? rank == job.slowRank : step % ranks == rank;
            const std::uint64_t arrives = begin + stepLength / 2 + (isLast ? stepLength / 4 : rank);
            archive.enter(rank, begin, work).leave(rank, arrives, work).enter(rank, arrives + 1, allreduce);
            archive.allreduce(rank, begin + stepLength - 100).leave(rank, begin + stepLength - 50, allreduce);
        }
        archive.leave(rank, 2000 + job.steps * stepLength, mainRegion);
    }
    archive.write();
    return path + QStringLiteral("/traces.otf2");
}

QJsonObject reportOf(const Run &run) { return QJsonDocument::fromJson(run.out.toUtf8()).object(); }

} // namespace

class TestAnalyzeRuns : public QObject {
    Q_OBJECT
  private slots:
    void divergence_data() {
        QTest::addColumn<Job>("job");
        QTest::addColumn<QList<int>>("departed");
        QTest::addColumn<int>("callsAlike");
        QTest::newRow("the same run") << Job{} << QList<int>{} << 0;
        QTest::newRow("a rank stops early") << Job{.quietRank = 2, .quietFrom = 7} << QList<int>{2} << 7;
    }
    void divergence() {
        QFETCH(Job, job);
        QFETCH(QList<int>, departed);
        QFETCH(int, callsAlike);
        const QTemporaryDir folder;
        const QString run = write(folder, "run", job);
        const QString other = write(folder, "other", {});
        const Run json = analyze({run, "--diverges", other, "--json", "-"});
        QVERIFY2(json.status == 0, qPrintable(json.err));
        const QJsonArray departures = reportOf(json)["divergence"].toObject()["departures"].toArray();
        QList<int> found;
        for (const QJsonValue &each : departures)
            found << each.toObject()["rank"].toInt();
        QCOMPARE(found, departed);
        QVERIFY2(json.err.contains("Where it departs from the other run"), qPrintable(json.err)); // the text
        if (departed.isEmpty())
            return;
        QCOMPARE(departures[0].toObject()["calls_alike"].toInt(), callsAlike);
        QVERIFY2(departures[0].toObject()["why"].toString().contains("rank 2", Qt::CaseInsensitive),
                 qPrintable(departures[0].toObject()["why"].toString()));
        QVERIFY2(json.err.contains("First: "), qPrintable(json.err));
    }

    void anotherRunThatCannotBeRead() {
        const QTemporaryDir folder;
        const QString run = write(folder, "run", {});
        const Run result = analyze({run, "--diverges", folder.filePath("nothing.otf2")});
        QVERIFY2(result.status > 0, "as if it had been compared");
        QVERIFY2(result.err.contains("nothing.otf2"), qPrintable(result.err));
    }

    void alwaysLast_data() {
        QTest::addColumn<std::uint32_t>("slowRank");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("recurring");
        QTest::newRow("one rank") << 1U << "recurring"
                                  << "1";
        QTest::newRow("in turn") << ranks << "rotating"
                                 << "";
    }
    void alwaysLast() {
        QFETCH(std::uint32_t, slowRank);
        QFETCH(QString, pattern);
        QFETCH(QString, recurring);
        const QTemporaryDir folder;
        const Job job{.slowRank = slowRank};
        const Run run = analyze({write(folder, "run", job), "--json", "-"});
        QVERIFY2(run.status == 0, qPrintable(run.err));
        const QJsonObject last = reportOf(run)["always_last"].toObject()["collectives"].toObject();
        QCOMPARE(last["pattern"].toString(), pattern);
        QCOMPARE(last["occasions"].toInt(), int(job.steps));
        QCOMPARE(last["recurring"].toString(), recurring);
        QVERIFY(!last["why"].toString().isEmpty());
        QCOMPARE(last["ranks"].toArray().size(), qsizetype(ranks));
        for (const QJsonValue &value : last["ranks"].toArray()) {
            const QJsonObject rank = value.toObject();
            QCOMPARE(rank["recurs"].toBool(), recurring == QString::number(rank["rank"].toInt()));
            if (rank["recurs"].toBool()) {
                QCOMPARE(rank["last"].toInt(), int(job.steps));
                QVERIFY2(rank["wait_s"].toDouble() > 0, "nobody waited for it");
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestAnalyzeRuns)
#include "tst_analyzeruns.moc"
