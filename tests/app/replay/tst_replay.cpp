// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/replay/ReplayedJob.h"

#include "app/replay/ReplayPlans.h"

#include <QRegularExpression>
#include <QTest>

using namespace laggard;

namespace {

/// The first receive gets another message than the one that the probe before it has seen.
QString notSeen(const QString &recording) {
    const auto plans = replay::makePlans(
        {.recording = recording.toStdString(), .exchange = {}, .ranks = {}, .program = {}, .waitSeconds = {}}, {});
    const auto seen =
        QRegularExpression("R 2 MPI_Probe \\d+ -?\\d+ \\d+ (\\d)").match(QString::fromStdString(plans.front())).captured(1);
    return QString("0:3=%1:2").arg(seen.toInt() % 3 + 1);
}

} // namespace

/// laggard-record --replay on programs whose outcome depends on what comes first.
class TestReplay : public QObject {
    Q_OBJECT

  private slots:
    void takesTheRecordedOrder_data();
    void takesTheRecordedOrder();
    void withoutRaces();
    void exchanges_data();
    void exchanges();
    void isReplayedItself();
    void leavesThePath();
    void waitsForEver();
    void refusals_data();
    void refusals();
    void otherRecordings();
    void readsExchanges_data();
    void readsExchanges();
};

void TestReplay::takesTheRecordedOrder_data() {
    QTest::addColumn<bool>("openMpi");
    QTest::addColumn<QString>("program");
    QTest::addColumn<int>("runs");
    QTest::addRow("a master and workers") << false << "ordered-results" << 3;
    QTest::addRow("all ways to ask") << false << "polled-results" << 3;
    QTest::addRow("probe and receive") << false << "probe-then-any" << 2;
    if (LAGGARD_HAS_OPENMPI) {
        QTest::addRow("Open MPI: a master and workers") << true << "ordered-results" << 1;
        QTest::addRow("Open MPI: all ways to ask") << true << "polled-results" << 1;
    }
}

void TestReplay::takesTheRecordedOrder() {
    QFETCH(bool, openMpi);
    QFETCH(QString, program);
    QFETCH(int, runs);
    for (int run = 0; run < runs; ++run) {
        ReplayedJob job;
        job.openMpi = openMpi;
        const auto recorded = job.record("recorded", {}, {program});
        QVERIFY2(recorded.status == 0, qPrintable(recorded.errors));
        const auto replayed = job.replay("recorded", "replayed", {}, {program});
        QVERIFY2(replayed.status == 0, qPrintable(replayed.errors));
        QCOMPARE(replayed.output, recorded.output);
        QVERIFY2(job.wasFollowed("replayed"), qPrintable(job.outcomes("replayed").join('\n')));
    }
}

void TestReplay::withoutRaces() {
    const ReplayedJob job;
    const auto recorded = job.record("recorded", {}, {"no-races"});
    const auto replayed = job.replay("recorded", "replayed", {}, {"no-races"});
    QVERIFY2(replayed.status == 0, qPrintable(replayed.errors));
    QCOMPARE(replayed.output, recorded.output);
    QVERIFY2(job.wasFollowed("replayed"), qPrintable(job.outcomes("replayed").join('\n')));
    // As recordings: for nobody but their owner.
    const QDir own(job.path("replayed") + "/replay");
    constexpr QFile::Permissions others =
        QFile::ReadGroup | QFile::WriteGroup | QFile::ExeGroup | QFile::ReadOther | QFile::WriteOther | QFile::ExeOther;
    for (const QFileInfo &each : own.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotDot))
        QVERIFY2((each.permissions() & others) == QFile::Permissions(), qPrintable(each.filePath()));
    const auto exchanged = job.replay("recorded", "exchanged", {"--exchange", "0:4=1:3"}, {"no-races"});
    QCOMPARE(exchanged.status, 2);
    QVERIFY2(exchanged.errors.contains("has no choice of messages"), qPrintable(exchanged.errors));
}

