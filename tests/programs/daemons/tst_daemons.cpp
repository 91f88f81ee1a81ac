// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/outliers/Outliers.h"
#include "analysis/words/OutlierWords.h"
#include "ingest/Format.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace laggard;

namespace {

constexpr Rank exiting = 3;
constexpr Rank stuck = 5;
constexpr Rank waiting = stuck + 1; // its right neighbour

QStringList suspectsOf(const Ranking &ranking) {
    QStringList ranks;
    for (std::size_t i = 0; i < ranking.suspects; ++i)
        ranks.append(QString::number(ranking.scores[i].rank));
    return ranks;
}

const SuspectScore &scoreOf(const Ranking &ranking, Rank rank) {
    return *std::find_if(ranking.scores.begin(), ranking.scores.end(), [rank](const SuspectScore &s) { return s.rank == rank; });
}

/// "main > event_loop > select", outermost first.
QString stackText(const Trace &trace, CallPathId path) {
    QStringList names;
    for (const RegionId region : trace.callPaths.regions(path))
        names.append(QString::fromStdString(trace.regions[region].name));
    return names.join(" > ");
}

QString stackText(const ProfileComponent &component) {
    QStringList names;
    for (const std::string &name : component.stack)
        names.prepend(QString::fromStdString(name));
    return names.join(" > ");
}

} // namespace

