// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/collect/mpi/RecordedJob.h"

#include <QTest>

#include <algorithm>

/// What is beyond single calls: languages, threads, errors.
class TestWrappers : public QObject {
    Q_OBJECT
  private slots:
    void recordsFortranOnce_data();
    void recordsFortranOnce();
    void keepsThreadsApart();
    void goesOnAfterAnException();
    void survivesProgramsWithoutMpi();
    void usesNoCodeOfTheProgram();
};

void TestWrappers::recordsFortranOnce_data() {
    QTest::addColumn<QString>("program");
    QTest::newRow("module mpi") << "fortran";
    QTest::newRow("module mpi_f08") << "fortran-f08";
}

void TestWrappers::recordsFortranOnce() {
    QFETCH(QString, program);
    if (!RecordedJob::exists(program))
        QSKIP("There is no Fortran compiler for MPICH.");
    RecordedJob job;
    const RecordedJob::Result plain = job.runPlain({RecordedJob::program(program)});
    const RecordedJob::Result recorded = job.run({RecordedJob::program(program)});
    QCOMPARE(recorded.status, plain.status);
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(job.warnings(), QStringList());
    const QStringList expected{
        "MPI_Init ->",
        "MPI_Sendrecv send 1 tag 3 WORLD 4B MPI_INTEGER, receive any tag any WORLD 4B MPI_INTEGER -> from 2 tag 3 WORLD 4B",
        "MPI_Irecv receive 2 tag 4 WORLD 4B MPI_INTEGER r1 ->",
        "MPI_Isend send 1 tag 4 WORLD 4B MPI_INTEGER r2 ->",
        "MPI_Waitall of r1 r2 -> from 2 tag 4 WORLD 4B r1, done r2",
        "MPI_Irecv receive 2 tag 5 WORLD 4B MPI_INTEGER r3 ->",
        "MPI_Irecv receive 2 tag 6 WORLD 4B MPI_INTEGER r4 ->",
        "MPI_Testany unsuccessful of r3 r4",
        "MPI_Barrier collective WORLD 0B 0B ->",
        "MPI_Ssend send 1 tag 6 WORLD 4B MPI_INTEGER synchronous ->",
        "MPI_Waitany of r3 r4 -> from 2 tag 6 WORLD 4B r4",
        "MPI_Barrier collective WORLD 0B 0B ->",
        "MPI_Ssend send 1 tag 5 WORLD 4B MPI_INTEGER synchronous ->",
        "MPI_Waitsome of r3 -> from 2 tag 5 WORLD 4B r3",
        "MPI_Comm_split collective WORLD 0B 0B ->",
        "MPI_Bcast collective reverse root 2 0B 8B ->",
        "MPI_Allreduce collective reverse 4B 4B ->",
        "MPI_Gather collective SELF root 0 4B 4B ->",
        "MPI_Send_init ->",
        "MPI_Start send null tag 1 reverse 4B MPI_INTEGER persistent r5 ->",
        "MPI_Wait of r5 -> done r5",
        "MPI_Request_free ->",
        "MPI_Isend send 1 tag 8 WORLD 4B MPI_INTEGER r6 ->",
        "MPI_Mprobe receive 2 tag 8 WORLD 0B ? probe -> takes from 2 tag 8 WORLD 4B",
        "MPI_Mrecv receive 2 tag 8 WORLD 4B MPI_INTEGER matched -> from 2 tag 8 WORLD 4B",
        "MPI_Wait of r6 -> done r6",
        "MPI_Irecv receive 2 tag 11 WORLD 4B MPI_INTEGER r7 ->",
        "MPI_Irecv receive 2 tag 12 WORLD 4B MPI_INTEGER r8 ->",
        "MPI_Irecv receive 2 tag 13 WORLD 4B MPI_INTEGER r9 ->",
        "MPI_Send send 1 tag 12 WORLD 4B MPI_INTEGER ->",
        "MPI_Send send 1 tag 13 WORLD 4B MPI_INTEGER ->",
        "MPI_Send send 1 tag 14 WORLD 4B MPI_INTEGER ->",
        "MPI_Recv receive 2 tag 14 WORLD 4B MPI_INTEGER -> from 2 tag 14 WORLD 4B",
        "MPI_Waitsome of r7 r8 r9 -> from 2 tag 12 WORLD 4B r8, from 2 tag 13 WORLD 4B r9",
        "MPI_Send send 1 tag 11 WORLD 4B MPI_INTEGER ->",
        "MPI_Waitall of r7 -> from 2 tag 11 WORLD 4B r7",
        "phase 2",
        "MPI_Comm_free collective reverse 0B 0B ->",
        "MPI_Finalize collective WORLD 0B 0B ->",
    };
    const QStringList calls = job.calls(0);
    for (qsizetype i = 0; i < std::min(calls.size(), expected.size()); ++i)
        QCOMPARE(calls[i], expected[i]);
    QCOMPARE(calls.size(), expected.size());
}