void TestReplay::exchanges_data() {
    QTest::addColumn<bool>("openMpi");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("exchange"); ///< empty: another message than the one that the first probe saw
    QTest::addColumn<int>("status");       ///< -1: of a crash
    QTest::addColumn<QString>("said");
    for (const bool openMpi : LAGGARD_HAS_OPENMPI ? QList<bool>{false, true} : QList<bool>{false}) {
        const char *library = openMpi ? "Open MPI" : "MPICH";
        QTest::addRow("%s: hangs", library) << openMpi << "one-order-hangs"
                                            << "0:3=2:3" << 124 << "";
        QTest::addRow("%s: crashes", library) << openMpi << "tag-fallback"
                                              << "0:3=2:3" << -1 << "";
        QTest::addRow("%s: another message than the one that was seen", library)
            << openMpi << "probe-then-any"
            << "0:3=2:2" << 0 << "[1-9][0-9]* messages were not";
    }
}

void TestReplay::exchanges() {
    QFETCH(bool, openMpi);
    QFETCH(QString, program);
    QFETCH(QString, exchange);
    QFETCH(int, status);
    QFETCH(QString, said);
    ReplayedJob job;
    job.openMpi = openMpi;
    for (int tries = 0; tries < 5; ++tries) { // the first message must not be the one that is to come first
        const auto recorded = job.record(QString("recorded%1").arg(tries), {}, {program});
        if (recorded.status != 0)
            continue;
        const QString wanted = program == "probe-then-any" ? notSeen(job.path(QString("recorded%1").arg(tries))) : exchange;
        job.limit = status == 124 ? 5 : 60;
        const QString to = QString("exchanged%1").arg(tries);
        const auto exchanged = job.replay(QString("recorded%1").arg(tries), to, {"--exchange", wanted}, {program});
        QVERIFY2(status == -1 ? exchanged.status != 0 && exchanged.status != 124 && exchanged.status != 2
                              : exchanged.status == status,
                 qPrintable(QString("status %1: %2%3").arg(exchanged.status).arg(exchanged.output, exchanged.errors)));
        QVERIFY2(QRegularExpression(said).match(exchanged.output).hasMatch(), qPrintable(exchanged.output));
        QVERIFY2(job.outcomes(to).filter("leaves").isEmpty(), qPrintable(job.outcomes(to).join('\n')));
        return;
    }
    QFAIL("the program does not even start well in one of five runs");
}

/// The recording of a replay is one as any other.
void TestReplay::isReplayedItself() {
    const ReplayedJob job;
    const auto recorded = job.record("first", {}, {"ordered-results"});
    QCOMPARE(job.replay("first", "second", {}, {"ordered-results"}).output, recorded.output);
    QCOMPARE(job.replay("second", "third", {}, {"ordered-results"}).output, recorded.output);
    QVERIFY2(job.wasFollowed("third"), qPrintable(job.outcomes("third").join('\n')));
}

void TestReplay::leavesThePath() {
    const ReplayedJob job;
    job.record("recorded", {}, {"polled-results"});
    const auto replayed = job.replay("recorded", "replayed", {}, {"polled-results", "1"});
    QVERIFY2(replayed.status == 0, qPrintable(replayed.errors));
    const QString left = job.outcomes("replayed").first();
    QVERIFY2(left.startsWith("left rank 0 leaves the recorded path at its call 6: MPI_Waitany, where MPI_Testany was recorded."),
             qPrintable(left));
    QVERIFY2(replayed.errors.contains(left.mid(5)), qPrintable(replayed.errors));
}

void TestReplay::waitsForEver() {
    const ReplayedJob job;
    job.record("recorded", {}, {"one-order-hangs"});
    const auto replayed =
        job.replay("recorded", "replayed", {"--replay-wait", "2"}, {"one-order-hangs", "without the report of rank 1"});
    QVERIFY2(replayed.status != 0 && replayed.status != 124, qPrintable(replayed.errors));
    QVERIFY2(replayed.errors.contains("has waited 2 s in its MPI_"), qPrintable(replayed.errors));
    QVERIFY2(replayed.errors.contains("it does not come. The job is ended"), qPrintable(replayed.errors));
    QCOMPARE(job.outcomes("replayed").filter(QRegularExpression("^waited ")).isEmpty(), false);
}

