// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/mpi/RecordedJob.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace laggard::recording;

namespace {

QJsonObject truthOf(const RecordedJob &job) {
    QFile file(job.folder() + "/truth.json");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object();
}

bool hasStruck(const RecordedJob &job) { return truthOf(job)["struck"].toBool(); }

/// What the main thread of a rank is doing at the end of the recording: its open call, or its innermost open function.
QString openCall(RecordedJob &job, int rank) {
    const QString last = job.calls(rank).last();
    const bool isOpen = !last.contains("->") && !last.contains("unsuccessful") && !last.startsWith("phase ");
    return isOpen ? last.section(' ', 0, 0) : QString();
}

QStringList faulty(int steps) { return {RecordedJob::program("faulty"), QString::number(steps)}; }

} // namespace

/// Every kind of fault strikes real jobs of three ranks (programs/faulty.c), where the truth says.
class TestInjection : public QObject {
    Q_OBJECT
  private slots:
    void hangsForEver_data();
    void hangsForEver();
    void stopsForAWhile();
    void dropsAMessage_data();
    void dropsAMessage();
    void repeatsAMessage();
    void startsThreads_data();
    void startsThreads();
    void slowsARankDown();
    void drawsFromACensus();
    void saysWhenItDidNotStrike();
    void refusesNonsense();
};

void TestInjection::hangsForEver_data() {
    QTest::addColumn<QString>("spec");
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("operation");
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("open");
    // What comes after the last call is a computation: no call is open.
    QTest::newRow("before") << "op=MPI_Allreduce,at=before"
                            << "before"
                            << "MPI_Allreduce"
                            << "main"
                            << "";
    QTest::newRow("inside") << "op=MPI_Allreduce,at=inside"
                            << "inside"
                            << "MPI_Allreduce"
                            << "main"
                            << "MPI_Allreduce";
    QTest::newRow("after") << "op=MPI_Isend,at=after"
                           << "after"
                           << "MPI_Isend"
                           << "ring"
                           << "";
    QTest::newRow("inside a wait") << "op=MPI_Waitall,at=inside"
                                   << "inside"
                                   << "MPI_Waitall"
                                   << "ring"
                                   << "MPI_Waitall";
    QTest::newRow("entry of a function") << "function=compute"
                                         << "function"
                                         << ""
                                         << "compute"
                                         << "";
}

void TestInjection::hangsForEver() {
    QFETCH(QString, spec);
    QFETCH(QString, place);
    QFETCH(QString, operation);
    QFETCH(QString, function);
    QFETCH(QString, open);
    RecordedJob job;
    job.options << "--inject"
                << "INF_LOOP:rank=1,instance=4,seed=9," + spec;
    job.runUntil(faulty(1000), [&job] {
        if (!hasStruck(job))
            return false;
        QTest::qWait(100);
        return true;
    });
    const QJsonObject truth = truthOf(job);
    QCOMPARE(truth["schema"].toString(), "laggard.truth/1");
    QCOMPARE(truth["kind"].toString(), "INF_LOOP");
    QCOMPARE(truth["struck"].toBool(), true);
    QCOMPARE(truth["rank"].toInt(), 1);
    QCOMPARE(truth["ranks"].toInt(), 3);
    QCOMPARE(truth["instance"].toInt(), 4);
    QCOMPARE(truth["seed"].toInt(), 9);
    QCOMPARE(truth["place"].toString(), place);
    QCOMPARE(truth["operation"].toString(), operation);
    QCOMPARE(truth["function"].toString(), function);
    QCOMPARE(truth["pid"].toInt(), job.file(1).header().pid);
    QVERIFY(truth["ticks"].toDouble() > static_cast<double>(job.file(1).header().startTicks));
    QCOMPARE(openCall(job, 1), open);
    // So many calls of it have begun, and no more.
    if (!operation.isEmpty())
        QCOMPARE(job.calls(1).filter(operation + " ").size(), place == "before" ? 3 : 4);
}

void TestInjection::stopsForAWhile() {
    RecordedJob job;
    job.options << "--inject"
                << "FIN_LOOP:rank=2,at=inside,op=MPI_Allreduce,instance=3,seconds=0.4";
    const RecordedJob::Result plain = job.runPlain(faulty(10));
    const RecordedJob::Result result = job.run(faulty(10));
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output, plain.output);
    QVERIFY(hasStruck(job));
    QCOMPARE(truthOf(job)["seconds"].toDouble(), 0.4);
    QCOMPARE(truthOf(job)["phases"].toInt(), 3);
    EventReader reader = job.file(2).events(0);
    Record record;
    std::uint64_t longest = 0;
    std::uint64_t begin = 0;
    while (reader.next(record)) {
        if (record.kind == RecordKind::CallBegin)
            begin = record.payload[0];
        else if (record.kind == RecordKind::CallEnd)
            longest = std::max(longest, record.payload[0] - begin);
    }
    QVERIFY2(longest >= 400'000'000, "no call of the rank lasts as long as the loop in it");
}

void TestInjection::dropsAMessage_data() {
    QTest::addColumn<QString>("spec");
    QTest::addColumn<QString>("operation");
    QTest::addColumn<int>("tag");
    QTest::newRow("Isend") << "op=MPI_Isend,instance=4"
                           << "MPI_Isend" << 3;
    QTest::newRow("persistent") << "op=MPI_Startall,instance=4"
                                << "MPI_Startall" << 1000;
    // Two messages a step: the Isend and the persistent one.
    QTest::newRow("any") << "instance=5"
                         << "MPI_Isend" << 2;
}