void TestWrappers::keepsThreadsApart() {
    RecordedJob job;
    const QStringList command{RecordedJob::program("calls"), "threads"};
    const RecordedJob::Result plain = job.runPlain(command);
    const RecordedJob::Result recorded = job.run(command);
    QCOMPARE(recorded.status, plain.status);
    QCOMPARE(recorded.output, plain.output);
    QCOMPARE(job.warnings(), QStringList());
    QCOMPARE(job.file(0).header().threadLevel, 3U);
    QCOMPARE(job.file(0).threads().size(), std::size_t{3});
    for (std::uint32_t thread = 1; thread < 3; ++thread) {
        const QStringList calls = job.calls(1, thread);
        QCOMPARE(calls.size(), 900);
        const QString tag = calls[0].section(' ', 4, 4);
        for (int i = 0; i < 300; ++i) {
            const QString in = QString("r%1").arg(2 * i + 1);
            const QString out = QString("r%1").arg(2 * i + 2);
            QCOMPARE(calls[3 * i], QString("MPI_Irecv receive 0 tag %1 WORLD 4B MPI_INT %2 ->").arg(tag, in));
            QCOMPARE(calls[3 * i + 1], QString("MPI_Isend send 2 tag %1 WORLD 4B MPI_INT %2 ->").arg(tag, out));
            QCOMPARE(calls[3 * i + 2], QString("MPI_Waitall of %1 %2 -> from 0 tag %3 WORLD 4B %1, done %2").arg(in, out, tag));
        }
    }
    QVERIFY2(job.file(0).requests().empty(), "all requests are complete, and yet some are said to be open");
}

void TestWrappers::goesOnAfterAnException() {
    RecordedJob job;
    job.ranks = 1;
    const RecordedJob::Result result = job.run({RecordedJob::program("throwing")});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output, QStringList{"caught: from MPI"});
    const QStringList expected{"MPI_Init ->", "MPI_Send send ? tag 1 SELF 4B MPI_INT -> failed",
                               "MPI_Barrier collective WORLD 0B 0B ->", "MPI_Finalize collective WORLD 0B 0B ->"};
    QCOMPARE(job.calls(0), expected);
}

void TestWrappers::survivesProgramsWithoutMpi() {
    // The library is loaded into the shell as well, where no function or variable of MPI exists.
    RecordedJob job;
    job.ranks = 1;
    const RecordedJob::Result result =
        job.run({"sh", "-c", "echo before; " + RecordedJob::program("calls") + " phases; echo after $?"});
    QCOMPARE(result.status, 0);
    QCOMPARE(result.output, (QStringList{"after 5", "before"}));
    QCOMPARE(job.calls(0).size(), 8);
}

void TestWrappers::usesNoCodeOfTheProgram() {
    // The program has announced instances of templates that the recorder uses too; one of the two exports them.
    std::uint64_t events[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        RecordedJob job;
        job.ranks = 1;
        const RecordedJob::Result result = job.run({RecordedJob::program(i == 0 ? "templates" : "templates-exported")});
        QCOMPARE(result.status, 0);
        QCOMPARE(result.output, QStringList{"59"});
        QCOMPARE(job.warnings(), QStringList());
        QCOMPARE(job.calls(0).size(), 42);
        events[i] = job.file(0).threadStates().front().value.events;
    }
    QCOMPARE(events[1], events[0]);
}

QTEST_GUILESS_MAIN(TestWrappers)
#include "tst_wrappers.moc"
