// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/units/LearnModel.h"
#include "analysis/words/UnitWords.h"
#include "ingest/Format.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace laggard;

/// A model of real daemons, and the bug of thesis §6.4.1: a message that comes in parts makes a daemon close its connection.
class TestRingManager : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    CallModel m_model;

    TracePtr run(const QString &name, const QStringList &options) {
        const QString folder = m_dir.filePath(name);
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(LAGGARD_PYTHON, QStringList{"-B", LAGGARD_RINGMANAGER, folder} + options);
        if (!process.waitForFinished(120'000) || process.exitCode() != 0)
            return nullptr;
        return openTrace(folder.toStdString(), {}, {});
    }

  private slots:
    void initTestCase() {
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
        const UnitReport report = judgeUnits(*trace, m_model, {});
        bool isFound = false;
        QString said;
        for (std::size_t i = 0; i < std::min<std::size_t>(3, report.units.size()); ++i) {
            const JudgedUnit &unit = report.units[i];
            said += QString::fromStdString("rank " + std::to_string(unit.rank) + ": " + why(unit) + '\n');
            for (const UnitDifference &call : unit.differences)
                isFound = isFound || (unit.rank == static_cast<Rank>(closer) && call.function == "close_left" &&
                                      call.kind == CallDifference::Kind::Unknown && call.line != 0);
        }
        QVERIFY2(isFound, qPrintable("the unit that closes the connection is to be among the first three, but:\n" + said));
    }
};

QTEST_GUILESS_MAIN(TestRingManager)
#include "tst_ringmanager.moc"
