// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/LearnModel.h"
#include "analysis/words/UnitWords.h"
#include "ingest/Format.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace laggard;

/// A model of real daemons, and the bug of thesis §6.4.1: a message that comes in parts makes a daemon close its connection.
class TestRingManager : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    CallModel m_model;
    QString m_python;

    TracePtr opened(const QString &folder, const QString &program, const QStringList &arguments) {
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(program, arguments);
        if (!process.waitForFinished(120'000) || process.exitCode() != 0)
            return nullptr;
        return openTrace(folder.toStdString(), {}, {});
    }
    TracePtr run(const QString &name, const QStringList &options) {
        const QString folder = m_dir.filePath(name);
        return opened(folder, m_python, QStringList{"-B", LAGGARD_RINGMANAGER, folder} + options);
    }
    TracePtr record(const QString &name, const QStringList &options, const QString &buffers = {}) {
        const QString folder = m_dir.filePath(name);
        QStringList arguments{"--libc", "--python", "-o", folder};
        if (!buffers.isEmpty())
            arguments << buffers;
        return opened(folder, LAGGARD_RECORD, arguments + QStringList{"--", m_python, "-B", LAGGARD_RINGMANAGER, "-"} + options);
    }

    void learnsWhatTheyTraced() {
        m_model = {};
        for (const char *messages : {"5", "12", "20"}) {
            const TracePtr trace = run(QString("normal") + messages, {"--messages", messages});
            QVERIFY2(trace, "the daemons did not end by themselves");
            const Lesson lesson = learn(*trace, {});
            QVERIFY(lesson.withoutLoop.empty());
            QCOMPARE(lesson.incomplete, 0U);
            m_model.merge(lesson.model);
        }
        QCOMPARE(m_model.roles.size(), 1U); // all listen and connect in the same places
        QCOMPARE(m_model.roles[0].processes, 12U);
    }

    /// The daemons are forked in order by the first process, so that their numbers rise; which is recorded first may differ.
    static Rank rankOfDaemon(const Trace &trace, int daemon) {
        std::vector<std::pair<std::int32_t, Rank>> processes;
        for (Rank rank = 0; rank < trace.processes.size(); ++rank)
            processes.emplace_back(trace.processes[rank].pid, rank);
        std::ranges::sort(processes);
        return processes.at(static_cast<std::size_t>(daemon) + 1).second;
    }

    /// That the unit in which `rank` closes its connection is among the first three.
    static void checkCloser(const UnitReport &report, Rank rank) {
        bool isFound = false;
        QString said;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, report.units.size()); ++i) {
            const JudgedUnit &unit = report.units[i];
            said += QString::fromStdString("rank " + std::to_string(unit.rank) + ": " + why(unit) + '\n');
            for (const UnitDifference &call : unit.differences) {
                const bool isCloser = call.function.ends_with("close_left") && call.line != 0;
                isFound |= unit.rank == rank && isCloser && call.kind == CallDifference::Kind::Unknown;
            }
        }
        QVERIFY2(isFound, qPrintable("the unit that closes the connection is to be among the first three, but:\n" + said));
    }

  private slots:
    /// What is called python3 may be a script that starts it, which would be recorded as well.
    void initTestCase() {
        QProcess process;
        process.start(LAGGARD_PYTHON, {"-c", "import sys; print(sys.executable)"});
        QVERIFY(process.waitForFinished());
        m_python = QString::fromLocal8Bit(process.readAllStandardOutput()).trimmed();
        learnsWhatTheyTraced();
    }

    void aNormalRunHasNothingUnknown() {
        const TracePtr trace = run("another", {"--messages", "9"});
        QVERIFY(trace);
        const UnitReport report = judgeUnits(*trace, m_model, {});
        QVERIFY2(report.unknown.empty(), "the processes do what the trained ones do");
        for (const JudgedUnit &unit : report.units)
            for (const UnitDifference &call : unit.differences)
                QVERIFY2(call.kind != CallDifference::Kind::Unknown,
                         qPrintable(QString::fromStdString("false alarm: " + describe(call))));
    }

    void theConnectionThatIsClosedIsFound_data() {
        QTest::addColumn<int>("sender");
        QTest::addColumn<int>("closer");
        QTest::newRow("1 sends in parts") << 1 << 2;
        QTest::newRow("3 sends in parts") << 3 << 0;
    }
    void theConnectionThatIsClosedIsFound() {
        QFETCH(int, sender);
        QFETCH(int, closer);
        const TracePtr trace = run("partial" + QString::number(sender), {"--partial", QString::number(sender)});
        QVERIFY2(trace, "the daemons did not end by themselves");
        checkCloser(judgeUnits(*trace, m_model, {}), static_cast<Rank>(closer));
    }

    /// The same by the recorder; process 0 starts the daemons and waits.
    void recorded_data() {
        QTest::addColumn<QString>("buffers");
        QTest::newRow("a ring") << QString();
        QTest::newRow("a pool") << QString("--pool");
    }
    void recorded() {
        QFETCH(QString, buffers);
        CallModel model;
        for (const char *messages : {"5", "12", "20"}) {
            const TracePtr trace = record(QString("recorded") + messages + buffers, {"--messages", messages}, buffers);
            QVERIFY2(trace, "the daemons did not end by themselves");
            const Lesson lesson = learn(*trace, {});
            QCOMPARE(lesson.withoutLoop, RankSet{0});
            model.merge(lesson.model);
        }
        QCOMPARE(model.roles.size(), 2U);
        const TracePtr another = record("recorded-another" + buffers, {"--messages", "9"}, buffers);
        QVERIFY(another);
        const UnitReport usual = judgeUnits(*another, model, {});
        QVERIFY2(usual.units.empty() || usual.units.front().score < usualUnitThreshold,
                 qPrintable(QString::fromStdString("false alarm: " + why(usual.units.front()))));
        for (const int sender : {1, 3}) {
            const TracePtr trace =
                record("recorded-partial" + QString::number(sender) + buffers, {"--partial", QString::number(sender)}, buffers);
            QVERIFY2(trace, "the daemons did not end by themselves");
            checkCloser(judgeUnits(*trace, model, {}), rankOfDaemon(*trace, (sender + 1) % 4));
        }
    }
};

QTEST_GUILESS_MAIN(TestRingManager)
#include "tst_ringmanager.moc"