void TestReplay::refusals_data() {
    QTest::addColumn<int>("ranks");
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("said");
    const QStringList none;
    QTest::addRow("other number of ranks") << 3 << "ordered-results" << none << "is of 4 ranks, and this job has 3";
    QTest::addRow("another binary") << 4 << "no-races" << none << "is of another binary";
    QTest::addRow("no exchange") << 4 << "ordered-results" << QStringList{"--exchange", "first"} << "takes RANK:CALL=SENDER:CALL";
    QTest::addRow("no such rank") << 4 << "ordered-results" << QStringList{"--exchange", "7:5=1:3"}
                                  << "has 4 ranks, and no rank 7";
    QTest::addRow("no such call") << 4 << "ordered-results" << QStringList{"--exchange", "0:500=1:3"} << "has no call 500";
    QTest::addRow("no choice") << 4 << "ordered-results" << QStringList{"--exchange", "0:1=1:3"}
                               << "call 1 of rank 0, MPI_Init, has no choice of messages";
    QTest::addRow("a wait that no clock counts")
        << 4 << "ordered-results" << QStringList{"--replay-wait", "18446744074"} << "not in range";
    QTest::addRow("a part of a second") << 4 << "ordered-results" << QStringList{"--replay-wait", "1.5"} << "--replay-wait";
    QTest::addRow("no send") << 4 << "ordered-results" << QStringList{"--exchange", "0:5=1:2"} << "sends nothing to rank 0";
}

void TestReplay::refusals() {
    QFETCH(int, ranks);
    QFETCH(QString, program);
    QFETCH(QStringList, options);
    QFETCH(QString, said);
    static const ReplayedJob shared;
    if (!QFileInfo::exists(shared.path("recorded")))
        shared.record("recorded", {}, {"ordered-results"});
    ReplayedJob job;
    job.ranks = ranks;
    const auto replayed = job.replay(shared.path("recorded"), "replayed", options, {program});
    QVERIFY2(replayed.status != 0 && replayed.output.isEmpty(), "nothing starts");
    QVERIFY2(replayed.errors.contains(said), qPrintable(replayed.errors));
    QVERIFY2(job.filesOf("replayed").isEmpty(), "nothing is recorded");
}

/// Recordings that are not whole.
void TestReplay::otherRecordings() {
    const auto why = [](const QString &recording) {
        try {
            static_cast<void>(replay::makePlans(
                {.recording = recording.toStdString(), .exchange = {}, .ranks = {}, .program = {}, .waitSeconds = {}}, {}));
            return QString();
        } catch (const std::exception &failure) {
            return QString(failure.what());
        }
    };
    const ReplayedJob job;
    job.record("recorded", {}, {"ordered-results"});
    QCOMPARE(why(job.path("recorded")), QString());
    const QStringList files = job.filesOf("recorded");
    QFile file(files.front());
    QVERIFY(file.open(QIODevice::ReadWrite));
    const QByteArray whole = file.readAll();
    // Somewhere in the events there are words of a call: the first chunk of them holds far more than these.
    QByteArray damaged = whole;
    for (qsizetype at = 8192; at + 8 < damaged.size(); at += 512)
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    file.seek(0);
    file.write(damaged);
    file.flush();
    QVERIFY2(why(job.path("recorded")).contains("cannot be replayed"), qPrintable(why(job.path("recorded"))));
    file.remove();
    QVERIFY2(why(job.path("recorded")).contains("there is no recording of 1 rank of 4"), qPrintable(why(job.path("recorded"))));

    job.record("model", {"--mode", "model"}, {"ordered-results"});
    QVERIFY2(why(job.path("model")).contains("has no events"), qPrintable(why(job.path("model"))));
    job.record("short", {"--buffer", "64K"}, {"no-races", "4000"});
    QVERIFY2(why(job.path("short")).contains("its beginning has been overwritten"), qPrintable(why(job.path("short"))));
    QVERIFY2(why(job.path("nothing")).contains("is no recording"), qPrintable(why(job.path("nothing"))));
}

void TestReplay::readsExchanges_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isRight");
    for (const char *right : {"0:3=2:5", "12:400=11:9"})
        QTest::addRow("%s", right) << right << true;
    for (const char *wrong : {"", "0:3", "0:3=2", "0:3=2:5 ", "0:3=2:-5", "a:3=2:5", "0:3=2:5:6", "99999999999:3=2:5"})
        QTest::addRow("not %s", wrong) << wrong << false;
}

void TestReplay::readsExchanges() {
    QFETCH(QString, text);
    QFETCH(bool, isRight);
    const auto exchange = replay::readExchange(text.toStdString());
    QCOMPARE(exchange.has_value(), isRight);
    if (exchange)
        QCOMPARE(QString::fromStdString(replay::toText(*exchange)), text);
}

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
