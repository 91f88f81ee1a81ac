// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/intrusion/Correction.h"
#include "analysis/races/Races.h"
#include "ingest/Format.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace laggard;

namespace {

/// The trace of a program of tests/programs on four ranks; nullptr if it did not end well.
TracePtr record(const QTemporaryDir &folder, const QString &program, const QStringList &arguments, QString &output) {
    QProcess job;
    job.setWorkingDirectory(folder.path());
    job.setProcessChannelMode(QProcess::MergedChannels);
    job.start(LAGGARD_PROGRAMS_DIR "/run-program", QStringList{"-n", "4", "--limit", "60", "--", LAGGARD_RECORD, "-o",
                                                               "recording", "--", LAGGARD_PROGRAMS_DIR "/" + program} +
                                                       arguments);
    const bool isDone = job.waitForFinished(120'000);
    output = QString::fromUtf8(job.readAll());
    if (!isDone || job.exitCode() != 0)
        return nullptr;
    return openTrace(folder.filePath("recording").toStdString(), {}, Work{});
}

} // namespace

/// What is told of programs whose races are known.
class TestRacingPrograms : public QObject {
    Q_OBJECT

  private slots:
    void resultsInOrder();
    void probeAndReceive();
    void waitsForAny();
    void none_data();
    void none();
};

void TestRacingPrograms::resultsInOrder() {
    const QTemporaryDir folder;
    QString output;
    const TracePtr trace = record(folder, "ordered-results", {}, output);
    QVERIFY2(trace, qPrintable(output));
    const RaceReport report = findRaces(*trace, Work{});
    QVERIFY2(report.note.empty(), report.note.c_str());
    QCOMPARE(report.examined, std::uint64_t{24});
    QVERIFY(report.knowsRecorder);
    QVERIFY2(report.count >= 20, "most results can come in another order");
    for (const Race &race : report.races) {
        QCOMPARE(race.rank, Rank{0});
        QVERIFY(race.kind == Race::Kind::Receive);
        QCOMPARE(trace->region(race.callPath).name, std::string("MPI_Recv"));
        QVERIFY2(race.messages.size() <= 3, "three workers have one result at a time");
        for (const RacingMessage &message : race.messages) {
            QCOMPARE(message.tag, 2U);
            QVERIFY(message.from >= 1 && message.from <= 3);
        }
    }
    // The last results wait for nobody: what is taken last had no choice.
    const CorrectedTrace right = corrected(trace, Work{});
    QVERIFY2(right.report->problem.empty(), right.report->problem.c_str());
    QVERIFY(!findViolations(*right.trace, Work{}).any());
    QVERIFY2(right.report->correctedSeconds <= right.report->recordedSeconds, "without the recorder, a run is not longer");
}

void TestRacingPrograms::probeAndReceive() {
    const QTemporaryDir folder;
    QString output;
    const TracePtr trace = record(folder, "probe-then-any", {}, output);
    QVERIFY2(trace, qPrintable(output));
    const RaceReport report = findRaces(*trace, Work{});
    const auto of = [&](Race::Kind kind) {
        return std::count_if(report.races.begin(), report.races.end(), [kind](const Race &race) { return race.kind == kind; });
    };
    QCOMPARE(report.examined, std::uint64_t{60}); // probes and receives
    QVERIFY2(of(Race::Kind::Receive) >= 20, "a receive after it may take that of another");
    QVERIFY2(of(Race::Kind::Probe) >= 20, "a probe may see that of another");
    for (const Race &race : report.races)
        QVERIFY2(race.call >= 2 && race.call <= 61, "MPI_Init is the first call, then probes and receives take turns");
}

void TestRacingPrograms::waitsForAny() {
    const QTemporaryDir folder;
    QString output;
    const TracePtr trace = record(folder, "wait-any-plain", {"--steps", "5"}, output);
    QVERIFY2(trace, qPrintable(output));
    const RaceReport report = findRaces(*trace, Work{});
    QVERIFY2(std::any_of(report.races.begin(), report.races.end(),
                         [](const Race &race) { return race.kind == Race::Kind::Completion && race.rank == 0; }),
             "rank 0 waits for any of several");
}

void TestRacingPrograms::none_data() {
    QTest::addColumn<QString>("program");
    for (const char *program : {"stencil-plain", "transform-plain", "wavefront-plain", "cg-plain"})
        QTest::addRow("%s", program) << program;
}

void TestRacingPrograms::none() {
    QFETCH(QString, program);
    const QTemporaryDir folder;
    QString output;
    const TracePtr trace = record(folder, program, {"--steps", "3"}, output);
    QVERIFY2(trace, qPrintable(output));
    const RaceReport report = findRaces(*trace, Work{});
    QCOMPARE(report.examined, std::uint64_t{0});
    QCOMPARE(report.count, std::uint64_t{0});
}

QTEST_GUILESS_MAIN(TestRacingPrograms)
#include "tst_racingprograms.moc"
