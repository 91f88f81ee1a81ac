// SPDX-License-Identifier: GPL-3.0-or-later
// From a job that crashes to the lines that made it crash: recorded, analysed and sliced by the programs themselves.
#include "tests/support/Analyze.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using laggard::test::analyze;
using laggard::test::Run;

namespace {

/// The line of crash.c whose comment is `@mark`.
int lineOf(const QString &mark) {
    QFile file(LAGGARD_CRASH_SOURCE);
    int number = 1;
    if (file.open(QFile::ReadOnly))
        for (const QByteArray &line : file.readAll().split('\n')) {
            if (line.endsWith("// @" + mark.toUtf8()))
                return number;
            ++number;
        }
    return 0;
}

} // namespace

class TestCrashSlice : public QObject {
    Q_OBJECT
  private slots:
    void ofTheFaultingLine_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("fault");
        QTest::addColumn<QStringList>("near");
        QTest::addColumn<QStringList>("behind");
        const QStringList sent{"sent", "computed", "wrong"};
        QTest::newRow("an address") << "read"
                                    << "fault" << QStringList{"looks", "received"} << sent;
        QTest::newRow("a division") << "divide"
                                    << "divided" << QStringList{"divides", "zero"} << QStringList();
        QTest::newRow("a check") << "abort"
                                 << "abort" << QStringList{"check", "received"} << sent;
    }

    /// The first step is the line that it ended in, the next ones what it used there, and then those who sent that.
    void ofTheFaultingLine() {
        QFETCH(QString, how);
        QFETCH(QString, fault);
        QFETCH(QStringList, near);
        QFETCH(QStringList, behind);
        const QTemporaryDir folder;
        QProcess job;
        job.setWorkingDirectory(folder.path());
        job.setProcessChannelMode(QProcess::MergedChannels);
        job.start(LAGGARD_MPIEXEC, {"-n", "3", LAGGARD_RECORD, "-o", "recording", "--", LAGGARD_CRASH, how});
        QVERIFY2(job.waitForFinished(120'000), "The job did not end.");
        QTemporaryDir cache;
        qputenv("XDG_CACHE_HOME", cache.path().toUtf8());
        const Run run = analyze(
            {folder.filePath("recording"), "--only", "progress", "--slice", "20", "--slice-timeout", "120", "--json", "-"});
        QVERIFY2(run.status >= 0 && run.status < 2, qPrintable(run.err + job.readAll()));
        const QJsonArray lines = QJsonDocument::fromJson(run.out.toUtf8())["slice"]["lines"].toArray();
        QList<int> order;
        QString text;
        for (const QJsonValue line : lines) {
            order << line["line"].toInt();
            text += QString::number(line["line"].toInt()) + ' ' + line["detail"].toString() + '\n';
        }
        QVERIFY2(!order.isEmpty(), qPrintable(run.err));
        QVERIFY2(order.mid(0, 2).contains(lineOf(fault)) && lines[0]["why"].toString() == "criterion", qPrintable(text));
        for (const QString &mark : near)
            QVERIFY2(order.mid(0, 6).contains(lineOf(mark)), qPrintable(mark + " is not among the first six:\n" + text));
        for (const QString &mark : behind)
            QVERIFY2(order.contains(lineOf(mark)), qPrintable(mark + " is missing:\n" + text));
        for (const QJsonValue line : lines)
            if (line["line"].toInt() == lineOf("sent"))
                QCOMPARE(line["ranks"].toString(), "0");
    }
};

QTEST_GUILESS_MAIN(TestCrashSlice)
#include "tst_crashslice.moc"