/// The two cases of the thesis' §5.3.3 and §5.3.4, run as programs that write their calls as text.
class TestDaemons : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    TracePtr m_limit;  ///< one daemon exits at its polling limit
    TracePtr m_unread; ///< nobody reads one daemon's status

    /// Runs eight daemons that write to a folder of this name.
    QString run(const char *name, const QStringList &launcher, const QStringList &daemon, const QStringList &environment = {}) {
        const QString folder = m_dir.filePath(name);
        QDir().mkpath(folder);
        QFile::copy(QStringLiteral(LAGGARD_DAEMONS_DIR "/ring-daemon.nm"), folder + "/ring-daemon.nm");
        runLauncher(launcher + QStringList{"--traces", folder, "--", QStringLiteral(LAGGARD_DAEMONS_DIR "/ring-daemon")} + daemon,
                    environment);
        return folder;
    }

    /// Runs eight daemons under laggard-record.
    QString record(const char *name, const QStringList &launcher, const QStringList &daemon) {
        const QString folder = m_dir.filePath(name);
        runLauncher(launcher +
                        QStringList{"--", QStringLiteral(LAGGARD_RECORD), "-o", folder, "--",
                                    QStringLiteral(LAGGARD_DAEMONS_DIR "/ring-daemon-bare")} +
                        daemon,
                    {});
        return folder;
    }

    static void runLauncher(const QStringList &arguments, const QStringList &environment) {
        QProcess process;
        process.setEnvironment(QProcess::systemEnvironment() + environment);
        process.setProcessChannelMode(QProcess::ForwardedChannels);
        process.start(QStringLiteral(LAGGARD_DAEMONS_DIR "/start-daemons"), arguments);
        if (!process.waitForFinished(60000) || process.exitCode() != 0)
            qFatal("start-daemons failed");
    }

    static TracePtr opened(const QString &folder) { return openTrace(folder.toStdString(), {}, Work{}); }

  private slots:
    void initTestCase() {
        m_limit =
            opened(run("limit", {"--after-exit", "2", "--seconds", "20"}, {"--polling-limit", QString::number(exiting), "0.4"}));
        m_unread = opened(run("unread", {"--seconds", "3", "--unread", QString::number(stuck), "0.4"}, {}));
    }

    void theTracesAreComplete() {
        for (const TracePtr &trace : {m_limit, m_unread}) {
            QCOMPARE(trace->processes.size(), std::size_t{8});
            QCOMPARE(trace->hostOf(stuck), std::string("n005"));
            for (const Region &region : trace->regions)
                QVERIFY2(!region.name.starts_with("0x"), "every function has a name from the symbol file");
            QVERIFY(trace->durationSeconds() > 2 && trace->durationSeconds() < 40);
            QVERIFY(!trace->hasDataLoss());
            const CallPathId first = trace->mainEvents(0)->track.callPath[0];
            QCOMPARE(trace->region(first).name, std::string("main"));
            QVERIFY(trace->region(first).file.ends_with("ring-daemon.c"));
        }
    }

    void theDaemonThatExited() {
        const OutlierReport report = findOutliers(*m_limit, {}, {}, Work{});
        const FailStop &failStop = report.failStop;
        QVERIFY2(failStop.stopped.size() == 1, describe(failStop).c_str());
        QCOMPARE(failStop.stopped[0].rank, exiting);
        QVERIFY(failStop.stopped[0].secondsEarly > 1.5);
        QCOMPARE(m_limit->region(failStop.stopped[0].lastCall).name, std::string("_exit"));
        QCOMPARE(stackText(*m_limit, failStop.stopped[0].openStack),
                 QString("main > event_loop > handle_timer > freeze_sending > panic > _exit"));
        QCOMPARE(report.findings.size(), std::size_t{1});
        QCOMPARE(report.findings[0].method, std::string("failstop"));
        QCOMPARE(report.findings[0].ranks, RankSet{exiting});
    }

    void theWriterThatIsStuck() {
        // It has recorded nothing for longer than a second, so by the rule it may count as stopped. With clocks that agree less
        // well it is found by its profile.
        const OutlierReport byRule = findOutliers(*m_unread, {}, {}, Work{});
        QCOMPARE(byRule.findings.front().ranks, RankSet{stuck});
        QVERIFY(stackText(*m_unread, byRule.findings.front().callPath)
                    .endsWith("output_job_status > score_write_short > score_write > write"));
        const OutlierReport report = findOutliers(*m_unread, {}, {.clockResolution = 30.0}, Work{});
        QVERIFY(report.failStop.stopped.empty());
        QCOMPARE(report.findings.front().method, std::string("outliers"));
        QCOMPARE(report.findings.front().ranks, RankSet{stuck});
        const SuspectScore &first = report.withMpi.scores.front();
        QCOMPARE(first.rank, stuck);
        const QStringList suspects = suspectsOf(report.withMpi);
        QVERIFY2(suspects.contains(QString::number(waiting)),
                 qPrintable("its waiting neighbour stands out, too: " + suspects.join(' ')));
        const ProfileComponent &component = report.withMpi.profiles->components[first.contributions.front().component];
        QCOMPARE(stackText(component),
                 QString("main > event_loop > handle_timer > output_job_status > score_write_short > score_write > write"));
        QVERIFY(first.contributions.front().difference > 0.5);
    }

    /// In the other run a neighbour waits as well: that is known to happen (Figures 5.7 and 5.8).
    void theReferenceExcusesTheNeighbour() {
        const OutlierReport report = findOutliers(*m_unread, std::span(&m_limit, 1), {}, Work{});
        QCOMPARE(report.withMpi.scores.front().rank, stuck);
        const SuspectScore &writer = scoreOf(report.withMpi, stuck);
        const SuspectScore &neighbour = scoreOf(report.withMpi, waiting);
        QVERIFY2(*neighbour.oneClass < neighbour.unsupervised / 2, "one-class lowers the neighbour's score");
        QVERIFY2(*writer.oneClass > writer.unsupervised / 2, "nothing in the reference is like the writer");
        QVERIFY(*neighbour.oneClass < *writer.oneClass / 3);
    }

    /// A ring that holds the newest records: what was open where it begins is lost, or written before it.
    void aRing_data() {
        QTest::addColumn<bool>("keepsStack");
        QTest::addRow("entries lost") << false;
        QTest::addRow("open calls kept") << true;
    }
    void aRing() {
        QFETCH(bool, keepsStack);
        const TracePtr trace = opened(run(keepsStack ? "kept" : "lost", {"--after-exit", "1.5", "--seconds", "20"},
                                          {"--polling-limit", QString::number(exiting), "0.1"},
                                          {"CALLTRACE_RING=200", QString("CALLTRACE_KEEP_STACK=%1").arg(keepsStack ? 1 : 0)}));
        for (const Location &location : trace->locations)
            QVERIFY2(location.eventCount >= 200 && location.eventCount < 220,
                     "each daemon wrote its ring, whichever way it ended");
        const FailStop failStop = findFailStop(*trace);
        QVERIFY2(failStop.stopped.size() == 1, describe(failStop).c_str());
        QCOMPARE(failStop.stopped[0].rank, exiting);
        // The thesis' Figure 5.6: is_send_stable has filled the buffer, and who called panic is lost with the rest.
        QCOMPARE(stackText(*trace, failStop.stopped[0].openStack),
                 QString(keepsStack ? "main > event_loop > handle_timer > freeze_sending > panic > _exit" : "panic > _exit"));
        if (keepsStack)
            for (const Location &location : trace->locations)
                QCOMPARE(trace->region(location.events.track.callPath[0]).name, std::string("main"));
    }

    /// The same from recordings: daemons are numbered in the order in which they were started.
    void recorded() {
        const TracePtr limit = opened(record("recorded-limit", {"--after-exit", "2", "--seconds", "20"},
                                             {"--polling-limit", QString::number(exiting), "0.4"}));
        const TracePtr unread =
            opened(record("recorded-unread", {"--seconds", "3", "--unread", QString::number(stuck), "0.4"}, {}));
        QCOMPARE(limit->format, std::string("recording"));
        QCOMPARE(limit->processes.size(), std::size_t{8});
        const FailStop failStop = findFailStop(*limit);
        QVERIFY2(failStop.stopped.size() == 1, describe(failStop).c_str());
        QCOMPARE(stackText(*limit, failStop.stopped[0].openStack),
                 QString("main > event_loop > handle_timer > freeze_sending > panic > _exit"));
        const OutlierReport report = findOutliers(*unread, std::span(&limit, 1), {.clockResolution = 30.0}, Work{});
        const SuspectScore &first = report.withMpi.scores.front();
        // Its write is a function of the program here, and where it hung is known: in the library function that this calls.
        QCOMPARE(
            stackText(report.withMpi.profiles->components[first.contributions.front().component]),
            QString("main > event_loop > handle_timer > output_job_status > score_write_short > score_write > write > syscall"));
        QVERIFY2(report.withMpi.scores[1].score() < first.score() / 3, "the reference excuses the waiting neighbour");
    }
};

QTEST_GUILESS_MAIN(TestDaemons)
#include "tst_daemons.moc"