void TestInjection::dropsAMessage() {
    QFETCH(QString, spec);
    QFETCH(QString, operation);
    QFETCH(int, tag);
    RecordedJob job;
    job.options << "--inject"
                << "DROP_MESG:rank=0," + spec;
    job.runUntil(faulty(1000), [&job] {
        if (!hasStruck(job))
            return false;
        QTest::qWait(300);
        return true;
    });
    const QJsonObject truth = truthOf(job);
    QCOMPARE(truth["struck"].toBool(), true);
    QCOMPARE(truth["operation"].toString(), operation);
    QCOMPARE(truth["function"].toString(), "ring");
    QCOMPARE(truth["message"]["peer"].toInt(), 1);
    QCOMPARE(truth["message"]["tag"].toInt(), tag);
    QCOMPARE(truth["message"]["bytes"].toInt(), 8);
    QCOMPARE(truth["place"], QJsonValue());
    // The peer waits for it for ever, though the sender is said to have sent it.
    QCOMPARE(openCall(job, 1), "MPI_Waitall");
    QVERIFY(job.calls(0).filter(QString("send 1 tag %1 ").arg(tag)).size() > 0);
}

void TestInjection::repeatsAMessage() {
    RecordedJob job;
    job.options << "--inject"
                << "REP_MESG:rank=0,op=MPI_Isend,instance=4";
    const RecordedJob::Result plain = job.runPlain(faulty(10));
    // Each step has a tag of its own: nobody receives the second one.
    const RecordedJob::Result result = job.run(faulty(10));
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output.filter("sum"), plain.output); // MPI may say that a message was left over
    QCOMPARE(truthOf(job)["struck"].toBool(), true);
    QCOMPARE(truthOf(job)["message"].toObject()["tag"].toInt(), 3);
    QCOMPARE(job.calls(0).filter("MPI_Isend").size(), 10);
    // It waits for somebody to the end.
    QVERIFY2(job.calls(1).last().contains("waiting from 0 tag 3 WORLD 8B"), qPrintable(job.calls(1).last()));
    for (const int other : {0, 2})
        QVERIFY2(!job.calls(other).last().contains("waiting"), qPrintable(job.calls(other).last()));
}

void TestInjection::startsThreads_data() {
    QTest::addColumn<QString>("spec");
    QTest::newRow("CPU_THR") << "CPU_THR:rank=1,op=MPI_Allreduce,at=before,instance=2";
    QTest::newRow("MEM_THR") << "MEM_THR:rank=1,function=compute,instance=2,size=16M";
}

void TestInjection::startsThreads() {
    QFETCH(QString, spec);
    RecordedJob job;
    job.options << "--inject" << spec;
    const RecordedJob::Result plain = job.runPlain(faulty(10));
    const RecordedJob::Result result = job.run(faulty(10));
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output, plain.output);
    QCOMPARE(truthOf(job)["struck"].toBool(), true);
    QCOMPARE(job.warnings(), QStringList());
}

void TestInjection::slowsARankDown() {
    RecordedJob job;
    job.options << "--inject"
                << "SLOW:rank=1,factor=5";
    const RecordedJob::Result result = job.run({RecordedJob::program("faulty"), "20"});
    QCOMPARE(result.status, 0);
    const QJsonObject truth = truthOf(job);
    QCOMPARE(truth["struck"].toBool(), true);
    QCOMPARE(truth["factor"].toDouble(), 5.0);
    QCOMPARE(job.warnings(), QStringList());
}

void TestInjection::drawsFromACensus() {
    RecordedJob counted;
    counted.options << "--inject"
                    << "CENSUS";
    QCOMPARE(counted.run(faulty(10)).status, 0);
    QFile file(counted.folder() + "/census-1.txt");
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.contains("call MPI_Allreduce 10"));
    QVERIFY(lines.contains("call MPI_Waitall 20"));
    QVERIFY(lines.contains("message MPI_Isend 10"));
    QVERIFY(lines.filter(QRegularExpression("^function 10 [0-9a-f]+ .*/faulty$")).size() == 2); // compute and ring
    QVERIFY(!QFile::exists(counted.folder() + "/truth.json"));

    for (const char *kind : {"FIN_LOOP", "CPU_THR", "DROP_MESG"}) {
        for (int seed = 1; seed <= 2; ++seed) {
            RecordedJob job;
            job.options << "--inject"
                        << QString("%1:seed=%2,census=%3%4")
                               .arg(kind)
                               .arg(seed)
                               .arg(counted.folder(), QString(kind) == "FIN_LOOP" ? ",seconds=0.01" : "");
            job.runUntil(faulty(10), [&job] { return hasStruck(job); });
            QVERIFY2(hasStruck(job), qPrintable(QString("%1 with seed %2 never strikes").arg(kind).arg(seed)));
        }
    }
}

void TestInjection::saysWhenItDidNotStrike() {
    RecordedJob job;
    job.options << "--inject"
                << "INF_LOOP:rank=1,op=MPI_Allreduce,at=inside,instance=11";
    QCOMPARE(job.run(faulty(10)).status, 0);
    const QJsonObject truth = truthOf(job);
    QCOMPARE(truth["rank"].toInt(), 1);
    QCOMPARE(truth["struck"].toBool(), false);
    QVERIFY(truth["ticks"].isNull());
}

void TestInjection::refusesNonsense() {
    RecordedJob job;
    job.options << "--inject"
                << "INF_LOOP:rank=7";
    const RecordedJob::Result result = job.run(faulty(2));
    QCOMPARE(result.status, 0);
    QVERIFY2(result.errors.contains("there is no rank 7 among 3"), qPrintable(result.errors));
    QCOMPARE(truthOf(job)["struck"].toBool(), false);
}

QTEST_GUILESS_MAIN(TestInjection)
#include "tst_injection.moc"
